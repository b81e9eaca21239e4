// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Errors, requests and results of libheddle. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "config.h"

const char *heddle_version(void)
{
	return PACKAGE_VERSION;
}

const char *heddle_status_text(enum heddle_status status)
{
	static const char *const texts[] = {
		[HEDDLE_OK] = "done",
		[HEDDLE_NO] = "the answer is no",
		[HEDDLE_BAD_INPUT] = "bad input",
		[HEDDLE_NO_MEMORY] = "out of memory",
		[HEDDLE_IO] = "cannot read or write",
		[HEDDLE_NOT_FOUND] = "not found",
		[HEDDLE_REFUSED] = "refused",
		[HEDDLE_RANGE] = "out of range",
	};

	return (size_t)status < sizeof(texts) / sizeof(texts[0]) ? texts[status] : "unknown status";
}

static enum heddle_status status_of(int ret)
{
	switch (ret) {
	case HD_OK:
		return HEDDLE_OK;
	case HD_ENOMEM:
		return HEDDLE_NO_MEMORY;
	case HD_EIO:
		return HEDDLE_IO;
	case HD_ENOTFOUND:
		return HEDDLE_NOT_FOUND;
	case HD_EREFUSED:
		return HEDDLE_REFUSED;
	case HD_ERANGE:
		return HEDDLE_RANGE;
	default:
		return HEDDLE_BAD_INPUT;
	}
}

enum heddle_status hd_api_done(struct heddle_error *error, int ret, const struct hd_error *err)
{
	const enum heddle_status status = status_of(ret);

	if (!error)
		return status;
	*error = (struct heddle_error){ .status = status };
	if (status == HEDDLE_OK)
		return status;
	error->line = err->line;
	snprintf(error->file, sizeof(error->file), "%s", err->file);
	hd_error_format(err, error->text, sizeof(error->text));
	return status;
}

enum heddle_status hd_api_no(struct heddle_error *error, const char *format, ...)
{
	va_list arguments;

	if (!error)
		return HEDDLE_NO;
	*error = (struct heddle_error){ .status = HEDDLE_NO };
	va_start(arguments, format);
	vsnprintf(error->text, sizeof(error->text), format, arguments);
	va_end(arguments);
	return HEDDLE_NO;
}

int hd_api_take(void *own, size_t size, const void *given, struct hd_error *err)
{
	const unsigned char *bytes = given;
	size_t said;

	memset(own, 0, size);
	if (!given)
		return hd_error_set(err, HD_EINVAL, "a struct that has to be there is NULL");
	memcpy(&said, given, sizeof(said));
	if (said < sizeof(said))
		return hd_error_set(err, HD_EINVAL,
				    "a struct has no size: its initialiser sets it");
	for (size_t i = size; i < said; i++)
		if (bytes[i])
			return hd_error_set(err, HD_EINVAL,
					    "a struct of %zu bytes asks for what this release, "
					    "which knows %zu, does not have",
					    said, size);
	memcpy(own, given, said < size ? said : size);
	return 0;
}

int hd_api_take_optional(void *own, size_t size, const void *given, struct hd_error *err)
{
	if (given)
		return hd_api_take(own, size, given, err);
	memset(own, 0, size);
	return 0;
}

void hd_api_give(const void *own, size_t size, void *given)
{
	size_t said;

	if (!given)
		return;
	memcpy(&said, given, sizeof(said));
	memcpy(given, own, said < size ? said : size);
	memcpy(given, &said, sizeof(said));
}

locale_t hd_api_enter(void)
{
	const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);

	return plain ? uselocale(plain) : (locale_t)0;
}

void hd_api_leave(locale_t locale)
{
	if (locale)
		freelocale(uselocale(locale));
}
