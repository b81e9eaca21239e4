// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/adaptive/supersequence.h"

#include <stdbool.h>
#include <string.h>

#define MOST_TRIED 16 /* links of a sequence; longer ones are tried of local links alone */

static bool embeds(const char *way, const char *sequence)
{
	for (; *way && *sequence; sequence++)
		way += *way == *sequence;
	return !*way;
}

static bool serves(const struct hd_way_text *ways, size_t n, const char *sequence)
{
	for (size_t i = 0; i < n; i++)
		if (!embeds(ways[i].links, sequence))
			return false;
	return true;
}

/* Without its blanks. */
static void copy_links(const char *sequence, char *links)
{
	for (; *sequence; sequence++)
		if (*sequence != ' ')
			*links++ = *sequence;
	*links = '\0';
}

/* A sequence of @length links that serves, in @links. */
static bool find(const struct hd_way_text *ways, size_t n, size_t length, char *links)
{
	const size_t tried = length > MOST_TRIED ? 1 : (size_t)1 << length;

	for (size_t i = 0; i < HD_VCS_KNOWN; i++) {
		copy_links(hd_vcs_known[i].sequence, links);
		if (strlen(links) == length && serves(ways, n, links))
			return true;
	}
	links[length] = '\0';
	for (size_t bits = 0; bits < tried; bits++) {
		for (size_t i = 0; i < length; i++)
			links[i] = bits >> i & 1 ? 'g' : 'l';
		if (serves(ways, n, links))
			return true;
	}
	return false;
}

void hd_shortest_supersequence(const struct hd_way_text *ways, size_t n, char *text, size_t size)
{
	char links[HD_MAX_PLACES + 1];
	size_t length = 1, used = 0;

	while (length <= HD_MAX_PLACES && !find(ways, n, length, links))
		length++;
	*text = '\0';
	if (length > HD_MAX_PLACES)
		return;
	for (size_t i = 0; i < length && used + 2 < size; i++) {
		text[used++] = links[i];
		text[used++] = ' ';
	}
	text[used - 1] = '\0';
}
