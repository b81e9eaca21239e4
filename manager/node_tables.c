// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/node_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/onto.h"

bool hd_discovered_make_room(struct hd_discovered *found, size_t n)
{
	free(found->lids);
	found->n_lids = 0;
	found->lids = malloc((n + 1) * sizeof(*found->lids));
	found->capacity = found->lids ? n : 0;
	return found->lids;
}

void hd_discovered_note(struct hd_discovered *found, uint64_t guid, uint16_t lid, uint8_t lmc)
{
	if (found->n_lids < found->capacity)
		found->lids[found->n_lids++] =
			(struct hd_found_lid){ .guid = guid, .lid = lid, .lmc = lmc };
}

void hd_discovered_clear(struct hd_discovered *found)
{
	free(found->lids);
	*found = (struct hd_discovered){ .lids = NULL };
}

bool hd_discovered_complaint(const struct hd_discovered *found, unsigned i, char *text, size_t size)
{
	static const char *const loops = "transient loops are possible until the change is over";
	char lines[5][300];
	unsigned n = 0;

	if (found->n_unknown)
		snprintf(lines[n++], sizeof(lines[0]),
			 "%zu active ports or their peers do not answer (first: node 0x%016" PRIx64
			 " port %u); they keep their old tables, which the proof of this change "
			 "does not know",
			 found->n_unknown, found->unknown_guid, found->unknown_port);
	if (found->lacks_lids)
		snprintf(lines[n++], sizeof(lines[0]),
			 "out of memory: the old LIDs are unknown: if LIDs change, %s", loops);
	if (found->n_unread_lfts)
		snprintf(
			lines[n++], sizeof(lines[0]),
			"out of memory: could not read the LFTs of %zu switches in use, assumed to "
			"be empty: %s",
			found->n_unread_lfts, loops);
	if (found->n_unread_blocks)
		snprintf(
			lines[n++], sizeof(lines[0]),
			"could not read %zu LFT blocks of switches in use, assumed to be empty: %s",
			found->n_unread_blocks, loops);
	if (found->n_unread_rows)
		snprintf(lines[n++], sizeof(lines[0]),
			 "could not read %zu SL2VL rows between ports in use, assumed to drop all "
			 "packets: %s",
			 found->n_unread_rows, loops);
	if (i < n)
		snprintf(text, size, "%s", lines[i]);
	return i < n;
}

/* An active port whose LID or LMC is another one in @fabric, index in ports[]; HD_NONE: none. */
static uint32_t find_renumbered(const struct hd_discovered *found, const struct hd_fabric *fabric)
{
	for (size_t i = 0; i < found->n_lids; i++) {
		const uint32_t port = hd_fabric_find_port(fabric, found->lids[i].guid);

		if (port != HD_NONE && fabric->ports[port].lid &&
		    (fabric->ports[port].lid != found->lids[i].lid ||
		     fabric->ports[port].lmc != found->lids[i].lmc))
			return port;
	}
	return HD_NONE;
}

const char *hd_discovered_cause_to_drop(const struct hd_discovered *found,
					const struct hd_fabric *fabric, char *text, size_t size)
{
	const uint32_t port = find_renumbered(found, fabric);
	char label[320];

	if (port != HD_NONE) {
		snprintf(text, size, "%s gets another LID or LMC",
			 hd_port_label(fabric, port, label, sizeof(label)));
		return text;
	}
	if (found->n_unknown) {
		snprintf(text, size, "%zu active ports or their peers do not answer",
			 found->n_unknown);
		return text;
	}
	return NULL;
}

int hd_node_tables(const struct hd_tables *goal, const struct hd_tables *last,
		   struct hd_tables **held, struct hd_error *err)
{
	int ret = HD_EINVAL;

	if (last)
		ret = hd_tables_onto_entries(last, goal, held, err);
	if (ret == HD_EINVAL)
		ret = hd_tables_onto_entries(goal, goal, held, err);
	else if (!ret)
		ret = hd_tables_fill_path_sls(*held, goal, err);
	if (ret) {
		hd_tables_free(*held);
		*held = NULL;
	}
	return ret;
}

/*
 * Whether switch @s holds in the block at LID @begin what the goal has, where no entry is 0: such
 * entries, and only these, depend on who owns the LID.
 */
static bool is_alike(const struct hd_tables *goal, uint32_t s, const uint8_t *lft, size_t size,
		     size_t begin)
{
	const uint8_t *wanted = hd_lft(goal, s) + begin;

	return lft && begin + HD_LFT_BLOCK <= size &&
	       memcmp(lft + begin, wanted, HD_LFT_BLOCK) == 0 && !memchr(wanted, 0, HD_LFT_BLOCK);
}

/* What switch @s holds for @lid. A block of zeros was not answered, or leads all LIDs nowhere. */
static uint8_t held_entry(const struct hd_tables *goal, uint32_t s, const uint8_t *lft, size_t size,
			  size_t lid)
{
	const struct hd_fabric *fabric = goal->fabric;
	uint8_t entry = lft && lid < size ? lft[lid] : HD_NO_PATH;

	/* a port 0 that does not own the LID drops packets */
	if (entry == 0 && (lid > fabric->top_lid || fabric->lids[lid].via_switch != s ||
			   fabric->lids[lid].via_port != 0))
		entry = HD_NO_PATH;
	return entry;
}

void hd_node_tables_set_lft(struct hd_tables *held, const struct hd_tables *goal, uint32_t s,
			    const uint8_t *lft, size_t size)
{
	const size_t top = goal->fabric->top_lid;
	uint8_t *entries = hd_lft(held, s);

	for (size_t begin = 0; begin <= top; begin += HD_LFT_BLOCK) {
		if (is_alike(goal, s, lft, size, begin))
			continue;
		/* also above the highest LID: a host or switch that has failed may have had one */
		for (size_t lid = begin; lid < begin + HD_LFT_BLOCK; lid++)
			entries[lid] = lid ? held_entry(goal, s, lft, size, lid) : HD_NO_PATH;
	}
}

void hd_node_tables_set_row(struct hd_tables *held, const struct hd_tables *goal, size_t index,
			    hd_sl2vl_row is, unsigned mask)
{
	/* what a subnet manager cuts is told elsewhere: there is nothing to send */
	if (is != hd_row_masked(goal->sl2vl[index], mask))
		held->sl2vl[index] = is;
}
