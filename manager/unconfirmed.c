// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/unconfirmed.h"

#include <stdio.h>

/* Sweeps that are asked for, 1, 2, 4, ... 512 s after one another: 17 minutes. */
#define MAX_TRIES 10u

void hd_unconfirmed_add(struct hd_unconfirmed *unconfirmed, size_t *n, uint32_t port)
{
	if (!hd_unconfirmed_count(unconfirmed))
		unconfirmed->first_port = port;
	(*n)++;
}

unsigned hd_unconfirmed_plan(unsigned *tries, bool is_asked_for, char *plan, size_t size)
{
	const unsigned delay = 1u << *tries;

	if (is_asked_for) {
		snprintf(plan, size, "sweeping again later (try %u of %u)", *tries, MAX_TRIES);
		return 0;
	}
	if (*tries >= MAX_TRIES) {
		snprintf(plan, size, "not sweeping again for that");
		return 0;
	}
	++*tries;
	snprintf(plan, size, "sweeping again in %u s (try %u of %u)", delay, *tries, MAX_TRIES);
	return delay;
}

void hd_unconfirmed_describe(const struct hd_unconfirmed *unconfirmed,
			     const struct hd_fabric *fabric, const char *plan, char *text,
			     size_t size)
{
	char label[320], lfts[40] = "";

	if (unconfirmed->n_lfts)
		snprintf(lfts, sizeof(lfts), "%zu LFT blocks, ", unconfirmed->n_lfts);
	hd_port_label(fabric, unconfirmed->first_port, label, sizeof(label));
	snprintf(text, size,
		 "%s%zu SL2VL rows and %zu VL arbitration blocks unconfirmed (first: %s): their "
		 "Sets were lost or answered with other values, and %s; %s",
		 lfts, unconfirmed->n_rows, unconfirmed->n_blocks, label,
		 hd_unconfirmed_is_unproved(unconfirmed)
			 ? "the switches do not have the proved tables"
			 : "routes and lanes are the proved ones, shares are not",
		 plan);
}
