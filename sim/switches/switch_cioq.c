// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/switches/switch_cioq.h"

#include <stdlib.h>
#include <string.h>

#include "sim/adaptive/routing.h"
#include "sim/model/domains.h"
#include "support/error.h"
#include "support/memory.h"
#include "support/options.h"

static const struct hd_option cioq_options[] = {
	{ "queues", "port", "",
	  "before a link: one for the port (port), which a packet enters when the next buffer has "
	  "room for it; or one for each VL (vl), which packets enter before that, and the "
	  "scheduler at the link" },
	{ 0 },
};

static const char *const queue_words[] = { "port", "vl", NULL };

static const struct hd_switch_model *variant(const struct hd_params *params, struct hd_error *err)
{
	unsigned word = 0;

	if (params && hd_params_word(params, "queues", queue_words, &word, err))
		return NULL;
	return word ? &hd_switch_cioq_vl : &hd_switch_cioq;
}

static int check(const struct hd_model_options *options, struct hd_error *err)
{
	return variant(options->switch_params, err) ? hd_cioq_check_outputs(options, err)
						    : err->code;
}

/*
 * Packets that pass come in another order to the next switches within a tick. That is no matter,
 * unless routings draw numbers or note flows as packets come.
 */
static bool may_pass(const struct hd_routed *routed)
{
	return !routed || (!routed->routing->enter && !routed->needs_flows);
}

static int make(struct hd_model *model, struct hd_error *err)
{
	size_t n = model->network.n_ports + (size_t)1;
	struct hd_cioq *own = calloc(1, sizeof(*own));

	model->own = own;
	if (!own)
		return hd_error_nomem(err);
	own->outputs = hd_alloc_large(n * sizeof(*own->outputs));
	own->crossing = calloc(n, sizeof(*own->crossing));
	if (!own->outputs || !own->crossing)
		return hd_error_nomem(err);
	if (model->options.iterations && model->in_step && model->words == 1 &&
	    !hd_has_reads(model)) {
		size_t size = (model->network.n_switches + (size_t)1) * sizeof(*own->ends);

		own->ends = hd_alloc_large(size);
		if (!own->ends)
			return hd_error_nomem(err);
		memset(own->ends, 0, size);
	}
	own->passes = may_pass(model->options.routed);
	return 0;
}

static void free_all(struct hd_model *model)
{
	struct hd_cioq *own = hd_cioq(model);

	free(own->outputs);
	free(own->ends);
	free(own->crossing);
	free(own);
}

static uint32_t make_port(struct hd_model *model, uint32_t out)
{
	struct hd_cioq *own = hd_cioq(model);
	const struct hd_link_options *link =
		&model->options.links[hd_sender(model, out)->link_class];
	uint64_t latency = model->options.crossbar_latency;

	own->ready_line = hd_events_line(&model->events, HD_EVENT_OWN + HD_CIOQ_READY, latency);
	own->through_lines[hd_sender(model, out)->link_class] =
		hd_events_line(&model->events, HD_EVENT_ARRIVE,
			       latency + link->propagation + model->options.latency);
	own->outputs[out] = (struct hd_cioq_output){
		.room = link->output,
		.head = HD_NONE,
		.tail = HD_NONE,
	};
	return link->output;
}

static uint64_t crossing(const struct hd_model *model, uint32_t in, uint32_t out)
{
	(void)in;
	(void)out;
	return model->options.crossbar_latency;
}

/* Each end of a packet is an event from @now on. */
static void leave_step(struct hd_model *model, uint32_t out, uint64_t now)
{
	hd_cioq_settle(hd_cioq_output(model, out), now);
	hd_cioq_watch(model, out);
}

/* Its units are counted when it enters the crossbar. */
static uint32_t counted_early(const struct hd_model *model, uint32_t out, unsigned vl, uint64_t now)
{
	const struct hd_cioq_output *output = hd_cioq_output(model, out);

	return output->vl == vl && output->units && hd_cioq_begin(model, out) >= now ? output->units
										     : 0;
}

static const char *verify(const struct hd_model *model, uint32_t port)
{
	const struct packet *packets = hd_model_at(model, port)->buffers.packets;
	const struct hd_cioq_output *output = hd_cioq_output(model, port);
	uint64_t room = output->room + output->n_passing * (uint64_t)output->units;
	uint64_t queued = 0;

	if (output->head == HD_NONE && output->queued)
		return "packets that wait for its link are not in its queue";
	for (uint32_t at = output->head; at != HD_NONE; at = packets[at].next)
		queued += packets[at].message.size;
	if (queued != output->queued)
		return "the units that wait for its link are counted wrong";
	if (output->head != HD_NONE && output->n_passing)
		return "a packet waits for its link, and no event tells when that is idle";
	if (output->n_passing > 2)
		return "more than two packets pass it at a time";
	if (room + queued > model->options.links[hd_sender(model, port)->link_class].output)
		return "its output buffer has more room than there is";
	return NULL;
}

const struct hd_switch_model hd_switch_cioq = {
	.policy.name = "cioq",
	.policy.summary = "combined input- and output-queued, with crossbar speed-up",
	.policy.options = cioq_options,
	.has_output_fifo = true,
	.variant = variant,
	.check = check,
	.make = make,
	.free = free_all,
	.make_port = make_port,
	.crossing = crossing,
	.has_room = hd_cioq_has_room,
	.take = hd_cioq_take,
	.leave_step = leave_step,
	.is_crossing = hd_cioq_is_crossing,
	.counted_early = counted_early,
	.sent = hd_cioq_left,
	.event = hd_cioq_event,
	.ahead = hd_cioq_ahead,
	.verify = verify,
};
