// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Files that the plug-in writes: its status, and the dumps beside OpenSM's. */
#include "tests/unit/unit.h"

#include <time.h>
#include <unistd.h>

#include "manager/lane_dumps.h"
#include "manager/status_file.h"
#include "manager/status_read.h"
#include "tables/classes.h"
#include "tests/unit/tables_case.h"

static char directory[] = "/tmp/heddle-manager-XXXXXX";

static int make_directory(void **state)
{
	(void)state;
	return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
	(void)state;
	return rmdir(directory);
}

/* The path of @name there, until the next call. */
static const char *path_of(const char *name)
{
	static char path[200];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static const char *read_status(const struct hd_status *status)
{
	static char text[2000];
	struct hd_error err;
	FILE *file;
	size_t n;

	assert_hd_ok(hd_status_write(path_of("status"), status, &err), err);
	file = fopen(path_of("status"), "r");
	assert_non_null(file);
	n = fread(text, 1, sizeof(text) - 1, file);
	text[n] = '\0';
	fclose(file);
	unlink(path_of("status"));
	return text;
}

static void the_status_of_nothing_is_short(void **state)
{
	const struct hd_rollout rollout = { .state = HD_ROLLOUT_IDLE };
	const struct hd_status status = { .engine = "none", .rollout = &rollout, .now = 5 };

	(void)state;
	assert_string_equal(read_status(&status), "engine     none\n"
						  "confirmed  no\n"
						  "change     idle\n"
						  "waits for  nothing\n");
}

static void a_change_is_told(void **state)
{
	struct hd_rollout rollout = {
		.state = HD_ROLLOUT_ROUND,
		.since = 1010,
		.start = 1000,
		.round = 2,
		.n_failures = 1,
		.pairs_lost = 7,
		.doubt = "who knows",
	};
	const struct hd_status status = { .engine = "heddle",
					  .routes = "dla",
					  .is_confirmed = true,
					  .rollout = &rollout,
					  .now = 1020 };
	const time_t since = time(NULL) - 10;
	char year[40];
	const char *text;

	(void)state;
	rollout.schedule.n_rounds = 3;
	text = read_status(&status);
	strftime(year, sizeof(year), "since      %Y-%m-", gmtime(&since));
	assert_ptr_equal(strstr(text, "engine     heddle\nroutes     dla\nconfirmed  yes\n"), text);
	assert_non_null(strstr(text, "change     round\n"));
	assert_non_null(strstr(text, year));
	assert_non_null(strstr(text, "round      2 of 3\n"));
	assert_non_null(strstr(text, "failures   1\nlosing     7 pairs of hosts\n"));
	assert_non_null(strstr(text, "not proved who knows\n"));
}

static void a_status_without_a_place_is_an_error(void **state)
{
	const struct hd_rollout rollout = { .state = HD_ROLLOUT_IDLE };
	const struct hd_status status = { .engine = "none", .rollout = &rollout };
	struct hd_error err;

	(void)state;
	assert_int_equal(hd_status_write("/nowhere/at/all", &status, &err), HD_EIO);
	assert_string_not_equal(err.text, "");
}

static void count(void *context, const char *line)
{
	assert_non_null(strstr(line, "path-sl"));
	++*(unsigned *)context;
}

static void dumps_are_those_of_the_last_sweep(void **state)
{
	static const char text[] = "[class a] share = 30%\n[class b] share = 70%\n";
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *tables = tables_case_tables(fabric);
	struct hd_lane_dumps dumps = { .written = NULL };
	struct hd_classes classes;
	struct hd_error err;
	unsigned n = 0;

	(void)state;
	assert_hd_ok(hd_classes_parse("text", text, strlen(text), &classes, &err), err);
	assert_hd_ok(hd_classes_assign(&classes, 1, &err), err);
	assert_hd_ok(hd_tables_set_classes(tables, &classes, &err), err);
	hd_lane_dumps_write(&dumps, directory, tables, tables, count, &n);
	assert_int_equal(access(path_of(hd_dump_path_sl.file), F_OK), 0);
	assert_int_equal(access(path_of(hd_dump_vlarb.file), F_OK), 0);
	assert_int_equal(access(path_of(hd_dump_classes.file), F_OK), 0);
	assert_int_equal(access(path_of("path-sl-a.dump"), F_OK), 0);
	assert_int_equal(access(path_of("path-sl-b.dump"), F_OK), 0);
	/* class a is gone */
	strcpy(classes.list[0].name, "c");
	assert_hd_ok(hd_tables_set_classes(tables, &classes, &err), err);
	hd_lane_dumps_write(&dumps, directory, tables, tables, count, &n);
	assert_int_not_equal(access(path_of("path-sl-a.dump"), F_OK), 0);
	assert_int_equal(access(path_of("path-sl-c.dump"), F_OK), 0);
	/* another engine routes */
	hd_lane_dumps_write(&dumps, directory, NULL, NULL, count, &n);
	assert_int_not_equal(access(path_of(hd_dump_path_sl.file), F_OK), 0);
	assert_int_not_equal(access(path_of("path-sl-c.dump"), F_OK), 0);
	assert_int_equal(n, 0);
	hd_lane_dumps_clear(&dumps);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void what_cannot_be_written_is_told(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *tables = tables_case_tables(fabric);
	struct hd_lane_dumps dumps = { .written = NULL };
	unsigned n = 0;

	(void)state;
	hd_lane_dumps_write(&dumps, "/nowhere/at/all", tables, NULL, count, &n);
	assert_int_equal(n, 1);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void a_status_is_read_again(void **state)
{
	struct hd_rollout rollout = { .state = HD_ROLLOUT_ROUND,
				      .since = 1010,
				      .start = 1000,
				      .round = 2,
				      .n_failures = 1,
				      .pairs_lost = 7 };
	const struct hd_status status = { .engine = "heddle",
					  .routes = "dla",
					  .is_confirmed = true,
					  .rollout = &rollout,
					  .now = 1020 };
	struct hd_status_seen seen;
	struct hd_error err;

	(void)state;
	rollout.schedule.n_rounds = 3;
	assert_hd_ok(hd_status_write(path_of("status"), &status, &err), err);
	assert_hd_ok(hd_status_read(path_of("status"), &seen, &err), err);
	unlink(path_of("status"));
	assert_string_equal(seen.engine, "heddle");
	assert_string_equal(seen.routes, "dla");
	assert_true(seen.is_confirmed);
	assert_string_equal(seen.change, "round");
	assert_in_range(seen.since, time(NULL) - 12, time(NULL) - 9);
	assert_int_equal(seen.round, 2);
	assert_int_equal(seen.of, 3);
	assert_int_equal(seen.n_failures, 1);
	assert_int_equal(seen.pairs_lost, 7);
}

/* Other files, and lines of other programs: no key is taken for another. */
static void what_is_no_status_is_refused(void **state)
{
	struct hd_status_seen seen;
	struct hd_error err;
	FILE *file;

	(void)state;
	assert_int_equal(hd_status_read(path_of("none"), &seen, &err), HD_EIO);
	file = fopen(path_of("status"), "w");
	assert_non_null(file);
	fputs("engineer  Wallis\nround x\nsince yesterday\nconfirmed\n", file);
	fclose(file);
	assert_int_equal(hd_status_read(path_of("status"), &seen, &err), HD_EPARSE);
	unlink(path_of("status"));
	assert_false(seen.is_confirmed);
	assert_int_equal(seen.round, 0);
	assert_int_equal(seen.since, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_status_of_nothing_is_short),
		cmocka_unit_test(a_change_is_told),
		cmocka_unit_test(a_status_is_read_again),
		cmocka_unit_test(what_is_no_status_is_refused),
		cmocka_unit_test(a_status_without_a_place_is_an_error),
		cmocka_unit_test(dumps_are_those_of_the_last_sweep),
		cmocka_unit_test(what_cannot_be_written_is_told),
	};

	return cmocka_run_group_tests_name("manager files", tests, make_directory,
					   remove_directory);
}
