// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Writes the tables behind each round of a schedule as snapshots in plain text:
 *
 *	stages_tool OLD NEW DIRECTORY
 *
 * DIRECTORY gets 0 for OLD on the fabric of NEW, 1 for the tables behind round 1, and so on. Prints
 * the number of rounds, and "loops" if the old tables have a loop; exits with 1 if there is no
 * schedule.
 */
#include <stdio.h>
#include <sys/stat.h>

#include "change/schedule.h"
#include "support/error.h"
#include "tables/onto.h"
#include "tables/snapshot.h"

static int complain(const struct hd_error *err)
{
	char text[1100];

	fprintf(stderr, "stages_tool: %s\n", hd_error_format(err, text, sizeof(text)));
	return 2;
}

static int write_stages(const struct hd_schedule *schedule, const struct hd_tables *now,
			const struct hd_tables *before, const char *directory, struct hd_error *err)
{
	int ret = 0;

	mkdir(directory, 0777);
	for (unsigned round = 0; !ret && round <= schedule->n_rounds; round++) {
		struct hd_tables *at;
		char path[4096];

		snprintf(path, sizeof(path), "%s/%u", directory, round);
		ret = hd_schedule_tables(schedule, now, before, round, &at, err);
		if (!ret)
			ret = hd_snapshot_write_as(path, at, NULL, HD_PACK_NONE, err);
		hd_tables_free(at);
	}
	return ret;
}

int main(int argc, char **argv)
{
	struct hd_snapshot *old, *new;
	struct hd_schedule schedule = { 0 };
	struct hd_tables *before = NULL;
	struct hd_reading how = { 0 };
	struct hd_error err = { 0 };
	int ret;

	if (argc != 4) {
		fputs("usage: stages_tool OLD NEW DIRECTORY\n", stderr);
		return 2;
	}
	if (hd_snapshot_read(argv[1], NULL, &how, &old, &err))
		return complain(&err);
	if (hd_snapshot_read(argv[2], NULL, &how, &new, &err))
		return complain(&err);
	ret = hd_tables_onto(old->tables, new->fabric, &before, NULL, &err);
	if (!ret)
		ret = hd_schedule_make(new->tables, before, &schedule, &err);
	if (!ret && schedule.needs_new_sls)
		ret = hd_error_set(&err, HD_EREFUSED, "hosts must take new path SLs first");
	if (!ret)
		ret = write_stages(&schedule, new->tables, before, argv[3], &err);
	if (!ret)
		printf("%u%s\n", schedule.n_rounds, schedule.old_loops ? " loops" : "");
	else if (ret == HD_EREFUSED)
		printf("%s\n", err.text);
	hd_schedule_clear(&schedule);
	hd_tables_free(before);
	hd_snapshot_free(old);
	hd_snapshot_free(new);
	if (ret == HD_EREFUSED)
		return 1;
	return ret ? complain(&err) : 0;
}
