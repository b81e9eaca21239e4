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

#include "fabric/db_csv.h"
#include "fabric/netfile.h"
#include "support/error.h"
#include "tables/dumps.h"
#include "tables/lmc_of_lids.h"
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

/*
 * The path of the first of @names (NULL after the last) that is in @directory, also packed; else
 * that of the first name. @found gets the name; NULL: none is there. NULL: out of memory.
 */
static char *find_first(const char *directory, const char *const *names, const char **found)
{
	char *path;

	for (const char *const *name = names; *name; name++) {
		path = hd_snapshot_find(directory, *name);
		if (!path || !is_absent(path)) {
			*found = *name;
			return path;
		}
		free(path);
	}
	*found = NULL;
	return hd_snapshot_path(directory, names[0]);
}

/* OpenSM's list of links has base LIDs only; its LFTs name the owner of each LID. */
static int find_lmc(const char *directory, struct hd_fabric **fabric, struct hd_error *err)
{
	const char *const names[] = { hd_dump_lfts.file, NULL };
	const char *found;
	char *path = find_first(directory, names, &found);
	int ret = 0;

	if (!path)
		return hd_error_nomem(err);
	if (found)
		ret = hd_lmc_of_lids(path, fabric, err);
	free(path);
	if (ret) {
		hd_fabric_free(*fabric);
		*fabric = NULL;
	}
	return ret;
}

/* As hd_snapshot_read_fabric(); @found gets the name of the file. */
static int read_fabric(const char *directory, const struct hd_reading *how, const char **found,
		       struct hd_fabric **fabric, struct hd_error *err)
{
	static const char *const names[] = { HD_SNAPSHOT_FABRIC, HD_DB_CSV, HD_SNAPSHOT_LINKS,
					     NULL };
	char *path = find_first(directory, names, found);
	int ret;

	*fabric = NULL;
	if (!path)
		return hd_error_nomem(err);
	if (!*found)
		ret = hd_error_at(err, HD_EIO, path, 0,
				  "not there, nor %s, nor %s: a dump directory of OpenSM needs a "
				  "netfile beside it",
				  names[1], names[2]);
	else
		ret = hd_netfile_read(path, how, fabric, err);
	free(path);
	return ret || *found != names[2] ? ret : find_lmc(directory, fabric, err);
}

int hd_snapshot_read_fabric(const char *directory, const struct hd_reading *how,
			    struct hd_fabric **fabric, struct hd_error *err)
{
	const char *found;

	return read_fabric(directory, how, &found, fabric, err);
}

/* A file of a snapshot that may be absent. */
struct part {
	const struct hd_dump_format *format;
	const char *ibdiagnet; /* its file where the other is not there; NULL: none */
	const char *otherwise; /* what is assumed without it; NULL: nothing has to be told */
};

/* Reads one of the files of @part; @found gets its name, NULL: there is none, which is no error. */
static int read_part(const char *directory, const struct part *part, struct hd_tables *tables,
		     const char **found, struct hd_error *err)
{
	const char *const names[] = { part->format->file, part->ibdiagnet, NULL };
	char *path = find_first(directory, names, found);
	int ret = 0;

	if (!path)
		return hd_error_nomem(err);
	if (*found)
		ret = hd_dump_read(part->format, tables, path, err);
	free(path);
	return ret;
}

/* Reads the LFTs; @found gets the name of their file. */
static int read_lfts(const char *directory, const struct hd_reading *how, struct hd_tables *tables,
		     const char **found, struct hd_error *err)
{
	const char *const names[] = { hd_dump_lfts.file, HD_IBDIAG_FDBS, HD_OPENSM_FDBS, NULL };
	char *path = find_first(directory, names, found);
	int ret;

	if (!path)
		return hd_error_nomem(err);
	if (!*found)
		ret = hd_error_at(err, HD_EIO, directory, 0,
				  "no %s in this directory, nor %s, nor %s", names[0], names[1],
				  names[2]);
	else if (*found == names[0])
		ret = hd_lfts_read(tables, path, how, err);
	else
		ret = hd_fdbs_read(tables, path, how, err);
	free(path);
	return ret;
}

/* Notes switches that the dump does not have. */
static void note_missing_lfts(const struct hd_tables *tables, const char *directory,
			      const char *file, FILE *notes)
{
	const uint32_t n = tables->n_lft_unknown;
	char label[HD_LABEL_SIZE];
	uint32_t first = 0;

	if (!n)
		return;
	while (!tables->lft_unknown[first])
		first++;
	fprintf(notes, "%s/%s: no LFT of %" PRIu32 " switch%s, %s the first\n", directory, file, n,
		n == 1 ? "" : "es", hd_node_label(tables->fabric, first, label, sizeof(label)));
}

/* Notes ports that a dump passes over, and what is assumed instead. */
static void note_gap(const struct hd_tables *tables, const char *directory, const char *file,
		     const struct hd_gap *gap, const char *otherwise, FILE *notes)
{
	char label[320];

	if (gap->n)
		fprintf(notes, "%s/%s: %" PRIu32 " end port%s, %s the first, %s\n", directory, file,
			gap->n, gap->n == 1 ? "" : "s",
			hd_port_label(tables->fabric, gap->first, label, sizeof(label)), otherwise);
}

/* The parts, in the order in which they are read. */
enum { PART_SL2VL, PART_PATH_SL, PART_VLARB, PART_MCFDBS, PART_AR, PART_CLASSES, PARTS };

static const struct part parts[PARTS] = {
	[PART_SL2VL] = { &hd_dump_sl2vl, HD_IBDIAG_SLVL,
			 "SL2VL tables are taken to be the identity modulo each link's VLs" },
	[PART_PATH_SL] = { &hd_dump_path_sl, NULL, "all path SLs are taken to be 0" },
	[PART_VLARB] = { &hd_dump_vlarb, NULL, NULL },
	[PART_MCFDBS] = { &hd_dump_mcfdbs, HD_IBDIAG_MCFDBS, NULL },
	[PART_AR] = { &hd_dump_ar, NULL, NULL },
	[PART_CLASSES] = { &hd_dump_classes, NULL, NULL },
};

/* @files: the names of the files that were read, by part; NULL: none. */
static void note_gaps(const struct hd_tables *tables, const char *directory,
		      const char *const *files, FILE *notes)
{
	note_gap(tables, directory, files[PART_SL2VL], &tables->sl2vl_gap,
		 "without a whole table: what is missing is taken to be the identity modulo each "
		 "link's VLs",
		 notes);
	note_gap(tables, directory, files[PART_PATH_SL], &tables->path_sl_gap,
		 "without path SLs: taken to be 0", notes);
	note_gap(tables, directory, files[PART_PATH_SL], &tables->no_sl_gap,
		 "without a path SL to some LID: no flow is assumed there", notes);
}

/* Reads what only ibdiagnet has under the name @file, where it is there. */
static int read_ibdiagnet(const char *directory, const char *file,
			  int (*read)(struct hd_tables *tables, const char *path,
				      const struct hd_reading *how, struct hd_error *err),
			  const struct hd_reading *how, struct hd_tables *tables,
			  struct hd_error *err)
{
	const char *const names[] = { file, NULL }, *found;
	char *path = find_first(directory, names, &found);
	int ret = 0;

	if (!path)
		return hd_error_nomem(err);
	if (found)
		ret = read(tables, path, how, err);
	free(path);
	return ret;
}

/* VL arbitration of the file that may have been read before, as @fabric_file. */
static int read_vlarb_csv(const char *directory, const struct hd_reading *how,
			  const char *fabric_file, struct hd_tables *tables, struct hd_error *err)
{
	struct hd_reading again = how ? *how : (struct hd_reading){ .strict = true };

	again.is_again = fabric_file && strcmp(fabric_file, HD_DB_CSV) == 0;
	return read_ibdiagnet(directory, HD_DB_CSV, hd_vlarb_read_csv, &again, tables, err);
}

/*
 * @fabric_file: the file of the directory that the fabric comes from; NULL: it comes from another.
 */
static int read_tables(const char *directory, const struct hd_reading *how, const char *fabric_file,
		       struct hd_tables *tables, struct hd_error *err)
{
	FILE *notes = how ? how->notes : NULL;
	const char *files[PARTS] = { NULL }, *lfts = NULL;
	int ret = read_lfts(directory, how, tables, &lfts, err);
	const bool is_ibdiagnet = lfts && strcmp(lfts, HD_IBDIAG_FDBS) == 0;

	for (unsigned i = 0; !ret && i < PARTS; i++) {
		ret = read_part(directory, &parts[i], tables, &files[i], err);
		if (!ret && !files[i] && notes && parts[i].otherwise)
			fprintf(notes, "%s: no %s: %s\n", directory,
				is_ibdiagnet && parts[i].ibdiagnet ? parts[i].ibdiagnet
								   : parts[i].format->file,
				parts[i].otherwise);
	}
	if (!ret && !files[PART_VLARB])
		ret = read_vlarb_csv(directory, how, fabric_file, tables, err);
	if (!ret && !files[PART_AR])
		ret = read_ibdiagnet(directory, HD_IBDIAG_FAR, hd_far_read, how, tables, err);
	if (!ret && tables->ar && tables->n_lft_unknown)
		ret = hd_error_at(err, HD_EPARSE, directory, 0,
				  "AR tables need the LFTs of all switches, and %s lacks %" PRIu32,
				  lfts, tables->n_lft_unknown);
	if (!ret && notes) {
		note_missing_lfts(tables, directory, lfts, notes);
		note_gaps(tables, directory, files, notes);
	}
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

/* Sets *@fabric_file to the name of ibdiagnet's file in @directory if @netfile is this file. */
static int find_own_csv(const char *directory, const char *netfile, const char **fabric_file,
			struct hd_error *err)
{
	char *path = hd_snapshot_path(directory, HD_DB_CSV);
	struct stat given, own;

	if (!path)
		return hd_error_nomem(err);
	if (stat(netfile, &given) == 0 && stat(path, &own) == 0 && given.st_dev == own.st_dev &&
	    given.st_ino == own.st_ino)
		*fabric_file = HD_DB_CSV;
	free(path);
	return 0;
}

int hd_snapshot_read(const char *directory, const char *netfile, const struct hd_reading *how,
		     struct hd_snapshot **result, struct hd_error *err)
{
	struct hd_snapshot *snapshot = calloc(1, sizeof(*snapshot));
	const char *fabric_file = NULL;
	int ret;

	*result = NULL;
	if (!snapshot)
		return hd_error_nomem(err);
	if (!hd_snapshot_is_directory(directory))
		ret = hd_error_at(err, HD_EIO, directory, 0, "not a directory");
	else
		ret = read_provenance(directory, &snapshot->provenance, err);
	if (!ret && netfile)
		ret = find_own_csv(directory, netfile, &fabric_file, err);
	if (!ret)
		ret = netfile ? hd_netfile_read(netfile, how, &snapshot->fabric, err)
			      : read_fabric(directory, how, &fabric_file, &snapshot->fabric, err);
	if (!ret)
		ret = hd_tables_new(snapshot->fabric, &snapshot->tables, err);
	if (!ret)
		ret = read_tables(directory, how, fabric_file, snapshot->tables, err);
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
