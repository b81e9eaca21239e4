// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What ports count. Packets and units are counted as they leave. Where stalls are counted, a stall
 * costs nothing while it lasts: its beginning is noted, and its length is added when the port takes
 * its next packet.
 */
#include "sim/model/port_counters.h"

#include "sim/model/domains.h"
#include "support/bytes.h"

static void begin(struct stall *stall, uint64_t now)
{
	stall->since = now;
}

static void end(struct stall *stall, uint64_t now)
{
	stall->ticks += now - stall->since;
}

void hd_model_stall(struct hd_model *model, uint32_t out, unsigned vls)
{
	struct sender *sender = hd_sender(model, out);
	uint32_t new = vls & ~sender->stalled;

	sender->alert |= HD_TRIED;
	if (!model->counting.stalls)
		return;
	if (new && !sender->stalled)
		begin(hd_stall_at(model, out, model->n_vls), model->events.now);
	for (; new; new &= new - 1)
		begin(hd_stall_at(model, out, __builtin_ctz(new)), model->events.now);
	sender->stalled |= vls;
}

void hd_model_stop_stall(struct hd_model *model, uint32_t out)
{
	struct sender *sender = hd_sender(model, out);
	uint32_t vls = sender->stalled;

	if (sender->alert & HD_STARVED && !sender->is_cut)
		hd_receiver(model, sender->peer)->is_watched = false;
	sender->alert = 0;
	sender->stalled = 0;
	if (vls)
		end(hd_stall_at(model, out, model->n_vls), model->events.now);
	for (; vls; vls &= vls - 1)
		end(hd_stall_at(model, out, __builtin_ctz(vls)), model->events.now);
}

void hd_model_stall_for_turn(struct hd_model *model, uint32_t out)
{
	struct sender *sender = hd_sender(model, out);
	const struct hd_switch_model *hooks = hd_switch_hooks(model);
	const uint16_t *heads = hd_heads(model, sender);
	unsigned vls = 0;

	/* packets past the crossbar will be sent */
	if (hooks && hooks->is_crossing && hooks->is_crossing(model, out)) {
		hd_model_stall(model, out, 0);
		return;
	}
	for (unsigned vl = 0; vl < model->n_vls; vl++)
		vls |= (uint32_t)(heads[vl] > 0u) << vl;
	hd_model_stall(model, out, vls);
}

void hd_model_settle_sent(struct hd_model *model, uint32_t out, unsigned vl)
{
	struct lately *lately = &hd_lately(model, hd_sender(model, out))[vl];
	struct sent *sent = &model->counting.sent[out * (size_t)model->n_vls + vl];

	sent->packets += lately->packets;
	sent->units += lately->units;
	*lately = (struct lately){ 0 };
}

/* The time; a domain that has nothing to do is behind the whole. */
static uint64_t now_at(const struct hd_model *model, uint32_t out)
{
	uint64_t whole = model->domains ? model->domains->whole->events.now : 0;
	uint64_t own = hd_model_at(model, out)->events.now;

	return own > whole ? own : whole;
}

/* Units of a packet that is counted on @vl, but has not begun to leave by @out; 0: none. */
static uint32_t counted_early(const struct hd_model *model, uint32_t out, unsigned vl)
{
	const struct hd_switch_model *hooks = hd_switch_hooks(model);

	return hooks && hooks->counted_early && hd_is_switch_port(model, out)
		       ? hooks->counted_early(model, out, vl, now_at(model, out))
		       : 0;
}

static struct sent sent_by(const struct hd_model *model, uint32_t out, unsigned vl)
{
	const struct lately *lately = &hd_lately(model, hd_sender(model, out))[vl];
	struct sent sent = model->counting.sent[out * (size_t)model->n_vls + vl];
	uint32_t early = counted_early(model, out, vl);

	sent.packets += lately->packets;
	sent.units += lately->units;
	sent.packets -= early > 0;
	sent.units -= early;
	return sent;
}

uint64_t hd_model_hops_counted_early(const struct hd_model *model)
{
	uint64_t n = 0;

	for (uint32_t out = 0; out < model->network.first_host_port; out++)
		for (unsigned vl = 0; vl < model->n_vls && hd_is_port(model, out); vl++)
			n += counted_early(model, out, vl) > 0;
	return n;
}

/* Ticks of stalling until now, with those of the stall that is under way. */
static uint64_t stalled(const struct hd_model *model, uint32_t port, unsigned vl, bool stalls)
{
	const struct stall *stall;

	if (!model->counting.stalls)
		return 0;
	stall = hd_stall_at(model, port, vl);
	return stall->ticks + (stalls ? model->events.now - stall->since : 0);
}

void hd_model_write_counters(const struct hd_model *model, uint32_t port, struct hd_bytes *bytes)
{
	uint32_t stalls = hd_sender(model, port)->stalled;

	for (unsigned vl = 0; vl < model->n_vls; vl++) {
		struct sent sent = sent_by(model, port, vl);

		hd_bytes_put(bytes, &sent, sizeof(sent));
	}
	for (unsigned vl = 0; vl <= model->n_vls && model->counting.stalls; vl++) {
		uint64_t ticks =
			stalled(model, port, vl, vl == model->n_vls ? stalls : stalls >> vl & 1);

		hd_bytes_put(bytes, &ticks, sizeof(ticks));
	}
}

void hd_model_read_counters(struct hd_model *model, uint32_t port, struct hd_bytes *bytes)
{
	for (unsigned vl = 0; vl < model->n_vls; vl++)
		hd_bytes_get(bytes, &model->counting.sent[port * (size_t)model->n_vls + vl],
			     sizeof(*model->counting.sent));
	for (unsigned vl = 0; vl <= model->n_vls && model->counting.stalls; vl++)
		hd_bytes_get(bytes, &hd_stall_at(model, port, vl)->ticks, sizeof(uint64_t));
}

struct hd_model_counters hd_model_counters(const struct hd_model *model, uint32_t fabric_port,
					   unsigned vl)
{
	uint32_t port = model->network.port_of[fabric_port];
	struct sent sent;

	if (port == HD_NONE || vl >= model->n_vls)
		return (struct hd_model_counters){ 0 };
	sent = sent_by(model, port, vl);
	return (struct hd_model_counters){
		.packets = sent.packets,
		.units = sent.units,
		.wait = stalled(model, port, vl, hd_sender(model, port)->stalled >> vl & 1),
	};
}

struct hd_model_counters hd_model_port_counters(const struct hd_model *model, uint32_t fabric_port)
{
	uint32_t port = model->network.port_of[fabric_port];
	struct hd_model_counters total = { 0 };

	if (port == HD_NONE)
		return total;
	total.wait = stalled(model, port, model->n_vls, hd_sender(model, port)->stalled);
	for (unsigned vl = 0; vl < model->n_vls; vl++) {
		struct sent sent = sent_by(model, port, vl);

		total.packets += sent.packets;
		total.units += sent.units;
	}
	return total;
}

uint32_t hd_model_unit_ticks(const struct hd_model *model, uint32_t port)
{
	return unit_ticks(model, model->network.port_of[port]);
}

uint64_t hd_model_busy(const struct hd_model *model, uint32_t fabric_port, unsigned vl)
{
	uint32_t port = model->network.port_of[fabric_port];

	if (port == HD_NONE || vl >= model->n_vls)
		return 0;
	return sent_by(model, port, vl).units * unit_ticks(model, port);
}
