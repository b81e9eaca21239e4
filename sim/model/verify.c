// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/verify.h"

#include <stdio.h>
#include <stdlib.h>

#include "sim/model/domains.h"
#include "sim/switches/bubble.h"
#include "sim/switches/credits.h"
#include "sim/switches/crossbar.h"
#include "sim/switches/voqnet.h"

/* The first thing that was found wrong. */
struct finding {
	const struct hd_model *model;
	char *what;
	size_t size;
	bool is_sound;
};

static void find(struct finding *finding, uint32_t port, unsigned vl, const char *what)
{
	char label[320];

	if (!finding->is_sound)
		return;
	finding->is_sound = false;
	hd_port_label(finding->model->network.fabric, finding->model->network.fabric_port[port],
		      label, sizeof(label));
	snprintf(finding->what, finding->size, "%s VL %u: %s", label, vl, what);
}

/* The queue of in-port @in and @vl whose packets want out-port @out first; NULL: none does. */
static const struct queue *queue_for(const struct hd_model *model, uint32_t in, unsigned vl,
				     uint32_t out)
{
	const struct queue *queue = hd_queue(model, in, vl, out);

	return queue->head != HD_NONE && hd_head(model, queue)->out == out ? queue : NULL;
}

static unsigned count_bits(const uint64_t *mask, size_t words)
{
	unsigned n = 0;

	for (size_t w = 0; w < words; w++)
		n += (unsigned)__builtin_popcountll(mask[w]);
	return n;
}

/* In-port @in and out-port @out of a switch, on in-VL @vl: both ports agree with the queue. */
static void verify_pair(struct finding *f, uint32_t in, uint32_t out, unsigned vl, unsigned *heads)
{
	const struct hd_model *model = f->model;
	size_t words = model->words;
	const struct queue *queue = queue_for(model, in, vl, out);
	bool by_out = has_bit(hd_requests(model, hd_sender(model, out)) + vl * words, words,
			      hd_local(model, in));
	bool by_in = has_bit(hd_wants(model, hd_receiver(model, in)) + vl * words, words,
			     hd_local(model, out));

	if (by_out != (queue != NULL))
		find(f, out, vl, "the request is not what the in-port's queue has");
	if (by_in != (queue != NULL))
		find(f, in, vl, "what it wants is not what its queue has");
	if (!queue)
		return;
	heads[hd_head(model, queue)->out_vl]++;
	if (hd_head(model, queue)->out_vl != vl && !hd_sender(model, out)->changes_vls)
		find(f, out, vl, "its head goes on on another VL, and the port does not say so");
	if (model->buffers.one_size &&
	    hd_head(model, queue)->message.size != model->buffers.one_size)
		find(f, out, vl, "its head is not of the size that all have");
}

static void verify_out(struct finding *f, uint32_t out)
{
	const struct hd_model *model = f->model;
	uint32_t at = hd_switch_of(model, out), first = hd_first_port(model, at);
	struct crossbar *crossbar = hd_crossbar(model, at);
	struct sender *sender = hd_sender(model, out);
	unsigned heads[HD_MAX_VCS] = { 0 };
	size_t n = model->words * (size_t)model->n_vls;

	for (uint32_t in = first; in < first + crossbar->n_ports; in++)
		for (unsigned vl = 0; vl < model->n_vls; vl++)
			verify_pair(f, in, out, vl, heads);
	for (unsigned vl = 0; vl < model->n_vls; vl++)
		if (hd_heads(model, sender)[vl] != heads[vl])
			find(f, out, vl, "the count of heads that would leave on it is wrong");
	if (hd_is_wanted(model, out) != hd_any_bit(hd_requests(model, sender), n))
		find(f, out, 0, "it is wanted, or not, by mistake");
	if (has_bit(hd_has_heads(crossbar, model->words), model->words, hd_local(model, out)) !=
	    hd_any_bit(hd_wants(model, hd_receiver(model, out)), n))
		find(f, out, 0, "its queues have heads, or not, by mistake");
}

/* With several reads: what in-ports send is what out-ports send, and who can send more is free. */
static void verify_reads(struct finding *f, struct crossbar *crossbar, uint32_t first)
{
	const struct hd_model *model = f->model;
	unsigned n = 0;

	for (unsigned in = 0; in < crossbar->n_ports; in++) {
		const unsigned reading = model->reading[first + in];

		n += reading;
		if (has_bit(hd_in_free(crossbar), model->words, in) !=
		    (reading < model->options.reads))
			find(f, first + in, 0, "it may send more packets, or not, by mistake");
	}
	for (unsigned out = 0; out < crossbar->n_ports; out++)
		n -= !has_bit(hd_out_free(crossbar, model->words), model->words, out);
	if (n && !model->has_rates)
		find(f, first, 0, "its in-ports send other packets than its out-ports");
}

static void verify_switch(struct finding *f, uint32_t at)
{
	const struct hd_model *model = f->model;
	struct crossbar *crossbar = hd_crossbar(model, at);
	uint32_t first = hd_first_port(model, at);

	for (uint32_t out = first; out < first + crossbar->n_ports; out++)
		verify_out(f, out);
	if (!crossbar->n_ports)
		return;
	if (crossbar->is_dirty)
		find(f, first, 0, "its switch is still to be looked at");
	if (model->reading)
		verify_reads(f, crossbar, first);
	/* with links of several rates an in-port may be done before the out-port is */
	if (!model->has_rates && !model->reading &&
	    count_bits(hd_in_free(crossbar), model->words) !=
		    count_bits(hd_out_free(crossbar, model->words), model->words))
		find(f, first, 0, "its switch has other in-ports than out-ports that send");
}

static void verify_credits(struct finding *f, uint32_t out)
{
	const struct hd_model *model = f->model;
	unsigned class = hd_sender(model, out)->link_class;
	const char *wrong;
	uint32_t most = model->sharing.left ? model->sharing.reserved[class]
					    : model->options.links[class].buffer;

	if (model->voqnet) {
		most *= model->voqnet->n;
		wrong = hd_voqnet_verify(model, out);
		if (wrong)
			find(f, out, 0, wrong);
	}
	for (unsigned vl = 0; vl < model->n_vls; vl++)
		if (hd_sender(model, out)->credits[vl] > most)
			find(f, out, vl, "it has more credits than there is room");
}

bool hd_model_verify_rings(const struct hd_model *model, char *what, size_t size)
{
	struct finding finding = { model, what, size, true };
	const char *wrong;
	uint32_t port;
	unsigned vl;

	if (hd_has_bubble(model) && !hd_bubble_verify(model, &port, &vl, &wrong))
		find(&finding, port, vl, wrong);
	return finding.is_sound;
}

/* What the switch model keeps of its own. */
static void verify_own(struct finding *f)
{
	const struct hd_switch_model *own = f->model->options.model;

	for (uint32_t port = 0; port < f->model->network.first_host_port; port++) {
		const char *wrong = NULL;

		if (own->verify && hd_is_port(f->model, port))
			wrong = own->verify(f->model, port);
		if (wrong)
			find(f, port, 0, wrong);
	}
}

bool hd_model_verify(const struct hd_model *model, char *what, size_t size)
{
	struct finding finding = { model, what, size, true };

	if (model->adaptive && !hd_adaptive_verify(model, what, size))
		return false;
	for (uint32_t at = 0; at < model->network.n_switches && !model->adaptive; at++) {
		finding.model = hd_model_at(model, hd_first_port(model, at));
		verify_switch(&finding, at);
	}
	finding.model = model;
	for (uint32_t out = 0; out < model->network.n_ports; out++)
		if (hd_is_port(model, out))
			verify_credits(&finding, out);
	verify_own(&finding);
	return finding.is_sound && hd_model_verify_rings(model, what, size);
}
