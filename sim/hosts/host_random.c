// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * OSHA as section 1 of its paper has it. The next LID of a host is drawn when it takes one, not
 * when it is asked for, so that a LID whose queue has no room stays the one to wait for.
 */
#include <stdlib.h>

#include "sim/hosts/admittance.h"
#include "support/error.h"
#include "support/random.h"

/* Streams of hosts, apart from those of switches that draw. */
#define STREAM (UINT64_C(0x05A) << 32)

/* Of a host. */
struct draw {
	struct hd_random random;
	uint32_t number; /* the next one */
};

static int make(struct hd_model *model, struct hd_error *err)
{
	struct draw *draws = calloc(model->injection.n_hosts + (size_t)1, sizeof(*draws));

	if (!draws)
		return hd_error_nomem(err);
	for (uint32_t host = 0; host < model->injection.n_hosts; host++) {
		hd_random_init(&draws[host].random, model->options.seed, STREAM + host);
		draws[host].number = hd_random_u32(&draws[host].random);
	}
	model->injection.choosing = draws;
	return 0;
}

static unsigned choose(const struct hd_model *model, const struct hd_message *message,
		       const uint8_t *vls, unsigned n)
{
	const struct draw *draws = model->injection.choosing;
	unsigned i = (unsigned)((uint64_t)draws[message->from].number * n >> 32);

	return hd_admittance_has_room(model, model->injection.hosts[message->from].port, vls[i])
		       ? i
		       : n;
}

static void taken(struct hd_model *model, const struct packet *packet)
{
	struct draw *draw = (struct draw *)model->injection.choosing + packet->message.from;

	draw->number = hd_random_u32(&draw->random);
}

const struct hd_host_policy hd_host_random = {
	.policy.name = "random",
	.policy.summary = "any LID, by chance (OSHA)",
	.policy.reference = "Yebenes et al., ACM TACO 16(2), 2019, section 1",
	.make = make,
	.choose = choose,
	.taken = taken,
};
