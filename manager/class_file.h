/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The class file of a site, which is read again at every heavy sweep. */
#ifndef HD_MANAGER_CLASS_FILE_H
#define HD_MANAGER_CLASS_FILE_H

#include <stdbool.h>

struct hd_classes;
struct hd_error;

/* Begin with zeros. */
struct hd_class_file {
	struct hd_classes *classes; /* of the last file that could be read; NULL: none could */
	char complaint[1100];       /* why the file cannot be read; "": it can */
	bool is_news;               /* the last reading has changed the complaint */
};

/*
 * Reads @path. When that fails, the classes of before stay, and there is a complaint. HD_EREFUSED:
 * there are none, and @is_strict: nothing is to be routed without. HD_ENOMEM.
 */
int hd_class_file_read(struct hd_class_file *file, const char *path, bool is_strict,
		       struct hd_error *err);
void hd_class_file_clear(struct hd_class_file *file);

#endif
