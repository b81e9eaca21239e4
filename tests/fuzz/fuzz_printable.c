// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What is shown is valid UTF-8 on one line that no terminal obeys, is not longer than what came,
 * and stays as it is when it is shown again. Messages of errors are such text whatever is put into
 * them.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/printable.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const char *text)
{
	for (; *text; text += hd_character_length(text)) {
		const unsigned char *c = (const unsigned char *)text;

		if (!hd_character_length(text) || *c < ' ' || *c == 0x7F ||
		    (c[0] == 0xC2 && c[1] < 0xA0) ||                /* C1 */
		    (c[0] == 0xE2 && c[1] == 0x80 && c[2] == 0xAE)) /* right-to-left override */
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *again;
	struct hd_error err;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	hd_error_at(&err, HD_EPARSE, text, 1, "what is '%s'?", text);
	check(err.file);
	check(err.text);
	size = strlen(text);
	hd_make_printable(text);
	check(text);
	again = strdup(text);
	if (strlen(text) > size || (again && strcmp(hd_make_printable(again), text) != 0))
		abort();
	free(again);
	free(text);
	return 0;
}
