// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The hierarchical switch as a policy: what it takes, and making it. hierarchical.h has the rest.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sim/switches/hierarchical_allocate.h"
#include "sim/model/look_ahead.h"
#include "support/error.h"
#include "support/memory.h"
#include "support/options.h"

static const struct hd_option options[] = {
	{ "mport", "4", "ports",
	  "of an MPort, 1 to 64: those whose numbers follow; of the last one, what is left" },
	{ "links", "2", "",
	  "from an MPort's crossbar to its central buffer, and from there to the central crossbar, "
	  "1 to 64" },
	{ "speed", "3", "",
	  "of an MPort's crossbar: units in the time of one on the fastest link, 1 to 64" },
	{ "central_speed", "4", "", "the same of the central crossbar" },
	{ 0 },
};

static int refuse(struct hd_error *err, const char *what)
{
	return hd_error_set(err, HD_EINVAL, "the hierarchical switch %s", what);
}

/* Options that other switch models have. */
static int check(const struct hd_model_options *o, struct hd_error *err)
{
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		if (!o->links[i].output)
			return hd_error_set(err, HD_EINVAL, "an output buffer has no room");
	if (!o->central)
		return hd_error_set(err, HD_EINVAL, "a central buffer has no room");
	if (o->speedup != 1)
		return refuse(err, "has speeds of its own (hierarchical:speed=, central_speed=), "
				   "and no speedup");
	if (o->routed)
		return refuse(err,
			      "sends packets as the tables say: none choose their paths or VCs");
	if (o->buffering->by_output)
		return refuse(err, "has a FIFO for each VL at its in-ports");
	if (o->allocator->input_first || o->iterations)
		return refuse(err, "allocates in two stages of its own, until nobody can go");
	if (o->arbiter->before || o->arbiter->served || o->transit)
		return refuse(err, "serves in-ports in turn");
	if (o->bubble)
		return refuse(err, "knows no rings with bubble flow control");
	return 0;
}

static int read_options(struct hd_hierarchical *own, const struct hd_params *given,
			struct hd_error *err)
{
	struct hd_params *defaults = given ? NULL : hd_params_new(options);
	const struct hd_params *params = given ? given : defaults;
	uint64_t mport = 0, n_links = 0;
	int ret;

	if (!params)
		return hd_error_nomem(err);
	ret = hd_params_number(params, "mport", 1, HD_MOST_MPORT, &mport, err);
	if (!ret)
		ret = hd_params_number(params, "links", 1, HD_MOST_MPORT, &n_links, err);
	if (!ret)
		ret = hd_params_number(params, "speed", 1, 64, &own->speed, err);
	if (!ret)
		ret = hd_params_number(params, "central_speed", 1, 64, &own->central_speed, err);
	own->mport = (unsigned)mport;
	own->n_links = (unsigned)n_links;
	hd_params_free(defaults);
	return ret;
}

/* What each of @n queues that share @room has. HD_EINVAL: less than a packet. */
static int share_room(const struct hd_model *model, uint32_t room, unsigned n,
		      struct hd_share *share)
{
	const struct hd_model_options *o = &model->options;
	const uint32_t equal = room / n;

	*share = (struct hd_share){ equal, equal };
	if (!equal || equal < o->damq_least)
		return HD_EINVAL;
	if (!o->damq || n == 1)
		return 0;
	share->reserved = (uint32_t)(equal * o->damq_reserved);
	if (share->reserved < o->damq_least)
		share->reserved = o->damq_least;
	share->most = (uint32_t)(room * o->damq_most);
	if (share->most < share->reserved)
		share->most = share->reserved;
	return 0;
}

static int make_central(struct hd_model *model, struct hd_hierarchical *own, struct hd_error *err)
{
	const uint32_t room = model->options.central;
	const unsigned n = own->mport * model->n_vls;
	uint32_t shared;

	if (share_room(model, room, n, &own->central))
		return hd_error_set(
			err, HD_EINVAL,
			"a central buffer of %u units has no room for a packet of %u of "
			"each of %u in-ports and %u VLs",
			room, model->options.damq_least, own->mport, model->n_vls);
	shared = own->central.most > own->central.reserved ? room - own->central.reserved * n : 0;
	for (size_t i = 0; i < model->network.n_switches * (size_t)own->n_mports; i++)
		own->mports[i].left = shared;
	return 0;
}

/* The same of the output buffers of @class. */
static unsigned output_queues(const struct hd_model *model, unsigned class)
{
	unsigned vcs = model->options.links[class].vcs;

	return vcs ? vcs : model->n_vls;
}

static int check_outputs(const struct hd_model *model, struct hd_error *err)
{
	struct hd_share share;

	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		if (share_room(model, model->options.links[i].output, output_queues(model, i),
			       &share))
			return hd_error_set(err, HD_EINVAL,
					    "an output buffer of %u units has no room for a packet "
					    "of %u on each of %u VLs",
					    model->options.links[i].output,
					    model->options.damq_least, output_queues(model, i));
	return 0;
}

/* The MPorts of a switch: by the highest port number that there is. */
static unsigned count_mports(const struct hd_model *model, unsigned mport)
{
	const struct hd_fabric *fabric = model->network.fabric;
	unsigned most = 1;

	for (uint32_t at = 0; at < fabric->n_switches; at++)
		if (fabric->nodes[at].n_ports > most)
			most = fabric->nodes[at].n_ports;
	return (most + mport - 1) / mport;
}

/* Which of a switch's MPorts has port @port. */
static unsigned place_of(const struct hd_model *model, unsigned mport, uint32_t port)
{
	unsigned number = model->network.fabric->ports[model->network.fabric_port[port]].number;

	return number ? (number - 1) / mport : 0;
}

/* A bit for each link of an MPort. */
static uint64_t all_links(const struct hd_hierarchical *own)
{
	return hd_bits_below(own->n_links);
}

static void make_queues(struct hd_model *model, struct hd_hierarchical *own)
{
	for (size_t i = 0; i < model->network.n_switches * (size_t)own->n_mports * own->n_links;
	     i++)
		own->links[i].lane = HD_NONE;
	for (size_t i = 0; i < model->network.n_switches * (size_t)own->n_mports; i++)
		own->mports[i].idle_up = own->mports[i].idle_down = all_links(own);
	for (uint32_t port = 0; port < model->network.first_host_port; port++) {
		struct hd_hierarchical_in *in;
		struct hd_hierarchical_out *out;
		struct hd_mport *mport;

		if (!hd_is_port(model, port))
			continue;
		in = hd_hierarchical_in(model, port);
		out = hd_hierarchical_out(model, port);
		in->mport = out->mport = hd_switch_of(model, port) * own->n_mports +
					 place_of(model, own->mport, port);
		in->downlink = HD_NO_CENTRAL_LINK;
		for (unsigned vl = 0; vl < model->n_vls; vl++)
			in->central[vl].queue = out->queues[vl].queue =
				(struct queue){ HD_NONE, HD_NONE };
		mport = &own->mports[in->mport];
		if (!mport->n++)
			mport->first = port;
	}
}

static void free_all(struct hd_model *model)
{
	struct hd_hierarchical *own = hd_hierarchical(model);

	free(own->ins);
	free(own->outs);
	free(own->mports);
	free(own->links);
	free(own->requests);
	free(own->masks);
	free(own);
}

static size_t whole_lines(size_t bytes)
{
	return (bytes + 63) / 64 * 64;
}

/* @size bytes of zeros that begin with a cache line. */
static void *alloc_lines(size_t size)
{
	void *lines = hd_alloc_large(size);

	return lines ? memset(lines, 0, size) : NULL;
}

static int make(struct hd_model *model, struct hd_error *err)
{
	const size_t n_ports = model->network.first_host_port + (size_t)1;
	const size_t lanes = n_ports * model->n_vls,
		     n_switches = model->network.n_switches + (size_t)1;
	struct hd_hierarchical *own = calloc(1, sizeof(*own));
	size_t n_mports;
	int ret;

	model->own = own;
	if (!own)
		return hd_error_nomem(err);
	ret = read_options(own, model->options.switch_params, err);
	if (ret)
		return ret;
	own->n_mports = count_mports(model, own->mport);
	own->mport_words = (own->n_mports + 63) / 64;
	n_mports = n_switches * own->n_mports;
	own->in_bytes = whole_lines(offsetof(struct hd_hierarchical_in, central) +
				    model->n_vls * sizeof(struct hd_shared_queue));
	own->out_bytes = whole_lines(offsetof(struct hd_hierarchical_out, queues) +
				     model->n_vls * sizeof(struct hd_shared_queue));
	own->ins = alloc_lines(n_ports * own->in_bytes);
	own->outs = alloc_lines(n_ports * own->out_bytes);
	own->mports = alloc_lines(n_mports * sizeof(*own->mports));
	own->links = calloc(n_mports * own->n_links, sizeof(*own->links));
	own->requests = calloc(lanes * model->words, sizeof(*own->requests));
	own->masks =
		calloc(n_switches * (3 * model->words + own->mport_words), sizeof(*own->masks));
	if (!own->ins || !own->outs || !own->mports || !own->links || !own->requests || !own->masks)
		return hd_error_nomem(err);
	make_queues(model, own);
	if (model->options.crossbar_latency) {
		own->in_central_line = hd_events_line(&model->events, HD_EVENT_OWN + HD_IN_CENTRAL,
						      model->options.crossbar_latency);
		own->in_output_line = hd_events_line(&model->events, HD_EVENT_OWN + HD_IN_OUTPUT,
						     model->options.crossbar_latency);
	}
	ret = make_central(model, own, err);
	return ret ? ret : check_outputs(model, err);
}

/* What every buffer on the way has for a packet, whatever others hold. */
static uint32_t make_port(struct hd_model *model, uint32_t out)
{
	struct hd_hierarchical_out *port = hd_hierarchical_out(model, out);
	const unsigned class = hd_sender(model, out)->link_class, n = output_queues(model, class);
	const uint32_t room = model->options.links[class].output;
	uint32_t least = hd_hierarchical(model)->central.reserved;
	uint32_t input = model->sharing.left ? model->sharing.reserved[class]
					     : model->options.links[class].buffer;

	share_room(model, room, n, &port->share);
	if (port->share.most > port->share.reserved)
		port->left = room - port->share.reserved * n;
	least = port->share.reserved < least ? port->share.reserved : least;
	return input < least ? input : least;
}

uint64_t hd_hierarchical_leave_input(const struct hd_model *model, unsigned rate, uint32_t size)
{
	(void)rate;
	return hd_crossing_ticks(model, hd_hierarchical(model)->speed, size);
}

uint64_t hd_hierarchical_leave_central(const struct hd_model *model, unsigned rate, uint32_t size)
{
	(void)rate;
	return hd_crossing_ticks(model, hd_hierarchical(model)->central_speed, size);
}

const struct hd_straight *hd_hierarchical_learn_straight(struct hd_model *model, unsigned rate,
							 uint32_t size)
{
	struct hd_hierarchical *own = hd_hierarchical(model);
	struct hd_straight *straight = &own->straight[rate][size % SIZES];
	const struct sized_line *cut = &own->left[HD_LEFT_INPUT].cut[rate][size % SIZES];
	const struct sized_line *input = &own->left[HD_LEFT_INPUT].whole[size % SIZES];
	const struct sized_line *central = &own->left[HD_LEFT_CENTRAL].whole[size % SIZES];
	const struct sized_line *link = &model->sized_lines.of[rate][HD_EVENT_DONE][size % SIZES];

	if (cut->size != size || input->size != size || central->size != size || link->size != size)
		return NULL;
	if (input->ticks >= cut->ticks)
		cut = input;
	straight->size = size;
	straight->ticks = cut->ticks;
	straight->line = cut->line;
	if (cut->ticks != link->ticks || hd_scheduler(model) || model->options.crossbar_latency)
		straight->line = HD_NO_LINE;
	straight->passes_centre = central->ticks <= cut->ticks;
	return straight;
}

static uint64_t crossing(const struct hd_model *model, uint32_t in, uint32_t out)
{
	return model->options.crossbar_latency * (hd_is_bypass(model, in, out) ? 1 : 2);
}

static uint32_t waiting(const struct hd_model *model, uint32_t out)
{
	return hd_hierarchical_out(model, out)->queued;
}

/* Fetches what the arrival of a packet at in-port @port touches; with HD_AHEAD_THIRD, out-port. */
static void ahead_of_arrival(const struct hd_model *model, uint32_t port, unsigned step)
{
	if (step == HD_AHEAD_FIRST) {
		__builtin_prefetch(hd_hierarchical_in(model, port));
		__builtin_prefetch(hd_tries(model, hd_switch_of(model, port)));
	} else if (step == HD_AHEAD_SECOND) {
		__builtin_prefetch(hd_mport_of_in(model, port));
	} else if (step == HD_AHEAD_THIRD) {
		__builtin_prefetch(hd_hierarchical_out(model, port));
	}
}

void hd_hierarchical_ahead(const struct hd_model *model, unsigned kind, uint32_t a, uint32_t b,
			   unsigned step)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);

	if (kind == HD_EVENT_ARRIVE)
		ahead_of_arrival(model, a, step);
	if (step == HD_AHEAD_SECOND && kind == HD_EVENT_OWN + HD_LEFT_INPUT) {
		__builtin_prefetch(hd_mport_of_in(model, a));
		__builtin_prefetch(hd_hierarchical_out(model, hd_hierarchical_in(model, a)->to));
	}
	if (step != HD_AHEAD_FIRST || kind == HD_EVENT_ARRIVE)
		return;
	if (kind == HD_EVENT_OWN + HD_LEFT_CENTRAL) {
		__builtin_prefetch(&own->links[a]);
		return;
	}
	if (kind == HD_EVENT_OWN + HD_LEFT_INPUT)
		__builtin_prefetch(hd_receiver(model, a));
	if (kind == HD_EVENT_OWN + HD_IN_CENTRAL)
		a = lane_port(a);
	if (kind == HD_EVENT_OWN + HD_LEFT_INPUT || kind == HD_EVENT_OWN + HD_IN_CENTRAL)
		__builtin_prefetch(hd_hierarchical_in(model, a));
	else
		__builtin_prefetch(hd_hierarchical_out(model, a));
	if (kind == HD_EVENT_OWN + HD_IN_CENTRAL || kind == HD_EVENT_OWN + HD_IN_OUTPUT)
		__builtin_prefetch(&model->buffers.packets[b]);
}

const struct hd_switch_model hd_switch_hierarchical = {
	.policy.name = "hierarchical",
	.policy.summary = "ports in MPorts with crossbars, central buffers and a central crossbar, "
			  "as in Omni-Path; output queues per VL, the scheduler at the link",
	.policy.reference = "Cano-Cano et al., Providing quality of service in omni-path networks, "
			    "J. Supercomputing 2022, 2.2",
	.policy.options = options,
	.input_bytes = 65536,
	.output_bytes = 65536,
	.central_bytes = 131072,
	.shares = true,
	.damq_most = 0.5,
	.check = check,
	.make = make,
	.free = free_all,
	.make_port = make_port,
	.crossing = crossing,
	.waiting = waiting,
	.sent = hd_hierarchical_sent,
	.event = hd_hierarchical_event,
	.ahead = hd_hierarchical_ahead,
	.enqueue = hd_hierarchical_enqueue,
	.arbitrate = hd_hierarchical_arbitrate,
	.waits_for = hd_hierarchical_waits_for,
	.verify = hd_hierarchical_verify,
};
