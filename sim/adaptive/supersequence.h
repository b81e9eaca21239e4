/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The shortest sequence of links in which some paths embed. */
#ifndef HD_ADAPTIVE_SUPERSEQUENCE_H
#define HD_ADAPTIVE_SUPERSEQUENCE_H

#include <stddef.h>

#include "sim/adaptive/vcs.h"

/* Classes of links, 'l' and 'g', without blanks. */
struct hd_way_text {
	char links[HD_MAX_PLACES + 1];
};

/*
 * For @n paths, as "l g l" in @text; of equal lengths, a sequence of the literature. Empty: the
 * sequence is longer than the search allows.
 */
void hd_shortest_supersequence(const struct hd_way_text *ways, size_t n, char *text, size_t size);

#endif
