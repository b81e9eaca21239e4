/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Makes others' text safe to show. Anybody may have written names of nodes and words of files, and
 * a terminal obeys control characters in them. All text that is printed, logged or drawn goes
 * through these functions. Formats that are read again (netfiles, CSV) keep their bytes; JSON
 * escapes them.
 */
#ifndef HD_SUPPORT_PRINTABLE_H
#define HD_SUPPORT_PRINTABLE_H

#include <stddef.h>

/*
 * The number of bytes of the UTF-8 character that @text begins with. 0: no UTF-8, also overlong
 * forms, surrogates and numbers beyond Unicode. 1 for the NUL that ends a text.
 */
size_t hd_character_length(const char *text);

/*
 * Replaces every character of @text that is not a visible mark by '?': control characters (C0, C1
 * and DEL, so line ends and tabs, too), characters that change the direction of writing, line and
 * paragraph separators, characters without width, and bytes that are no UTF-8. The text does not
 * grow. Returns @text.
 */
char *hd_make_printable(char *text);

#endif
