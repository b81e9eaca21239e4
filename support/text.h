/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reading text: whole files, lines with their numbers, numbers with their bounds. */
#ifndef HD_SUPPORT_TEXT_H
#define HD_SUPPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct hd_error;

/* A file in memory, followed by a NUL that `size` does not count. */
struct hd_text {
	char *data;
	size_t size;
};

/* Bytes of a text, which its owner keeps. */
struct hd_span {
	const char *begin;
	const char *end;
};

/* The largest file that hd_text_read takes; an LFT dump of the largest fabric is half of it. */
#define HD_TEXT_MAX ((size_t)4 << 30)

/* The largest file that a configuration or a console may name. */
#define HD_TEXT_FILE_MAX ((size_t)64 << 20)

/*
 * Reads all of @path, an argument of a command line ("-": standard input), and unpacks what gzip,
 * xz or zstd packed (support/unpack.h). Free with hd_text_free(). HD_EIO: the file cannot be opened
 * or read, is neither a regular file nor an open file of the shell (hd_input_open_argument()),
 * exceeds HD_TEXT_MAX, or unpacks to too much; HD_EPARSE: the packed file is damaged; HD_ENOMEM.
 */
int hd_text_read(const char *path, struct hd_text *text, struct hd_error *err);

/* The same for a file of at most @max bytes, also unpacked. */
int hd_text_read_most(const char *path, size_t max, struct hd_text *text, struct hd_error *err);

/*
 * The same for programs that serve others: only a regular file of at most @max bytes. Never blocks.
 */
int hd_text_read_file(const char *path, size_t max, struct hd_text *text, struct hd_error *err);
void hd_text_free(struct hd_text *text);

/*
 * A cursor over lines. Lines end with LF or CRLF; the last may lack its end. The text of a line
 * ends at `end`, not at a NUL; callers that cannot have NUL bytes in it refuse them.
 */
struct hd_lines {
	const char *next;  /* start of the following line */
	const char *limit; /* end of the text */
	const char *begin; /* the current line: begin .. end, without its line end */
	const char *end;
	const char *file; /* for messages */
	unsigned number;  /* of the current line, from 1 */
};

/* An error at the current line: "FILE:LINE: ..." (support/error.h). */
#define hd_lines_error(lines, err, ...) \
	hd_error_at((err), HD_EPARSE, (lines)->file, (lines)->number, __VA_ARGS__)

void hd_lines_begin(struct hd_lines *lines, const char *file, const char *data, size_t size);
bool hd_lines_next(struct hd_lines *lines);

/*
 * Reads @text, a whole number in @min .. @max, decimal or with 0x. Messages call it @what.
 * HD_EINVAL: not a number; HD_ERANGE: out of range.
 */
int hd_parse_number(const char *text, const char *what, uint64_t min, uint64_t max, uint64_t *value,
		    struct hd_error *err);

/*
 * Scans digits of @base (10 or 16, no 0x) from *@cursor up to @end and moves *@cursor past them.
 * False when there is no digit or the number exceeds @max.
 */
bool hd_scan_number(const char **cursor, const char *end, unsigned base, uint64_t max,
		    uint64_t *value);

/*
 * Moves *@cursor past @word if the text there begins with @word; else returns false. Here, because
 * compilers compare a short literal without any call.
 */
static inline bool hd_scan_word(const char **cursor, const char *end, const char *word)
{
	size_t length;

	/* mostly the first letter tells, without a call */
	if (*cursor < end && **cursor != *word && *word)
		return false;
	length = strlen(word);
	if ((size_t)(end - *cursor) < length || memcmp(*cursor, word, length) != 0)
		return false;
	*cursor += length;
	return true;
}

/* Moves *@cursor past blanks and tabs. */
void hd_scan_blanks(const char **cursor, const char *end);

#endif
