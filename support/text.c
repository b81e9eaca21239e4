// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/error.h"
#include "support/input.h"
#include "support/unpack.h"

/* Reads all that @unpack has, of the file @name, up to @max bytes. */
static int read_all(struct hd_unpack *unpack, FILE *file, const char *name, size_t max,
		    struct hd_text *text, struct hd_error *err)
{
	size_t capacity = 1 << 16, size = 0, got = 1;
	char *data = NULL;
	struct stat status;
	int ret = 0;

	if (fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
		capacity = (size_t)status.st_size + 2; /* one more, to see the end of the file */
	while (!ret && got) {
		if (!data || size == capacity - 1) {
			char *grown;

			if (data)
				capacity *= 2;
			if (capacity - 2 > max) {
				ret = hd_error_at(err, HD_EIO, name, 0, "larger than %zu bytes",
						  max);
				break;
			}
			grown = realloc(data, capacity);
			if (!grown) {
				ret = hd_error_nomem(err);
				break;
			}
			data = grown;
		}
		ret = hd_unpack_read(unpack, data + size, capacity - 1 - size, &got, err);
		size += got;
	}
	if (ret) {
		free(data);
		return ret;
	}
	data[size] = '\0';
	text->data = data;
	text->size = size;
	return 0;
}

/* Reads @file; @unpacks: as what it holds, where it is packed. */
static int read_file(FILE *file, const char *name, bool unpacks, size_t max, struct hd_text *text,
		     struct hd_error *err)
{
	struct hd_unpack *unpack;
	int ret = hd_unpack_new(file, name, unpacks, &unpack, err);

	if (!ret)
		ret = read_all(unpack, file, name, max, text, err);
	hd_unpack_free(unpack);
	return ret;
}

int hd_text_read(const char *path, struct hd_text *text, struct hd_error *err)
{
	return hd_text_read_most(path, HD_TEXT_MAX, text, err);
}

int hd_text_read_most(const char *path, size_t max, struct hd_text *text, struct hd_error *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	FILE *file = is_stdin ? stdin : hd_input_open_argument(path, err);
	int ret;

	*text = (struct hd_text){ 0 };
	if (!file)
		return HD_EIO;
	ret = read_file(file, is_stdin ? "<stdin>" : path, true, max, text, err);
	if (!is_stdin)
		fclose(file);
	return ret;
}

int hd_text_read_file(const char *path, size_t max, struct hd_text *text, struct hd_error *err)
{
	FILE *file = hd_input_open(path, err);
	int ret;

	*text = (struct hd_text){ 0 };
	if (!file)
		return HD_EIO;
	ret = read_file(file, path, false, max, text, err);
	fclose(file);
	return ret;
}

void hd_text_free(struct hd_text *text)
{
	free(text->data);
	*text = (struct hd_text){ 0 };
}
