// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Writing snapshots. Everything goes into a new directory beside the final one, which then takes
 * its name in one step; a former snapshot of that name is removed afterwards.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "fabric/netfile.h"
#include "support/error.h"
#include "support/pack.h"
#include "support/temporary.h"
#include "tables/classes.h"
#include "tables/dumps.h"
#include "tables/snapshot.h"
#include "tables/snapshot_files.h"

static const struct hd_dump_format *const formats[] = {
	&hd_dump_lfts,   &hd_dump_sl2vl, &hd_dump_path_sl, &hd_dump_vlarb,
	&hd_dump_mcfdbs, &hd_dump_ar,    &hd_dump_classes,
};

#define N_FORMATS (sizeof(formats) / sizeof(formats[0]))

/* The path SLs of a service class: "path-sl-NAME.dump". */
#define CLASS_FILE_BEGIN "path-sl-"
#define CLASS_FILE_END   ".dump"

static bool is_class_file(const char *name)
{
	const size_t length = strlen(name), end = sizeof(CLASS_FILE_END) - 1;

	return strncmp(name, CLASS_FILE_BEGIN, sizeof(CLASS_FILE_BEGIN) - 1) == 0 && length > end &&
	       strcmp(name + length - end, CLASS_FILE_END) == 0;
}

/* The ending of a packed dump's name. */
#define PACKED ".zst"

static bool is_dump(const char *name)
{
	if (is_class_file(name))
		return true;
	for (size_t i = 0; i < N_FORMATS; i++)
		if (strcmp(name, formats[i]->file) == 0)
			return true;
	return false;
}

static bool is_snapshot_file(const char *name)
{
	const size_t length = strlen(name), end = sizeof(PACKED) - 1;
	char dump[NAME_MAX + 1];

	if (length > end && length < sizeof(dump) && strcmp(name + length - end, PACKED) == 0) {
		memcpy(dump, name, length - end);
		dump[length - end] = '\0';
		return is_dump(dump);
	}
	return is_dump(name) || strcmp(name, HD_SNAPSHOT_FABRIC) == 0 ||
	       strcmp(name, HD_SNAPSHOT_JSON) == 0;
}

/* Whether a dump is to be packed. The class file is for people. */
static bool is_packed(const struct hd_tables *tables, const struct hd_dump_format *format,
		      enum hd_packing packing)
{
	if (packing == HD_PACK_NONE || format == &hd_dump_classes || !hd_pack_is_there())
		return false;
	return packing == HD_PACK_DUMPS || (format->is_long && format->is_long(tables));
}

/* Whether @tables have data for @format, rather than assumptions. */
static bool is_known(const struct hd_tables *tables, const struct hd_dump_format *format)
{
	if (format == &hd_dump_sl2vl)
		return tables->has_sl2vl;
	if (format == &hd_dump_path_sl)
		return tables->has_path_sls;
	if (format == &hd_dump_vlarb)
		return tables->n_vlarbs > 0;
	if (format == &hd_dump_mcfdbs)
		return tables->n_mft > 0;
	if (format == &hd_dump_ar)
		return tables->ar != NULL;
	if (format == &hd_dump_classes)
		return tables->classes != NULL;
	return true;
}

static int set_string(json_t *root, const char *key, const char *value)
{
	json_t *string;

	if (!value)
		return 0;
	string = json_string(value);
	/* a file name need not be UTF-8, which JSON must be */
	return json_object_set_new(root, key, string ? string : json_string("?"));
}

static int set_number(json_t *root, const char *key, unsigned value)
{
	return value ? json_object_set_new(root, key, json_integer(value)) : 0;
}

static int set_classes(json_t *root, const struct hd_classes *classes)
{
	json_t *names;
	int failed = 0;

	if (!classes)
		return 0;
	names = json_array();
	for (unsigned c = 0; !failed && c < classes->n; c++)
		failed = json_array_append_new(names, json_string(classes->list[c].name));
	return json_object_set_new(root, "classes", names) || failed;
}

static int write_json(const struct hd_tables *tables, const struct hd_provenance *provenance,
		      FILE *stream, struct hd_error *err)
{
	static const struct hd_provenance nothing = { 0 };
	json_t *root = json_object();
	int failed;

	if (!provenance)
		provenance = &nothing;
	failed = !root || set_string(root, "format", HD_SNAPSHOT_FORMAT) ||
		 set_number(root, "version", HD_SNAPSHOT_VERSION) ||
		 set_string(root, "heddle", PACKAGE_VERSION) ||
		 set_string(root, "engine", provenance->engine) ||
		 set_string(root, "layers", provenance->layers) ||
		 set_string(root, "queues", provenance->queues) ||
		 set_string(root, "options", provenance->options) ||
		 set_string(root, "source", provenance->source) ||
		 set_classes(root, tables->classes) || set_number(root, "sls", provenance->n_sls) ||
		 set_number(root, "vls", provenance->n_vls) ||
		 set_number(root, "nodes", tables->fabric->n_nodes) ||
		 set_number(root, "switches", tables->fabric->n_switches) ||
		 set_number(root, "top_lid", tables->fabric->top_lid);
	if (failed) {
		json_decref(root);
		return hd_error_nomem(err);
	}
	failed = json_dumpf(root, stream, JSON_INDENT(2)) != 0 || fputc('\n', stream) == EOF;
	json_decref(root);
	return failed ? hd_error_set(err, HD_EIO, "cannot write") : 0;
}

static int create(const char *directory, const char *file, FILE **stream, struct hd_error *err)
{
	char *path = hd_snapshot_path(directory, file);
	int ret = 0;

	if (!path)
		return hd_error_nomem(err);
	*stream = fopen(path, "wbx");
	if (!*stream)
		ret = hd_error_at(err, HD_EIO, path, 0, "cannot write: %s", strerror(errno));
	free(path);
	return ret;
}

/* The same for a dump; packed, its file is @file.zst. */
static int create_dump(const char *directory, const char *file, bool packed, FILE **stream,
		       struct hd_error *err)
{
	char name[NAME_MAX + 1];
	FILE *plain;
	int ret;

	if (!packed)
		return create(directory, file, stream, err);
	snprintf(name, sizeof(name), "%s" PACKED, file);
	ret = create(directory, name, &plain, err);
	if (ret)
		return ret;
	*stream = hd_pack_open(plain);
	if (*stream)
		return 0;
	fclose(plain);
	return hd_error_nomem(err);
}

/* Closes the file of the snapshot @name; @ret is the result of writing it. */
static int finish(FILE *stream, const char *name, const char *file, int ret, struct hd_error *err)
{
	struct hd_error first;

	if (fclose(stream) && !ret)
		ret = hd_error_set(err, HD_EIO, "cannot write: %s", strerror(errno));
	if (!ret || !err)
		return ret;
	first = *err;
	return hd_error_at(err, ret, name, 0, "%s: %s", file, first.text);
}

/* Writes the path SLs of each service class, as ibdmchk reads them. */
static int write_class_files(const char *directory, const char *name,
			     const struct hd_tables *tables, enum hd_packing packing,
			     struct hd_error *err)
{
	const bool packed = is_packed(tables, &hd_dump_path_sl, packing);
	const struct hd_classes *classes = tables->classes;
	int ret = 0;

	for (unsigned c = 0; !ret && classes && c < classes->n; c++) {
		char file[sizeof(CLASS_FILE_BEGIN) + HD_CLASS_NAME + sizeof(CLASS_FILE_END)];
		FILE *stream;

		snprintf(file, sizeof(file), CLASS_FILE_BEGIN "%s" CLASS_FILE_END,
			 classes->list[c].name);
		ret = create_dump(directory, file, packed, &stream, err);
		if (ret)
			break;
		ret = packed ? hd_path_sl_write_short_class(tables, c, stream, err)
			     : hd_path_sl_write_class(tables, c, stream, err);
		ret = finish(stream, name, file, ret, err);
	}
	return ret;
}

static int write_dump(const char *directory, const char *name, const struct hd_tables *tables,
		      const struct hd_dump_format *format, enum hd_packing packing,
		      struct hd_error *err)
{
	const bool packed = is_packed(tables, format, packing);
	FILE *stream;
	int ret = create_dump(directory, format->file, packed, &stream, err);

	if (ret)
		return ret;
	ret = packed && format->write_short ? format->write_short(tables, stream, err)
					    : format->write(tables, stream, err);
	return finish(stream, name, format->file, ret, err);
}

/* Writes the files of the snapshot @name into @directory. */
static int write_files(const char *directory, const char *name, const struct hd_tables *tables,
		       const struct hd_provenance *provenance, enum hd_packing packing,
		       struct hd_error *err)
{
	FILE *stream;
	int ret = create(directory, HD_SNAPSHOT_FABRIC, &stream, err);

	if (!ret)
		ret = finish(stream, name, HD_SNAPSHOT_FABRIC,
			     hd_netfile_write(tables->fabric, stream, err), err);
	for (size_t i = 0; !ret && i < N_FORMATS; i++)
		if (is_known(tables, formats[i]))
			ret = write_dump(directory, name, tables, formats[i], packing, err);
	if (!ret)
		ret = write_class_files(directory, name, tables, packing, err);
	if (!ret)
		ret = create(directory, HD_SNAPSHOT_JSON, &stream, err);
	if (!ret)
		ret = finish(stream, name, HD_SNAPSHOT_JSON,
			     write_json(tables, provenance, stream, err), err);
	return ret;
}

/* Removes a directory of snapshot files; any other file stays, and the directory with it. */
static void remove_snapshot(const char *directory)
{
	DIR *stream = opendir(directory);
	struct dirent *entry;

	if (!stream)
		return;
	while ((entry = readdir(stream)))
		if (is_snapshot_file(entry->d_name))
			unlinkat(dirfd(stream), entry->d_name, 0);
	closedir(stream);
	rmdir(directory);
}

/* Whether @directory may be replaced: empty, or nothing but a snapshot. */
static int check_replaceable(const char *directory, struct hd_error *err)
{
	DIR *stream = opendir(directory);
	struct dirent *entry;
	bool is_empty = true, is_snapshot = false;
	int ret = 0;

	if (!stream)
		return hd_error_at(err, HD_EIO, directory, 0, "%s", strerror(errno));
	while (!ret && (entry = readdir(stream))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		is_empty = false;
		if (strcmp(entry->d_name, HD_SNAPSHOT_JSON) == 0)
			is_snapshot = true;
		if (!is_snapshot_file(entry->d_name))
			ret = hd_error_at(err, HD_EIO, directory, 0,
					  "not replaced: it holds '%s', no part of a snapshot",
					  entry->d_name);
	}
	closedir(stream);
	if (!ret && !is_empty && !is_snapshot)
		ret = hd_error_at(err, HD_EIO, directory, 0,
				  "not replaced: neither empty nor a snapshot (no %s)",
				  HD_SNAPSHOT_JSON);
	return ret;
}

/* Puts @made in the place of @directory, which exists; the former content ends up at @made. */
static int exchange(const char *made, const char *directory, char *aside)
{
	if (renameat2(AT_FDCWD, made, AT_FDCWD, directory, RENAME_EXCHANGE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	/* a file system that cannot exchange: for an instant there is no snapshot */
	if (!mkdtemp(aside))
		return -1;
	if (rename(directory, aside) == 0) {
		int saved;

		if (rename(made, directory) == 0)
			return rename(aside, made);
		saved = errno;
		rename(aside, directory);
		errno = saved;
		return -1;
	}
	rmdir(aside);
	return -1;
}

static int put_in_place(const char *made, const char *directory, struct hd_error *err)
{
	size_t size = strlen(directory) + sizeof(".XXXXXX");
	char *aside = malloc(size);
	int failed;

	if (!aside)
		return hd_error_nomem(err);
	snprintf(aside, size, "%s.XXXXXX", directory);
	/* this replaces an empty directory as well */
	failed = rename(made, directory);
	if (failed && (errno == ENOTEMPTY || errno == EEXIST)) {
		failed = exchange(made, directory, aside);
		if (!failed)
			remove_snapshot(made);
	}
	free(aside);
	if (failed)
		return hd_error_at(err, HD_EIO, directory, 0, "cannot write: %s", strerror(errno));
	return 0;
}

/*
 * The directory to write, from malloc(): without slashes at its end, and what a symbolic link
 * points to rather than the link.
 */
static char *final_name(const char *directory)
{
	char *name = realpath(directory, NULL);
	size_t length;

	if (name || errno != ENOENT)
		return name;
	name = strdup(directory);
	if (!name)
		return NULL;
	length = strlen(name);
	while (length > 1 && name[length - 1] == '/')
		name[--length] = '\0';
	return name;
}

int hd_snapshot_write(const char *directory, const struct hd_tables *tables,
		      const struct hd_provenance *provenance, struct hd_error *err)
{
	return hd_snapshot_write_as(directory, tables, provenance, HD_PACK_LONG, err);
}

int hd_snapshot_write_as(const char *directory, const struct hd_tables *tables,
			 const struct hd_provenance *provenance, enum hd_packing packing,
			 struct hd_error *err)
{
	struct hd_temporary made = { 0 };
	char *name;
	struct stat status;
	int ret = 0;

	if (packing == HD_PACK_DUMPS && !hd_pack_is_there())
		return hd_error_set(err, HD_EINVAL,
				    "this program was built without zstd (on Debian: libzstd-dev), "
				    "and cannot pack");
	if (strcmp(directory, "-") == 0)
		return hd_error_set(err, HD_EINVAL,
				    "a snapshot is a directory: '-', standard output, cannot be "
				    "one (./- can)");
	name = final_name(directory);
	if (!name)
		return hd_error_at(err, HD_EIO, directory, 0, "%s", strerror(errno));
	if (stat(name, &status) == 0)
		ret = S_ISDIR(status.st_mode)
			      ? check_replaceable(name, err)
			      : hd_error_at(err, HD_EIO, directory, 0, "not a directory");
	if (!ret && hd_temporary_make(&made, name, true, 0777))
		ret = hd_error_at(err, HD_EIO, name, 0, "cannot write: %s", strerror(errno));
	if (!ret)
		ret = write_files(made.path, name, tables, provenance, packing, err);
	if (!ret)
		ret = put_in_place(made.path, name, err);
	if (ret)
		hd_temporary_remove(&made);
	hd_temporary_release(&made);
	free(name);
	return ret;
}
