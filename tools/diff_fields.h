/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What differs between two sets of tables, as fields. */
#ifndef HD_TOOLS_DIFF_FIELDS_H
#define HD_TOOLS_DIFF_FIELDS_H

struct hd_diff;
struct hd_fields;

/* Numbers of nodes, links, pairs and entries. @fields NULL: they are printed. */
void hd_diff_tell(const struct hd_diff *diff, struct hd_fields *fields);

/* How many pairs are not covered, if any. */
void hd_diff_tell_uncovered(const struct hd_diff *diff, struct hd_fields *fields);

#endif
