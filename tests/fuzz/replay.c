// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Runs a fuzz target over its corpus, tests/fuzz/corpus/THING/ for a program fuzz_THING, or over
 * the files given, and says so in TAP.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(const char *path, int number)
{
	struct hd_error err = { 0 };
	struct hd_text text;

	if (hd_text_read_file(path, HD_TEXT_FILE_MAX, &text, &err)) {
		printf("not ok %d - %s: %s\n", number, path, err.text);
		return;
	}
	/* a copy of its own, so that a sanitizer sees one byte too far */
	uint8_t *copy = malloc(text.size ? text.size : 1);

	if (copy) {
		memcpy(copy, text.data, text.size);
		LLVMFuzzerTestOneInput(copy, text.size);
	}
	free(copy);
	hd_text_free(&text);
	printf("ok %d - %s\n", number, strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
}

static int is_plain(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
	const char *thing = strstr(argv[0], "fuzz_");
	struct dirent **entries;
	char path[4096];
	int n, number = 0;

	if (argc > 1) {
		for (int i = 1; i < argc; i++)
			run(argv[i], ++number);
		printf("1..%d\n", number);
		return 0;
	}
	while (thing && strstr(thing + 1, "fuzz_"))
		thing = strstr(thing + 1, "fuzz_");
	snprintf(path, sizeof(path), "%s/../fuzz/corpus/%s", HD_TEST_DATA,
		 thing ? thing + strlen("fuzz_") : "");
	n = scandir(path, &entries, is_plain, alphasort);
	if (n <= 0) {
		printf("1..1\nnot ok 1 - no corpus in %s\n", path);
		return 1;
	}
	printf("1..%d\n", n);
	for (int i = 0; i < n; i++) {
		char file[8192];

		snprintf(file, sizeof(file), "%s/%s", path, entries[i]->d_name);
		run(file, ++number);
		free(entries[i]);
	}
	free(entries);
	return 0;
}
