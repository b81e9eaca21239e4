// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "vlarb/guarantee.h"

#include <math.h>
#include <string.h>

#include "vlarb/vlarb.h"
#include "support/divisor.h"

/* One of the two tables of a port. */
struct table {
	const struct hd_vlarb_entry *entries;
	unsigned n;
	uint16_t vls; /* of those that are served, the ones with an entry */
};

/* How the other table slows a table down. */
struct delay {
	double before;  /* units before the first packet */
	double between; /* before each packet */
	double stretch; /* what one unit takes */
};

static struct table take_table(const struct hd_vlarb_entry *entries, unsigned n, uint16_t vls)
{
	struct table table = { .entries = entries, .n = n };

	for (unsigned i = 0; i < n; i++)
		if (entries[i].weight && entries[i].vl < HD_MAX_VLS)
			table.vls |= (uint16_t)(1u << entries[i].vl);
	table.vls &= vls;
	return table;
}

static unsigned largest_packet(uint16_t vls, const uint8_t *packet)
{
	unsigned largest = 0;

	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
		if (vls >> vl & 1 && packet[vl] > largest)
			largest = packet[vl];
	return largest;
}

/* The packets of a turn of @entry: a port sends while weight is left. */
static unsigned turn_packets(const struct hd_vlarb_entry *entry, const uint8_t *packet)
{
	return (entry->weight + packet[entry->vl] - 1u) / packet[entry->vl];
}

/* What all VLs of @table send in a round, in the time that it takes. */
static double add_round(const struct table *table, const uint8_t *packet, const struct delay *delay,
			double *sent)
{
	double time = 0;

	for (unsigned i = 0; i < table->n; i++) {
		const struct hd_vlarb_entry *entry = &table->entries[i];
		unsigned packets;

		if (!entry->weight || !(table->vls >> entry->vl & 1))
			continue;
		packets = turn_packets(entry, packet);
		sent[entry->vl] += packets * packet[entry->vl];
		time += packets * (delay->between + packet[entry->vl] * delay->stretch);
	}
	return time;
}

/*
 * The latencies of the VLs of @table, which send at @rate: how far service is behind that rate at
 * most, from the end of any packet of a VL to the begin of any later one.
 */
static void find_latencies(const struct table *table, const uint8_t *packet,
			   const struct delay *delay, const double *rate, double *latency)
{
	double earliest[HD_MAX_VLS], sent[HD_MAX_VLS] = { 0 }, now = 0;

	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
		earliest[vl] = INFINITY;
	/* from every packet of the first round through the next one */
	for (unsigned i = 0; i < 2 * table->n; i++) {
		const struct hd_vlarb_entry *entry = &table->entries[i % table->n];
		const unsigned vl = entry->vl;

		if (!entry->weight || !(table->vls >> vl & 1))
			continue;
		for (unsigned p = turn_packets(entry, packet); p > 0; p--) {
			double behind;

			now += delay->between;
			behind = now - sent[vl] / rate[vl] - earliest[vl];
			if (behind > latency[vl])
				latency[vl] = behind;
			now += packet[vl] * delay->stretch;
			sent[vl] += packet[vl];
			if (now - sent[vl] / rate[vl] < earliest[vl])
				earliest[vl] = now - sent[vl] / rate[vl];
		}
	}
}

/* Adds what @table guarantees; a VL that both tables serve has the greater rate of both. */
static void add_table(const struct table *table, const uint8_t *packet, const struct delay *delay,
		      struct hd_guarantee *guarantee)
{
	double rate[HD_MAX_VLS] = { 0 }, latency[HD_MAX_VLS] = { 0 };
	const double time = add_round(table, packet, delay, rate);

	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
		rate[vl] = table->vls >> vl & 1 ? rate[vl] / time : 0;
	find_latencies(table, packet, delay, rate, latency);
	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
		if (rate[vl] > guarantee->rate[vl]) {
			guarantee->rate[vl] = rate[vl];
			guarantee->latency[vl] = delay->before + latency[vl];
		}
}

unsigned hd_vlarb_most_between(const struct hd_vlarb *vlarb, uint16_t vls, const uint8_t *packet)
{
	const struct table high = take_table(vlarb->high, vlarb->n_high, vls);
	const unsigned largest = largest_packet(high.vls, packet);
	unsigned common = 0;

	if (!high.vls || !vlarb->high_limit)
		return largest;
	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
		if (high.vls >> vl & 1)
			common = (unsigned)hd_divisor(common, packet[vl]);
	/* one unit of the limit is left before the last packet; sums of packets are multiples */
	return (vlarb->high_limit * HD_VLARB_LIMIT_UNITS - 1) / common * common + largest;
}

void hd_vlarb_guarantee(const struct hd_vlarb *vlarb, uint16_t vls, const uint8_t *packet,
			struct hd_guarantee *guarantee)
{
	const struct table low = take_table(vlarb->low, vlarb->n_low, vls);
	const struct table high = take_table(vlarb->high, vlarb->n_high, vls);
	const bool has_limit = vlarb->high_limit != HD_VLARB_NO_LIMIT;
	const double low_packet = largest_packet(low.vls, packet);
	struct delay of_low = { .stretch = 1 }, of_high = { .stretch = 1 };

	memset(guarantee, 0, sizeof(*guarantee));
	if (has_limit)
		of_low.between = hd_vlarb_most_between(vlarb, vls, packet);
	if (!vlarb->high_limit) {
		/* the tables send in turns */
		of_high.between = low_packet;
	} else {
		const double limit = vlarb->high_limit * HD_VLARB_LIMIT_UNITS;

		of_high.before = low_packet;
		of_high.stretch = has_limit ? (limit + low_packet) / limit : 1;
	}
	if (low.vls && (has_limit || !high.vls))
		add_table(&low, packet, &of_low, guarantee);
	if (high.vls)
		add_table(&high, packet, &of_high, guarantee);
}
