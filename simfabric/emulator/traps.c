// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Traps go from a node's end port to its subnet manager, by LID on VL 15. A port has one trap of
 * each kind and details under way at a time; the trap is repeated until it is repressed, or the
 * port has no subnet manager to send it to.
 */
#include "simfabric/emulator/traps.h"

#include <stdlib.h>

#include "simfabric/emulator/private.h"

#define NOTICE_TRAP    4 /* offsets in a Notice (13.4.8.2) */
#define NOTICE_LID     6
#define NOTICE_DETAILS 10
#define DETAILS_SIZE   54
#define IS_GENERIC     0x80
#define PER_PORT       8 /* traps of one port that are under way at most */

enum notice_type {
	NOTICE_URGENT = 1,
	NOTICE_SECURITY = 2,
	NOTICE_INFORMATIONAL = 4,
};

struct trap {
	uint32_t port;
	uint32_t next; /* the next one of the port, or of those not in use; HD_NONE: the last */
	bool used;
	uint64_t transaction;
	uint8_t notice[HD_SMP_DATA_SIZE];
};

struct hd_trap_state {
	uint32_t *first; /* by port: its traps under way */
	struct trap *traps;
	uint32_t n, size, unused;
	uint64_t transactions; /* transactions so far */
};

bool hd_traps_new(struct hd_emulator *emulator)
{
	struct hd_trap_state *state = calloc(1, sizeof(*state));

	emulator->traps = state;
	if (!state)
		return false;
	state->unused = HD_NONE;
	state->first = malloc((emulator->fabric->n_ports + (size_t)1) * sizeof(*state->first));
	for (uint32_t p = 0; state->first && p < emulator->fabric->n_ports; p++)
		state->first[p] = HD_NONE;
	return state->first != NULL;
}

void hd_traps_free(struct hd_emulator *emulator)
{
	if (!emulator->traps)
		return;
	free(emulator->traps->first);
	free(emulator->traps->traps);
	free(emulator->traps);
}

static void forget(struct hd_trap_state *state, uint32_t id)
{
	uint32_t *link = &state->first[state->traps[id].port];

	while (*link != id)
		link = &state->traps[*link].next;
	*link = state->traps[id].next;
	state->traps[id].used = false;
	state->traps[id].next = state->unused;
	state->unused = id;
}

void hd_traps_reset(struct hd_emulator *emulator, uint32_t port)
{
	while (emulator->traps->first[port] != HD_NONE)
		forget(emulator->traps, emulator->traps->first[port]);
}

/* A place for a trap of @port; HD_NONE: out of memory. */
static uint32_t remember(struct hd_trap_state *state, uint32_t port)
{
	uint32_t id = state->unused;

	if (id != HD_NONE) {
		state->unused = state->traps[id].next;
	} else {
		if (state->n == state->size) {
			uint32_t size = state->size ? 2 * state->size : 16;
			struct trap *traps = realloc(state->traps, size * sizeof(*traps));

			if (!traps)
				return HD_NONE;
			state->traps = traps;
			state->size = size;
		}
		id = state->n++;
	}
	state->traps[id].port = port;
	state->traps[id].used = true;
	state->traps[id].next = state->first[port];
	state->first[port] = id;
	return id;
}

/* SMPs pass from state Init on; without LIDs there is no way to a subnet manager. */
static bool can_send(const struct hd_emulator *emulator, uint32_t port)
{
	const struct hd_emulator_port *state = &emulator->ports[port];

	return state->state >= HD_PORT_INIT && state->lid && state->sm_lid;
}

static void send(struct hd_emulator *emulator, uint32_t port, uint64_t transaction,
		 const uint8_t *notice)
{
	const struct hd_emulator_port *state = &emulator->ports[port];
	struct hd_packet packet = {
		.slid = state->lid,
		.dlid = state->sm_lid,
		.sl = state->sm_sl,
		.origin = HD_NONE,
	};

	packet.mad[HD_MAD_BASE_VERSION] = 1;
	packet.mad[HD_MAD_CLASS] = HD_CLASS_SMI;
	packet.mad[HD_MAD_CLASS_VERSION] = 1;
	packet.mad[HD_MAD_METHOD] = HD_METHOD_TRAP;
	hd_put64(packet.mad + HD_MAD_TID, transaction);
	hd_put16(packet.mad + HD_MAD_ATTRIBUTE, HD_ATTRIBUTE_NOTICE);
	memcpy(packet.mad + HD_SMP_DATA, notice, HD_SMP_DATA_SIZE);
	hd_outbox_put(emulator, port, &packet);
}

static void repeat(void *context, uint64_t transaction);

static bool wait(struct hd_emulator *emulator, uint32_t id, uint64_t transaction)
{
	struct hd_timer timer = {
		.time = emulator->now + emulator->options.trap_repeat_ns,
		.expire = repeat,
		.context = emulator,
		/* the place may have another trap by then: its transaction tells */
		.argument = transaction << 32 | id,
	};

	return hd_timers_add(&emulator->timers, &timer);
}

static void repeat(void *context, uint64_t argument)
{
	struct hd_emulator *emulator = context;
	struct hd_trap_state *state = emulator->traps;
	uint32_t id = argument & UINT32_MAX;
	struct trap trap = state->traps[id];

	if (!trap.used || (trap.transaction & UINT32_MAX) != argument >> 32)
		return;
	if (!can_send(emulator, trap.port) || !wait(emulator, id, trap.transaction)) {
		forget(state, id);
		return;
	}
	send(emulator, trap.port, trap.transaction, trap.notice);
}

/* Both notices are the same trap with the same details. */
static bool is_same(const uint8_t *a, const uint8_t *b)
{
	return !memcmp(a + NOTICE_TRAP, b + NOTICE_TRAP, 2) &&
	       !memcmp(a + NOTICE_DETAILS, b + NOTICE_DETAILS, DETAILS_SIZE);
}

static void raise_trap(struct hd_emulator *emulator, uint32_t port, const uint8_t *notice)
{
	struct hd_trap_state *state = emulator->traps;
	uint64_t transaction;
	unsigned n = 0;

	if (!can_send(emulator, port))
		return;
	for (uint32_t id = state->first[port]; id != HD_NONE; id = state->traps[id].next, n++)
		if (is_same(state->traps[id].notice, notice))
			return;
	if (n >= PER_PORT)
		return;
	transaction = ++state->transactions;
	if (emulator->options.trap_repeat_ns) {
		uint32_t id = remember(state, port);

		if (id == HD_NONE)
			return;
		state->traps[id].transaction = transaction;
		memcpy(state->traps[id].notice, notice, HD_SMP_DATA_SIZE);
		if (!wait(emulator, id, transaction))
			forget(state, id);
	}
	send(emulator, port, transaction, notice);
}

static void start_notice(const struct hd_emulator *emulator, uint32_t port, uint16_t trap,
			 enum notice_type type, uint8_t notice[HD_SMP_DATA_SIZE])
{
	static const uint8_t producers[] = { [HD_CA] = 1, [HD_SWITCH] = 2, [HD_ROUTER] = 3 };
	const struct hd_fabric *fabric = emulator->fabric;

	memset(notice, 0, HD_SMP_DATA_SIZE);
	notice[0] = (uint8_t)(IS_GENERIC | type);
	notice[3] = producers[fabric->nodes[fabric->ports[port].node].type];
	hd_put16(notice + NOTICE_TRAP, trap);
	hd_put16(notice + NOTICE_LID, emulator->ports[port].lid);
}

void hd_trap_link_state(struct hd_emulator *emulator, uint32_t node)
{
	uint32_t port = emulator->fabric->nodes[node].first_port;
	uint8_t notice[HD_SMP_DATA_SIZE];

	start_notice(emulator, port, 128, NOTICE_URGENT, notice);
	hd_put16(notice + NOTICE_DETAILS, emulator->ports[port].lid);
	raise_trap(emulator, port, notice);
}

void hd_trap_link_errors(struct hd_emulator *emulator, uint16_t trap, uint32_t port)
{
	uint32_t end_port = hd_end_port_of(emulator, port);
	uint8_t notice[HD_SMP_DATA_SIZE];

	start_notice(emulator, end_port, trap, NOTICE_URGENT, notice);
	hd_put16(notice + NOTICE_DETAILS + 2, emulator->ports[end_port].lid);
	notice[NOTICE_DETAILS + 4] = emulator->fabric->ports[port].number;
	raise_trap(emulator, end_port, notice);
}

void hd_trap_capabilities(struct hd_emulator *emulator, uint32_t port, bool description)
{
	uint8_t notice[HD_SMP_DATA_SIZE];

	start_notice(emulator, port, 144, NOTICE_INFORMATIONAL, notice);
	hd_put16(notice + NOTICE_DETAILS + 2, emulator->ports[port].lid);
	hd_put32(notice + NOTICE_DETAILS + 6, emulator->ports[port].capabilities);
	if (description) {
		notice[NOTICE_DETAILS + 5] = 1;            /* other local changes: */
		hd_put16(notice + NOTICE_DETAILS + 10, 1); /* the NodeDescription */
	}
	raise_trap(emulator, port, notice);
}

void hd_trap_mkey(struct hd_emulator *emulator, uint32_t port, const struct hd_packet *packet)
{
	const uint8_t *mad = packet->mad;
	uint8_t notice[HD_SMP_DATA_SIZE], *details = notice + NOTICE_DETAILS;

	start_notice(emulator, port, 256, NOTICE_SECURITY, notice);
	hd_put16(details + 2, packet->slid);
	details[6] = mad[HD_MAD_METHOD];
	memcpy(details + 8, mad + HD_MAD_ATTRIBUTE, 2);
	memcpy(details + 10, mad + HD_MAD_MODIFIER, 4);
	memcpy(details + 14, mad + HD_SMP_MKEY, 8);
	if (mad[HD_MAD_CLASS] == HD_CLASS_SMI_DIRECT) {
		unsigned hops = mad[HD_SMP_HOP_COUNT] & (HD_SMP_MAX_HOPS - 1);
		uint8_t kept = hops < 30 ? (uint8_t)hops : 30;

		memcpy(details + 4, mad + HD_SMP_DR_SLID, 2);
		/* a directed route, cut where it does not fit */
		details[23] = 0x80 | (kept < hops ? 0x40 : 0) | kept;
		memcpy(details + 24, mad + HD_SMP_RETURN_PATH + 1, kept);
	}
	raise_trap(emulator, port, notice);
}

void hd_trap_key(struct hd_emulator *emulator, uint16_t trap, uint32_t port,
		 const struct hd_packet *packet)
{
	struct hd_emulator_port *state = &emulator->ports[port];
	uint16_t *violations = trap == 257 ? &state->pkey_violations : &state->qkey_violations;
	uint8_t notice[HD_SMP_DATA_SIZE], *details = notice + NOTICE_DETAILS;

	if (*violations < UINT16_MAX)
		(*violations)++;
	start_notice(emulator, port, trap, NOTICE_SECURITY, notice);
	hd_put16(details + 2, packet->slid);
	hd_put16(details + 4, packet->dlid);
	hd_put32(details + 10, (uint32_t)packet->sl << 28 | (packet->sqp & 0xFFFFFF));
	hd_put32(details + 14, packet->dqp & 0xFFFFFF);
	hd_put64(details + 34, state->gid_prefix);
	hd_put64(details + 42, emulator->fabric->ports[port].guid);
	raise_trap(emulator, port, notice);
}

bool hd_trap_repress(struct hd_emulator *emulator, uint32_t port, const struct hd_packet *packet)
{
	struct hd_trap_state *state = emulator->traps;
	uint32_t id = state->first[port];

	if (hd_mad_attribute(packet) != HD_ATTRIBUTE_NOTICE)
		return false;
	while (id != HD_NONE && !is_same(state->traps[id].notice, packet->mad + HD_SMP_DATA))
		id = state->traps[id].next;
	if (id == HD_NONE)
		return false;
	forget(state, id);
	return true;
}
