// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes a model of tables: ports, lanes and queues in flat arrays, all buffers empty. */
#include "simfabric/adaptive/routing.h"
#include "simfabric/adaptive/selection.h"
#include "simfabric/model/adaptive.h"
#include "simfabric/model/admittance.h"
#include "simfabric/model/bubble.h"
#include "simfabric/model/consumption.h"
#include "simfabric/model/replies.h"
#include "simfabric/model/crossbar.h"
#include "simfabric/model/deadlock.h"
#include "simfabric/model/gauges.h"
#include "simfabric/model/live.h"
#include "simfabric/model/look_ahead.h"
#include "simfabric/model/machine.h"
#include "simfabric/model/network.h"
#include "simfabric/model/parts.h"
#include "simfabric/model/voqnet.h"

#include "support/error.h"
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>

/*
 * A model of more bytes than this looks ahead: about a core's part of the caches. With 2 MiB (1,056
 * hosts) looking ahead costs a tenth of the time, with 4.5 MiB (2,550 hosts) it saves a fifth and
 * more.
 */
#define LARGE (4 << 20)

static struct hd_model_options with_defaults(const struct hd_model_options *given)
{
	struct hd_model_options options = *given;

	if (!options.model)
		options.model = &hd_switch_iq;
	if (!options.allocator)
		options.allocator = &hd_allocator_output;
	if (!options.buffering)
		options.buffering = &hd_buffering_fifo;
	if (!options.arbiter)
		options.arbiter = &hd_arbiter_round_robin;
	if (!options.scheduler)
		options.scheduler = options.arbiter->scheduler;
	if (!options.scheduler)
		options.scheduler = &hd_scheduler_rr;
	if (!options.admittance)
		options.admittance = &hd_admittance_vl;
	if (!options.host_policy)
		options.host_policy = &hd_host_first;
	if (!options.selection)
		options.selection = &hd_selection_jsq;
	if (!options.host_vc)
		options.host_vc = &hd_host_vc_jsq;
	if (options.routed && !options.cycle)
		options.cycle = options.links[HD_LINK_LOCAL].unit_ticks;
	if (!options.speedup)
		options.speedup = 1;
	if (!(options.damq_most != 0))
		options.damq_most = 1;
	return options;
}

static int check_options(const struct hd_model_options *options, struct hd_error *err)
{
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		if (!options->links[i].unit_ticks)
			return hd_error_set(err, HD_EINVAL, "a link takes no time to send");
		if (!options->links[i].buffer && !options->links[i].port_buffer)
			return hd_error_set(err, HD_EINVAL, "a buffer has no room");
	}
	if (options->model->check && options->model->check(options, err))
		return err->code;
	if (options->admittance->by_destination && !options->injection && !options->port_injection)
		return hd_error_set(err, HD_EINVAL, "an injection queue has no room");
	if (!(options->consumption >= 0 && options->consumption <= 1))
		return hd_error_set(err, HD_EINVAL, "hosts take in a share of 0 to 1");
	if (!(options->damq_reserved >= 0 && options->damq_reserved <= 1))
		return hd_error_set(err, HD_EINVAL,
				    "the share of a buffer that is reserved is 0 to 1");
	if (!(options->damq_most > 0 && options->damq_most <= 1))
		return hd_error_set(
			err, HD_EINVAL,
			"the share of a buffer that a VL has at most is above 0, up to 1");
	if (options->bubble && options->damq)
		return hd_error_set(
			err, HD_EINVAL,
			"a ring's free packet is of one VL: with bubble flow control VLs "
			"share no buffer");
	if (options->buffering->by_destination && options->damq)
		return hd_error_set(err, HD_EINVAL,
				    "queues by destination have room of their own: with them VLs "
				    "share no buffer");
	return 0;
}

/* Refuses options that packets which choose their ways cannot have. */
static int check_routing(const struct hd_model_options *options, struct hd_error *err)
{
	if (options->buffering->by_output)
		return hd_error_set(
			err, HD_EINVAL,
			"switches with a queue per output do not choose ways at the head");
	if (options->admittance->by_destination && !options->routed->groups &&
	    (!options->routed->vcs.by_tables || options->routed->vcs.is_range))
		return hd_error_set(err, HD_EINVAL,
				    "hosts with queues per destination know the tables' lanes, and "
				    "VCs by groups");
	if (options->host_vc == &hd_host_vc_tables && !options->routed->vcs.is_range)
		return hd_error_set(err, HD_EINVAL,
				    "hosts' VCs by the tables' layers go with flexvc without a "
				    "sequence");
	if (options->scheduler->next)
		return hd_error_set(err, HD_EINVAL,
				    "schedulers of VLs know the tables' lanes only");
	if (options->count_waits)
		return hd_error_set(err, HD_EINVAL,
				    "a packet that chooses its way waits for no port alone");
	if (options->bubble && !options->routed->groups)
		return hd_error_set(
			err, HD_EINVAL,
			"with bubble flow control packets that choose have VCs by groups");
	return 0;
}

/* Refuses options with which packets do not go as the SLs of service classes say. */
static int check_classes(const struct hd_tables *tables, const struct hd_model_options *options,
			 struct hd_error *err)
{
	if (!options->class_of_tag)
		return 0;
	if (!tables->classes)
		return hd_error_set(err, HD_EINVAL, "the tables have no service classes");
	if (options->routed && (!options->routed->vcs.by_tables || options->routed->vcs.is_range))
		return hd_error_set(err, HD_EINVAL,
				    "packets that choose their VCs are of no service class");
	if (options->admittance->by_destination)
		return hd_error_set(
			err, HD_EINVAL,
			"hosts with queues per destination do not know service classes");
	return 0;
}

static size_t whole_lines(size_t words)
{
	return (words + 7) / 8 * 8;
}

/*
 * Computes where the parts of senders, receivers and crossbars begin: their sizes depend on VLs and
 * words.
 */
static void lay_out(struct hd_model *model)
{
	size_t masks = model->n_vls * (size_t)model->words;
	size_t sender =
		sizeof(struct sender) +
		model->n_vls * (sizeof(uint32_t) + sizeof(struct lately) + sizeof(uint16_t));
	size_t receiver = sizeof(struct receiver) + model->n_vls * sizeof(uint32_t);

	model->layout.requests_at = (sender + 7) / 8;
	model->layout.receiver_at = whole_lines(model->layout.requests_at + masks);
	model->layout.wants_at = (receiver + 7) / 8;
	model->layout.port_words =
		model->layout.receiver_at + whole_lines(model->layout.wants_at + masks);
	model->layout.crossbar_words = whole_lines(1 + HD_MASKS * (size_t)model->words);
}

static int make_crossbars(struct hd_model *model, struct hd_error *err)
{
	size_t words = model->words,
	       size = model->layout.crossbar_words * sizeof(*model->layout.crossbars);

	model->layout.crossbars = hd_alloc_large((model->network.n_switches + (size_t)1) * size);
	if (!model->layout.crossbars)
		return hd_error_nomem(err);
	memset(model->layout.crossbars, 0, model->network.n_switches * size);
	for (uint32_t at = 0; at < model->network.n_switches; at++) {
		struct crossbar *crossbar = hd_crossbar(model, at);

		memset(hd_in_free(crossbar), 0xFF, 2 * words * sizeof(*crossbar->masks));
	}
	for (uint32_t i = 0; i < model->network.first_host_port; i++)
		if (hd_is_port(model, i))
			hd_crossbar(model, hd_switch_of(model, i))->n_ports++;
	return 0;
}

/* VCs that share the buffer behind @link. */
static unsigned vcs_of(const struct hd_model *model, const struct hd_link_options *link)
{
	return link->vcs ? link->vcs : model->n_vls;
}

/* Units of the buffer behind @link, of all VCs. */
static uint32_t port_buffer_of(const struct hd_model *model, const struct hd_link_options *link)
{
	return link->port_buffer ? link->port_buffer : link->buffer * vcs_of(model, link);
}

/* Gives each VC its part of the buffer behind @link, of which @n_vls are in use. */
static int divide_buffer(const struct hd_model *model, struct hd_link_options *link, unsigned n_vls,
			 struct hd_error *err)
{
	const unsigned n = link->packet && !link->vcs ? n_vls : vcs_of(model, link);
	const uint32_t least = link->packet ? link->packet : model->options.damq_least;

	link->buffer = link->port_buffer / n;
	if (link->packet)
		link->buffer -= link->buffer % link->packet;
	if (link->buffer && link->buffer >= least)
		return 0;
	return hd_error_set(err, HD_EINVAL,
			    "a port's buffer of %u units has no room for a packet of %u on "
			    "each of %u VLs",
			    link->port_buffer, least, n);
}

/* Gives each VC its part of what is given for all of a port. */
static int divide_buffers(struct hd_model *model, struct hd_error *err)
{
	struct hd_model_options *options = &model->options;
	unsigned n_vls = model->n_vls;
	bool asks = options->port_injection > 0;
	int ret = 0;

	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		asks |= options->links[i].packet > 0;
	/* packets that choose their VCs, and tables to come, may use all that there are */
	if (asks && !options->routed && !options->live)
		ret = hd_model_host_vls(model, &n_vls, err);
	for (unsigned i = 0; i < HD_LINK_CLASSES && !ret; i++)
		if (options->links[i].port_buffer)
			ret = divide_buffer(model, &options->links[i], n_vls, err);
	if (ret || !options->port_injection)
		return ret;
	options->injection = options->port_injection / n_vls;
	if (!options->injection)
		return hd_error_set(err, HD_EINVAL,
				    "a host's %u packets have no room for one on each of %u VLs",
				    options->port_injection, n_vls);
	return 0;
}

/* What a VL has of a shared buffer at least and at most. */
static void set_shares(struct hd_model *model)
{
	const struct hd_model_options *options = &model->options;

	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		const struct hd_link_options *link = &options->links[i];
		const uint32_t port = port_buffer_of(model, link);
		uint32_t own = (uint32_t)(link->buffer * options->damq_reserved), most;

		if (own < options->damq_least)
			own = options->damq_least < link->buffer ? options->damq_least
								 : link->buffer;
		most = vcs_of(model, link) > 1 ? (uint32_t)(port * options->damq_most) : port;
		model->sharing.total[i] = port;
		model->sharing.reserved[i] = own;
		model->sharing.most[i] = most > own ? most : own;
	}
}

/* The rates of the classes; and whether links have several. */
static void begin_rates(struct hd_model *model)
{
	const struct hd_model_options *options = &model->options;
	const struct hd_fabric *fabric = model->network.fabric;

	model->n_rates = HD_LINK_CLASSES;
	model->fastest = UINT32_MAX;
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		const uint32_t ticks = options->links[i].unit_ticks;

		model->rates[i] = (struct hd_rate){ ticks, (uint8_t)i };
		model->has_rates |= ticks != options->links[0].unit_ticks;
		model->fastest = ticks < model->fastest ? ticks : model->fastest;
	}
	for (uint32_t port = 0; options->port_ticks && port < fabric->n_ports; port++) {
		const uint32_t ticks = options->port_ticks[port];

		if (!ticks || fabric->ports[port].peer == HD_NONE)
			continue;
		model->has_rates = true;
		model->fastest = ticks < model->fastest ? ticks : model->fastest;
	}
}

/* The rate of the link at @port of the fabric. HD_ERANGE: there are too many. */
static int find_rate(struct hd_model *model, uint32_t port, struct sender *sender)
{
	const uint32_t *of_ports = model->options.port_ticks;
	unsigned i = HD_LINK_CLASSES;

	sender->rate = sender->link_class;
	if (!of_ports || !of_ports[port])
		return 0;
	while (i < model->n_rates && (model->rates[i].unit_ticks != of_ports[port] ||
				      model->rates[i].link_class != sender->link_class))
		i++;
	if (i == HD_MODEL_RATES)
		return HD_ERANGE;
	if (i == model->n_rates)
		model->rates[model->n_rates++] =
			(struct hd_rate){ of_ports[port], sender->link_class };
	sender->rate = (uint8_t)i;
	return 0;
}

/* Makes senders and receivers. All buffers are empty, so senders have all credits. */
static int make_links(struct hd_model *model, struct hd_error *err)
{
	const struct hd_model_options *options = &model->options;
	size_t size =
		model->network.n_ports * model->layout.port_words * sizeof(*model->layout.ports);

	model->layout.ports = hd_alloc_large(size + 1);
	if (!model->layout.ports)
		return hd_error_nomem(err);
	memset(model->layout.ports, 0, size);
	model->buffers.smallest = UINT32_MAX;
	for (uint32_t i = 0; i < model->network.n_ports; i++) {
		struct sender *sender = hd_sender(model, i);
		uint32_t port = model->network.fabric_port[i], own, room;
		const struct hd_link_options *link;

		if (!hd_is_port(model, i))
			continue;
		sender->link_class = hd_model_link_class(model, port);
		if (find_rate(model, port, sender))
			return hd_error_set(err, HD_ERANGE, "links of more than %d rates",
					    HD_MODEL_RATES);
		sender->peer = model->network.port_of[model->network.fabric->ports[port].peer];
		sender->to_host = !hd_is_switch_port(model, sender->peer);
		hd_receiver(model, i)->peer = sender->peer;
		link = &options->links[sender->link_class];
		own = room = link->buffer;
		if (model->sharing.left) {
			own = model->sharing.reserved[sender->link_class];
			model->sharing.left[i] = model->sharing.total[sender->link_class] -
						 own * vcs_of(model, link);
			room = own + model->sharing.left[i];
			if (model->sharing.most[sender->link_class] < room)
				room = model->sharing.most[sender->link_class];
		}
		for (unsigned vl = 0; vl < model->n_vls; vl++)
			sender->credits[vl] = own;
		if (room < model->buffers.smallest)
			model->buffers.smallest = room;
	}
	return 0;
}

static void make_lines(struct hd_model *model)
{
	const struct hd_switch_model *hooks = hd_switch_hooks(model);
	struct hd_events *events = &model->events;

	for (uint32_t i = 0; i < model->network.n_ports; i++) {
		struct sender *sender = hd_sender(model, i);
		uint64_t propagation;

		if (!hd_is_port(model, i))
			continue;
		propagation = model->options.links[sender->link_class].propagation;
		sender->arrive_line = hd_events_line(events, HD_EVENT_ARRIVE,
						     propagation + model->options.latency);
		if (hooks && hd_is_switch_port(model, i)) {
			uint32_t room = hooks->make_port(model, i);

			if (room < model->buffers.smallest)
				model->buffers.smallest = room;
		}
		hd_receiver(model, i)->credit_line =
			hd_events_line(events, HD_EVENT_CREDIT, propagation);
	}
	if (model->adaptive)
		hd_adaptive_make_lines(model);
	if (model->options.iterations || model->adaptive)
		model->retry_line = hd_events_line(events, HD_EVENT_RETRY, model->options.cycle);
}

static int make_host_queues(struct hd_model *model, struct hd_error *err)
{
	size_t n = (model->network.n_ports - model->network.first_host_port) * (size_t)model->n_vls;

	hd_backlog_pool_init(&model->injection.backlogs);
	model->injection.queues = hd_alloc_large(n * sizeof(*model->injection.queues));
	if (!model->injection.queues)
		return hd_error_nomem(err);
	for (size_t i = 0; i < n; i++) {
		model->injection.queues[i] = (struct host_queue){ .queue = { HD_NONE, HD_NONE } };
		hd_backlog_init(&model->injection.queues[i].behind);
	}
	return 0;
}

static int make_queues(struct hd_model *model, struct hd_error *err)
{
	uint64_t n = 0;

	for (uint32_t at = 0; at < model->network.n_switches; at++) {
		struct crossbar *crossbar = hd_crossbar(model, at);

		crossbar->pairs = (uint32_t)n;
		n += (uint32_t)crossbar->n_ports * crossbar->n_ports;
	}
	model->buffers.by_output = model->options.buffering->by_output;
	if (!model->buffers.by_output)
		n = model->network.first_host_port;
	n *= model->n_vls;
	if (n > UINT32_MAX)
		return hd_error_set(err, HD_ERANGE, "too many queues");
	model->buffers.n_queues = n;
	model->buffers.queues = hd_alloc_large((n + 1) * sizeof(*model->buffers.queues));
	if (!model->buffers.queues)
		return hd_error_nomem(err);
	for (size_t i = 0; i < model->buffers.n_queues; i++)
		model->buffers.queues[i] = (struct queue){ HD_NONE, HD_NONE };
	return make_host_queues(model, err);
}

/* Makes the parts that only some options need. */
static int make_parts(struct hd_model *model, struct hd_error *err)
{
	const struct hd_model_options *options = &model->options;
	size_t lanes = (size_t)model->network.n_ports * model->n_vls;

	if (options->damq) {
		model->sharing.left =
			calloc(model->network.n_ports + (size_t)1, sizeof(*model->sharing.left));
		model->sharing.occupied = calloc(lanes + 1, sizeof(*model->sharing.occupied));
		if (!model->sharing.left || !model->sharing.occupied)
			return hd_error_nomem(err);
		set_shares(model);
	}
	if (options->host_policy->asks_backlogs ||
	    (options->routed && options->host_vc->asks_backlogs)) {
		model->injection.backlog_units =
			calloc(lanes + 1, sizeof(*model->injection.backlog_units));
		if (!model->injection.backlog_units)
			return hd_error_nomem(err);
	}
	model->injection.is_watched = options->host_policy->changed || options->host_policy->ended;
	if (options->host_policy->make && options->host_policy->make(model, err))
		return err->code;
	if (options->host_queue) {
		model->injection.n_queued = calloc(model->injection.n_hosts + (size_t)1,
						   sizeof(*model->injection.n_queued));
		if (!model->injection.n_queued)
			return hd_error_nomem(err);
	}
	if (options->count_waits) {
		model->counting.stalls =
			calloc(lanes + model->network.n_ports + 1, sizeof(*model->counting.stalls));
		if (!model->counting.stalls)
			return hd_error_nomem(err);
	}
	if (options->admittance->by_destination && hd_admittance_new(model))
		return hd_error_nomem(err);
	if (options->arbiter->make && options->arbiter->make(model))
		return hd_error_nomem(err);
	if (options->scheduler->make && options->scheduler->make(model, err))
		return err->code;
	if (options->model->make && options->model->make(model, err))
		return err->code;
	if (options->routed && hd_adaptive_new(model, options->routed))
		return hd_error_nomem(err);
	if (options->host_replies)
		return hd_replies_new(model, err);
	if (options->consumption > 0 && options->consumption < 1)
		return hd_consumers_new(model, err);
	return 0;
}

/* Whether the data that events look up and change exceeds the cache. */
static bool looks_ahead(const struct hd_model *model)
{
	size_t bytes =
		model->buffers.n_queues * sizeof(*model->buffers.queues) +
		model->network.n_ports * model->layout.port_words * sizeof(*model->layout.ports) +
		model->network.n_switches * model->network.forwarding.n_classes;

	if (model->adaptive)
		bytes += model->network.n_switches * model->adaptive->switch_words *
			 sizeof(*model->adaptive->switches);
	if (model->options.look_ahead == HD_LOOK_AHEAD_LARGE)
		return bytes > LARGE;
	return model->options.look_ahead == HD_LOOK_AHEAD_ALWAYS;
}

static int make_state(struct hd_model *model, struct hd_error *err)
{
	size_t lanes = (size_t)model->network.n_ports * model->n_vls;
	int ret = make_parts(model, err);

	model->deadlock.heads = calloc(lanes + 1, sizeof(*model->deadlock.heads));
	model->counting.sent = calloc(lanes + 1, sizeof(*model->counting.sent));
	model->dirty = malloc((model->network.n_switches + model->network.n_ports -
			       model->network.first_host_port + (size_t)1) *
			      sizeof(*model->dirty));
	if (!ret && (!model->deadlock.heads || !model->counting.sent || !model->dirty))
		ret = hd_error_nomem(err);
	if (!ret)
		ret = make_crossbars(model, err);
	if (!ret)
		ret = make_links(model, err);
	if (!ret && model->options.bubble)
		ret = hd_bubble_new(model, err);
	if (!ret)
		ret = make_queues(model, err);
	if (!ret && model->buffers.by_output && model->options.buffering->by_destination)
		ret = hd_voqnet_new(model, err);
	if (ret)
		return ret;
	if (model->options.live)
		ret = hd_live_new(model, err);
	if (ret)
		return ret;
	make_lines(model);
	if (looks_ahead(model) && hd_model_look_ahead_new(model))
		return hd_error_nomem(err);
	hd_machine_choose(model);
	if (model->options.gauge && hd_gauges_new(model, err))
		return HD_ENOMEM;
	return model->options.parts ? hd_parts_new(model, err) : 0;
}

int hd_model_new(const struct hd_tables *tables, const struct hd_model_options *options,
		 const struct hd_model_user *user, struct hd_model **result, struct hd_error *err)
{
	struct hd_model *model;
	int ret;

	*result = NULL;
	model = calloc(1, sizeof(*model));
	if (!model)
		return hd_error_nomem(err);
	model->options = with_defaults(options);
	options = &model->options;
	ret = check_options(options, err);
	if (!ret && options->routed)
		ret = check_routing(options, err);
	if (!ret)
		ret = check_classes(tables, options, err);
	if (ret) {
		free(model);
		return ret;
	}
	model->network.fabric = tables->fabric;
	model->network.tables = tables;
	model->network.n_switches = tables->fabric->n_switches;
	model->has_own_matching = options->model->arbitrate != NULL;
	begin_rates(model);
	model->user = *user;
	model->buffers.free_packet = HD_NONE;
	/*
	 * a VL's share of a shared buffer, and a matching that is tried again, depend on when
	 * credits come; those of a destination are of its queue alone
	 */
	model->eager_credits = options->damq || options->iterations || options->routed ||
			       options->buffering->by_destination ||
			       options->host_policy->asks_credits;
	/* in other runs a packet that begins to leave has a known time at which its tail leaves */
	model->early_credits =
		!hd_switch_hooks(model) && !model->eager_credits && !model->has_rates;
	hd_events_init(&model->events);
	ret = hd_model_make_network(model, err);
	if (!ret)
		ret = hd_model_count_vcs(model, err);
	if (!ret)
		ret = divide_buffers(model, err);
	if (!ret) {
		model->words = (model->network.most_locals + 63) / 64;
		model->words += !model->words;
		lay_out(model);
		ret = make_state(model, err);
	}
	if (ret) {
		hd_model_free(model);
		return ret;
	}
	hd_model_deadlock_init(model);
	*result = model;
	return 0;
}

struct hd_model_memory hd_model_memory(const struct hd_model *model)
{
	size_t lanes = model->network.n_ports * (size_t)model->n_vls;
	size_t bytes =
		model->network.n_ports * model->layout.port_words * sizeof(*model->layout.ports) +
		model->buffers.n_queues * sizeof(*model->buffers.queues) +
		model->n_vls * (model->network.n_ports - model->network.first_host_port) *
			sizeof(*model->injection.queues) +
		lanes * (sizeof(*model->counting.sent) + sizeof(*model->deadlock.heads)) +
		model->network.n_switches * model->layout.crossbar_words *
			sizeof(*model->layout.crossbars) +
		hd_voqnet_memory(model);
	uint32_t ports = model->network.n_ports - model->network.first_host_port;

	for (uint32_t at = 0; at < model->network.n_switches; at++)
		ports += hd_crossbar(model, at)->n_ports;
	return (struct hd_model_memory){
		.packet = sizeof(struct packet),
		.port = bytes / (ports ? ports : 1),
	};
}

void hd_model_free(struct hd_model *model)
{
	if (!model)
		return;
	if (model->own)
		model->options.model->free(model);
	if (model->scheduling)
		model->options.scheduler->free(model);
	if (model->injection.choosing && model->options.host_policy->free)
		model->options.host_policy->free(model);
	free(model->injection.choosing);
	hd_events_free(&model->events);
	hd_forwarding_free(&model->network.forwarding);
	hd_admittance_free(model->injection.admittances);
	free(model->network.n_locals);
	free(model->network.fabric_port);
	free(model->network.port_of);
	free(model->layout.ports);
	free(model->layout.crossbars);
	free(model->sharing.left);
	free(model->sharing.occupied);
	hd_bubble_free(model);
	hd_voqnet_free(model->voqnet);
	free(model->buffers.queues);
	free(model->injection.queues);
	hd_backlog_pool_free(&model->injection.backlogs);
	free(model->counting.sent);
	free(model->counting.stalls);
	free(model->dirty);
	free(model->buffers.packets);
	free(model->injection.hosts);
	free(model->injection.destinations);
	hd_gauges_free(model->gauges);
	hd_parts_free(model->parts);
	free(model->injection.consumers);
	free(model->injection.replies);
	free(model->arbitration);
	free(model->injection.backlog_units);
	free(model->injection.n_queued);
	hd_adaptive_free(model->adaptive);
	hd_live_free(model->live);
	free(model->deadlock.heads);
	free(model->deadlock.cycle);
	free(model->notes);
	free(model);
}
