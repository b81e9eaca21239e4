// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/alike.h"

#include <stdlib.h>

#include "support/error.h"

/* LIDs of number `old` that have another key in the present row than the first of these LIDs. */
struct part {
	uint64_t key;
	uint32_t row, old, new;
};

struct refinement {
	const struct hd_check_network *network;
	uint32_t *alike;     /* [LID] */
	uint32_t *roots;     /* [LID] */
	uint32_t n;          /* numbers */
	uint32_t row;        /* rows begun: a mark for what is of the present one */
	uint32_t *first_row; /* [number] the row in which the key below was noted */
	uint64_t *first_key; /* [number] of the first of its LIDs */
	struct part *parts;  /* of the present row; open addressing */
	size_t mask;         /* places of parts - 1 */
};

/* A row of entries of one pLFT. */
struct row {
	struct hd_ar_lft lft; /* without ports: the switch has no such pLFT */
	const struct hd_ar_groups *groups;
};

static struct row row_of(const struct hd_tables *tables, uint32_t s, unsigned plft)
{
	if (plft >= hd_ar_n_plfts(tables, s))
		return (struct row){ .groups = NULL };
	return (struct row){ hd_ar_lft_of(tables, s, plft),
			     tables->ar ? &tables->ar->groups[s] : NULL };
}

#define NO_PORT 0x100u /* the default port is in the group */
#define STANDS  0x200u /* the group stands in for the port */

/* Entries with one key have the same choices. */
static inline uint32_t key_of(const struct row *row, uint32_t lid, unsigned n_down)
{
	const struct hd_ar_lft *lft = &row->lft;
	const uint32_t port = lft->port ? lft->port[lid] : HD_NO_PATH;
	uint32_t group;

	if (!lft->group || lft->group[lid] == HD_AR_NO_GROUP)
		return port;
	group = lft->group[lid];
	if (lft->state[lid] == HD_AR_STATIC)
		return n_down ? group << 16 | STANDS | port : port;
	return hd_port_set_has(&row->groups->sets[group], port) ? group << 16 | NO_PORT
								: group << 16 | STANDS << 1 | port;
}

/* The number of the LIDs of number @old that have @key in this row, unlike the first of these. */
static uint32_t part_of(struct refinement *r, uint32_t old, uint64_t key)
{
	size_t i =
		(size_t)((key ^ (uint64_t)old << 40 ^ old) * UINT64_C(0x9E3779B97F4A7C15) >> 20) &
		r->mask;
	struct part *part;

	while (r->parts[i].row == r->row && (r->parts[i].old != old || r->parts[i].key != key))
		i = (i + 1) & r->mask;
	part = &r->parts[i];
	if (part->row != r->row)
		*part = (struct part){ .key = key, .row = r->row, .old = old, .new = r->n++ };
	return part->new;
}

/* Divides LIDs by what switch @s does with packets of @plft to them. */
static void refine(struct refinement *r, uint32_t s, unsigned plft)
{
	const struct hd_check_network *network = r->network;
	const struct row now = row_of(network->tables, s, plft);
	const struct row before =
		row_of(network->before ? network->before : network->tables, s, plft);
	const unsigned n_down = network->n_down;

	r->row++;
	hd_for_each_lid(lid, network->fabric) {
		const uint32_t number = r->alike[lid];
		uint64_t key;

		if (number == HD_NONE || r->roots[lid] == s)
			continue;
		key = key_of(&now, lid, n_down);
		if (network->before)
			key |= (uint64_t)key_of(&before, lid, n_down) << 32;
		if (r->first_row[number] != r->row) {
			r->first_row[number] = r->row;
			r->first_key[number] = key;
		} else if (r->first_key[number] != key) {
			r->alike[lid] = part_of(r, number, key);
		}
	}
}

static int refinement_init(struct refinement *r, struct hd_error *err)
{
	const struct hd_fabric *fabric = r->network->fabric;
	const size_t n_lids = fabric->top_lid + (size_t)1;
	const size_t most =
		n_lids + fabric->n_switches + 1; /* each number has a LID, or is a switch's */
	size_t n_parts = 64;

	while (n_parts < 2 * n_lids)
		n_parts *= 2;
	r->mask = n_parts - 1;
	r->roots = malloc(n_lids * sizeof(*r->roots));
	r->first_row = calloc(most, sizeof(*r->first_row));
	r->first_key = malloc(most * sizeof(*r->first_key));
	r->parts = calloc(n_parts, sizeof(*r->parts));
	if (!r->roots || !r->first_row || !r->first_key || !r->parts)
		return hd_error_nomem(err);
	r->n = fabric->n_switches + 1;
	hd_for_each_lid(lid, fabric) {
		const uint32_t root = fabric->lids[lid].via_switch;

		r->roots[lid] = root;
		if (!hd_network_follows_lid(r->network, lid))
			r->alike[lid] = HD_NONE;
		else
			r->alike[lid] = root == HD_NONE ? fabric->n_switches : root;
	}
	return 0;
}

int hd_alike_find(const struct hd_check_network *network, const bool *mapped, uint32_t *alike,
		  struct hd_error *err)
{
	struct refinement r = { .network = network, .alike = alike };
	int ret = refinement_init(&r, err);

	for (uint32_t s = 0; !ret && s < network->fabric->n_switches; s++)
		for (unsigned plft = 0; plft < network->n_plfts; plft++)
			if (mapped[s * network->n_plfts + plft])
				refine(&r, s, plft);
	free(r.roots);
	free(r.first_row);
	free(r.first_key);
	free(r.parts);
	return ret;
}
