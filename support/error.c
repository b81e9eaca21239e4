// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "support/printable.h"

static int set(struct hd_error *err, int code, const char *file, unsigned line, const char *format,
	       va_list args)
{
	if (!err)
		return code;
	err->code = code;
	err->line = line;
	snprintf(err->file, sizeof(err->file), "%s", file);
	hd_make_printable(err->file);
	vsnprintf(err->text, sizeof(err->text), format, args);
	hd_make_printable(err->text);
	return code;
}

int hd_error_set(struct hd_error *err, int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set(err, code, "", 0, format, args);
	va_end(args);
	return code;
}

int hd_error_at(struct hd_error *err, int code, const char *file, unsigned line, const char *format,
		...)
{
	va_list args;

	va_start(args, format);
	set(err, code, file, line, format, args);
	va_end(args);
	return code;
}

int hd_error_nomem(struct hd_error *err)
{
	return hd_error_set(err, HD_ENOMEM, "out of memory");
}

const char *hd_error_format(const struct hd_error *err, char *buffer, size_t size)
{
	if (err->file[0] && err->line)
		snprintf(buffer, size, "%s:%u: %s", err->file, err->line, err->text);
	else if (err->file[0])
		snprintf(buffer, size, "%s: %s", err->file, err->text);
	else
		snprintf(buffer, size, "%s", err->text);
	return buffer;
}
