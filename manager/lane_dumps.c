// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/lane_dumps.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/error.h"
#include "support/output.h"
#include "tables/classes.h"
#include "tables/dumps.h"

/* Where to, and to whom what goes wrong is told. */
struct place {
	const char *directory;
	void (*tell)(void *context, const char *line);
	void *context;
};

static void complain(const struct place *place, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void complain(const struct place *place, const char *format, ...)
{
	char line[5300];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	place->tell(place->context, line);
}

/* Writes the path SLs of class @class. */
static int write_class(const struct hd_tables *tables, unsigned class, const char *path,
		       struct hd_error *err)
{
	struct hd_output output;
	int ret = hd_output_open(&output, path, err);

	if (ret)
		return ret;
	ret = hd_path_sl_write_class(tables, class, output.stream, err);
	if (!ret)
		return hd_output_commit(&output, err);
	hd_output_abort(&output);
	return ret;
}

/* The file for path SLs of @class in @path; false: the name is too long for files there. */
static bool name_class_file(const struct place *place, const struct hd_class *class, char *path,
			    size_t size)
{
	int length = snprintf(path, size, "%s/path-sl-%s.dump", place->directory, class->name);

	return length > 0 && (size_t)length < size;
}

/* Removes path SLs of classes that are gone, and notes those of @classes, or NULL. */
static void remove_old(struct hd_lane_dumps *dumps, const struct place *place,
		       const struct hd_classes *classes)
{
	char path[4096];

	for (unsigned c = 0; dumps->written && c < dumps->written->n; c++)
		if (!hd_class_find(classes, dumps->written->list[c].name) &&
		    name_class_file(place, &dumps->written->list[c], path, sizeof(path)))
			unlink(path);
	free(dumps->written);
	dumps->written = classes ? malloc(sizeof(*classes)) : NULL;
	if (dumps->written)
		*dumps->written = *classes;
}

/* Writes path SLs of each class. */
static void write_classes(struct hd_lane_dumps *dumps, const struct place *place,
			  const struct hd_tables *tables)
{
	const struct hd_classes *classes = tables ? tables->classes : NULL;
	char path[4096], text[1100];

	remove_old(dumps, place, classes);
	for (unsigned c = 0; classes && c < classes->n; c++) {
		struct hd_error err = { 0 };

		if (name_class_file(place, &classes->list[c], path, sizeof(path)) &&
		    write_class(tables, c, path, &err))
			complain(place, "no %s: %s", path,
				 hd_error_format(&err, text, sizeof(text)));
	}
}

static int write_dump(const struct hd_dump_format *format, const char *path,
		      const struct hd_tables *tables, struct hd_error *err)
{
	struct hd_output output;
	int ret = hd_output_open(&output, path, err);

	if (ret)
		return ret;
	ret = format->write(tables, output.stream, err);
	if (!ret)
		return hd_output_commit(&output, err);
	hd_output_abort(&output);
	return ret;
}

/* Writes @tables in @format; without them, or when that fails, the file is removed. */
static void put_dump(const struct place *place, const struct hd_dump_format *format,
		     const struct hd_tables *tables)
{
	char path[4096], text[1100];
	struct hd_error err = { 0 };
	const int length = snprintf(path, sizeof(path), "%s/%s", place->directory, format->file);

	if (length < 0 || (size_t)length >= sizeof(path))
		return; /* nobody can write files there */
	if (tables && !write_dump(format, path, tables, &err))
		return;
	if (tables)
		complain(place, "no %s: %s", format->file,
			 hd_error_format(&err, text, sizeof(text)));
	if (unlink(path) != 0 && errno != ENOENT)
		complain(place, "%s is out of date: %s", path, strerror(errno));
}

void hd_lane_dumps_write(struct hd_lane_dumps *dumps, const char *directory,
			 const struct hd_tables *tables, const struct hd_tables *goal,
			 void (*tell)(void *context, const char *line), void *context)
{
	const struct place place = { directory, tell, context };

	write_classes(dumps, &place, tables);
	put_dump(&place, &hd_dump_path_sl, tables);
	put_dump(&place, &hd_dump_vlarb, goal);
	put_dump(&place, &hd_dump_classes, goal && goal->classes ? goal : NULL);
}

void hd_lane_dumps_clear(struct hd_lane_dumps *dumps)
{
	free(dumps->written);
	dumps->written = NULL;
}
