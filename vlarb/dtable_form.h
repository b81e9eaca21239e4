/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The default form of a DTable. */
#ifndef HD_VLARB_DTABLE_FORM_H
#define HD_VLARB_DTABLE_FORM_H

#include "vlarb/dtable.h"

/* Entries of a table, unless the distances need others. */
#define HD_DTABLE_ENTRIES 128

/*
 * Gives distances to @classes [n] unless all have one: powers of 2 that fill a table; a greater
 * share has a shorter distance (as the lengths of Huffman's code). Fills in members of @form that
 * are 0: HD_DTABLE_ENTRIES entries, or as many more as the distances need; the greatest MTU of the
 * classes; the least k and the least w with which the form can express all shares. HD_EREFUSED: no
 * table of at most HD_DTABLE_MAX entries has these distances.
 */
int hd_dtable_complete(struct hd_dtable_form *form, struct hd_dtable_class *classes, unsigned n,
		       struct hd_error *err);

#endif
