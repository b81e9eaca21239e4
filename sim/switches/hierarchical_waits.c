// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Who waits for whom in a hierarchical switch. The head of an in-port waits for room in an output
 * buffer, or in its MPort's central buffer, where in turn heads wait for output buffers; and what
 * is in an output buffer waits for credits. Whatever moves is no wait. A queue lacks room that the
 * buffer's queues hold: itself, and where it may have more, others that have more than is their
 * own.
 */
#include "sim/model/deadlock.h"
#include "sim/switches/hierarchical.h"

/* Whether a packet that leaves @from makes room in @queue, which lacks it for @size. */
static bool gives_room(const struct hd_share *share, const struct hd_shared_queue *queue,
		       uint32_t size, const struct hd_shared_queue *from)
{
	if (from == queue)
		return true;
	return queue->occupied + size <= share->most && hd_share_excess(share, from);
}

/*
 * A dead lane of the next switch that holds up @packet, which waits for the output buffer of its
 * out-port; HD_NONE: it will have room there.
 */
static uint32_t output_waits(const struct hd_model *model, const struct packet *packet,
			     const uint8_t *dead)
{
	const struct hd_hierarchical_out *port = hd_hierarchical_out(model, packet->out);
	const struct hd_shared_queue *queue = hd_output_queue(model, packet->out, packet->out_vl);
	uint32_t size = packet->message.size, holder = HD_NONE;

	if (port->is_entered || port->sending ||
	    hd_output_room(model, packet->out, packet->out_vl) >= size)
		return HD_NONE;
	for (unsigned vl = 0; vl < model->n_vls; vl++) {
		const struct hd_shared_queue *from = hd_output_queue(model, packet->out, vl);
		uint32_t units;

		if (!from->occupied || !gives_room(&port->share, queue, size, from))
			continue;
		if (from->queue.head == HD_NONE)
			return HD_NONE;
		units = hd_head(model, &from->queue)->message.size;
		if (hd_model_room(model, packet->out, vl) >= units)
			return HD_NONE;
		holder = hd_deadlock_holder(model, packet->out, vl, units, dead);
		if (holder == HD_NONE)
			return HD_NONE;
	}
	return holder;
}

/* Units of in-port @in and @vl that leave its central buffer. */
static uint64_t leaving_units(const struct hd_model *model, uint32_t in, unsigned vl)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);
	const struct hd_hierarchical_in *port = hd_hierarchical_in(model, in);
	const struct hd_central_link *links = &own->links[port->mport * own->n_links];
	uint64_t units = 0;

	if (port->downlink != HD_NO_CENTRAL_LINK && port->leaving_vl == vl)
		units += port->leaving;
	for (unsigned i = 0; i < own->n_links; i++)
		units += links[i].lane == lane_ref(in, vl) ? links[i].size : 0;
	return units;
}

/* The same of the head @packet of in-port @in, which waits for the central buffer. */
static uint32_t central_waits(const struct hd_model *model, uint32_t in,
			      const struct packet *packet, const uint8_t *dead)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);
	const struct hd_mport *mport = hd_mport_of_in(model, in);
	const struct hd_shared_queue *queue = hd_central_queue(model, in, packet->vl);
	uint32_t size = packet->message.size, holder = HD_NONE;

	if (hd_central_room(model, in, packet->vl) >= size)
		return HD_NONE;
	for (uint32_t other = mport->first; other < mport->first + mport->n; other++)
		for (unsigned vl = 0; vl < model->n_vls; vl++) {
			const struct hd_shared_queue *from = hd_central_queue(model, other, vl);

			if (!from->occupied || !gives_room(&own->central, queue, size, from))
				continue;
			if (from->queue.head == HD_NONE || from->coming ||
			    leaving_units(model, other, vl))
				return HD_NONE;
			holder = output_waits(model, hd_head(model, &from->queue), dead);
			if (holder == HD_NONE)
				return HD_NONE;
		}
	return holder;
}

uint32_t hd_hierarchical_waits_for(const struct hd_model *model, uint32_t lane, const uint8_t *dead)
{
	uint32_t in = lane / model->n_vls;
	const struct queue *queue = hd_input_queue(model, in, lane % model->n_vls);
	const struct packet *head;

	if (queue->head == HD_NONE || hd_hierarchical_in(model, in)->leaving)
		return HD_NONE;
	head = hd_head(model, queue);
	return hd_is_bypass(model, in, head->out) ? output_waits(model, head, dead)
						  : central_waits(model, in, head, dead);
}

/* Units of the packets in a queue. */
static uint64_t units_of(const struct hd_model *model, const struct queue *queue)
{
	uint64_t units = 0;

	for (uint32_t i = queue->head; i != HD_NONE; i = model->buffers.packets[i].next)
		units += model->buffers.packets[i].message.size;
	return units;
}

static const char *verify_output(const struct hd_model *model, uint32_t out)
{
	const struct hd_hierarchical_out *port = hd_hierarchical_out(model, out);
	const struct hd_link_options *link =
		&model->options.links[hd_sender(model, out)->link_class];
	unsigned vcs = link->vcs ? link->vcs : model->n_vls;
	uint64_t shared = port->left;

	for (unsigned vl = 0; vl < model->n_vls; vl++) {
		const struct hd_shared_queue *queue = hd_output_queue(model, out, vl);
		uint64_t units = units_of(model, &queue->queue);

		if (port->sending_vl == vl)
			units += port->sending;
		if (queue->coming ? units >= queue->occupied : units != queue->occupied)
			return "its output buffer is not as occupied as its packets say";
		if ((port->queued >> vl & 1) != (queue->queue.head != HD_NONE))
			return "its output buffer has packets of a VL, or not, by mistake";
		shared += hd_share_excess(&port->share, queue);
	}
	return shared + (uint64_t)port->share.reserved * vcs > link->output
		       ? "its output buffer has more room than there is"
		       : NULL;
}

/* A bit for each link out of the central buffer of @mport by which something goes. */
static uint64_t busy_links(const struct hd_model *model, uint32_t mport)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);
	const struct hd_mport *m = &own->mports[mport];
	uint64_t busy = 0;

	for (unsigned i = 0; i < own->n_links; i++)
		if (own->links[mport * own->n_links + i].lane != HD_NONE)
			busy |= bit_of(i);
	for (uint32_t in = m->first; in < m->first + m->n; in++)
		if (hd_hierarchical_in(model, in)->downlink != HD_NO_CENTRAL_LINK)
			busy |= bit_of(hd_hierarchical_in(model, in)->downlink);
	return busy;
}

/* The central buffer, seen from in-port @in. */
static const char *verify_central(const struct hd_model *model, uint32_t in)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);
	const struct hd_mport *mport = hd_mport_of_in(model, in);
	uint64_t shared = mport->left;

	for (uint32_t other = mport->first; other < mport->first + mport->n; other++)
		for (unsigned vl = 0; vl < model->n_vls; vl++)
			shared +=
				hd_share_excess(&own->central, hd_central_queue(model, other, vl));
	if (mport->idle_down != (hd_bits_below(own->n_links) &
				 ~busy_links(model, hd_hierarchical_in(model, in)->mport)))
		return "its MPort's links out of the central buffer are idle by mistake";
	if (shared + (uint64_t)own->central.reserved * own->mport * model->n_vls >
	    model->options.central)
		return "its MPort's central buffer has more room than there is";
	for (unsigned vl = 0; vl < model->n_vls; vl++) {
		const struct hd_shared_queue *queue = hd_central_queue(model, in, vl);
		uint64_t units = units_of(model, &queue->queue) + leaving_units(model, in, vl);

		if (queue->coming ? units >= queue->occupied : units != queue->occupied)
			return "its MPort's central buffer is not as occupied as its packets say";
		if (queue->queue.head != HD_NONE &&
		    !has_bit(hd_central_requests(model, hd_head(model, &queue->queue)->out, vl),
			     model->words, hd_local(model, in)))
			return "an out-port does not know of its head in the central buffer";
	}
	return NULL;
}

const char *hd_hierarchical_verify(const struct hd_model *model, uint32_t port)
{
	const char *wrong = verify_output(model, port);

	return wrong ? wrong : verify_central(model, port);
}
