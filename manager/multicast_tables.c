// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/multicast_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "support/error.h"

/* MLIDs of a block; the first MLID of all begins one. */
#define BLOCK 32

/* The entry of @s and @mlid, a new one at the end if there is none; NULL when out of memory. */
static struct hd_mft_entry *find_entry(struct hd_mft_list *list, uint32_t s, uint16_t mlid)
{
	/* all of a block stand at the end */
	for (size_t i = list->n; i-- > 0 && list->entries[i].switch_index == s &&
				 list->entries[i].mlid / BLOCK == mlid / BLOCK;)
		if (list->entries[i].mlid == mlid)
			return &list->entries[i];
	if (list->n == list->capacity) {
		size_t wanted = list->capacity ? 2 * list->capacity : 256;
		struct hd_mft_entry *grown = realloc(list->entries, wanted * sizeof(*grown));

		if (!grown)
			return NULL;
		list->entries = grown;
		list->capacity = wanted;
	}
	list->entries[list->n] = (struct hd_mft_entry){ .mlid = mlid, .switch_index = s };
	return &list->entries[list->n++];
}

bool hd_mft_list_add(struct hd_mft_list *list, uint32_t s, unsigned mlid, unsigned position,
		     uint16_t mask)
{
	const unsigned shift = position * 16u;
	struct hd_mft_entry *entry = find_entry(list, s, (uint16_t)mlid);

	if (!entry)
		return false;
	entry->ports[shift / 64] |= (uint64_t)mask << shift % 64;
	return true;
}

static int compare_entries(const void *a, const void *b)
{
	const struct hd_mft_entry *x = a, *y = b;

	if (x->mlid != y->mlid)
		return x->mlid < y->mlid ? -1 : 1;
	return x->switch_index < y->switch_index ? -1 : x->switch_index > y->switch_index;
}

void hd_mft_list_give(struct hd_mft_list *list, struct hd_tables *tables)
{
	if (list->n)
		qsort(list->entries, list->n, sizeof(*list->entries), compare_entries);
	free(tables->mft);
	tables->mft = list->entries;
	tables->n_mft = list->n;
	*list = (struct hd_mft_list){ .entries = NULL };
}

void hd_mft_list_clear(struct hd_mft_list *list)
{
	free(list->entries);
	*list = (struct hd_mft_list){ .entries = NULL };
}

/*
 * FNV-1a over words, whose high halves come down after each: to know whether the same tables were
 * proved before. By bytes it takes longer than routes do.
 */
static uint64_t digest(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
		const size_t left = size - i;
		uint64_t word = 0;

		memcpy(&word, bytes + i, left < sizeof(word) ? left : sizeof(word));
		hash = (hash ^ word) * UINT64_C(0x100000001b3);
		hash ^= hash >> 32;
	}
	return hash;
}

uint64_t hd_multicast_digest(const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	hd_for_each_node(n, fabric)
		hash = digest(hash, &fabric->nodes[n].guid, sizeof(fabric->nodes[n].guid));
	hd_for_each_port(p, fabric)
		hash = digest(hash, &fabric->ports[p].peer, sizeof(fabric->ports[p].peer));
	hash = digest(hash, tables->lft, fabric->n_switches * tables->lft_stride);
	hash = digest(hash, tables->sl2vl,
		      tables->sl2vl_first[fabric->n_nodes] * sizeof(*tables->sl2vl));
	for (size_t i = 0; i < tables->n_mft; i++) {
		const struct hd_mft_entry *entry = &tables->mft[i];

		hash = digest(hash, &entry->mlid, sizeof(entry->mlid));
		hash = digest(hash, &entry->switch_index, sizeof(entry->switch_index));
		hash = digest(hash, entry->ports, sizeof(entry->ports));
	}
	return hash;
}

int hd_multicast_prove(const struct hd_tables *tables, unsigned max_vls, bool all_sls,
		       bool *is_sound, char *summary, size_t size, struct hd_error *err)
{
	struct hd_check_options options = { .max_vls = max_vls };
	struct hd_check_result result;
	int ret = hd_check(tables, &options, &result, err);

	if (ret)
		return ret;
	*is_sound = result.failure == HD_CHECK_SOUND;
	if (*is_sound && all_sls) {
		/* lanes of the site: a group may have any SL, and loops are what others can do */
		hd_check_clear(&result);
		options.all_sls = true;
		ret = hd_check(tables, &options, &result, err);
		if (ret)
			return ret;
		*is_sound = !result.n_witness;
	}
	hd_check_summary(&result, tables->fabric, summary, size);
	hd_check_clear(&result);
	return 0;
}

enum hd_multicast_verdict hd_multicast_judge(const struct hd_tables *tables, unsigned max_vls,
					     bool all_sls, uint64_t *digest, char *text,
					     size_t size)
{
	const uint64_t now = tables->n_mft ? hd_multicast_digest(tables) : 0;
	struct hd_error err;
	char summary[512];
	bool is_sound;

	if (!tables->n_mft || now == *digest)
		return HD_MULTICAST_NO_NEWS;
	if (hd_multicast_prove(tables, max_vls, all_sls, &is_sound, summary, sizeof(summary),
			       &err)) {
		snprintf(text, size, "with OpenSM's multicast is not checked: %s", err.text);
		return HD_MULTICAST_NOT_CHECKED;
	}
	*digest = now;
	snprintf(text, size,
		 is_sound ? "with OpenSM's multicast: %s"
			  : "with OpenSM's multicast trees is unsound: %s",
		 summary);
	return is_sound ? HD_MULTICAST_SOUND : HD_MULTICAST_UNSOUND;
}
