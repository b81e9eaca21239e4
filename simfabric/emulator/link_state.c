// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/link_state.h"

#include "fabric/link_rate.h"
#include "simfabric/emulator/private.h"
#include "simfabric/emulator/traps.h"
#include "simfabric/emulator/watch.h"

/* LinkSpeedExtEnabled: extended speeds are switched off. */
#define EXTENDED_SPEEDS_OFF 30

/* The widest of @common's widths; bits 1x, 4x, 8x, 12x, 2x. */
static uint8_t widest(unsigned common)
{
	static const uint8_t order[] = { 8, 4, 2, 16, 1 };

	for (size_t i = 0; i < sizeof(order); i++)
		if (common & order[i])
			return order[i];
	return 0;
}

static uint8_t highest_bit(unsigned bits)
{
	return (uint8_t)(bits ? 1u << (31 - __builtin_clz(bits)) : 0);
}

static unsigned extended_speeds(const struct hd_emulator_port *port)
{
	return port->speed_ext_enabled == EXTENDED_SPEEDS_OFF ? 0 : port->speed_ext_enabled;
}

static uint8_t lesser(uint8_t a, uint8_t b)
{
	return a < b ? a : b;
}

/* The widths and speeds of a link. */
struct rates {
	unsigned widths, speeds, extended, extended2;
};

/*
 * Widths and speeds that both ends have enabled and the cable carries. The fabric tells how its
 * links run, not what their ends could do: a link that comes back has its former rate, although a
 * subnet manager has enabled whatever is supported meanwhile. Other cables carry everything.
 */
static struct rates common_rates(const struct hd_emulator *emulator, uint32_t a, uint32_t b)
{
	const struct hd_emulator_port *one = &emulator->ports[a], *other = &emulator->ports[b];
	struct rates rates = {
		.widths = one->width_enabled & other->width_enabled,
		.speeds = one->speed_enabled & other->speed_enabled,
		.extended = extended_speeds(one) & extended_speeds(other),
		.extended2 = one->speed_ext2_enabled & other->speed_ext2_enabled,
	};
	struct hd_emulator_port cable;

	if (emulator->fabric->ports[a].peer == b) {
		hd_port_rates(emulator->fabric, a, &cable);
		rates.widths &= cable.width_enabled;
		rates.speeds &= cable.speed_enabled;
		rates.extended &= cable.speed_ext_enabled;
		rates.extended2 &= cable.speed_ext2_enabled;
	}
	return rates;
}

static void train(struct hd_emulator_port *port, const struct hd_emulator_port *other,
		  const struct rates *rates)
{
	port->width_active = widest(rates->widths);
	port->speed_active = highest_bit(rates->speeds);
	port->speed_ext_active = highest_bit(rates->extended);
	port->speed_ext2_active = rates->extended ? highest_bit(rates->extended2) : 0;
	port->neighbor_mtu = lesser(port->mtu_cap, other->mtu_cap);
	port->operational_vls = lesser(port->vl_cap, other->vl_cap);
	port->physical = HD_PHYSICAL_LINK_UP;
	port->state = HD_PORT_INIT;
}

/* False: the ends cannot agree, and stay down. */
static bool train_link(struct hd_emulator *emulator, uint32_t a, uint32_t b)
{
	struct hd_emulator_port *one = &emulator->ports[a], *other = &emulator->ports[b];
	struct rates rates = common_rates(emulator, a, b);

	if (one->physical == HD_PHYSICAL_DISABLED || other->physical == HD_PHYSICAL_DISABLED ||
	    /* a port that sleeps wakes up when the other one polls */
	    (one->physical == HD_PHYSICAL_SLEEP && other->physical == HD_PHYSICAL_SLEEP) ||
	    !rates.widths || !rates.speeds)
		return false;
	train(one, other, &rates);
	train(other, one, &rates);
	return true;
}

/* Tells the subnet manager that the link state of @port changed by itself. */
static void announce(struct hd_emulator *emulator, uint32_t port)
{
	uint32_t node = emulator->fabric->ports[port].node;

	if (!hd_is_switch(emulator->fabric, node) || hd_node_is_off(emulator, node))
		return;
	emulator->switches[node].port_state_change = true;
	hd_trap_link_state(emulator, node);
}

/* Takes the link of @port down, which was up. */
static void drop(struct hd_emulator *emulator, uint32_t port)
{
	uint8_t *downed = &emulator->errors[port].link_downed;

	emulator->ports[port].state = HD_PORT_DOWN;
	emulator->ports[port].physical = emulator->ports[port].down_default;
	if (*downed < UINT8_MAX)
		(*downed)++;
}

void hd_link_update(struct hd_emulator *emulator, uint32_t port)
{
	uint32_t ends[2] = { port, emulator->ports[port].peer };
	unsigned n = ends[1] == HD_NONE ? 1 : 2;
	bool powered = n == 2, up = true, changed[2] = { false, false };

	for (unsigned i = 0; i < n; i++) {
		powered =
			powered && !hd_node_is_off(emulator, emulator->fabric->ports[ends[i]].node);
		up = up && emulator->ports[ends[i]].physical == HD_PHYSICAL_LINK_UP;
	}
	/* a link that is up stays as it is, whatever is enabled meanwhile */
	if (powered && up)
		return;
	for (unsigned i = 0; i < n; i++) {
		hd_watch_touch(emulator, emulator->fabric->ports[ends[i]].node);
		changed[i] = emulator->ports[ends[i]].physical == HD_PHYSICAL_LINK_UP;
		if (changed[i])
			drop(emulator, ends[i]);
	}
	if (powered && train_link(emulator, ends[0], ends[1]))
		changed[0] = changed[1] = true;
	for (unsigned i = 0; i < n; i++)
		if (changed[i])
			announce(emulator, ends[i]);
}

static void end_watch(struct hd_emulator *emulator, enum hd_occurrence_kind kind, uint32_t port)
{
	hd_watch_end(emulator, &(struct hd_occurrence){
				       .kind = kind,
				       .node = emulator->fabric->ports[port].node,
				       .port = port,
			       });
}

bool hd_link_unplug(struct hd_emulator *emulator, uint32_t port)
{
	uint32_t other = emulator->ports[port].peer;

	if (other == HD_NONE)
		return false;
	hd_watch_begin(emulator);
	emulator->ports[port].peer = emulator->ports[other].peer = HD_NONE;
	emulator->ports[port].broken = emulator->ports[other].broken = true;
	hd_link_update(emulator, port);
	hd_link_update(emulator, other);
	end_watch(emulator, HD_OCCURRED_UNPLUG, port);
	return true;
}

static void connect(struct hd_emulator *emulator, uint32_t port, uint32_t other)
{
	hd_watch_begin(emulator);
	emulator->ports[port].peer = other;
	emulator->ports[other].peer = port;
	emulator->ports[port].broken = emulator->ports[other].broken = false;
	hd_link_update(emulator, port);
	end_watch(emulator, HD_OCCURRED_PLUG, port);
}

bool hd_link_replug(struct hd_emulator *emulator, uint32_t port)
{
	uint32_t other = emulator->fabric->ports[port].peer;

	if (other == HD_NONE || !emulator->ports[port].broken)
		return false;
	return hd_link_plug(emulator, port, other);
}

bool hd_link_plug(struct hd_emulator *emulator, uint32_t port, uint32_t other)
{
	if (port == other || !emulator->fabric->ports[port].number ||
	    !emulator->fabric->ports[other].number || emulator->ports[port].peer != HD_NONE ||
	    emulator->ports[other].peer != HD_NONE)
		return false;
	connect(emulator, port, other);
	return true;
}
