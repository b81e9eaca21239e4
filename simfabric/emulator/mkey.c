// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The M_Key (14.2.4). A port whose M_Key is not 0 obeys only those who know it. A violation starts
 * the lease; unless a MAD with the right M_Key comes before it ends, the protect bits become 0, so
 * that a subnet manager that lost the M_Key can read it.
 */
#include <stdlib.h>

#include "simfabric/emulator/private.h"
#include "simfabric/emulator/sma.h"
#include "simfabric/emulator/traps.h"

#define SECOND UINT64_C(1000000000)

enum protection {
	MKEY_SHOWN = 0, /* anyone may read, the M_Key as well */
	/* 1: anyone may read all but the M_Key */
	READ_REFUSED = 2, /* and 3 */
};

/*
 * Leases end at ends[port]; 0: no lease runs. fires[port] is the time of the port's timer, 0: there
 * is none: a lease that is renewed needs no second timer.
 */
struct hd_mkey_state {
	uint64_t *ends, *fires;
};

bool hd_mkeys_new(struct hd_emulator *emulator)
{
	size_t n = emulator->fabric->n_ports + (size_t)1;

	emulator->mkeys = calloc(1, sizeof(*emulator->mkeys));
	if (!emulator->mkeys)
		return false;
	emulator->mkeys->ends = calloc(n, sizeof(*emulator->mkeys->ends));
	emulator->mkeys->fires = calloc(n, sizeof(*emulator->mkeys->fires));
	return emulator->mkeys->ends && emulator->mkeys->fires;
}

void hd_mkeys_reset(struct hd_emulator *emulator, uint32_t port)
{
	emulator->mkeys->ends[port] = 0;
}

void hd_mkeys_free(struct hd_emulator *emulator)
{
	if (!emulator->mkeys)
		return;
	free(emulator->mkeys->ends);
	free(emulator->mkeys->fires);
	free(emulator->mkeys);
}

static void expire(void *context, uint64_t port);

static void arm(struct hd_emulator *emulator, uint32_t port)
{
	struct hd_mkey_state *state = emulator->mkeys;
	struct hd_timer timer = {
		.time = state->ends[port],
		.expire = expire,
		.context = emulator,
		.argument = port,
	};

	/* a timer that fires before the lease ends is armed again */
	if (state->fires[port] && state->fires[port] <= timer.time)
		return;
	if (hd_timers_add(&emulator->timers, &timer))
		state->fires[port] = timer.time;
}

static void expire(void *context, uint64_t value)
{
	struct hd_emulator *emulator = context;
	struct hd_mkey_state *state = emulator->mkeys;
	uint32_t port = (uint32_t)value;

	if (state->fires[port] <= emulator->now)
		state->fires[port] = 0;
	if (!state->ends[port])
		return;
	if (state->ends[port] > emulator->now) {
		arm(emulator, port);
		return;
	}
	state->ends[port] = 0;
	emulator->ports[port].mkey_protect = 0;
}

bool hd_mkey_visible(const struct hd_emulator *emulator, uint32_t port, uint64_t mkey)
{
	const struct hd_emulator_port *state = &emulator->ports[port];

	return state->mkey == mkey || state->mkey_protect == MKEY_SHOWN;
}

void hd_mkey_written(struct hd_emulator *emulator, uint32_t port)
{
	emulator->mkeys->ends[port] = 0;
}

bool hd_mkey_check(struct hd_emulator *emulator, uint32_t port, const struct hd_packet *packet)
{
	struct hd_emulator_port *state = &emulator->ports[port];

	if (!state->mkey || state->mkey == hd_get64(packet->mad + HD_SMP_MKEY)) {
		emulator->mkeys->ends[port] = 0;
		return true;
	}
	if (hd_mad_method(packet) == HD_METHOD_GET && state->mkey_protect < READ_REFUSED)
		return true;
	if (state->mkey_violations < UINT16_MAX)
		state->mkey_violations++;
	if (state->mkey_lease && !emulator->mkeys->ends[port]) {
		emulator->mkeys->ends[port] = emulator->now + state->mkey_lease * SECOND;
		arm(emulator, port);
	}
	hd_trap_mkey(emulator, port, packet);
	return false;
}
