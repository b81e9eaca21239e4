// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Chakra execution traces as a traffic pattern: their files, a rank each. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/traffic/chakra.h"
#include "sim/traffic/goal_pattern.h"
#include "sim/traffic/placement.h"
#include "support/error.h"
#include "support/text.h"

#define SUFFIX ".et"

/* A file, and the number before its suffix. */
struct numbered {
	const char *file;
	uint64_t number;
};

static int compare(const void *one, const void *other)
{
	const struct numbered *a = one, *b = other;

	return (a->number > b->number) - (a->number < b->number);
}

/* "NAME.12.et", "NAME.12.et.gz": 12. False: there is no number. */
static bool scan_rank(const char *file, uint64_t *number)
{
	const char *name = strrchr(file, '/') ? strrchr(file, '/') + 1 : file, *end, *at;

	end = strstr(name, SUFFIX);
	for (const char *next = end; next; next = strstr(next + 1, SUFFIX))
		end = next;
	if (!end)
		return false;
	for (at = end; at > name && at[-1] >= '0' && at[-1] <= '9'; at--)
		;
	return hd_scan_number(&at, end, 10, UINT32_MAX, number);
}

static int read_file(const char *file, struct hd_chakra *trace, struct hd_error *err)
{
	struct hd_text text = { 0 };
	int ret = hd_text_read_most(file, HD_GOAL_FILE_MAX, &text, err);

	if (!ret)
		ret = hd_chakra_parse(file, text.data, text.size, trace, err);
	hd_text_free(&text);
	return ret;
}

/* Reads the files of @found in the order of their ranks. */
static int read_found(const glob_t *found, const char *name, uint32_t most, struct hd_chakra *trace,
		      struct hd_error *err)
{
	struct numbered *files = malloc((found->gl_pathc + 1) * sizeof(*files));
	int ret = files ? 0 : hd_error_nomem(err);
	size_t n = 0;

	for (size_t i = 0; i < found->gl_pathc && !ret; i++) {
		if (!hd_has_suffix(found->gl_pathv[i], SUFFIX))
			continue;
		files[n].file = found->gl_pathv[i];
		if (!scan_rank(files[n].file, &files[n].number))
			ret = hd_error_at(err, HD_EINVAL, files[n].file, 0,
					  "the rank is no number before " SUFFIX);
		n++;
	}
	if (!ret && !n)
		ret = hd_error_at(err, HD_EIO, name, 0, "there are no files NAME.RANK" SUFFIX);
	if (!ret && n > most)
		ret = hd_error_at(err, HD_ERANGE, name, 0, "%zu ranks, but there is room for %u", n,
				  most);
	if (!ret)
		qsort(files, n, sizeof(*files), compare);
	for (size_t i = 0; i < n && n > 1 && !ret; i++)
		if (files[i].number != i)
			ret = hd_error_at(err, HD_EINVAL, name, 0,
					  "the file of rank %zu is missing, or there twice", i);
	for (size_t i = 0; i < n && !ret; i++)
		ret = read_file(files[i].file, trace, err);
	free(files);
	return ret;
}

/* Reads the files of @name: a folder, files by a pattern of a shell, or a file. */
static int read_files(const char *name, uint32_t most, struct hd_chakra *trace,
		      struct hd_error *err)
{
	const char *const every = "/*" SUFFIX "*";
	char *pattern = malloc(strlen(name) + strlen(every) + 1);
	struct stat status;
	glob_t found;
	int ret;

	if (!pattern)
		return hd_error_nomem(err);
	strcpy(pattern, name);
	if (stat(name, &status) == 0 && S_ISDIR(status.st_mode))
		strcat(pattern, every);
	ret = glob(pattern, 0, NULL, &found);
	free(pattern);
	if (ret == GLOB_NOSPACE)
		return hd_error_nomem(err);
	if (ret)
		return hd_error_at(err, HD_EIO, name, 0, "there are no such files");
	ret = read_found(&found, name, most, trace, err);
	globfree(&found);
	return ret;
}

static int read_traces(const struct hd_pattern_setup *setup, const char *name, uint32_t most,
		       struct hd_goal *goal, struct hd_error *err)
{
	struct hd_chakra trace = { 0 };
	uint64_t ranks = 1;
	int ret = hd_params_number(setup->params, "ranks", 1, most, &ranks, err);

	*goal = (struct hd_goal){ 0 };
	if (!ret)
		ret = read_files(name, most, &trace, err);
	if (!ret && ranks > 1 && trace.n_files > 1)
		ret = hd_error_set(err, HD_EINVAL, "ranks: only for a single file; there are %u",
				   trace.n_files);
	if (!ret)
		ret = hd_chakra_schedule(&trace, name, (uint32_t)ranks,
					 hd_params_get(setup->params, "algorithm"), goal, err);
	hd_chakra_free(&trace);
	return ret;
}

static int init(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	return hd_goal_pattern_init(setup, read_traces, data, err);
}

static const struct hd_option options[] = {
	{ "file", NULL, "", "a folder with a file NAME.RANK.et for each rank, or DIR/NAME.*.et" },
	{ "ranks", "1", "ranks", "that all have the file, if there is only one" },
	{ "algorithm", "auto", "",
	  "of collective operations (heddle list algorithms); auto: the usual one of each" },
	{ "ticks", NULL, "ticks",
	  "length of a nanosecond of the trace; default: 1000, or a cycle" },
	{ "unit", "64", "bytes", "how many bytes a unit has; messages round up" },
	HD_PLACEMENT_OPTIONS,
	{ 0 },
};

const struct hd_pattern_kind hd_pattern_chakra = {
	.policy = { .name = "chakra",
		    .summary = "Chakra execution traces: ranks that compute, send, receive and do "
			       "collective operations",
		    .reference = "Sridharan et al., Chakra: advancing performance benchmarking and "
				 "co-design using standardized execution traces (2023)",
		    .options = options },
	.policy.n_bare = 1,
	.init = init,
	HD_GOAL_PATTERN_HOOKS,
};
