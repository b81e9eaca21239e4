/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Prefetches the data of switches whose packets choose their paths: for later events
 * (look_ahead_events.h), and for the switches that are arbitrated next.
 */
#ifndef HD_MODEL_LOOK_AHEAD_ADAPTIVE_H
#define HD_MODEL_LOOK_AHEAD_ADAPTIVE_H

#include "sim/switches/adaptive_sight.h"
#include "sim/switches/cioq_output.h"
#include "sim/model/look_ahead.h"

/* The compiler sees no effect of a function that only prefetches, and would remove calls of it. */
#define HD_FETCHES static inline __attribute__((always_inline))

/* How many switches and hosts ahead of the one whose turn it is. */
#define HD_DIRTY_FIRST  10
#define HD_DIRTY_SECOND 7
#define HD_DIRTY_THIRD  4
#define HD_DIRTY_LAST   2

/* All of [@from, @from + @bytes). */
HD_FETCHES void hd_fetch_range(const void *from, size_t bytes)
{
	const char *at = from;

	for (size_t i = 0; i < bytes + 63; i += 64)
		__builtin_prefetch(at + i);
}

/* What counts of heads touch. */
HD_FETCHES void hd_adaptive_fetch_counts(const struct hd_model *model, uint32_t at)
{
	hd_fetch_range(hd_adaptive_contention(model, hd_adaptive_switch(model, at)),
		       model->network.n_locals[at] * sizeof(uint16_t));
}

HD_FETCHES void hd_adaptive_fetch_head(const struct hd_model *model, uint32_t in, unsigned vl)
{
	struct adaptive_switch *here = hd_adaptive_switch(model, hd_switch_of(model, in));

	__builtin_prefetch(
		&hd_adaptive_heads(model, here)[hd_local(model, in) * hd_n_vls(model) + vl]);
}

/* Packet @index arrives at in-port @in of a switch. */
HD_FETCHES void hd_adaptive_fetch_arrival(const struct hd_model *model, uint32_t in, uint32_t index,
					  unsigned step)
{
	const struct packet *packet = &model->buffers.packets[index];
	const struct hd_forwarding *forwarding = &model->adaptive->shape->forwarding;
	uint32_t at = hd_switch_of(model, in);
	struct adaptive_switch *here = hd_adaptive_switch(model, at);
	const struct queue *queue;

	switch (step) {
	case HD_AHEAD_FIRST:
		__builtin_prefetch(packet);
		__builtin_prefetch(&model->adaptive->headers[index]);
		__builtin_prefetch(hd_crossbar(model, at));
		__builtin_prefetch(here);
		break;
	case HD_AHEAD_SECOND:
		__builtin_prefetch(hd_queue(model, in, packet->vl, in));
		__builtin_prefetch(&forwarding->class_of[packet->dlid]);
		__builtin_prefetch(&hd_adaptive_useful(model, here)[hd_local(model, in)]);
		__builtin_prefetch(&hd_adaptive_vcs(model, here)[hd_local(model, in)]);
		hd_adaptive_fetch_head(model, in, packet->vl);
		hd_adaptive_fetch_counts(model, at);
		break;
	case HD_AHEAD_THIRD:
		__builtin_prefetch(hd_forwarding_entry(forwarding, at, packet->dlid));
		queue = hd_queue(model, in, packet->vl, in);
		if (queue->head != HD_NONE)
			__builtin_prefetch(&model->buffers.packets[queue->tail]);
		break;
	default:
		break;
	}
}

/* Credits for out-port @out and @vl of a switch come. */
HD_FETCHES void hd_adaptive_fetch_credit(const struct hd_model *model, uint32_t out, unsigned vl,
					 unsigned step)
{
	uint32_t at = hd_switch_of(model, out);
	struct adaptive_switch *here = hd_adaptive_switch(model, at);

	if (step != HD_AHEAD_FIRST)
		return;
	__builtin_prefetch(hd_sender(model, out));
	__builtin_prefetch(hd_crossbar(model, at));
	__builtin_prefetch(here);
	__builtin_prefetch(
		&hd_adaptive_occupied(model, here)[hd_local(model, out) * hd_n_vls(model) + vl]);
}

/* What @out changes when it takes a packet. */
HD_FETCHES void hd_adaptive_fetch_out(const struct hd_model *model, uint32_t out)
{
	__builtin_prefetch(hd_sender(model, out));
	if (hd_is_cioq(model))
		__builtin_prefetch(hd_cioq_output(model, out));
}

/* @packet may go to @out; then the next packet becomes the head. */
HD_FETCHES void hd_adaptive_fetch_taken(const struct hd_model *model, uint32_t out,
					const struct packet *packet)
{
	hd_adaptive_fetch_out(model, out);
	if (packet->next != HD_NONE) {
		__builtin_prefetch(&model->buffers.packets[packet->next]);
		__builtin_prefetch(&model->adaptive->headers[packet->next]);
	}
}

/* The tables' path of the packet that becomes the head of @queue when its head leaves. */
HD_FETCHES void hd_adaptive_fetch_next_head(const struct hd_model *model, uint32_t at,
					    const struct queue *queue)
{
	uint32_t next = hd_head(model, queue)->next;

	if (next != HD_NONE)
		__builtin_prefetch(hd_forwarding_entry(&model->adaptive->shape->forwarding, at,
						       model->buffers.packets[next].dlid));
}

/* The in-ports of a switch that will be looked at. */
HD_FETCHES uint64_t hd_adaptive_probable(const struct hd_model *model, uint32_t at)
{
	return *hd_in_free(hd_crossbar(model, at)) & hd_adaptive_switch(model, at)->waiting;
}

/* Switch @at will be arbitrated. */
HD_FETCHES void hd_adaptive_fetch_switch(const struct hd_model *model, uint32_t at)
{
	struct adaptive_switch *here = hd_adaptive_switch(model, at);
	size_t n_ports = model->network.n_locals[at];

	__builtin_prefetch(hd_crossbar(model, at));
	hd_fetch_range(here, sizeof(*here) + hd_n_vls(model) * sizeof(uint64_t));
	hd_fetch_range(hd_adaptive_useful(model, here), n_ports * sizeof(uint64_t));
	hd_fetch_range(hd_adaptive_vcs(model, here), n_ports * sizeof(uint32_t));
	hd_fetch_range(hd_adaptive_turns(model, here), n_ports);
	hd_fetch_range(hd_adaptive_occupied(model, here),
		       n_ports * hd_n_vls(model) * sizeof(uint32_t));
	hd_adaptive_fetch_counts(model, at);
}

/* The output buffers of switch @at that may have room again. */
HD_FETCHES void hd_adaptive_fetch_outputs(const struct hd_model *model, uint32_t at)
{
	uint64_t outs =
		*hd_dirty(hd_crossbar(model, at), 1) & ~hd_adaptive_switch(model, at)->output;

	if (!hd_is_cioq(model))
		return;
	for (; outs; outs &= outs - 1)
		__builtin_prefetch(hd_cioq_output(model, hd_first_port(model, at) +
								 (unsigned)__builtin_ctzll(outs)));
}

/* The VC whose head in-port @in of a switch proposes first, if it can go; @vcs have heads. */
HD_FETCHES unsigned hd_adaptive_first_vc(const struct hd_model *model, uint32_t in, uint32_t vcs)
{
	unsigned turn = hd_adaptive_turns(
		model, hd_adaptive_switch(model, hd_switch_of(model, in)))[hd_local(model, in)];
	uint32_t later = vcs >> turn << turn;

	return (unsigned)__builtin_ctz(later ? later : vcs);
}

HD_FETCHES void hd_adaptive_fetch_queues(const struct hd_model *model, uint32_t at)
{
	const uint32_t *vcs = hd_adaptive_vcs(model, hd_adaptive_switch(model, at));
	uint32_t first = hd_first_port(model, at);

	hd_adaptive_fetch_outputs(model, at);
	for (uint64_t ins = hd_adaptive_probable(model, at); ins; ins &= ins - 1) {
		unsigned in = (unsigned)__builtin_ctzll(ins), vc;

		if (!vcs[in])
			continue;
		vc = hd_adaptive_first_vc(model, first + in, vcs[in]);
		__builtin_prefetch(hd_queue(model, first + in, vc, first));
		hd_adaptive_fetch_head(model, first + in, vc);
		__builtin_prefetch(hd_receiver(model, first + in));
	}
}

/* The heads that will probably be proposed, and the ports that they want, as far as @step is. */
HD_FETCHES void hd_adaptive_fetch_packets(const struct hd_model *model, uint32_t at, unsigned step)
{
	struct adaptive_switch *here = hd_adaptive_switch(model, at);
	const uint32_t *vcs = hd_adaptive_vcs(model, here);
	uint32_t first = hd_first_port(model, at);

	for (uint64_t ins = hd_adaptive_probable(model, at); ins; ins &= ins - 1) {
		unsigned in = (unsigned)__builtin_ctzll(ins), vc;
		const struct queue *queue;

		if (!vcs[in])
			continue;
		vc = hd_adaptive_first_vc(model, first + in, vcs[in]);
		queue = hd_queue(model, first + in, vc, first);
		if (queue->head == HD_NONE)
			continue;
		if (step == HD_DIRTY_LAST) {
			__builtin_prefetch(hd_forwarding_entry(&model->adaptive->shape->forwarding,
							       at, hd_head(model, queue)->dlid));
			continue;
		}
		__builtin_prefetch(&model->buffers.packets[queue->head]);
		__builtin_prefetch(&model->adaptive->headers[queue->head]);
		hd_adaptive_fetch_out(
			model,
			first + hd_adaptive_heads(model, here)[in * hd_n_vls(model) + vc].minimal);
	}
}

/* What is known of all packets that wait at the host of @port. */
HD_FETCHES void hd_fetch_backlog_units(const struct hd_model *model, uint32_t port)
{
	if (model->injection.backlog_units)
		__builtin_prefetch(&model->injection.backlog_units[port * (size_t)hd_n_vls(model)]);
}

/* Host port @port will be looked at. */
HD_FETCHES void hd_adaptive_fetch_host(const struct hd_model *model, uint32_t port, unsigned step)
{
	const struct host_queue *queues = hd_host_queues(model, port);

	if (step == HD_DIRTY_FIRST) {
		__builtin_prefetch(hd_sender(model, port));
		hd_fetch_backlog_units(model, port);
		hd_fetch_range(queues, hd_n_vls(model) * sizeof(*queues));
		return;
	}
	for (unsigned vl = 0; vl < hd_n_vls(model); vl++) {
		if (queues[vl].queue.head == HD_NONE)
			continue;
		__builtin_prefetch(&model->buffers.packets[queues[vl].queue.head]);
		__builtin_prefetch(
			hd_backlog_first(&model->injection.backlogs, &queues[vl].behind));
	}
}

/* The marked switch or host at place @i has its turn now, and those after it will have theirs. */
HD_FETCHES void hd_adaptive_fetch_dirty(const struct hd_model *model, uint32_t i)
{
	const uint32_t *dirty = model->dirty + i;
	uint32_t n = model->n_dirty - i, n_switches = model->network.n_switches;

	if (n <= HD_DIRTY_FIRST)
		return;
	if (dirty[HD_DIRTY_FIRST] < n_switches)
		hd_adaptive_fetch_switch(model, dirty[HD_DIRTY_FIRST]);
	else
		hd_adaptive_fetch_host(model, dirty[HD_DIRTY_FIRST], HD_DIRTY_FIRST);
	if (dirty[HD_DIRTY_SECOND] < n_switches)
		hd_adaptive_fetch_queues(model, dirty[HD_DIRTY_SECOND]);
	else
		hd_adaptive_fetch_host(model, dirty[HD_DIRTY_SECOND], HD_DIRTY_SECOND);
	if (dirty[HD_DIRTY_THIRD] < n_switches)
		hd_adaptive_fetch_packets(model, dirty[HD_DIRTY_THIRD], HD_DIRTY_THIRD);
	if (dirty[HD_DIRTY_LAST] < n_switches)
		hd_adaptive_fetch_packets(model, dirty[HD_DIRTY_LAST], HD_DIRTY_LAST);
}

#endif
