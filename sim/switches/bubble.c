// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/switches/bubble.h"

#include <stdlib.h>

#include "sim/adaptive/vc_groups.h"
#include "sim/switches/credits.h"
#include "sim/switches/crossbar.h"
#include "sim/switches/voqnet.h"
#include "support/error.h"
#include "topologies/rings.h"

/* Units of the buffer of each VL behind @out. */
static uint32_t buffer_behind(const struct hd_model *model, uint32_t out)
{
	return model->options.links[hd_sender(model, out)->link_class].buffer;
}

/* The same of the queue before the link; 0: there is none. */
static uint32_t queue_before(const struct hd_model *model, uint32_t out)
{
	return hd_has_link_queues(model)
		       ? model->options.links[hd_sender(model, out)->link_class].output
		       : 0;
}

/* Of what packets enter a ring by, at @out: the queue before the link, if there is one. */
static uint32_t entry_of(const struct hd_model *model, uint32_t out)
{
	uint32_t queue = queue_before(model, out);

	return queue ? queue : buffer_behind(model, out);
}

int hd_bubble_new(struct hd_model *model, struct hd_error *err)
{
	struct bubble *bubble = &model->bubble;
	const struct hd_rings *rings = model->options.bubble;
	const uint32_t n_ports = model->network.n_ports;

	bubble->n_rings = rings->n;
	bubble->vls = UINT32_MAX;
	if (model->options.routed)
		bubble->vls = hd_groups_bubble_vcs(model->options.routed->groups);
	bubble->ring = calloc(n_ports + (size_t)1, sizeof(*bubble->ring));
	bubble->packets =
		calloc((rings->n + (size_t)1) * model->n_vls + 1, sizeof(*bubble->packets));
	if (!bubble->ring || !bubble->packets)
		return hd_error_nomem(err);
	bubble->smallest = UINT32_MAX;
	for (uint32_t out = 0; out < n_ports; out++) {
		if (!hd_is_switch_port(model, out) || !hd_is_port(model, out))
			continue;
		bubble->ring[out] = rings->of[model->network.fabric_port[out]];
		if (bubble->ring[out] && entry_of(model, out) < bubble->smallest)
			bubble->smallest = entry_of(model, out);
	}
	return 0;
}

void hd_bubble_free(struct hd_model *model)
{
	free(model->bubble.ring);
	free(model->bubble.packets);
}

bool hd_bubble_takes(struct hd_model *model, uint32_t size)
{
	struct bubble *bubble = &model->bubble;

	if (!bubble->size)
		bubble->size = size;
	if (size == bubble->size && size <= bubble->smallest / 2)
		return true;
	bubble->refused = size;
	return false;
}

int hd_bubble_failed(const struct hd_model *model, struct hd_error *err)
{
	const struct bubble *bubble = &model->bubble;

	if (bubble->refused != bubble->size)
		return hd_error_set(err, HD_EINVAL,
				    "packets of %u and of %u units: with bubble flow control all "
				    "are of one size",
				    bubble->size, bubble->refused);
	return hd_error_set(err, HD_EINVAL,
			    "two packets of %u units, as bubble flow control needs, do not fit a "
			    "ring's %s of %u",
			    bubble->refused, hd_has_link_queues(model) ? "queue" : "buffer",
			    bubble->smallest);
}

/* Packets that wait in the buffer behind @out, of @vl. */
static uint32_t count_waiting(const struct hd_model *model, uint32_t out, unsigned vl)
{
	const uint32_t in = hd_sender(model, out)->peer, at = hd_switch_of(model, in);
	const unsigned n_queues = model->buffers.by_output ? hd_crossbar(model, at)->n_ports : 1;
	uint32_t n = 0;

	if (model->voqnet)
		return hd_voqnet_count(model, in, vl);
	for (unsigned to = 0; to < n_queues; to++)
		for (uint32_t i = hd_queue(model, in, vl, hd_first_port(model, at) + to)->head;
		     i != HD_NONE; i = model->buffers.packets[i].next)
			n++;
	return n;
}

/* What is known of a ring on one VL. */
struct account {
	uint64_t room;    /* packets that the buffers take */
	uint64_t free;    /* packets that senders know room for */
	uint64_t waiting; /* packets in queues */
	uint32_t port;    /* some port of the ring */
};

static const char *judge(const struct account *account, uint32_t packets)
{
	if (account->waiting > packets || account->free + packets > account->room)
		return "its ring has other packets than were counted";
	return packets < account->room ? NULL : "its ring has lost its last free packet";
}

bool hd_bubble_verify(const struct hd_model *model, uint32_t *port, unsigned *vl, const char **what)
{
	const struct bubble *bubble = &model->bubble;
	const size_t n = (bubble->n_rings + (size_t)1) * model->n_vls;
	struct account *accounts = calloc(n + 1, sizeof(*accounts));
	bool is_sound = true;

	if (!accounts || !bubble->size) {
		free(accounts);
		return true;
	}
	for (uint32_t out = 0; out < model->network.first_host_port; out++)
		for (unsigned v = 0; v < model->n_vls && bubble->ring[out]; v++) {
			struct account *account =
				&accounts[bubble->ring[out] * (size_t)model->n_vls + v];

			account->port = out;
			account->room += buffer_behind(model, out) / bubble->size *
					 (model->voqnet ? model->voqnet->n : 1);
			account->free += hd_sender(model, out)->credits[v] / bubble->size;
			if (hd_has_link_queues(model)) {
				account->room += queue_before(model, out) / bubble->size;
				account->free += hd_out_room(model, out, v) / bubble->size;
			}
			account->waiting += count_waiting(model, out, v);
		}
	for (size_t i = model->n_vls; i < n && is_sound; i++) {
		if (!(bubble->vls >> i % model->n_vls & 1))
			continue;
		*what = accounts[i].room ? judge(&accounts[i], bubble->packets[i]) : NULL;
		is_sound = !*what;
		*port = accounts[i].port;
		*vl = (unsigned)(i % model->n_vls);
	}
	free(accounts);
	return is_sound;
}
