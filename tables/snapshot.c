// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading snapshots and OpenSM's dump directories; snapshot_write.c writes. */
#include "tables/snapshot.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fabric/netfile.h"
#include "support/error.h"
#include "tables/dumps.h"
#include "tables/snapshot_files.h"

bool hd_snapshot_is_directory(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

char *hd_snapshot_path(const char *directory, const char *file)
{
	size_t length = strlen(directory), size = length + strlen(file) + 2;
	char *path = malloc(size);

	if (path)
		snprintf(path, size, "%s%s%s", directory,
			 length && directory[length - 1] == '/' ? "" : "/", file);
	return path;
}

static bool is_absent(const char *path)
{
	return access(path, F_OK) != 0 && errno == ENOENT;
}

char *hd_snapshot_find(const char *directory, const char *file)
{
	static const char *const packed[] = { ".gz", ".xz", ".zst" };
	char *plain = hd_snapshot_path(directory, file);

	for (size_t i = 0; plain && is_absent(plain) && i < sizeof(packed) / sizeof(packed[0]);
	     i++) {
		size_t size = strlen(plain) + 5;
		char *path = malloc(size);

		if (path)
			snprintf(path, size, "%s%s", plain, packed[i]);
		if (path && is_absent(path)) {
			free(path);
			continue;
		}
		free(plain);
		return path;
	}
	return plain;
}

char *hd_snapshot_find_fabric(const char *directory)
{
	char *netfile = hd_snapshot_find(directory, HD_SNAPSHOT_FABRIC), *links;

	if (!netfile || !is_absent(netfile))
		return netfile;
	links = hd_snapshot_find(directory, HD_SNAPSHOT_LINKS);
	if (links && is_absent(links)) {
		free(links);
		return netfile;
	}
	free(netfile);
	return links;
}

static int read_fabric(const char *directory, const char *netfile, const struct hd_reading *how,
		       struct hd_fabric **fabric, struct hd_error *err)
{
	char *path;
	int ret;

	if (netfile)
		return hd_netfile_read(netfile, how, fabric, err);
	path = hd_snapshot_find_fabric(directory);
	if (!path)
		return hd_error_nomem(err);
	if (is_absent(path))
		ret = hd_error_at(err, HD_EIO, path, 0,
				  "not there, nor opensm-subnet.lst: a dump directory of OpenSM "
				  "needs a netfile beside it");
	else
		ret = hd_netfile_read(path, how, fabric, err);
	free(path);
	return ret;
}

/* Reads one dump; @absent says that there is none, which is no error. */
static int read_dump(const char *directory, const struct hd_dump_format *format,
		     struct hd_tables *tables, bool *absent, struct hd_error *err)
{
	char *path = hd_snapshot_find(directory, format->file);
	int ret = 0;

	if (!path)
		return hd_error_nomem(err);
	*absent = is_absent(path);
	if (!*absent)
		ret = hd_dump_read(format, tables, path, err);
	free(path);
	return ret;
}

/* Reads the LFTs. */
static int read_lfts(const char *directory, const struct hd_reading *how, struct hd_tables *tables,
		     struct hd_error *err)
{
	char *path = hd_snapshot_find(directory, hd_dump_lfts.file);
	int ret;

	if (!path)
		return hd_error_nomem(err);
	if (is_absent(path))
		ret = hd_error_at(err, HD_EIO, directory, 0, "no %s in this directory",
				  hd_dump_lfts.file);
	else
		ret = hd_lfts_read(tables, path, how, err);
	free(path);
	return ret;
}

/* Notes switches that the dump does not have. */
static void note_missing_lfts(const struct hd_tables *tables, const char *directory, FILE *notes)
{
	const uint32_t n = tables->n_lft_unknown;
	char label[HD_LABEL_SIZE];
	uint32_t first = 0;

	if (!n)
		return;
	while (!tables->lft_unknown[first])
		first++;
	fprintf(notes, "%s/%s: no LFT of %" PRIu32 " switch%s, %s the first\n", directory,
		hd_dump_lfts.file, n, n == 1 ? "" : "es",
		hd_node_label(tables->fabric, first, label, sizeof(label)));
}

/* Notes ports that a dump passes over, and what is assumed instead. */
static void note_gap(const struct hd_tables *tables, const char *directory,
		     const struct hd_dump_format *format, const struct hd_gap *gap,
		     const char *otherwise, FILE *notes)
{
	char label[320];

	if (gap->n)
		fprintf(notes, "%s/%s: %" PRIu32 " end port%s, %s the first, %s\n", directory,
			format->file, gap->n, gap->n == 1 ? "" : "s",
			hd_port_label(tables->fabric, gap->first, label, sizeof(label)), otherwise);
}

static void note_gaps(const struct hd_tables *tables, const char *directory, FILE *notes)
{
	note_missing_lfts(tables, directory, notes);
	note_gap(tables, directory, &hd_dump_sl2vl, &tables->sl2vl_gap,
		 "without a table: taken to be the identity modulo each link's VLs", notes);
	note_gap(tables, directory, &hd_dump_path_sl, &tables->path_sl_gap,
		 "without path SLs: taken to be 0", notes);
	note_gap(tables, directory, &hd_dump_path_sl, &tables->no_sl_gap,
		 "without a path SL to some LID: no flow is assumed there", notes);
}

static int read_tables(const char *directory, const struct hd_reading *how,
		       struct hd_tables *tables, struct hd_error *err)
{
	static const struct {
		const struct hd_dump_format *format;
		const char *otherwise; /* what is assumed without the file; NULL: nothing has to
				          be told */
	} optional[] = {
		{ &hd_dump_sl2vl,
		  "SL2VL tables are taken to be the identity modulo each link's VLs" },
		{ &hd_dump_path_sl, "all path SLs are taken to be 0" },
		{ &hd_dump_vlarb, NULL },
		{ &hd_dump_mcfdbs, NULL },
		{ &hd_dump_ar, NULL },
		{ &hd_dump_classes, NULL },
	};
	FILE *notes = how ? how->notes : NULL;
	bool absent = false;
	int ret = read_lfts(directory, how, tables, err);

	for (size_t i = 0; !ret && i < sizeof(optional) / sizeof(optional[0]); i++) {
		ret = read_dump(directory, optional[i].format, tables, &absent, err);
		if (!ret && absent && notes && optional[i].otherwise)
			fprintf(notes, "%s: no %s: %s\n", directory, optional[i].format->file,
				optional[i].otherwise);
	}
	if (!ret && tables->ar && tables->n_lft_unknown)
		ret = hd_error_at(err, HD_EPARSE, directory, 0,
				  "AR tables need the LFTs of all switches, and %s lacks %" PRIu32,
				  hd_dump_lfts.file, tables->n_lft_unknown);
	if (!ret && notes)
		note_gaps(tables, directory, notes);
	return ret;
}

static int copy_string(const json_t *root, const char *key, char **copy, struct hd_error *err)
{
	const char *value = json_string_value(json_object_get(root, key));

	if (!value)
		return 0;
	*copy = strdup(value);
	return *copy ? 0 : hd_error_nomem(err);
}

static unsigned small_number(const json_t *root, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(root, key));

	return value > 0 && value <= HD_MAX_SLS ? (unsigned)value : 0;
}

static int parse_provenance(const char *path, struct hd_provenance *provenance,
			    struct hd_error *err)
{
	json_error_t error;
	json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	int ret = 0;

	if (!root)
		return hd_error_at(err, HD_EPARSE, path, error.line > 0 ? (unsigned)error.line : 0,
				   "%s", error.text);
	if (!json_is_object(root))
		ret = hd_error_at(err, HD_EPARSE, path, 1, "expected an object");
	else if (json_integer_value(json_object_get(root, "version")) > HD_SNAPSHOT_VERSION)
		ret = hd_error_at(
			err, HD_EPARSE, path, 0,
			"snapshot version %lld is newer than this program, which reads %d",
			(long long)json_integer_value(json_object_get(root, "version")),
			HD_SNAPSHOT_VERSION);
	if (!ret)
		ret = copy_string(root, "engine", &provenance->engine, err);
	if (!ret)
		ret = copy_string(root, "layers", &provenance->layers, err);
	if (!ret)
		ret = copy_string(root, "queues", &provenance->queues, err);
	if (!ret)
		ret = copy_string(root, "options", &provenance->options, err);
	if (!ret)
		ret = copy_string(root, "source", &provenance->source, err);
	if (!ret) {
		provenance->n_sls = small_number(root, "sls");
		provenance->n_vls = small_number(root, "vls");
	}
	json_decref(root);
	return ret;
}

static int read_provenance(const char *directory, struct hd_provenance *provenance,
			   struct hd_error *err)
{
	char *path = hd_snapshot_path(directory, HD_SNAPSHOT_JSON);
	int ret;

	if (!path)
		return hd_error_nomem(err);
	/* OpenSM writes no provenance */
	ret = is_absent(path) ? 0 : parse_provenance(path, provenance, err);
	free(path);
	return ret;
}

int hd_snapshot_read(const char *directory, const char *netfile, const struct hd_reading *how,
		     struct hd_snapshot **result, struct hd_error *err)
{
	struct hd_snapshot *snapshot = calloc(1, sizeof(*snapshot));
	int ret;

	*result = NULL;
	if (!snapshot)
		return hd_error_nomem(err);
	if (!hd_snapshot_is_directory(directory))
		ret = hd_error_at(err, HD_EIO, directory, 0, "not a directory");
	else
		ret = read_provenance(directory, &snapshot->provenance, err);
	if (!ret)
		ret = read_fabric(directory, netfile, how, &snapshot->fabric, err);
	if (!ret)
		ret = hd_tables_new(snapshot->fabric, &snapshot->tables, err);
	if (!ret)
		ret = read_tables(directory, how, snapshot->tables, err);
	if (ret)
		hd_snapshot_free(snapshot);
	else
		*result = snapshot;
	return ret;
}

void hd_snapshot_free(struct hd_snapshot *snapshot)
{
	if (!snapshot)
		return;
	hd_tables_free(snapshot->tables);
	hd_fabric_free(snapshot->fabric);
	free(snapshot->provenance.engine);
	free(snapshot->provenance.layers);
	free(snapshot->provenance.queues);
	free(snapshot->provenance.options);
	free(snapshot->provenance.source);
	free(snapshot);
}
