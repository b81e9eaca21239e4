// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "vlarb/vlarb.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

#define MTU_WEIGHT (4096 / 64)
#define MAX_WEIGHT 240 /* the largest weight that STEP divides */
#define STEP       (MTU_WEIGHT / 4)

int hd_vlarb_parse(const char *text, enum hd_vlarb_policy *policy, struct hd_error *err)
{
	static const char *const names[] = {
		[HD_VLARB_LAYERS] = "layers",
		[HD_VLARB_EQUAL] = "equal",
		[HD_VLARB_FLOWS] = "flows",
	};

	*policy = HD_VLARB_LAYERS;
	if (!text)
		return 0;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(text, names[i]) == 0) {
			*policy = (enum hd_vlarb_policy)i;
			return 0;
		}
	return hd_error_set(err, HD_EINVAL, "no VL arbitration '%s': layers, equal, flows", text);
}

void hd_vlarb_turns(uint16_t vls, const uint8_t *packets, struct hd_vlarb *vlarb)
{
	*vlarb = (struct hd_vlarb){ 0 };
	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
		if (vls >> vl & 1)
			vlarb->low[vlarb->n_low++] = (struct hd_vlarb_entry){
				.vl = (uint8_t)vl,
				.weight = (uint8_t)(MTU_WEIGHT * (packets ? packets[vl] : 1)),
			};
}

/* A lane whose entries are being put into the table. */
struct share {
	uint64_t weight;
	unsigned n_entries, n_placed;
};

/* Sets shares such that @least flows are one packet; returns the number of entries. */
static uint64_t set_shares(uint16_t vls, const uint64_t *flows, uint64_t least,
			   struct share *shares)
{
	uint64_t n_entries = 0;

	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++) {
		struct share *share = &shares[vl];
		uint64_t steps = (flows[vl] * (MTU_WEIGHT / STEP) + least / 2) / least;
		uint64_t n;

		*share = (struct share){ 0 };
		if (!(vls >> vl & 1))
			continue;
		share->weight = steps * STEP < MTU_WEIGHT ? MTU_WEIGHT : steps * STEP;
		n = (share->weight + MAX_WEIGHT - 1) / MAX_WEIGHT;
		share->n_entries = n > HD_VLARB_MAX ? HD_VLARB_MAX + 1 : (unsigned)n;
		n_entries += share->n_entries;
	}
	return n_entries;
}

/* The lane whose next entry is due: the one of whose entries the smallest part is in the table. */
static unsigned next_lane(const struct share *shares)
{
	unsigned best = HD_MAX_VLS;

	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++) {
		if (shares[vl].n_placed == shares[vl].n_entries)
			continue;
		if (best == HD_MAX_VLS || shares[vl].n_placed * shares[best].n_entries <
						  shares[best].n_placed * shares[vl].n_entries)
			best = vl;
	}
	return best;
}

/* Shares for @vls by @flows, at least one of which is not 0, in up to @room entries. */
static unsigned weighted(uint16_t vls, const uint64_t *flows, unsigned room,
			 struct hd_vlarb_entry *entries)
{
	struct share shares[HD_MAX_VLS];
	uint64_t least = UINT64_MAX;
	unsigned vl, n = 0;

	for (vl = 0; vl < HD_MAX_VLS; vl++)
		if ((vls >> vl & 1) && flows[vl] && flows[vl] < least)
			least = flows[vl];
	while (set_shares(vls, flows, least, shares) > room)
		least += least / 2 + 1;
	while ((vl = next_lane(shares)) < HD_MAX_VLS) {
		struct share *share = &shares[vl];
		unsigned left = share->n_entries - share->n_placed++;
		uint64_t weight = (share->weight / STEP + left - 1) / left * STEP;

		entries[n++] =
			(struct hd_vlarb_entry){ .vl = (uint8_t)vl, .weight = (uint8_t)weight };
		share->weight -= weight;
	}
	return n;
}

void hd_vlarb_weighted(uint16_t vls, const uint64_t *flows, struct hd_vlarb *vlarb)
{
	bool any = false;

	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
		any |= (vls >> vl & 1) && flows[vl];
	hd_vlarb_turns(vls, NULL, vlarb);
	if (any)
		vlarb->n_low = (uint8_t)weighted(vls, flows, HD_VLARB_MAX, vlarb->low);
}

/* The sum of the weights of each VL's entries; returns the VLs that have any. */
static uint16_t sum_weights(const struct hd_vlarb *vlarb, uint64_t *weights)
{
	memset(weights, 0, HD_MAX_VLS * sizeof(*weights));
	for (unsigned i = 0; i < vlarb->n_high; i++)
		if (vlarb->high[i].vl < HD_MAX_VLS)
			weights[vlarb->high[i].vl] += vlarb->high[i].weight;
	for (unsigned i = 0; i < vlarb->n_low; i++)
		if (vlarb->low[i].vl < HD_MAX_VLS)
			weights[vlarb->low[i].vl] += vlarb->low[i].weight;
	return hd_vlarb_serves(vlarb);
}

/* The VL of @vls with the greatest weight; of several, the lowest. */
static unsigned heaviest(uint16_t vls, const uint64_t *weights)
{
	unsigned best = (unsigned)__builtin_ctz(vls);

	for (unsigned vl = best; vl < HD_MAX_VLS; vl++)
		if ((vls >> vl & 1) && weights[vl] > weights[best])
			best = vl;
	return best;
}

/*
 * The VLs of @vls for the high table. Tables alternate, so that each gets half of the link. Lanes,
 * the heaviest first, go to the table that has less weight so far, as long as it has an entry left.
 */
static uint16_t choose_high(uint16_t vls, const uint64_t *weights, const struct hd_vlarb_room *room)
{
	uint64_t low_weight = 0, high_weight = 0;
	unsigned n_low = 0, n_high = 0;
	uint16_t high = 0;

	while (vls) {
		unsigned vl = heaviest(vls, weights);

		vls &= (uint16_t) ~(1u << vl);
		if (n_high < room->high && (high_weight < low_weight || n_low == room->low)) {
			high |= (uint16_t)(1u << vl);
			high_weight += weights[vl];
			n_high++;
		} else {
			low_weight += weights[vl];
			n_low++;
		}
	}
	return high;
}

bool hd_vlarb_fit(struct hd_vlarb *vlarb, const struct hd_vlarb_room *room)
{
	uint64_t weights[HD_MAX_VLS];
	uint16_t vls = sum_weights(vlarb, weights), high = 0;
	unsigned n = (unsigned)__builtin_popcount(vls);

	if (vlarb->n_low <= room->low && vlarb->n_high <= room->high)
		return true;
	if (n > (unsigned)room->low + room->high)
		return false;
	if (n > room->low)
		high = choose_high(vls, weights, room);
	*vlarb = (struct hd_vlarb){ 0 };
	if (high)
		vlarb->n_high = (uint8_t)weighted(high, weights, room->high, vlarb->high);
	if (vls & ~high)
		vlarb->n_low =
			(uint8_t)weighted(vls & (uint16_t)~high, weights, room->low, vlarb->low);
	return true;
}

static int fit_port(struct hd_tables *tables, uint32_t port, const struct hd_vlarb_room *room,
		    struct hd_error *err)
{
	struct hd_vlarb vlarb = tables->vlarbs[tables->vlarb_of_port[port]];
	uint64_t weights[HD_MAX_VLS];
	char label[320];

	if (!room->low && !room->high) {
		tables->vlarb_of_port[port] = HD_NONE;
		return 0;
	}
	if (!hd_vlarb_fit(&vlarb, room))
		return hd_error_set(
			err, HD_EREFUSED,
			"%d VLs are in use at %s, whose VL arbitration has room for %u + %u",
			__builtin_popcount(sum_weights(&vlarb, weights)),
			hd_port_label(tables->fabric, port, label, sizeof(label)), room->low,
			room->high);
	return hd_tables_set_vlarb(tables, port, &vlarb, err);
}

int hd_vlarb_fit_ports(struct hd_tables *tables, const struct hd_vlarb_room *rooms, unsigned cap,
		       struct hd_error *err)
{
	const struct hd_vlarb_room same = { (uint8_t)cap, (uint8_t)cap };
	/* where all ports have the same room, what becomes of each arbitration that there is now */
	uint32_t *fitted = malloc((tables->n_vlarbs + (size_t)1) * sizeof(*fitted));
	int ret = fitted ? 0 : hd_error_nomem(err);

	if (fitted)
		memset(fitted, 0xFF, tables->n_vlarbs * sizeof(*fitted));
	for (uint32_t p = 0; !ret && p < tables->fabric->n_ports; p++) {
		const uint32_t before = tables->vlarb_of_port[p];

		if (before == HD_NONE)
			continue;
		if (!rooms && fitted[before] != HD_NONE) {
			tables->vlarb_of_port[p] = fitted[before];
			continue;
		}
		ret = fit_port(tables, p, rooms ? &rooms[p] : &same, err);
		fitted[before] = tables->vlarb_of_port[p];
	}
	free(fitted);
	return ret;
}
