// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Writes the manual page of scenarios: `scenario_page TEMPLATE >PAGE`. Keys come from their table
 * (sim/scenario/keys.def), so nobody writes a default or a unit twice. In the template,
 *
 *	.\" keys SECTION	stands for all keys of the section, in the order of the table;
 *	.\" more SECTION.KEY	begins what the page says of one of them behind its help;
 *	.\" end			ends both.
 *
 * It runs while heddle is built, and is not installed.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/keys.h"

#define MAX_LINE 1000

/* What the template says of each key behind its help; "" or NULL: nothing. */
static char *more[HD_N_KEYS];

/* The key whose name @word is, but for punctuation behind it, of which @length is without. */
static const struct hd_scenario_key *find_key(const char *word, size_t *length)
{
	*length = strcspn(word, " ");
	while (*length && strchr(".,:;)", word[*length - 1]))
		--*length;
	for (unsigned i = 0; i < HD_N_KEYS; i++)
		if (strlen(hd_scenario_keys[i].name) == *length &&
		    memcmp(hd_scenario_keys[i].name, word, *length) == 0)
			return &hd_scenario_keys[i];
	return NULL;
}

/* One sentence of help; names of keys are marked up. */
static void write_sentence(const char *text, size_t size)
{
	char sentence[MAX_LINE], *word = sentence;
	bool at_start = true;
	size_t length;

	if (snprintf(sentence, sizeof(sentence), "%.*s.", (int)size, text) >= MAX_LINE)
		errx(1, "too long: %s", text);
	/* a name of a key stays as it is */
	if (!find_key(word, &length) && *word >= 'a' && *word <= 'z')
		*word = (char)(*word - 'a' + 'A');
	for (char *end; *word; word = *end ? end + 1 : end) {
		end = word + strcspn(word, " ");
		if (!find_key(word, &length)) {
			printf("%s%.*s", at_start ? "" : " ", (int)(end - word), word);
			at_start = false;
			continue;
		}
		printf("%s.Cm %.*s", at_start ? "" : "\n", (int)length, word);
		for (const char *sign = word + length; sign < end; sign++)
			printf(" %c", *sign);
		putchar('\n');
		at_start = true;
	}
	if (!at_start)
		putchar('\n');
}

/* Help is fragments with semicolons between them. */
static void write_help(const char *help)
{
	const char *end;

	while ((end = strstr(help, "; ")) != NULL) {
		write_sentence(help, (size_t)(end - help));
		help = end + 2;
	}
	write_sentence(help, strlen(help));
}

static void write_range(const struct hd_scenario_key *key)
{
	const bool is_number = key->kind == HD_VALUE_COUNT || key->kind == HD_VALUE_SHARE;

	if (key->kind == HD_VALUE_BOOL)
		printf("Values: yes, no.\n");
	if (key->kind == HD_VALUE_WORD) {
		printf("Values:");
		for (const struct hd_word *word = key->words; word->name; word++)
			printf("%s %s", word == key->words ? "" : ",", word->name);
		printf(".\n");
	}
	/* larger bounds are only those of the arithmetic */
	if (is_number && key->max > 0 && key->max < 0x1p53)
		printf("Values: %.10g to %.10g.\n", key->min, key->max);
}

static void write_default(const struct hd_option *option)
{
	printf("%s", *option->default_value ? option->default_value : "empty");
	if (*option->unit)
		printf(" (unit: %s)", option->unit);
}

static void write_key(const struct hd_scenario_key *key)
{
	const char *prose = more[key - hd_scenario_keys];

	printf(".It Cm %s\n", key->name);
	write_help(key->option[0].help);
	if (prose)
		fputs(prose, stdout);
	write_range(key);
	printf("Default: ");
	write_default(&key->option[0]);
	if (key->option[1].key) {
		printf(";\nwith cycles: ");
		write_default(&key->option[1]);
	}
	printf(".\n");
}

/* What follows @word in a line of the template that is a comment with it; NULL: it is none. */
static const char *directive(const char *line, const char *word)
{
	const size_t length = strlen(word);

	if (strncmp(line, ".\\\" ", 4) != 0 || strncmp(line + 4, word, length) != 0)
		return NULL;
	return line + 4 + length;
}

static FILE *begin_more(const char *name)
{
	size_t length;
	const struct hd_scenario_key *key = find_key(name, &length);
	static size_t size;
	FILE *text = key ? open_memstream(&more[key - hd_scenario_keys], &size) : NULL;

	if (!text)
		errx(1, "no such key: %s", name);
	return text;
}

static void end_more(FILE *text)
{
	if (text && fclose(text) != 0)
		err(1, NULL);
}

/* All keys of @section; their names begin with it and a dot. */
static void write_keys(const char *section)
{
	const size_t length = strlen(section);
	unsigned n = 0;

	for (unsigned i = 0; i < HD_N_KEYS; i++) {
		const char *name = hd_scenario_keys[i].name;

		if (strncmp(name, section, length) != 0 || name[length] != '.')
			continue;
		write_key(&hd_scenario_keys[i]);
		n++;
	}
	if (!n)
		errx(1, "no such section: %s", section);
}

int main(int argc, char **argv)
{
	FILE *template = argc == 2 ? fopen(argv[1], "r") : NULL, *text = NULL;
	char line[MAX_LINE], section[MAX_LINE] = "";
	const char *name;

	if (!template)
		errx(2, "usage: scenario_page TEMPLATE >PAGE");
	while (fgets(line, sizeof(line), template)) {
		line[strcspn(line, "\n")] = '\0';
		if ((name = directive(line, "keys ")) != NULL) {
			snprintf(section, sizeof(section), "%s", name);
		} else if (*section && (name = directive(line, "more ")) != NULL) {
			end_more(text);
			text = begin_more(name);
		} else if (*section && directive(line, "end")) {
			end_more(text);
			text = NULL;
			write_keys(section);
			*section = '\0';
		} else if (*section && !text) {
			errx(1, "text of no key: %s", line);
		} else {
			fprintf(*section ? text : stdout, "%s\n", line);
		}
	}
	if (*section)
		errx(1, "no end of section %s", section);
	for (unsigned i = 0; i < HD_N_KEYS; i++)
		free(more[i]);
	fclose(template);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(1, "standard output");
	return 0;
}
