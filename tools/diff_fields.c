// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/diff_fields.h"

#include <inttypes.h>

#include "tables/diff.h"
#include "tools/report.h"

static void tell_fabrics(const struct hd_diff *diff, struct hd_fields *fields)
{
	hd_fields_add(fields, "nodes", "%" PRIu32 " added, %" PRIu32 " removed", diff->nodes_added,
		      diff->nodes_removed);
	hd_fields_add(fields, "links",
		      "%" PRIu32 " added, %" PRIu32 " removed, %" PRIu32 " on other ports",
		      diff->links_added, diff->links_removed, diff->ports_moved);
	hd_fields_add(fields, "LIDs", "%" PRIu32 " end ports changed", diff->lids_changed);
}

void hd_diff_tell_uncovered(const struct hd_diff *diff, struct hd_fields *fields)
{
	if (diff->pairs_uncovered)
		hd_fields_add(fields, "not covered",
			      "%" PRIu64 " pairs, by switches that have no table before or after",
			      diff->pairs_uncovered);
}

static void tell_tables(const struct hd_diff *diff, struct hd_fields *fields)
{
	hd_fields_add(fields, "pairs", "%" PRIu64 " of %" PRIu64 " changed", diff->pairs_changed,
		      diff->pairs);
	if (diff->pairs_changed)
		hd_fields_add(fields, "",
			      "%" PRIu64 " path, %" PRIu64 " SL, %" PRIu64 " VL, %" PRIu64
			      " lost, %" PRIu64 " gained",
			      diff->pairs_path, diff->pairs_sl, diff->pairs_vl, diff->pairs_lost,
			      diff->pairs_gained);
	hd_diff_tell_uncovered(diff, fields);
	hd_fields_add(fields, "LFTs", "%" PRIu64 " entries changed, in %" PRIu64 " blocks of 64",
		      diff->lft_entries, diff->lft_blocks);
	if (diff->has_ar)
		hd_fields_add(fields, "port sets", "%" PRIu64 " entries changed", diff->ar_entries);
	if (diff->ar_rows)
		hd_fields_add(fields, "private LFTs, VL2VL", "%" PRIu64 " rows changed",
			      diff->ar_rows);
	hd_fields_add(fields, "SL2VL", "%" PRIu64 " rows changed", diff->sl2vl_rows);
	hd_fields_add(fields, "VL arbitration", "%" PRIu32 " ports changed", diff->vlarb_ports);
}

void hd_diff_tell(const struct hd_diff *diff, struct hd_fields *fields)
{
	tell_fabrics(diff, fields);
	tell_tables(diff, fields);
}
