/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The shortest sequence of links that some ways embed in. */
#ifndef HD_ADAPTIVE_SUPERSEQUENCE_H
#define HD_ADAPTIVE_SUPERSEQUENCE_H

#include <stddef.h>

#include "sim/adaptive/vcs.h"

/* Classes of links, 'l' and 'g', without blanks. */
struct hd_way_text {
	char links[HD_MAX_PLACES + 1];
};

/*
 * Of @n ways, as "l g l" in @text; of equals one that the literature has. Empty: it is longer than
 * is looked for.
 */
void hd_shortest_supersequence(const struct hd_way_text *ways, size_t n, char *text, size_t size);

#endif
