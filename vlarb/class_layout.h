/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * SLs and VLs that service classes keep. Classes have theirs one after another, as many as the routes
 * need (tables/classes.h), so that routes that need one more would move those of all classes but the
 * first, and no host would send in its class any more.
 */
#ifndef HD_VLARB_CLASS_LAYOUT_H
#define HD_VLARB_CLASS_LAYOUT_H

#include "tables/tables.h"

struct hd_error;

/* Whether classes have the same SLs, VLs and shares in both tables, or neither have any. */
bool hd_class_layout_is(const struct hd_tables *tables, const struct hd_tables *before);

/*
 * @tables with the SLs and VLs that classes have in @before: a class's SLs and VLs by their number
 * within the class, modulo how many there were. LFTs are the same, VL arbitration is by turns of the
 * VLs. What comes out is no more than a proposal where there were fewer, since lanes that were apart
 * fall together: a caller has to look for credit loops.
 *
 * @laid gets NULL where the classes are not the same ones, have those SLs and VLs already, or where
 * lanes of @before have VLs in common, or a link has less VLs. HD_ENOMEM.
 */
int hd_class_layout_take(const struct hd_tables *tables, const struct hd_tables *before,
			 struct hd_tables **laid, struct hd_error *err);

#endif
