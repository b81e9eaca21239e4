/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "simfabric/emulator/mad_faults.h"

#include "simfabric/emulator/link_state.h"
#include "support/error.h"

#include <math.h>
#include <stdlib.h>

/* Of the streams of options.seed, or of the console's; 0 is emulator->random. */
#define STREAM_SHUFFLE 1

/* A link that goes down and up; `port` HD_NONE: ended, the place is free. */
struct flap {
	uint32_t port;
	uint32_t generation; /* counts flaps in this place, so that timers of a flap that ended
			        find nothing to do */
	uint64_t up_ns, down_ns;
	bool down;
};

struct hd_fault_state {
	uint64_t delay_ns;
	uint64_t drop_all;  /* share * 2^32 */
	uint64_t *drop;     /* [n_ports]; NULL: none */
	uint64_t *slow;     /* [n_nodes] ns; NULL: none */
	uint32_t *refusals; /* [node] Sets that are refused yet; NULL: none are */
	uint64_t shuffle_ns;
	struct hd_random order; /* of what is shuffled */
	struct flap *flaps;
	size_t n_flaps;
};

static struct hd_fault_state *faults_of(struct hd_emulator *emulator)
{
	if (!emulator->faults)
		emulator->faults = calloc(1, sizeof(*emulator->faults));
	return emulator->faults;
}

int hd_fault_drop(struct hd_emulator *emulator, uint32_t port, double share, struct hd_error *err)
{
	struct hd_fault_state *faults = faults_of(emulator);
	uint64_t threshold;

	if (!faults)
		return hd_error_nomem(err);
	if (!(share >= 0 && share <= 1))
		return hd_error_set(err, HD_EINVAL, "a share of MADs to lose is 0 to 1");
	threshold = (uint64_t)ldexp(share, 32);
	if (port == HD_NONE) {
		faults->drop_all = threshold;
		return 0;
	}
	if (!faults->drop)
		faults->drop = calloc(emulator->fabric->n_ports, sizeof(*faults->drop));
	if (!faults->drop)
		return hd_error_nomem(err);
	faults->drop[port] = threshold;
	return 0;
}

bool hd_fault_loses(struct hd_emulator *emulator, uint32_t port)
{
	const struct hd_fault_state *faults = emulator->faults;
	uint64_t threshold;

	if (!faults)
		return false;
	threshold = faults->drop_all;
	if (faults->drop && faults->drop[port] > threshold)
		threshold = faults->drop[port];
	return threshold && hd_random_u32(&emulator->random) < threshold;
}

int hd_fault_delay(struct hd_emulator *emulator, uint64_t ns, struct hd_error *err)
{
	struct hd_fault_state *faults = faults_of(emulator);

	if (!faults)
		return hd_error_nomem(err);
	faults->delay_ns = ns;
	return 0;
}

uint64_t hd_fault_delay_ns(const struct hd_emulator *emulator)
{
	return emulator->faults ? emulator->faults->delay_ns : 0;
}

int hd_fault_slow(struct hd_emulator *emulator, uint32_t node, uint64_t ns, struct hd_error *err)
{
	struct hd_fault_state *faults = faults_of(emulator);

	if (faults && !faults->slow)
		faults->slow = calloc(emulator->fabric->n_nodes, sizeof(*faults->slow));
	if (!faults || !faults->slow)
		return hd_error_nomem(err);
	faults->slow[node] = ns;
	return 0;
}

int hd_fault_refuse(struct hd_emulator *emulator, uint32_t node, uint32_t n, struct hd_error *err)
{
	struct hd_fault_state *faults = faults_of(emulator);

	if (faults && !faults->refusals)
		faults->refusals = calloc(emulator->fabric->n_nodes, sizeof(*faults->refusals));
	if (!faults || !faults->refusals)
		return hd_error_nomem(err);
	faults->refusals[node] = n;
	return 0;
}

bool hd_fault_refuses(struct hd_emulator *emulator, uint32_t node)
{
	const struct hd_fault_state *faults = emulator->faults;

	if (!faults || !faults->refusals || !faults->refusals[node])
		return false;
	faults->refusals[node]--;
	return true;
}

int hd_fault_shuffle(struct hd_emulator *emulator, uint64_t ns, uint64_t seed, struct hd_error *err)
{
	struct hd_fault_state *faults = faults_of(emulator);

	if (!faults)
		return hd_error_nomem(err);
	faults->shuffle_ns = ns;
	hd_random_init(&faults->order, seed, STREAM_SHUFFLE);
	return 0;
}

uint64_t hd_fault_wait_ns(struct hd_emulator *emulator, uint32_t node)
{
	struct hd_fault_state *faults = emulator->faults;
	uint64_t ns;

	if (!faults)
		return 0;
	ns = faults->slow ? faults->slow[node] : 0;
	if (faults->shuffle_ns && hd_is_switch(emulator->fabric, node))
		ns += (uint64_t)((double)faults->shuffle_ns *
				 ldexp(hd_random_u32(&faults->order), -32));
	return ns;
}

static void turn(void *context, uint64_t argument);

/*
 * Arms the next change of the flap in place @index. When out of memory, the flap ends with the link
 * up.
 */
static void arm(struct hd_emulator *emulator, size_t index)
{
	struct flap *flap = &emulator->faults->flaps[index];
	struct hd_timer timer = {
		.time = emulator->now + (flap->down ? flap->down_ns : flap->up_ns),
		.expire = turn,
		.context = emulator,
		.argument = (uint64_t)flap->generation << 32 | index,
	};

	if (hd_timers_add(&emulator->timers, &timer))
		return;
	if (flap->down)
		hd_link_replug(emulator, flap->port);
	flap->port = HD_NONE;
}

static void turn(void *context, uint64_t argument)
{
	struct hd_emulator *emulator = context;
	size_t index = (uint32_t)argument;
	struct flap *flap = &emulator->faults->flaps[index];

	if (flap->port == HD_NONE || flap->generation != argument >> 32)
		return;
	if (flap->down)
		hd_link_replug(emulator, flap->port);
	else
		hd_link_unplug(emulator, flap->port);
	flap->down = !flap->down;
	arm(emulator, index);
}

int hd_fault_flap(struct hd_emulator *emulator, uint32_t port, uint64_t up_ns, uint64_t down_ns,
		  struct hd_error *err)
{
	struct hd_fault_state *faults = faults_of(emulator);
	size_t index, place;

	if (!faults)
		return hd_error_nomem(err);
	if (emulator->fabric->ports[port].peer == HD_NONE)
		return hd_error_set(err, HD_EINVAL, "no link is wired to this port");
	if (!up_ns != !down_ns)
		return hd_error_set(err, HD_EINVAL,
				    "a flapping link is up for a time and down for a time");
	if (up_ns && (up_ns < HD_FLAP_LEAST_NS || down_ns < HD_FLAP_LEAST_NS))
		return hd_error_set(err, HD_ERANGE,
				    "a flapping link is up and down for 1 ms each, at least");
	place = faults->n_flaps;
	for (index = 0; index < faults->n_flaps; index++) {
		struct flap *flap = &faults->flaps[index];

		if (flap->port == port) {
			if (flap->down)
				hd_link_replug(emulator, port);
			flap->port = HD_NONE;
			flap->generation++;
		}
		if (flap->port == HD_NONE)
			place = index;
	}
	if (!up_ns)
		return 0;
	if (place == faults->n_flaps) {
		struct flap *flaps = realloc(faults->flaps, (faults->n_flaps + 1) * sizeof(*flaps));

		if (!flaps)
			return hd_error_nomem(err);
		flaps[place] = (struct flap){ 0 };
		faults->flaps = flaps;
		faults->n_flaps++;
	}
	faults->flaps[place].port = port;
	faults->flaps[place].generation++;
	faults->flaps[place].up_ns = up_ns;
	faults->flaps[place].down_ns = down_ns;
	faults->flaps[place].down = false;
	arm(emulator, place);
	return 0;
}

void hd_faults_free(struct hd_emulator *emulator)
{
	if (!emulator->faults)
		return;
	free(emulator->faults->drop);
	free(emulator->faults->slow);
	free(emulator->faults->refusals);
	free(emulator->faults->flaps);
	free(emulator->faults);
	emulator->faults = NULL;
}
