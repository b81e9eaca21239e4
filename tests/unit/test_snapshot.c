// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Snapshots: written whole, read back, replaced with care. */
#include "tests/unit/unit.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/pack.h"
#include "support/text.h"
#include "tables/dumps.h"
#include "tables/snapshot.h"
#include "tests/unit/tables_case.h"

#define RECORDED HD_TEST_DATA "/opensm/"

struct scene {
	char *scratch;
	char *directory; /* scratch/snapshot, not there yet */
	struct hd_fabric *fabric;
	struct hd_tables *tables;
};

static char *join(const char *directory, const char *file)
{
	char *path;

	assert_true(asprintf(&path, "%s/%s", directory, file) > 0);
	return path;
}

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	const char *base = getenv("TMPDIR");

	scene->scratch = join(base ? base : "/tmp", "heddle-snapshot.XXXXXX");
	assert_non_null(mkdtemp(scene->scratch));
	scene->directory = join(scene->scratch, "snapshot");
	scene->fabric = tables_case_fabric();
	scene->tables = tables_case_tables(scene->fabric);
	*state = scene;
	return 0;
}

static void remove_tree(const char *path)
{
	DIR *stream = opendir(path);
	struct dirent *entry;

	while (stream && (entry = readdir(stream))) {
		char *child = join(path, entry->d_name);

		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") && unlink(child))
			remove_tree(child);
		free(child);
	}
	if (stream)
		closedir(stream);
	rmdir(path);
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	remove_tree(scene->scratch);
	hd_tables_free(scene->tables);
	hd_fabric_free(scene->fabric);
	free(scene->directory);
	free(scene->scratch);
	free(scene);
	return 0;
}

static unsigned count_entries(const char *directory)
{
	DIR *stream = opendir(directory);
	unsigned n = 0;

	assert_non_null(stream);
	while (readdir(stream))
		n++;
	closedir(stream);
	return n - 2;
}

static bool has_file(const char *directory, const char *file)
{
	char *path = join(directory, file);
	bool found = access(path, F_OK) == 0;

	free(path);
	return found;
}

static void put_file(const char *directory, const char *file, const char *text)
{
	char *path = join(directory, file);
	FILE *stream = fopen(path, "w");

	assert_non_null(stream);
	fputs(text, stream);
	fclose(stream);
	free(path);
}

/* What is noted while the snapshot is read, from malloc(). */
static char *read_notes(const char *directory, const char *netfile, struct hd_snapshot **snapshot)
{
	struct hd_error err = { 0 };
	char *notes = NULL;
	size_t size;
	FILE *stream = open_memstream(&notes, &size);
	const struct hd_reading how = { .strict = true, .notes = stream };

	assert_hd_ok(hd_snapshot_read(directory, netfile, &how, snapshot, &err), err);
	fclose(stream);
	return notes;
}

static void a_snapshot_comes_back(void **state)
{
	struct scene *scene = *state;
	struct hd_tables *tables = scene->tables;
	struct hd_provenance provenance = { .engine = (char *)"dla",
					    .layers = (char *)"shift",
					    .queues = (char *)"xordet:4",
					    .options = (char *)"a=b",
					    .source = (char *)"S:1",
					    .n_sls = 4,
					    .n_vls = 8 };
	struct hd_vlarb vlarb = {
		.n_high = 1, .n_low = 1, .high = { { 1, 2 } }, .low = { { 3, 4 } }
	};
	struct hd_mft_entry entry = { .mlid = 0xC000, .ports = { 2 } };
	struct hd_snapshot *snapshot;
	struct hd_error err = { 0 };
	char *notes;

	assert_int_equal(hd_tables_set_vlarb(tables, 1, &vlarb, NULL), 0);
	assert_int_equal(hd_tables_set_sl_rows(tables, 1, NULL), 0);
	tables->sl_rows[4] = 3;
	tables->sl2vl[hd_sl2vl_index(tables, 0, 1, 3)] = hd_row_all(7);
	tables->has_sl2vl = tables->has_path_sls = tables->has_vlarb = true;
	tables->mft = malloc(sizeof(entry));
	tables->mft[0] = entry;
	tables->n_mft = 1;
	assert_hd_ok(hd_snapshot_write(scene->directory, tables, &provenance, &err), err);
	assert_int_equal(count_entries(scene->directory), 7);
	assert_int_equal(count_entries(scene->scratch), 1);

	notes = read_notes(scene->directory, NULL, &snapshot);
	assert_string_equal(notes, "");
	free(notes);
	assert_int_equal(snapshot->fabric->n_nodes, scene->fabric->n_nodes);
	assert_int_equal(snapshot->fabric->top_lid, scene->fabric->top_lid);
	assert_memory_equal(snapshot->tables->lft, tables->lft, 2 * tables->lft_stride);
	assert_int_equal(snapshot->tables->sl2vl[hd_sl2vl_index(tables, 0, 1, 3)], hd_row_all(7));
	assert_int_equal(hd_path_sl(snapshot->tables, 0, 4), 3);
	assert_int_equal(snapshot->tables->n_vlarbs, 1);
	assert_int_equal(snapshot->tables->n_mft, 1);
	assert_string_equal(snapshot->provenance.engine, "dla");
	assert_string_equal(snapshot->provenance.layers, "shift");
	assert_string_equal(snapshot->provenance.queues, "xordet:4");
	assert_string_equal(snapshot->provenance.options, "a=b");
	assert_string_equal(snapshot->provenance.source, "S:1");
	assert_int_equal(snapshot->provenance.n_sls, 4);
	assert_int_equal(snapshot->provenance.n_vls, 8);
	hd_snapshot_free(snapshot);
}

/* Each form replaces the other, and holds the same. */
static void dumps_are_packed(void **state)
{
	static const enum hd_packing packings[] = { HD_PACK_LONG, HD_PACK_DUMPS, HD_PACK_NONE };
	struct scene *scene = *state;
	struct hd_tables *tables = scene->tables;

	if (!hd_pack_is_there())
		skip();
	tables->sl2vl[hd_sl2vl_index(tables, 0, 1, 3)] = hd_row_all(7);
	assert_int_equal(hd_tables_set_sl_rows(tables, 1, NULL), 0);
	tables->sl_rows[4] = 3;
	tables->has_sl2vl = tables->has_path_sls = true;
	for (unsigned i = 0; i < sizeof(packings) / sizeof(packings[0]); i++) {
		bool is_packed = packings[i] == HD_PACK_DUMPS;
		struct hd_snapshot *snapshot;
		struct hd_error err = { 0 };
		char *notes;

		assert_hd_ok(
			hd_snapshot_write_as(scene->directory, tables, NULL, packings[i], &err),
			err);
		assert_int_equal(count_entries(scene->directory), 5);
		assert_int_equal(count_entries(scene->scratch), 1);
		assert_true(has_file(scene->directory,
				     is_packed ? "opensm-lfts.dump.zst" : "opensm-lfts.dump"));
		assert_true(has_file(scene->directory,
				     is_packed ? "path-sl.dump.zst" : "path-sl.dump"));
		notes = read_notes(scene->directory, NULL, &snapshot);
		assert_string_equal(notes, "");
		free(notes);
		assert_memory_equal(snapshot->tables->lft, tables->lft, 2 * tables->lft_stride);
		assert_memory_equal(snapshot->tables->sl2vl, tables->sl2vl,
				    tables->sl2vl_first[2] * sizeof(hd_sl2vl_row));
		assert_int_equal(hd_path_sl(snapshot->tables, 0, 4), 3);
		hd_snapshot_free(snapshot);
	}
}

static void what_is_assumed_is_not_written(void **state)
{
	struct scene *scene = *state;
	struct hd_snapshot *snapshot;
	struct hd_error err = { 0 };
	char *notes;

	assert_hd_ok(hd_snapshot_write(scene->directory, scene->tables, NULL, &err), err);
	assert_int_equal(count_entries(scene->directory), 3); /* fabric, LFTs, JSON */
	notes = read_notes(scene->directory, NULL, &snapshot);
	assert_non_null(strstr(notes, "no opensm-sl2vl.dump: SL2VL tables are taken to be"));
	assert_non_null(strstr(notes, "no path-sl.dump: all path SLs are taken to be 0"));
	assert_false(snapshot->tables->has_sl2vl);
	assert_false(snapshot->tables->has_path_sls);
	assert_null(snapshot->provenance.engine);
	free(notes);
	hd_snapshot_free(snapshot);
}

static void opensm_dumps_are_a_snapshot(void **state)
{
	struct hd_snapshot *snapshot;
	char *notes = read_notes(RECORDED "updn-lmc2", NULL, &snapshot);

	assert_null(strstr(notes, "SL2VL"));
	assert_null(strstr(notes, "no LFT"));
	assert_non_null(strstr(notes, "path SLs"));
	assert_true(snapshot->tables->has_sl2vl);
	free(notes);
	hd_snapshot_free(snapshot);

	notes = read_notes(RECORDED "minhop", RECORDED "minhop/fabric.net", &snapshot);
	assert_non_null(strstr(notes, "SL2VL"));
	free(notes);
	hd_snapshot_free(snapshot);
}

static void switches_without_lfts_are_noted(void **state)
{
	struct scene *scene = *state;
	struct hd_snapshot *snapshot;
	char *notes;

	/* a table without entries is one */
	memset(hd_lft(scene->tables, 1), HD_NO_PATH, scene->tables->lft_stride);
	assert_int_equal(hd_snapshot_write(scene->directory, scene->tables, NULL, NULL), 0);
	notes = read_notes(scene->directory, NULL, &snapshot);
	assert_null(strstr(notes, "no LFT"));
	assert_null(snapshot->tables->lft_unknown);
	free(notes);
	hd_snapshot_free(snapshot);

	/* one that is not known is not written */
	scene->tables->lft_unknown = calloc(scene->fabric->n_switches, sizeof(bool));
	scene->tables->lft_unknown[1] = true;
	scene->tables->n_lft_unknown = 1;
	assert_int_equal(hd_snapshot_write(scene->directory, scene->tables, NULL, NULL), 0);
	notes = read_notes(scene->directory, NULL, &snapshot);
	assert_non_null(strstr(notes, "no LFT of 1 switch, S2 the first"));
	assert_int_equal(snapshot->tables->n_lft_unknown, 1);
	assert_false(hd_lft_is_known(snapshot->tables, 1));
	assert_true(hd_lft_is_known(snapshot->tables, 0));
	free(notes);
	hd_snapshot_free(snapshot);
}

static void what_dumps_pass_over_is_noted(void **state)
{
	struct scene *scene = *state;
	struct hd_snapshot *snapshot;
	char *notes;

	assert_int_equal(hd_snapshot_write(scene->directory, scene->tables, NULL, NULL), 0);
	/* S1 to all LIDs but its own; H1 to one LID */
	put_file(scene->directory, "path-sl.dump",
		 "0x10 2 0\n0x10 4 0\n0x10 5 0\n0x10 6 0\n0x10 7 0\n0x10 8 0\n0x100 1 3\n");
	put_file(scene->directory, "opensm-sl2vl.dump",
		 "Channel Adapter 0x0000000000000101, base LID 4, \"H1\"\n"
		 "#---\n0   0   : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7\n#---\n\n");
	notes = read_notes(scene->directory, NULL, &snapshot);
	assert_non_null(strstr(notes, "opensm-sl2vl.dump: 5 end ports, S1[0] the first, without a "
				      "whole table: what is missing is taken to be the identity"));
	assert_non_null(strstr(notes, "path-sl.dump: 4 end ports, S2[0] the first, without path "
				      "SLs: taken to be 0"));
	assert_non_null(strstr(notes, "path-sl.dump: 1 end port, H1[1] the first, without a path "
				      "SL to some LID"));
	free(notes);
	hd_snapshot_free(snapshot);
}

static void former_snapshots_are_replaced(void **state)
{
	struct scene *scene = *state;
	struct hd_error err = { 0 };
	char *slashes = join(scene->directory, "/");

	scene->tables->has_sl2vl = true;
	assert_hd_ok(hd_snapshot_write(slashes, scene->tables, NULL, &err), err);
	free(slashes);
	assert_true(has_file(scene->directory, "opensm-sl2vl.dump"));
	scene->tables->has_sl2vl = false;
	assert_hd_ok(hd_snapshot_write(scene->directory, scene->tables, NULL, &err), err);
	assert_false(has_file(scene->directory, "opensm-sl2vl.dump"));
	assert_int_equal(count_entries(scene->scratch), 1);
}

static void links_to_snapshots_stay_links(void **state)
{
	struct scene *scene = *state;
	char *link = join(scene->scratch, "link");
	struct hd_error err = { 0 };
	struct stat status;

	assert_hd_ok(hd_snapshot_write(scene->directory, scene->tables, NULL, &err), err);
	assert_int_equal(symlink("snapshot", link), 0);
	scene->tables->has_sl2vl = true;
	assert_hd_ok(hd_snapshot_write(link, scene->tables, NULL, &err), err);
	assert_int_equal(lstat(link, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_true(has_file(scene->directory, "opensm-sl2vl.dump"));
	free(link);
}

static void an_empty_directory_is_filled(void **state)
{
	struct scene *scene = *state;
	struct hd_error err = { 0 };
	struct stat status;
	mode_t mask = umask(022);

	assert_int_equal(mkdir(scene->directory, 0700), 0);
	assert_hd_ok(hd_snapshot_write(scene->directory, scene->tables, NULL, &err), err);
	umask(mask);
	assert_true(has_file(scene->directory, "fabric.net"));
	assert_int_equal(stat(scene->directory, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0755);
}

static void other_directories_are_left_alone(void **state)
{
	struct scene *scene = *state;
	struct hd_error err = { 0 };

	/* OpenSM's */
	assert_int_equal(mkdir(scene->directory, 0700), 0);
	put_file(scene->directory, "opensm-lfts.dump", "");
	assert_int_equal(hd_snapshot_write(scene->directory, scene->tables, NULL, &err), HD_EIO);
	assert_hd_says(err, "neither empty nor a snapshot");
	/* a snapshot with something of the user's in it */
	put_file(scene->directory, "snapshot.json", "{}");
	put_file(scene->directory, "thesis.tex", "");
	assert_int_equal(hd_snapshot_write(scene->directory, scene->tables, NULL, &err), HD_EIO);
	assert_hd_says(err, "'thesis.tex'");
	assert_int_equal(count_entries(scene->directory), 3);
	assert_int_equal(count_entries(scene->scratch), 1);
}

static void failures_leave_nothing(void **state)
{
	struct scene *scene = *state;
	struct hd_error err = { 0 };
	char *inside;

	put_file(scene->scratch, "snapshot", "a file");
	assert_int_equal(hd_snapshot_write(scene->directory, scene->tables, NULL, &err), HD_EIO);
	assert_hd_says(err, "not a directory");
	inside = join(scene->scratch, "nowhere/snapshot");
	assert_int_equal(hd_snapshot_write(inside, scene->tables, NULL, &err), HD_EIO);
	free(inside);
	assert_int_equal(count_entries(scene->scratch), 1);
}

static void broken_snapshots_are_refused(void **state)
{
	static const struct {
		const char *file, *text, *says;
		unsigned line;
	} broken[] = {
		{ "snapshot.json", "{\n\"engine\": \n}", "", 3 },
		{ "snapshot.json", "[]", "object", 1 },
		{ "snapshot.json", "{\"version\": 1000}", "newer", 0 },
		{ "opensm-lfts.dump", "x", "neither", 1 },
		{ "opensm-sl2vl.dump", "x", "outside", 1 },
		{ "path-sl.dump", "x", "expected", 1 },
		{ "opensm-vlarb.dump", "x", "expected", 1 },
		{ "opensm.mcfdbs", "x", "expected", 1 },
	};
	struct scene *scene = *state;

	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		struct hd_snapshot *snapshot = (struct hd_snapshot *)scene;
		struct hd_error err = { 0 };
		char *path = join(scene->directory, broken[i].file);

		assert_hd_ok(hd_snapshot_write(scene->directory, scene->tables, NULL, &err), err);
		put_file(scene->directory, broken[i].file, broken[i].text);
		assert_int_equal(hd_snapshot_read(scene->directory, NULL, NULL, &snapshot, &err),
				 HD_EPARSE);
		assert_null(snapshot);
		assert_hd_says(err, broken[i].says);
		assert_string_equal(err.file, path);
		assert_int_equal(err.line, broken[i].line);
		free(path);
	}
}

static void missing_parts_are_named(void **state)
{
	static const char *const needed[] = { "fabric.net", "opensm-lfts.dump" };
	struct scene *scene = *state;
	struct hd_snapshot *snapshot;
	struct hd_error err = { 0 };

	for (size_t i = 0; i < 2; i++) {
		char *path = join(scene->directory, needed[i]), text[1100];

		assert_hd_ok(hd_snapshot_write(scene->directory, scene->tables, NULL, &err), err);
		assert_int_equal(unlink(path), 0);
		assert_int_equal(hd_snapshot_read(scene->directory, NULL, NULL, &snapshot, &err),
				 HD_EIO);
		assert_non_null(strstr(hd_error_format(&err, text, sizeof(text)), needed[i]));
		free(path);
	}
	assert_int_equal(hd_snapshot_read("/nowhere", NULL, NULL, &snapshot, &err), HD_EIO);
	assert_hd_says(err, "not a directory");
}

int main(void)
{
#define SCENE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		SCENE_TEST(a_snapshot_comes_back),
		SCENE_TEST(dumps_are_packed),
		SCENE_TEST(what_is_assumed_is_not_written),
		SCENE_TEST(opensm_dumps_are_a_snapshot),
		SCENE_TEST(switches_without_lfts_are_noted),
		SCENE_TEST(what_dumps_pass_over_is_noted),
		SCENE_TEST(former_snapshots_are_replaced),
		SCENE_TEST(links_to_snapshots_stay_links),
		SCENE_TEST(an_empty_directory_is_filled),
		SCENE_TEST(other_directories_are_left_alone),
		SCENE_TEST(failures_leave_nothing),
		SCENE_TEST(broken_snapshots_are_refused),
		SCENE_TEST(missing_parts_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
