// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * PortCounters (16.1.3.5) and PortCountersExtended (16.1.4.11). A Set writes the counters that
 * CounterSelect names with the values that come with it, and the answer has their new values. Of
 * several ports, a Get shows the sum.
 */
#include "simfabric/emulator/pma.h"

#define SELECT_DATA     12 /* bits of CounterSelect, from here: the four totals */
#define SELECT_EXTENDED 8  /* bytes: where the extended counters begin */
#define N_TOTALS        4
#define N_EXTENDED      8

/*
 * An error counter: its bit of CounterSelect (CounterSelect2 follows), its place in the attribute
 * and in struct hd_error_counters, where counters of fewer than 16 bits have a byte.
 */
struct field {
	uint8_t select;
	uint8_t at;
	uint8_t bits;
	uint8_t shift; /* of counters of four bits, within the byte */
	size_t member;
};

#define MEMBER(name) offsetof(struct hd_error_counters, name)

static const struct field errors[] = {
	{ 0, 4, 16, 0, MEMBER(symbol_errors) },        { 1, 6, 8, 0, MEMBER(link_recoveries) },
	{ 2, 7, 8, 0, MEMBER(link_downed) },           { 3, 8, 16, 0, MEMBER(rcv_errors) },
	{ 4, 10, 16, 0, MEMBER(rcv_remote_physical) }, { 5, 12, 16, 0, MEMBER(rcv_switch_relay) },
	{ 6, 14, 16, 0, MEMBER(xmit_discards) },       { 7, 16, 8, 0, MEMBER(xmit_constraint) },
	{ 8, 17, 8, 0, MEMBER(rcv_constraint) },       { 9, 19, 4, 4, MEMBER(local_integrity) },
	{ 10, 19, 4, 0, MEMBER(buffer_overrun) },      { 11, 22, 16, 0, MEMBER(vl15_dropped) },
	{ 17, 20, 16, 0, MEMBER(qp1_drops) },
};

#define N_ERRORS         (sizeof(errors) / sizeof(errors[0]))
#define SELECT_XMIT_WAIT 16

static uint16_t get_error(const struct hd_error_counters *counters, const struct field *field)
{
	const uint8_t *member = (const uint8_t *)counters + field->member;
	uint16_t value;

	if (field->bits != 16)
		return *member;
	memcpy(&value, member, sizeof(value));
	return value;
}

static void set_error(struct hd_error_counters *counters, const struct field *field, uint16_t value)
{
	uint8_t *member = (uint8_t *)counters + field->member;

	if (field->bits == 16)
		memcpy(member, &value, sizeof(value));
	else
		*member = (uint8_t)value; /* of 8 bits or fewer, as in the MAD */
}

static uint16_t read_field(const uint8_t *data, const struct field *field)
{
	if (field->bits == 16)
		return hd_get16(data + field->at);
	return (uint16_t)(data[field->at] >> field->shift & ((1u << field->bits) - 1));
}

static void write_field(uint8_t *data, const struct field *field, uint64_t value)
{
	value = hd_saturate(value, field->bits);
	if (field->bits == 16)
		hd_put16(data + field->at, (uint16_t)value);
	else
		data[field->at] |= (uint8_t)(value << field->shift);
}

/* The totals, in the order in which both attributes have them. */
static uint64_t *total(struct hd_vl_counters *counters, unsigned i)
{
	switch (i) {
	case 0:
		return &counters->xmit_data;
	case 1:
		return &counters->rcv_data;
	case 2:
		return &counters->xmit_packets;
	case 3:
		return &counters->rcv_packets;
	default:
		return &counters->xmit_wait;
	}
}

/* Writes to the counters of one port; false: out of memory. */
static bool write_counters(struct hd_pma_request *request, uint32_t port, uint32_t selected)
{
	struct hd_vl_counters now = hd_pma_total(request->emulator, port);
	struct hd_pma_base *base = hd_pma_base_write(request->emulator, port);
	const uint8_t *data = request->data;

	if (!base)
		return false;
	for (unsigned i = 0; i < N_ERRORS; i++)
		if (selected >> errors[i].select & 1)
			set_error(&request->emulator->errors[port], &errors[i],
				  read_field(data, &errors[i]));
	for (unsigned i = 0; i <= N_TOTALS; i++)
		if (selected >> (SELECT_DATA + i) & 1)
			*total(&base->basic, i) = *total(&now, i) - hd_get32(data + 24 + 4 * i);
	return true;
}

unsigned hd_pma_counters(struct hd_pma_request *request)
{
	uint8_t *data = request->data;
	uint32_t selected = hd_get16(data + 2) | (uint32_t)data[18] << SELECT_XMIT_WAIT;
	uint64_t sums[N_ERRORS] = { 0 }, totals[N_TOTALS + 1] = { 0 };

	for (uint32_t p = request->first; request->set && p <= request->last; p++)
		if (!write_counters(request, p, selected))
			return HD_STATUS_BUSY;
	for (uint32_t p = request->first; p <= request->last; p++) {
		struct hd_vl_counters now = hd_pma_total(request->emulator, p);
		struct hd_vl_counters base = hd_pma_base(request->emulator, p)->basic;

		for (unsigned i = 0; i < N_ERRORS; i++)
			sums[i] += get_error(&request->emulator->errors[p], &errors[i]);
		for (unsigned i = 0; i <= N_TOTALS; i++)
			totals[i] += hd_saturate(*total(&now, i) - *total(&base, i), 32);
	}
	memset(data + 4, 0, HD_PM_DATA_SIZE - 4);
	data[18] = (uint8_t)(selected >> SELECT_XMIT_WAIT);
	for (unsigned i = 0; i < N_ERRORS; i++)
		write_field(data, &errors[i], sums[i]);
	for (unsigned i = 0; i <= N_TOTALS; i++)
		hd_put32(data + 24 + 4 * i, (uint32_t)hd_saturate(totals[i], 32));
	return HD_STATUS_OK;
}

/* The extended counters of a port since their base, and where they are: all packets are unicast. */
static void extended(struct hd_vl_counters now, const struct hd_pma_base *base,
		     uint64_t values[N_EXTENDED])
{
	struct hd_vl_counters from = base->extended;

	for (unsigned i = 0; i < N_TOTALS; i++)
		values[i] = *total(&now, i) - *total(&from, i);
	values[4] = now.xmit_packets - base->unicast_xmit;
	values[5] = now.rcv_packets - base->unicast_rcv;
	values[6] = values[7] = 0;
}

static bool write_extended(struct hd_pma_request *request, uint32_t port, unsigned selected)
{
	struct hd_vl_counters now = hd_pma_total(request->emulator, port);
	struct hd_pma_base *base = hd_pma_base_write(request->emulator, port);
	const uint8_t *values = request->data + SELECT_EXTENDED;

	if (!base)
		return false;
	for (unsigned i = 0; i < N_TOTALS; i++)
		if (selected >> i & 1)
			*total(&base->extended, i) = *total(&now, i) - hd_get64(values + 8 * i);
	if (selected >> 4 & 1)
		base->unicast_xmit = now.xmit_packets - hd_get64(values + 32);
	if (selected >> 5 & 1)
		base->unicast_rcv = now.rcv_packets - hd_get64(values + 40);
	return true;
}

unsigned hd_pma_extended_counters(struct hd_pma_request *request)
{
	uint8_t *data = request->data;
	unsigned selected = hd_get16(data + 2);
	uint64_t sums[N_EXTENDED] = { 0 };

	for (uint32_t p = request->first; request->set && p <= request->last; p++)
		if (!write_extended(request, p, selected))
			return HD_STATUS_BUSY;
	for (uint32_t p = request->first; p <= request->last; p++) {
		uint64_t values[N_EXTENDED];

		extended(hd_pma_total(request->emulator, p), hd_pma_base(request->emulator, p),
			 values);
		for (unsigned i = 0; i < N_EXTENDED; i++)
			sums[i] += values[i];
	}
	memset(data + 4, 0, HD_PM_DATA_SIZE - 4);
	for (unsigned i = 0; i < N_EXTENDED; i++)
		hd_put64(data + SELECT_EXTENDED + 8 * i, sums[i]);
	return HD_STATUS_OK;
}
