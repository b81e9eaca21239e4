// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * VL arbitration by the shares of service classes. Ports whose VLs and capacities are alike have
 * the same tables.
 */
#include <stdlib.h>
#include <string.h>

#include "vlarb/shares.h"
#include "support/divisor.h"
#include "support/error.h"
#include "tables/classes.h"

/* Tables that were made already. */
struct made {
	uint32_t from; /* number of the arbitration that the ports had */
	struct hd_vlarb_room room;
	uint32_t to; /* and now have */
};

struct sharing {
	struct hd_tables *tables;
	uint64_t parts[HD_MAX_CLASSES]; /* [lanes] of a link, of classes that share them */
	uint8_t packet[HD_MAX_CLASSES]; /* [lanes] of which all classes' packets are parts */
	bool high[HD_MAX_CLASSES];      /* [lanes] high priority */
	struct made *made;
	size_t n_made, capacity;
};

/* Sums up classes by lanes. HD_EREFUSED: no entry holds a packet of each class. */
static int add_classes(struct sharing *sharing, struct hd_error *err)
{
	const struct hd_classes *classes = sharing->tables->classes;
	uint64_t parts[HD_MAX_CLASSES];

	hd_classes_parts(classes, parts);
	for (unsigned c = 0; c < classes->n; c++) {
		const struct hd_class *class = &classes->list[c];
		uint8_t *packet = &sharing->packet[class->lanes];

		sharing->parts[class->lanes] += parts[c];
		sharing->high[class->lanes] = class->high;
		*packet = (uint8_t)hd_class_common_packet(*packet, class->packet);
		if (!*packet)
			return hd_error_set(
				err, HD_EREFUSED,
				"lanes %s: no turn of %u bytes holds whole packets of all "
				"of its classes",
				class->shares, UINT8_MAX * 64u);
	}
	return 0;
}

/* The weight of each VL's entries. */
static void sum_weights(const struct hd_vlarb *vlarb, uint64_t *weights)
{
	memset(weights, 0, HD_MAX_VLS * sizeof(*weights));
	for (unsigned i = 0; i < vlarb->n_low; i++)
		if (vlarb->low[i].vl < HD_MAX_VLS)
			weights[vlarb->low[i].vl] += vlarb->low[i].weight;
}

/*
 * The shares of the VLs that @vlarb serves: of each lanes' part, by the weights that its VLs have.
 * Returns their number.
 */
static unsigned set_shares(const struct sharing *sharing, const struct hd_vlarb *vlarb,
			   struct hd_share *shares)
{
	const struct hd_classes *classes = sharing->tables->classes;
	const uint8_t *first = classes->first_vl;
	uint64_t weights[HD_MAX_VLS], sums[HD_MAX_CLASSES] = { 0 }, common = 1;
	unsigned n = 0;

	sum_weights(vlarb, weights);
	for (unsigned lanes = 0; lanes < classes->n_lanes; lanes++) {
		uint64_t of_lanes = 0;

		for (unsigned vl = first[lanes]; vl < first[lanes + 1]; vl++)
			of_lanes = hd_divisor(of_lanes, weights[vl]);
		for (unsigned vl = first[lanes]; vl < first[lanes + 1]; vl++) {
			weights[vl] /= of_lanes ? of_lanes : 1;
			sums[lanes] += weights[vl];
		}
		if (sums[lanes])
			common = hd_multiple(common, sums[lanes]);
	}
	for (unsigned lanes = 0; lanes < classes->n_lanes; lanes++)
		for (unsigned vl = first[lanes]; vl < first[lanes + 1]; vl++)
			if (weights[vl])
				shares[n++] = (struct hd_share){
					.vl = (uint8_t)vl,
					.packet = sharing->packet[lanes],
					.high = sharing->high[lanes],
					.parts = sharing->parts[lanes] *
						 (common / sums[lanes] * weights[vl]),
				};
	return n;
}

static int refuse(const struct sharing *sharing, uint32_t port, const struct hd_error *cause,
		  struct hd_error *err)
{
	char label[320];

	return hd_error_set(err, HD_EREFUSED, "%s: %s",
			    hd_port_label(sharing->tables->fabric, port, label, sizeof(label)),
			    cause->text);
}

/* Makes the tables of @port, which no port before has. */
static int make(struct sharing *sharing, uint32_t port, const struct hd_vlarb_room *room,
		struct hd_error *err)
{
	struct hd_tables *tables = sharing->tables;
	struct hd_share shares[HD_MAX_VLS];
	const unsigned n =
		set_shares(sharing, &tables->vlarbs[tables->vlarb_of_port[port]], shares);
	struct hd_vlarb vlarb;
	struct hd_error cause;
	double error;

	if (!room->low && !room->high && n == 1) {
		tables->vlarb_of_port[port] = HD_NONE;
		return 0;
	}
	if (hd_shares_table(shares, n, room, tables->classes->limit, &vlarb, &error, &cause))
		return refuse(sharing, port, &cause, err);
	if (error > tables->classes->error) {
		tables->classes->error = error;
		tables->classes->error_port = port;
	}
	return hd_tables_set_vlarb(tables, port, &vlarb, err);
}

static int share_port(struct sharing *sharing, uint32_t port, const struct hd_vlarb_room *room,
		      struct hd_error *err)
{
	uint32_t *of_port = &sharing->tables->vlarb_of_port[port];
	const uint32_t from = *of_port;
	struct made *made;
	int ret;

	for (size_t i = 0; i < sharing->n_made; i++) {
		made = &sharing->made[i];
		if (made->from != from || made->room.low != room->low ||
		    made->room.high != room->high)
			continue;
		*of_port = made->to;
		return 0;
	}
	if (sharing->n_made == sharing->capacity) {
		const size_t capacity = 2 * sharing->capacity + 8;

		made = realloc(sharing->made, capacity * sizeof(*made));
		if (!made)
			return hd_error_nomem(err);
		sharing->made = made;
		sharing->capacity = capacity;
	}
	ret = make(sharing, port, room, err);
	sharing->made[sharing->n_made++] =
		(struct made){ .from = from, .room = *room, .to = *of_port };
	return ret;
}

int hd_vlarb_share_by_classes(struct hd_tables *tables, const struct hd_vlarb_room *rooms,
			      unsigned cap, struct hd_error *err)
{
	const struct hd_vlarb_room same = { (uint8_t)cap, (uint8_t)cap };
	struct sharing sharing = { .tables = tables };
	int ret = add_classes(&sharing, err);

	tables->classes->error = 0;
	tables->classes->error_port = HD_NONE;
	for (uint32_t p = 0; !ret && p < tables->fabric->n_ports; p++)
		if (tables->vlarb_of_port[p] != HD_NONE)
			ret = share_port(&sharing, p, rooms ? &rooms[p] : &same, err);
	free(sharing.made);
	return ret;
}
