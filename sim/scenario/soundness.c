// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/soundness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "support/error.h"

int hd_note_line(char **notes, const char *line, struct hd_error *err)
{
	const size_t had = *notes ? strlen(*notes) : 0, size = had + strlen(line) + 2;
	char *all = realloc(*notes, size);

	if (!all)
		return hd_error_nomem(err);
	snprintf(all + had, size - had, "%s\n", line);
	*notes = all;
	return 0;
}

int hd_note_soundness(const struct hd_tables *tables, const struct hd_rings *rings, char **notes,
		      struct hd_error *err)
{
	const struct hd_check_options options = { .scope = HD_CHECK_HOSTS,
						  .ring = rings ? rings->of : NULL };
	struct hd_check_result result;
	char line[256] = "";
	int ret = hd_check(tables, &options, &result, err);

	if (ret)
		return ret == HD_EINVAL ? 0 : ret; /* no host has a LID: nothing will be sent */
	if (result.n_witness)
		snprintf(line, sizeof(line),
			 "the tables have a credit loop, of %zu channels%s: packets may wait for "
			 "one another for ever",
			 result.n_witness, rings ? ", bubbles or not" : "");
	else if (result.n_bubbles)
		snprintf(
			line, sizeof(line),
			"the tables are free of deadlock by bubble flow control alone, on %u rings "
			"of a VL: InfiniBand has none",
			result.n_bubbles);
	hd_check_clear(&result);
	return *line ? hd_note_line(notes, line, err) : 0;
}
