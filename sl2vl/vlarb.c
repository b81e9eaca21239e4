// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sl2vl/vlarb.h"

#include <string.h>

#include "support/error.h"

#define MTU_WEIGHT (4096 / 64)
#define MAX_WEIGHT 240 /* the most that STEP divides */
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

/* One lane on its way into the table. */
struct share {
	uint64_t weight;
	unsigned n_entries, n_placed;
};

/* Sets shares where @least flows are one packet; the number of entries. */
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

/* The lane whose next entry is due: the one that is least far through its own. */
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

void hd_vlarb_weighted(uint16_t vls, const uint64_t *flows, struct hd_vlarb *vlarb)
{
	struct share shares[HD_MAX_VLS];
	uint64_t least = UINT64_MAX;
	unsigned vl;

	for (vl = 0; vl < HD_MAX_VLS; vl++)
		if ((vls >> vl & 1) && flows[vl] && flows[vl] < least)
			least = flows[vl];
	if (least == UINT64_MAX) {
		hd_vlarb_turns(vls, NULL, vlarb);
		return;
	}
	while (set_shares(vls, flows, least, shares) > HD_VLARB_MAX)
		least += least / 2 + 1;
	*vlarb = (struct hd_vlarb){ 0 };
	while ((vl = next_lane(shares)) < HD_MAX_VLS) {
		struct share *share = &shares[vl];
		unsigned left = share->n_entries - share->n_placed++;
		uint64_t weight = (share->weight / STEP + left - 1) / left * STEP;

		vlarb->low[vlarb->n_low++] =
			(struct hd_vlarb_entry){ .vl = (uint8_t)vl, .weight = (uint8_t)weight };
		share->weight -= weight;
	}
}
