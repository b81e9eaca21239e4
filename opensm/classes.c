// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The class file of a site, which is read again at every heavy sweep. */
#include "opensm/plugin.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* Logs why the file cannot be read, once as long as that stays the same. */
static void complain(struct hd_osm_plugin *plugin, const struct hd_error *err)
{
	char text[sizeof(plugin->classes_complaint)];

	hd_error_format(err, text, sizeof(text));
	if (strcmp(text, plugin->classes_complaint) == 0)
		return;
	strcpy(plugin->classes_complaint, text);
	osm_log(&plugin->osm->log, OSM_LOG_SYS | OSM_LOG_ERROR,
		"heddle: classes: %s: the classes of before stay\n", text);
}

int hd_osm_classes(struct hd_osm_plugin *plugin, const struct hd_classes **classes,
		   struct hd_error *err)
{
	struct hd_classes *read;
	struct hd_error cause;
	char text[sizeof(plugin->classes_complaint)];
	int ret;

	*classes = plugin->classes;
	if (!plugin->options.classes)
		return 0;
	read = malloc(sizeof(*read));
	if (!read)
		return hd_error_nomem(err);
	ret = hd_classes_read(plugin->options.classes, read, &cause);
	if (!ret) {
		free(plugin->classes);
		plugin->classes = read;
		plugin->classes_complaint[0] = '\0';
	} else {
		free(read);
		if (ret == HD_ENOMEM || !plugin->classes)
			return hd_error_set(err, ret == HD_ENOMEM ? ret : HD_EREFUSED,
					    "classes: %s",
					    hd_error_format(&cause, text, sizeof(text)));
		complain(plugin, &cause);
	}
	*classes = plugin->classes;
	return 0;
}
