/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * LIDs that are alike: behind one switch, and all other switches have the same port sets for them.
 * So the choices to one of them are those to all. Internal to check/.
 */
#ifndef HD_CHECK_ALIKE_H
#define HD_CHECK_ALIKE_H

#include "check/view.h"

/*
 * Gives LIDs that are alike the same number in @alike[LID]; LIDs that are not in scope get HD_NONE.
 * @mapped as in struct hd_branches. Reads tables row by row: to compare the sets of one LID after
 * another would take a line of the cache for each entry. HD_ENOMEM.
 */
int hd_alike_find(const struct hd_check_network *network, const bool *mapped, uint32_t *alike,
		  struct hd_error *err);

#endif
