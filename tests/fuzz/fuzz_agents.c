// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Any MADs at any node's agents, in any order, with links that come and go and time that passes:
 * answers are answers, what was set is read back, and the two ends of a link agree.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simfabric/emulator/power.h"
#include "tests/unit/agents_case.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_STEPS 400
#define TENTH      UINT64_C(100000000)

struct bytes {
	const uint8_t *data;
	size_t size, used;
};

static uint8_t next(struct bytes *bytes)
{
	return bytes->used < bytes->size ? bytes->data[bytes->used++] : 0;
}

static void take(struct bytes *bytes, uint8_t *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = next(bytes);
}

static void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

static uint32_t pick_node(const struct agents_case *c, struct bytes *bytes)
{
	return next(bytes) % c->fabric->n_nodes;
}

static unsigned pick_port(const struct agents_case *c, struct bytes *bytes, uint32_t node)
{
	return next(bytes) % (c->fabric->nodes[node].n_ports + 1u);
}

static uint32_t pick_end_port(const struct agents_case *c, struct bytes *bytes)
{
	return c->fabric->endports[next(bytes) % c->fabric->n_endports];
}

static void check_ports(const struct agents_case *c)
{
	hd_for_each_port(p, c->fabric) {
		const struct hd_emulator_port *port = &c->emulator->ports[p];
		const struct hd_port *wired = &c->fabric->ports[p];
		bool management = !wired->number;

		require(port->lmc <= 7 && port->mkey_protect <= 3, "a field out of range");
		require(port->state >= HD_PORT_DOWN && port->state <= HD_PORT_ACTIVE,
			"no such state");
		if (port->peer != HD_NONE)
			require(c->emulator->ports[port->peer].peer == p, "a link with one end");
		if (management)
			continue;
		require((port->state != HD_PORT_DOWN) == (port->physical == HD_PHYSICAL_LINK_UP),
			"a state without its physical state");
		require(port->physical != HD_PHYSICAL_LINK_UP ||
				(port->peer != HD_NONE &&
				 !hd_node_is_off(c->emulator, wired->node) &&
				 c->emulator->ports[port->peer].physical == HD_PHYSICAL_LINK_UP),
			"a link that is up at one end");
		require(port->operational_vls <= port->vl_cap &&
				port->neighbor_mtu <= port->mtu_cap,
			"more than the port can");
	}
}

/* What a Set of a table was answered with is what a Get reads. */
static void check_set(struct agents_case *c, uint32_t node, unsigned in)
{
	static const uint8_t tables[] = { 0x14, 0x16, 0x17, 0x18, 0x19, 0x1B, 0x1E };
	unsigned attribute = hd_mad_attribute(&c->packet);
	uint32_t modifier = hd_get32(c->packet.mad + HD_MAD_MODIFIER);
	uint8_t written[HD_SMP_DATA_SIZE];
	size_t compared = attribute == 0x17 ? 8 : sizeof(written);

	if (attribute < HD_ATTRIBUTE_AR_INFO &&
	    (attribute > 0xFF || !memchr(tables, attribute, sizeof(tables))))
		return;
	if (attribute > HD_ATTRIBUTE_EXTENDED_SWITCH_INFO ||
	    attribute == HD_ATTRIBUTE_EXTENDED_PORT_INFO)
		return;
	if (attribute == 0x17 && hd_is_switch(c->fabric, node))
		modifier &= 0xFFFF; /* of a wildcard, one that it names */
	if (attribute == 0x17 && hd_is_switch(c->fabric, node) &&
	    ((modifier & 0xFF) > c->fabric->nodes[node].n_ports ||
	     modifier >> 8 > c->fabric->nodes[node].n_ports))
		return;
	memcpy(written, c->packet.mad + HD_SMP_DATA, sizeof(written));
	require(agents_case_get(c, node, in, attribute, modifier) == 0, "a Get after a Set");
	require(!memcmp(written, c->packet.mad + HD_SMP_DATA, compared), "another value than set");
}

static void smp(struct agents_case *c, uint32_t node, unsigned in)
{
	struct hd_packet asked = c->packet;
	enum hd_verdict verdict = hd_sma_handle(c->emulator, node, (uint8_t)in, &c->packet);
	const uint8_t *mad = c->packet.mad;

	if (verdict != HD_ANSWERED) {
		require(!memcmp(&asked, &c->packet, sizeof(asked)), "a packet that was changed");
		return;
	}
	require(mad[HD_MAD_METHOD] == 0x81, "an answer that is none");
	require(!memcmp(mad + HD_MAD_TID, asked.mad + HD_MAD_TID, 16), "another transaction");
	require(!memcmp(mad + HD_SMP_INITIAL_PATH, asked.mad + HD_SMP_INITIAL_PATH, 128),
		"another path");
	if (hd_mad_method(&asked) == HD_METHOD_SET &&
	    !(hd_get16(mad + HD_MAD_STATUS) & ~HD_SMP_DIRECTION))
		check_set(c, node, in);
}

/* An SMP that is likely to mean something: a known attribute, the data of what is there. */
static void likely_smp(struct agents_case *c, struct bytes *bytes)
{
	static const uint16_t attributes[] = {
		0x02,   0x10,   0x11,   0x12,   0x14,   0x15, 0x15,   0x16,
		0x17,   0x18,   0x19,   0x1B,   0x20,   0x30, 0x31,   0xFF90,
		0xFF17, 0xFF20, 0xFF21, 0xFF23, 0xFF24, 0x1E, 0xFF91, 0xFF92,
	};
	const size_t n_attributes = sizeof(attributes) / sizeof(attributes[0]);
	static const uint8_t methods[] = { HD_METHOD_GET, HD_METHOD_SET, HD_METHOD_SET,
					   HD_METHOD_TRAP_REPRESS };
	uint32_t node = pick_node(c, bytes);
	unsigned in = pick_port(c, bytes, node), attribute = attributes[next(bytes) % n_attributes];
	unsigned method = methods[next(bytes) % 4], changes = next(bytes) % 8;
	uint8_t modifier[4] = { 0 };

	take(bytes, modifier + 1, 3);
	modifier[0] = modifier[1] & 0x80 ? 0x80 : 0;
	modifier[1] &= 0x0F;
	if (method == HD_METHOD_TRAP_REPRESS)
		memcpy(agents_case_data(c), c->delivered.mad + HD_SMP_DATA, HD_SMP_DATA_SIZE);
	else
		agents_case_get(c, node, in, attribute, hd_get32(modifier));
	while (changes--) {
		unsigned at = next(bytes) % HD_SMP_DATA_SIZE;

		agents_case_data(c)[at] = next(bytes);
	}
	c->packet.mad[HD_MAD_METHOD] = (uint8_t)method;
	hd_put16(c->packet.mad + HD_MAD_STATUS, 0);
	smp(c, node, in);
}

static void raw_smp(struct agents_case *c, struct bytes *bytes)
{
	uint32_t node = pick_node(c, bytes);
	unsigned in = pick_port(c, bytes, node);

	take(bytes, c->packet.mad, HD_MAD_SIZE);
	smp(c, node, in);
}

static void gsi(struct agents_case *c, struct bytes *bytes, bool raw)
{
	uint32_t port = pick_end_port(c, bytes);

	if (raw) {
		take(bytes, c->packet.mad, HD_MAD_SIZE);
	} else {
		memset(c->packet.mad, 0, HD_MAD_SIZE);
		c->packet.mad[HD_MAD_BASE_VERSION] = c->packet.mad[HD_MAD_CLASS_VERSION] = 1;
		c->packet.mad[HD_MAD_CLASS] = HD_CLASS_PM;
		c->packet.mad[HD_MAD_METHOD] = 1 + next(bytes) % 2;
		c->packet.mad[HD_MAD_ATTRIBUTE + 1] = next(bytes) % 0x40;
		take(bytes, c->packet.mad + HD_PM_DATA, 48);
	}
	if (hd_gsi_handle(c->emulator, port, &c->packet) == HD_FOR_CLIENT)
		hd_gsi_refuse(&c->packet);
	else
		require(c->packet.mad[HD_MAD_METHOD] & HD_METHOD_RESPONSE ||
				hd_node_is_off(c->emulator, c->fabric->ports[port].node),
			"an answer that is none");
}

static void change_links(struct agents_case *c, struct bytes *bytes)
{
	unsigned what = next(bytes) % 5;
	uint32_t node = pick_node(c, bytes), other = pick_node(c, bytes);
	uint32_t port = agents_case_port(c, node, 1 + next(bytes) % c->fabric->nodes[node].n_ports);
	uint32_t far =
		agents_case_port(c, other, 1 + next(bytes) % c->fabric->nodes[other].n_ports);

	switch (what) {
	case 0:
		hd_link_unplug(c->emulator, port);
		break;
	case 1:
		hd_link_replug(c->emulator, port);
		break;
	case 2:
		hd_link_plug(c->emulator, port, far);
		break;
	case 3:
		hd_node_off(c->emulator, node);
		break;
	default:
		hd_node_on(c->emulator, node);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes bytes = { data, size, 0 };
	struct hd_emulator_options options;
	struct agents_case c;

	hd_emulator_options_init(&options);
	options.ar = true;
	if (!agents_case_new(&c, &options))
		abort();
	if (next(&bytes) & 1)
		agents_case_bring_up(&c);
	for (unsigned step = 0; bytes.used < bytes.size && step < MOST_STEPS; step++) {
		switch (next(&bytes) % 8) {
		case 0:
			hd_emulator_advance(c.emulator, c.emulator->now + next(&bytes) * TENTH);
			break;
		case 1:
			raw_smp(&c, &bytes);
			break;
		case 2:
			gsi(&c, &bytes, true);
			break;
		case 3:
			gsi(&c, &bytes, false);
			break;
		case 4:
			change_links(&c, &bytes);
			break;
		default:
			likely_smp(&c, &bytes);
		}
		check_ports(&c);
	}
	agents_case_free(&c);
	return 0;
}
