// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What OpenSM's routing dumps leave out: path SLs, without which nobody can judge the lanes, and VL
 * arbitration. The files stand beside OpenSM's dumps and always belong to the same sweep.
 */
#include "opensm/plugin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/error.h"
#include "support/output.h"
#include "tables/dumps.h"

static const struct hd_dump_format *const formats[] = { &hd_dump_path_sl, &hd_dump_vlarb,
							&hd_dump_classes };

/* Whether @engine has tables for @format. */
static bool has_dump(const struct hd_osm_engine *engine, const struct hd_dump_format *format)
{
	return engine && (format != &hd_dump_classes || engine->goal->classes);
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

/* The file for path SLs of @class in @path; false: OpenSM itself cannot write files there. */
static bool name_class_file(const struct osm_opensm *osm, const struct hd_class *class, char *path,
			    size_t size)
{
	int length = snprintf(path, size, "%s/path-sl-%s.dump", osm->subn.opt.dump_files_dir,
			      class->name);

	return length > 0 && (size_t)length < size;
}

/* Writes path SLs of each class, and removes those of classes that are gone. */
static void dump_classes(struct hd_osm_plugin *plugin, const struct hd_tables *tables)
{
	const struct hd_classes *classes = tables ? tables->classes : NULL;
	char path[4096], text[1100];

	for (unsigned c = 0; plugin->dumped && c < plugin->dumped->n; c++)
		if (!hd_class_find(classes, plugin->dumped->list[c].name) &&
		    name_class_file(plugin->osm, &plugin->dumped->list[c], path, sizeof(path)))
			unlink(path);
	free(plugin->dumped);
	plugin->dumped = classes ? malloc(sizeof(*classes)) : NULL;
	if (plugin->dumped)
		*plugin->dumped = *classes;
	for (unsigned c = 0; classes && c < classes->n; c++) {
		struct hd_error err = { 0 };

		if (name_class_file(plugin->osm, &classes->list[c], path, sizeof(path)) &&
		    write_class(tables, c, path, &err))
			osm_log(&plugin->osm->log, OSM_LOG_ERROR, "heddle: no %s: %s\n", path,
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

void hd_osm_dump(struct hd_osm_plugin *plugin, const struct hd_osm_engine *engine)
{
	struct osm_opensm *osm = plugin->osm;

	dump_classes(plugin, engine ? engine->tables : NULL);
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		char path[4096], text[1100];
		struct hd_error err = { 0 };
		int length = snprintf(path, sizeof(path), "%s/%s", osm->subn.opt.dump_files_dir,
				      formats[i]->file);

		if (length < 0 || (size_t)length >= sizeof(path))
			continue; /* OpenSM itself cannot write files there */
		if (has_dump(engine, formats[i]) &&
		    !write_dump(formats[i], path,
				formats[i] == &hd_dump_path_sl ? engine->tables : engine->goal,
				&err))
			continue;
		if (has_dump(engine, formats[i]))
			osm_log(&osm->log, OSM_LOG_ERROR, "heddle: no %s: %s\n", formats[i]->file,
				hd_error_format(&err, text, sizeof(text)));
		if (unlink(path) != 0 && errno != ENOENT)
			osm_log(&osm->log, OSM_LOG_ERROR, "heddle: %s is out of date: %s\n", path,
				strerror(errno));
	}
}
