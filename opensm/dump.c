// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What OpenSM's routing dumps leave out: path SLs, without which nobody can judge the lanes, and VL
 * arbitration. The files stand beside OpenSM's dumps and always belong to the same sweep.
 */
#include "opensm/plugin.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/error.h"
#include "support/output.h"
#include "tables/dumps.h"

static const struct hd_dump_format *const formats[] = { &hd_dump_path_sl, &hd_dump_vlarb };

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

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		char path[4096], text[1100];
		struct hd_error err = { 0 };
		int length = snprintf(path, sizeof(path), "%s/%s", osm->subn.opt.dump_files_dir,
				      formats[i]->file);

		if (length < 0 || (size_t)length >= sizeof(path))
			continue; /* OpenSM itself cannot write files there */
		if (engine && !write_dump(formats[i], path, engine->tables, &err))
			continue;
		if (engine)
			osm_log(&osm->log, OSM_LOG_ERROR, "heddle: no %s: %s\n", formats[i]->file,
				hd_error_format(&err, text, sizeof(text)));
		if (unlink(path) != 0 && errno != ENOENT)
			osm_log(&osm->log, OSM_LOG_ERROR, "heddle: %s is out of date: %s\n", path,
				strerror(errno));
	}
}
