// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes a model of tables: ports, lanes and queues in flat arrays, all buffers empty. */
#include "sim/adaptive/routing.h"
#include "sim/switches/adaptive.h"
#include "sim/hosts/admittance.h"
#include "sim/switches/bubble.h"
#include "sim/switches/arrival_choice.h"
#include "sim/model/build.h"
#include "sim/hosts/consumption.h"
#include "sim/hosts/replies.h"
#include "sim/switches/credits.h"
#include "sim/switches/crossbar.h"
#include "sim/model/deadlock.h"
#include "sim/model/domains.h"
#include "sim/model/gauges.h"
#include "sim/model/table_changes.h"
#include "sim/model/look_ahead.h"
#include "sim/model/machine.h"
#include "sim/model/model_network.h"
#include "sim/model/parts.h"
#include "sim/switches/voqnet.h"

#include "support/error.h"
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>

/* Sizes of ports and crossbars. */
static void lay_out(struct hd_model *model)
{
	model->layout.port = hd_port_layout_of(model->n_vls, model->words, !model->options.routed);
	model->layout.crossbar_words = hd_crossbar_words(model->words);
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
		sender->arrive_line = (uint8_t)hd_events_line(events, HD_EVENT_ARRIVE,
							      propagation + model->options.latency);
		if (hooks && hd_is_switch_port(model, i)) {
			uint32_t room = hooks->make_port(model, i);

			if (room < model->buffers.smallest)
				model->buffers.smallest = room;
		}
		hd_receiver(model, i)->credit_line =
			(uint8_t)hd_events_line(events, HD_EVENT_CREDIT, propagation);
		hd_receiver(model, i)->rate = sender->rate;
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
		hd_model_set_shares(model);
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

static int make_state(struct hd_model *model, struct hd_error *err)
{
	size_t lanes = (size_t)model->network.n_ports * model->n_vls;
	int ret = make_parts(model, err);

	model->deadlock.heads = calloc(lanes + 1, sizeof(*model->deadlock.heads));
	model->counting.sent = calloc(lanes + 1, sizeof(*model->counting.sent));
	if (model->options.reads > 1)
		model->reading = calloc(model->network.n_ports + (size_t)1, 1);
	model->dirty = malloc(hd_most_dirty(model, model->network.n_switches +
							   (size_t)model->network.n_ports -
							   model->network.first_host_port) *
			      sizeof(*model->dirty));
	if (!ret && (!model->deadlock.heads || !model->counting.sent || !model->dirty ||
		     (model->options.reads > 1 && !model->reading)))
		ret = hd_error_nomem(err);
	if (!ret)
		ret = make_crossbars(model, err);
	if (!ret)
		ret = hd_model_make_links(model, err);
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
	if (hd_model_look_ahead_new(model))
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
	model->options = hd_model_defaults(options);
	options = &model->options;
	ret = hd_model_check_options(tables, options, err);
	if (ret) {
		free(model);
		return ret;
	}
	model->network.fabric = tables->fabric;
	model->network.tables = tables;
	model->network.n_switches = tables->fabric->n_switches;
	model->has_own_matching = options->model->arbitrate != NULL;
	model->has_link_queues = options->model->queue_room != NULL;
	hd_model_begin_rates(model);
	model->user = *user;
	model->buffers.free_packet = HD_NONE;
	model->in_step = hd_model_begins_in_step(options);
	/*
	 * a VL's share of a shared buffer, and a matching that is tried again, depend on when
	 * credits come, unless the switch model asks only whether there is room; those of a
	 * destination are of its queue alone
	 */
	model->eager_credits = (options->damq && !model->has_own_matching) || !model->in_step ||
			       options->routed || options->buffering->by_destination ||
			       options->host_policy->asks_credits;
	/* in other runs a packet that begins to leave has a known time at which its tail leaves */
	model->early_credits = (!hd_switch_hooks(model) || options->model == &hd_switch_cioq) &&
			       !model->eager_credits && !model->has_rates && !options->header &&
			       !options->gap;
	hd_events_init(&model->events);
	if (options->iterations)
		hd_events_use_wheel(&model->events, HD_EVENT_GENERATE, options->cycle);
	ret = hd_model_make_network(model, err);
	if (!ret)
		ret = hd_model_count_vcs(model, err);
	if (!ret)
		ret = hd_model_divide_buffers(model, err);
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
		model->network.n_ports * model->layout.port.words * sizeof(*model->layout.ports) +
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
	hd_domains_free(model->domains);
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
	free(model->injection.admitted);
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
	free(model->reading);
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
	hd_arrival_choice_free(model->choice);
	free(model->deadlock.heads);
	free(model->deadlock.cycle);
	free(model->notes);
	free(model);
}
