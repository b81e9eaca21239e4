/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Quick answers about mixtures (check/between.h), for a planner. Internal to change/. */
#ifndef HD_CHANGE_MIXTURES_H
#define HD_CHANGE_MIXTURES_H

#include "check/check.h"

/*
 * Whether all mixtures of @now and @before are sound, in the scope of all end ports; hd_check()
 * also tells what is wrong. HD_EINVAL: no end port has a LID; HD_ENOMEM.
 */
int hd_mixtures_are_sound(const struct hd_tables *now, const struct hd_tables *before,
			  bool *is_sound, struct hd_error *err);

/*
 * For all rows of switches, [as tables->sl2vl], the SLs (bit s for SL s) of packets that take the
 * row in some mixture of @now and @before. Packets that are lost count up to there; packets that
 * never leave their switch do not count. Errors: as above.
 */
int hd_mixtures_use_rows(const struct hd_tables *now, const struct hd_tables *before, uint16_t *sls,
			 struct hd_error *err);

#endif
