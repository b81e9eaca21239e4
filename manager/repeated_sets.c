// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/repeated_sets.h"

void hd_repeated_sets_note(struct hd_repeated_sets *sets, double now, double timeout,
			   unsigned retries)
{
	const double most = timeout * (1 + retries), lasted = now - sets->begin;
	const double end = now + (lasted < most ? lasted : most);

	if (lasted >= timeout && end > sets->end)
		sets->end = end;
}
