// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/convert_goal.h"

#include "sim/traffic/goal_pattern.h"
#include "sim/traffic/goal_records.h"
#include "sim/traffic/goal_trace.h"
#include "support/error.h"
#include "support/output.h"
#include "support/text.h"

#define MOST_RANKS (1u << 20)

static bool is_goal(const char *file)
{
	return hd_has_suffix(file, ".goal") || hd_has_suffix(file, ".bin");
}

bool hd_convert_is_goal(const char *file)
{
	return is_goal(file) || hd_has_suffix(file, ".trace");
}

/* A trace of heddle, or in VEF. */
static int read_trace(const char *file, struct hd_goal *goal, struct hd_error *err)
{
	struct hd_records records;
	struct hd_text text;
	int ret;

	*goal = (struct hd_goal){ 0 };
	ret = hd_text_read_most(file, HD_GOAL_FILE_MAX, &text, err);
	if (ret)
		return ret;
	hd_records_init(&records, MOST_RANKS, 1, 1);
	ret = (hd_has_suffix(file, ".vef") ? hd_vef_parse : hd_trace_parse)(
		file, text.data, text.size, &records, err);
	if (!ret)
		ret = hd_goal_from_records(&records, file, goal, err);
	hd_records_free(&records);
	hd_text_free(&text);
	return ret;
}

/* @from: where it comes from. */
static int write_goal(const struct hd_goal *goal, const char *from, const char *to,
		      struct hd_error *err)
{
	struct hd_output output;
	int ret = hd_output_open(&output, to, err);

	if (ret)
		return ret;
	if (hd_has_suffix(to, ".trace"))
		ret = hd_goal_write_trace(goal, from, output.stream, err);
	else if (hd_has_suffix(to, ".bin"))
		hd_goal_write_binary(goal, output.stream);
	else
		hd_goal_write_text(goal, output.stream);
	if (!ret)
		ret = hd_output_commit(&output, err);
	hd_output_abort(&output);
	return ret;
}

int hd_convert_goal(const char *from, const char *to, struct hd_error *err)
{
	struct hd_goal goal;
	int ret = is_goal(from) ? hd_goal_read_file(from, MOST_RANKS, &goal, err)
				: read_trace(from, &goal, err);

	if (!ret)
		ret = write_goal(&goal, from, to, err);
	hd_goal_free(&goal);
	return ret;
}
