/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * SLs and VLs that service classes keep. The classes' SLs and VLs follow one another, as many for
 * each as the routes need (tables/classes.h). So routes that need one more would move those of all
 * classes but the first, and hosts would send in a wrong class.
 */
#ifndef HD_VLARB_CLASS_LAYOUT_H
#define HD_VLARB_CLASS_LAYOUT_H

#include "tables/tables.h"

struct hd_error;

/* Whether classes have the same SLs, VLs and shares in both tables, or neither has classes. */
bool hd_class_layout_is(const struct hd_tables *tables, const struct hd_tables *before);

/*
 * Makes @tables with the SLs and VLs that classes have in @before: the n-th SL or VL of a class
 * becomes its n-th in @before, modulo their number there. LFTs stay, and VL arbitration gives each
 * VL turns. If @before has fewer, lanes that were separate share a VL: then the caller has to look
 * for credit loops.
 *
 * @laid gets NULL if the classes differ, if they have those SLs and VLs already, if lanes of
 * @before share VLs, or if a link has fewer VLs. HD_ENOMEM.
 */
int hd_class_layout_take(const struct hd_tables *tables, const struct hd_tables *before,
			 struct hd_tables **laid, struct hd_error *err);

#endif
