/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Makes text of others fit to be shown. Names of nodes, words of files and of users come from
 * whoever can write them, and a terminal obeys control characters in them. Whatever is printed,
 * logged or drawn goes through here. Formats that are read again (netfiles, CSV) keep their bytes;
 * JSON escapes them.
 */
#ifndef HD_SUPPORT_PRINTABLE_H
#define HD_SUPPORT_PRINTABLE_H

#include <stddef.h>

/*
 * The bytes of the UTF-8 character that @text begins with; 0 when these are no UTF-8 (overlong
 * forms, surrogates and what lies beyond Unicode included). 1 at the NUL that ends a text.
 */
size_t hd_character_length(const char *text);

/*
 * Puts '?' in the place of every character of @text that is no visible mark: control characters
 * (C0, C1 and DEL, so line ends and tabs, too), characters that change the direction of writing,
 * line and paragraph separators, characters without width, and bytes that are no UTF-8. The text
 * becomes no longer. Returns @text.
 */
char *hd_make_printable(char *text);

#endif
