// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/unconfirmed_switches.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	const struct hd_unconfirmed_switch *x = a, *y = b;

	return (x->guid > y->guid) - (x->guid < y->guid);
}

void hd_unconfirmed_switches_note(struct hd_unconfirmed_switches *switches, uint64_t guid)
{
	if (switches->n_noted == switches->room) {
		const size_t room = 2 * switches->room + 16;
		void *grown = realloc(switches->noted, room * sizeof(*switches->noted));

		if (!grown)
			return;
		switches->noted = grown;
		switches->room = room;
	}
	switches->noted[switches->n_noted++] =
		(struct hd_unconfirmed_switch){ .guid = guid, .n_sweeps = 1 };
}

void hd_unconfirmed_switches_end_sweep(struct hd_unconfirmed_switches *switches)
{
	struct hd_unconfirmed_switch *is = switches->noted;
	const struct hd_unconfirmed_switch *was = switches->last;
	size_t i = 0;

	if (switches->n_noted)
		qsort(is, switches->n_noted, sizeof(*is), compare);
	for (size_t k = 0; k < switches->n_noted; k++) {
		while (i < switches->n_last && was[i].guid < is[k].guid)
			i++;
		if (i < switches->n_last && was[i].guid == is[k].guid)
			is[k].n_sweeps += was[i].n_sweeps;
	}
	free(switches->last);
	*switches = (struct hd_unconfirmed_switches){ .last = is, .n_last = switches->n_noted };
}

void hd_unconfirmed_switches_clear(struct hd_unconfirmed_switches *switches)
{
	free(switches->noted);
	free(switches->last);
	*switches = (struct hd_unconfirmed_switches){ .n_last = 0 };
}
