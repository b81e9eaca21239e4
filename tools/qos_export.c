// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/qos_export.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "vlarb/saturation.h"
#include "vlarb/dtable.h"
#include "vlarb/sbt_table.h"
#include "vlarb/shares.h"
#include "support/divisor.h"
#include "support/error.h"
#include "support/text.h"
#include "tables/classes.h"
#include "tools/qos_plan.h"

/* "4,16,8,2" */
static int parse_form(const char *text, struct hd_dtable_form *form, struct hd_error *err)
{
	unsigned *const fields[] = { &form->n, &form->gmtu, &form->w, &form->k };
	const char *at = text, *end = text + strlen(text);

	for (unsigned i = 0; i < 4; i++) {
		uint64_t number;

		if ((i && *at++ != ',') || !hd_scan_number(&at, end, 10, HD_DTABLE_MAX, &number) ||
		    !number)
			return hd_error_set(err, HD_EINVAL,
					    "--dtable: '%s' is not N,GMTU,W,K, each from 1 to %d",
					    text, HD_DTABLE_MAX);
		*fields[i] = (unsigned)number;
	}
	return *at ? hd_error_set(err, HD_EINVAL, "--dtable: '%s' is more than N,GMTU,W,K", text)
		   : 0;
}

int hd_qos_find_dtable(const struct hd_classes *classes, const char *text,
		       struct hd_dtable_class *list, struct hd_dtable *table, struct hd_error *err)
{
	struct hd_dtable_form form;
	int ret = parse_form(text, &form, err);

	for (unsigned c = 0; !ret && c < classes->n; c++) {
		list[c] = (struct hd_dtable_class){ .name = classes->list[c].name,
						    .distance = classes->list[c].distance,
						    .mtu = classes->list[c].packet,
						    .share = classes->list[c].share,
						    .of = classes->list[c].of };
		if (!list[c].distance)
			ret = hd_error_set(err, HD_EINVAL, "class %s has no distance",
					   list[c].name);
	}
	return ret ? ret : hd_dtable_make(&form, list, classes->n, table, err);
}

int hd_qos_find_sbt(const struct hd_classes *classes, struct hd_sbt_class *list,
		    struct hd_error *err)
{
	for (unsigned c = 0; c < classes->n; c++)
		list[c] = (struct hd_sbt_class){ .name = classes->list[c].name,
						 .packet = classes->list[c].packet,
						 .share = classes->list[c].share,
						 .of = classes->list[c].of };
	return hd_sbt_make(list, classes->n, err);
}

/* The packet of each lane, [HD_MAX_VLS]: the least that is whole packets of all of its classes. */
static int lane_packets(const struct hd_classes *classes, uint8_t *packet, struct hd_error *err)
{
	struct hd_share shares[HD_MAX_VLS] = { 0 };

	if (classes->n_lanes > HD_MAX_VLS)
		return hd_error_set(err, HD_EREFUSED, "%u lanes, and %d VLs", classes->n_lanes,
				    HD_MAX_VLS);
	memset(packet, HD_CLASS_PACKET_MAX, HD_MAX_VLS);
	for (unsigned c = 0; c < classes->n; c++) {
		struct hd_share *share = &shares[classes->list[c].lanes];
		const unsigned common =
			hd_class_common_packet(share->packet, classes->list[c].packet);

		if (!common)
			return hd_error_set(
				err, HD_EREFUSED,
				"lanes %s: no turn of %u bytes holds whole packets of all "
				"of its classes",
				classes->list[c].shares, UINT8_MAX * 64u);
		share->packet = packet[classes->list[c].lanes] = (uint8_t)common;
	}
	return 0;
}

/*
 * RR: each lane sends a packet of @packet in its turn, and its classes as many packets as one
 * another; in 4096ths of 64 bytes.
 */
static void parts_of_turns(const struct hd_classes *classes, const uint8_t *packet, uint64_t *parts)
{
	uint32_t of_lane[HD_MAX_VLS] = { 0 };

	for (unsigned c = 0; c < classes->n; c++)
		of_lane[classes->list[c].lanes] += classes->list[c].packet;
	for (unsigned c = 0; c < classes->n; c++) {
		const unsigned lane = classes->list[c].lanes;

		parts[c] = (uint64_t)packet[lane] * classes->list[c].packet * 4096 / of_lane[lane];
	}
}

/* What each class gets of all bytes by the table that @plan asks for; [HD_MAX_CLASSES]. */
static int find_parts(const struct hd_classes *classes, const struct hd_qos_plan *plan,
		      const uint8_t *packet, uint64_t *parts, struct hd_dtable *table,
		      struct hd_error *err)
{
	struct hd_dtable_class entries[HD_DTABLE_CLASSES];
	struct hd_sbt_class weights[HD_MAX_CLASSES];
	int ret = 0;

	if (plan->rr) {
		parts_of_turns(classes, packet, parts);
	} else if (plan->sbt) {
		ret = hd_qos_find_sbt(classes, weights, err);
		for (unsigned c = 0; !ret && c < classes->n; c++)
			parts[c] = (uint64_t)weights[c].weight * weights[c].packet;
	} else if (plan->dtable) {
		ret = hd_qos_find_dtable(classes, plan->dtable, entries, table, err);
		for (unsigned c = 0; !ret && c < classes->n; c++)
			parts[c] = entries[c].sum;
	} else {
		hd_classes_parts(classes, parts);
	}
	return ret;
}

/*
 * The entries of @table in their order, as turns of whole packets: what is left of an entry's
 * weight goes to the next one of its VL, since VL arbitration has no deficits.
 */
static int turns_of(const struct hd_classes *classes, const struct hd_dtable *table,
		    const uint8_t *packet, unsigned cap, struct hd_vlarb *vlarb,
		    struct hd_error *err)
{
	uint64_t left[HD_MAX_VLS] = { 0 };
	unsigned last[HD_MAX_VLS] = { 0 };
	uint16_t has = 0; /* VLs with an entry */

	if (table->n > cap)
		return hd_error_set(err, HD_EREFUSED,
				    "a DTable of %u entries, and VL arbitration has room for %u",
				    table->n, cap);
	for (unsigned i = 0; i < table->n; i++) {
		const uint8_t vl = classes->list[table->entries[i].class].lanes;
		uint64_t weight = left[vl] + table->entries[i].weight;

		left[vl] = weight % packet[vl];
		weight -= left[vl];
		if (weight > UINT8_MAX)
			return hd_error_set(err, HD_EREFUSED,
					    "entry %u of the DTable has a weight of %" PRIu64
					    ", and VL arbitration at most %u",
					    i, weight, UINT8_MAX);
		if (!weight)
			continue;
		has |= (uint16_t)(1u << vl);
		last[vl] = vlarb->n_low;
		vlarb->low[vlarb->n_low++] =
			(struct hd_vlarb_entry){ .vl = vl, .weight = (uint8_t)weight };
	}
	for (unsigned vl = 0; vl < classes->n_lanes; vl++) {
		struct hd_vlarb_entry *entry = &vlarb->low[last[vl]];

		if (!(has >> vl & 1))
			return hd_error_set(err, HD_EREFUSED,
					    "the entries of VL %u in the DTable have less than a "
					    "packet of %u bytes",
					    vl, packet[vl] * 64u);
		if (2 * left[vl] >= packet[vl] && entry->weight + packet[vl] <= UINT8_MAX)
			entry->weight = (uint8_t)(entry->weight + packet[vl]);
	}
	return 0;
}

/* The greatest difference between what a VL gets of @vlarb and its part. */
static double error_of(const struct hd_vlarb *vlarb, const uint8_t *packet,
		       const struct hd_share *shares, unsigned n)
{
	struct hd_backlog backlog;
	uint64_t all = 0;
	double error = 0;

	hd_vlarb_backlog(vlarb, (uint16_t)((1u << n) - 1), packet, &backlog);
	for (unsigned vl = 0; vl < n; vl++)
		all += shares[vl].parts;
	for (unsigned vl = 0; vl < n; vl++)
		error = fmax(error,
			     fabs(backlog.share[vl] - (double)shares[vl].parts / (double)all));
	return error;
}

/* Of a table of 64 entries, OpenSM 3.3.23 sends the first block alone. */
static unsigned cap_of(const struct hd_qos_plan *plan)
{
	return plan->as == HD_QOS_OPENSM && plan->cap > HD_VLARB_BLOCK ? HD_VLARB_BLOCK : plan->cap;
}

int hd_qos_make_vlarb(const struct hd_classes *classes, const struct hd_qos_plan *plan,
		      uint8_t *packet, struct hd_vlarb *vlarb, double *error, struct hd_error *err)
{
	const unsigned cap = cap_of(plan);
	const struct hd_vlarb_room room = { (uint8_t)cap, (uint8_t)cap };
	struct hd_share shares[HD_MAX_VLS] = { 0 };
	uint64_t parts[HD_MAX_CLASSES];
	struct hd_dtable table;
	int ret = lane_packets(classes, packet, err);

	if (!ret)
		ret = find_parts(classes, plan, packet, parts, &table, err);
	if (ret)
		return ret;
	for (unsigned c = 0; c < classes->n; c++) {
		struct hd_share *share = &shares[classes->list[c].lanes];

		share->vl = classes->list[c].lanes;
		share->packet = packet[share->vl];
		share->parts += parts[c];
		share->high = classes->list[c].high;
		if (plan->dtable && share->high)
			return hd_error_set(err, HD_EREFUSED,
					    "class %s: a DTable has no high priority",
					    classes->list[c].name);
	}
	if (!plan->dtable)
		return hd_shares_table(shares, classes->n_lanes, &room, classes->limit, vlarb,
				       error, err);
	*vlarb = (struct hd_vlarb){ 0 };
	ret = turns_of(classes, &table, packet, cap, vlarb, err);
	if (!ret)
		*error = error_of(vlarb, packet, shares, classes->n_lanes);
	return ret;
}

static int set_share(struct hd_class *class, uint64_t part, uint64_t all, struct hd_error *err)
{
	const uint64_t common = hd_divisor(part, all);

	if (all / common > HD_CLASS_MOST_OF)
		return hd_error_set(err, HD_EREFUSED,
				    "the share of class %s, %" PRIu64 "/%" PRIu64
				    ", is finer than class files have it",
				    class->name, part / common, all / common);
	class->share = (uint32_t)(part / common);
	class->of = (uint32_t)(all / common);
	return 0;
}

int hd_qos_print_classes(const struct hd_classes *classes, const struct hd_qos_plan *plan,
			 struct hd_error *err)
{
	struct hd_classes with = *classes;
	uint64_t parts[HD_MAX_CLASSES], all = 0;
	uint8_t packet[HD_MAX_VLS];
	struct hd_dtable table;
	int ret = lane_packets(classes, packet, err);

	if (!ret)
		ret = find_parts(classes, plan, packet, parts, &table, err);
	for (unsigned c = 0; !ret && c < classes->n; c++)
		all += parts[c];
	for (unsigned c = 0; !ret && c < classes->n; c++)
		ret = set_share(&with.list[c], parts[c], all, err);
	return ret ? ret : hd_classes_write(&with, stdout, err);
}
