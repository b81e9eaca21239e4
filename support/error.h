/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Errors: functions return 0 or a negative code, and put the message for the user into a struct
 * hd_error. Every function that takes a struct hd_error accepts NULL.
 */
#ifndef HD_SUPPORT_ERROR_H
#define HD_SUPPORT_ERROR_H

#include <stddef.h>

enum hd_error_code {
	HD_OK = 0,
	HD_ENOMEM = -1,    /* out of memory */
	HD_EIO = -2,       /* a file or directory cannot be read or written */
	HD_EPARSE = -3,    /* malformed input; file and line are set where there are some */
	HD_EINVAL = -4,    /* an argument or option makes no sense */
	HD_ERANGE = -5,    /* a number does not fit what InfiniBand or this program can carry */
	HD_ENOTFOUND = -6, /* a named thing does not exist */
	HD_EREFUSED =
		-7, /* an engine cannot serve this fabric, or the budget of lanes is exceeded */
};

struct hd_error {
	int code;
	unsigned line;  /* 0: no line */
	char file[256]; /* "": no file; printable */
	char text[768]; /* one line, no full stop, no newline; printable (support/printable.h) */
};

/*
 * Fills @err (which may be NULL) and returns @code, so that callers can `return hd_error_set(...)`.
 */
int hd_error_set(struct hd_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with a place in a file; @line 0: the whole file. */
int hd_error_at(struct hd_error *err, int code, const char *file, unsigned line, const char *format,
		...) __attribute__((format(printf, 5, 6)));

int hd_error_nomem(struct hd_error *err);

/* "FILE:LINE: TEXT", "FILE: TEXT" or "TEXT", in @buffer; returns @buffer. */
const char *hd_error_format(const struct hd_error *err, char *buffer, size_t size);

#endif
