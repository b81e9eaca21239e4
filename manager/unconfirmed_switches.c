// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/unconfirmed_switches.h"

#include <stdlib.h>

#include "support/memory.h"

static int compare(const void *a, const void *b)
{
	const struct hd_unconfirmed_switch *x = a, *y = b;

	return (x->guid > y->guid) - (x->guid < y->guid);
}

void hd_unconfirmed_switches_note(struct hd_unconfirmed_switches *switches, uint64_t guid)
{
	struct hd_unconfirmed_switch *noted =
		hd_make_room(switches->noted, switches->n_noted, &switches->room, sizeof(*noted));

	if (!noted)
		return;
	switches->noted = noted;
	switches->noted[switches->n_noted++] = (struct hd_unconfirmed_switch){ .guid = guid };
}

void hd_unconfirmed_switches_take(struct hd_unconfirmed_switches *switches)
{
	struct hd_unconfirmed_switch *is = switches->noted;
	const struct hd_unconfirmed_switch *was = switches->now;
	const size_t n = switches->n_noted;
	size_t i = 0;

	if (n)
		qsort(is, n, sizeof(*is), compare);
	for (size_t k = 0; k < n; k++) {
		while (i < switches->n && was[i].guid < is[k].guid)
			i++;
		if (i < switches->n && was[i].guid == is[k].guid)
			is[k] = was[i];
	}
	free(switches->now);
	*switches = (struct hd_unconfirmed_switches){ .now = is, .n = n };
}

bool hd_unconfirmed_stay_down(struct hd_unconfirmed_switch *of, bool any, double time)
{
	if (any && !of->has_waiting)
		of->since = time;
	of->has_waiting = any;
	return any && time - of->since < HD_UNCONFIRMED_SECONDS;
}

void hd_unconfirmed_switches_clear(struct hd_unconfirmed_switches *switches)
{
	free(switches->noted);
	free(switches->now);
	*switches = (struct hd_unconfirmed_switches){ .n = 0 };
}
