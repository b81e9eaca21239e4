// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/printable.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The character that @text begins with; returns the number of its bytes, 0 if it is not UTF-8. */
static size_t decode(const char *text, uint32_t *character)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *bytes = (const unsigned char *)text;
	uint32_t code = bytes[0];
	size_t length = code < 0x80       ? 1
			: code >> 5 == 6  ? 2
			: code >> 4 == 14 ? 3
			: code >> 3 == 30 ? 4
					  : 0;

	if (length > 1)
		code &= 0x7Fu >> length;
	/* a NUL continues no character: nothing behind it is looked at */
	for (size_t i = 1; i < length; i++) {
		if ((bytes[i] & 0xC0) != 0x80)
			return 0;
		code = code << 6 | (bytes[i] & 0x3Fu);
	}
	if (code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
		return 0;
	*character = code;
	return length;
}

size_t hd_character_length(const char *text)
{
	uint32_t character;

	return decode(text, &character);
}

/*
 * Whether @character is a visible mark. Those that are not: Unicode's control characters, those
 * that it calls default ignorable (without variation selectors, which only choose among shapes of a
 * mark), separators of lines, annotations and noncharacters.
 */
static bool is_mark(uint32_t character)
{
	static const struct {
		uint32_t first, last;
	} others[] = {
		{ 0x0000, 0x001F },   /* C0 */
		{ 0x007F, 0x009F },   /* DEL and C1 */
		{ 0x00AD, 0x00AD },   /* soft hyphen */
		{ 0x034F, 0x034F },   /* grapheme joiner */
		{ 0x061C, 0x061C },   /* Arabic letter mark */
		{ 0x115F, 0x1160 },   /* Hangul fillers */
		{ 0x17B4, 0x17B5 },   /* Khmer inherent vowels */
		{ 0x180E, 0x180E },   /* Mongolian vowel separator */
		{ 0x200B, 0x200F },   /* without width, direction marks */
		{ 0x2028, 0x202E },   /* separators, embeddings, overrides */
		{ 0x2060, 0x206F },   /* joiners, invisible operators, isolates */
		{ 0x3164, 0x3164 },   /* Hangul filler */
		{ 0xFDD0, 0xFDEF },   /* noncharacters */
		{ 0xFEFF, 0xFEFF },   /* byte order mark */
		{ 0xFFA0, 0xFFA0 },   /* Hangul filler of half width */
		{ 0xFFF0, 0xFFFB },   /* interlinear annotation */
		{ 0x1BCA0, 0x1BCA3 }, /* shorthand format */
		{ 0x1D173, 0x1D17A }, /* musical format */
		{ 0xE0000, 0xE0FFF }, /* tags */
	};

	if ((character & 0xFFFE) == 0xFFFE)
		return false; /* the last two of every plane are noncharacters */
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (character >= others[i].first && character <= others[i].last)
			return false;
	return true;
}

char *hd_make_printable(char *text)
{
	char *from = text, *to = text;

	while (*from) {
		uint32_t character;
		size_t length = decode(from, &character);

		if (length && is_mark(character)) {
			memmove(to, from, length);
			to += length;
		} else {
			*to++ = '?';
		}
		from += length ? length : 1;
	}
	*to = '\0';
	return text;
}
