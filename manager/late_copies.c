// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/late_copies.h"

void hd_late_copies_note(struct hd_late_copies *late, double now, double timeout, unsigned retries)
{
	const double most = timeout * (1 + retries), lasted = now - late->begin;
	const double end = now + (lasted < most ? lasted : most);

	if (lasted >= timeout && end > late->end)
		late->end = end;
}
