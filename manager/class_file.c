// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/class_file.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/classes.h"

/* The file cannot be read because of @cause. */
static int complain(struct hd_class_file *file, bool is_strict, const struct hd_error *cause,
		    struct hd_error *err)
{
	char text[sizeof(file->complaint)];

	hd_error_format(cause, text, sizeof(text));
	if (cause->code == HD_ENOMEM)
		return hd_error_set(err, HD_ENOMEM, "classes: %s", text);
	file->is_news = strcmp(text, file->complaint) != 0;
	strcpy(file->complaint, text);
	if (file->classes || !is_strict)
		return 0;
	return hd_error_set(err, HD_EREFUSED, "classes: %s", text);
}

int hd_class_file_read(struct hd_class_file *file, const char *path, bool is_strict,
		       struct hd_error *err)
{
	struct hd_classes *read = malloc(sizeof(*read));
	struct hd_error cause = { 0 };

	file->is_news = false;
	if (!read)
		return hd_error_nomem(err);
	if (hd_classes_read(path, read, &cause)) {
		free(read);
		return complain(file, is_strict, &cause, err);
	}
	free(file->classes);
	file->classes = read;
	file->complaint[0] = '\0';
	return 0;
}

void hd_class_file_clear(struct hd_class_file *file)
{
	free(file->classes);
	*file = (struct hd_class_file){ .classes = NULL };
}
