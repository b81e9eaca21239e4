// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The optional counters (16.1.4): a row of them for VLs, SLs or kinds of events. Events that the
 * emulated fabric does not have (flow control packets, congestion marks, symbol errors of lanes)
 * have counters that stay 0.
 */
#include "simfabric/emulator/pma.h"

#define UD_SEND_ONLY       0x64 /* the opcode of every packet that carries a MAD */
#define ROW                4    /* byte at which counters begin */
#define ROW_EXTENDED_SPEED 16   /* there, 64 bits of CounterSelect come first */

/* What is counted, one for each attribute that counts something: each has a base. */
enum counted {
	NOTHING = -1,
	XMIT_WAIT,
	XMIT_DATA,
	RCV_DATA,
	VL_OP_PACKETS,
	VL_OP_DATA,
	OP_RCV,
};

struct row {
	uint8_t n;    /* counters */
	uint8_t bits; /* of each */
	int8_t counted;
	bool of_opcode; /* only packets with the opcode in byte 0 */
};

static const struct row rows[] = {
	[0x15] = { 6, 16, NOTHING, false },
	[0x16] = { 4, 16, NOTHING, false },
	[0x17] = { 2, 32, OP_RCV, true },
	[0x18] = { 2, 32, NOTHING, false },
	[0x19] = { 16, 16, VL_OP_PACKETS, true },
	[0x1A] = { 16, 32, VL_OP_DATA, true },
	[0x1B] = { 16, 2, NOTHING, false },
	[0x1C] = { 16, 16, XMIT_WAIT, false },
	[0x1F] = { 0, 0, NOTHING, false },
	[0x30] = { 16, 16, NOTHING, false },
	[0x31] = { 2, 32, NOTHING, false },
	[0x32] = { 16, 32, NOTHING, false },
	[0x33] = { 16, 32, NOTHING, false },
	[0x34] = { 1, 32, NOTHING, false },
	[0x35] = { 15, 32, NOTHING, false },
	[0x36] = { 15, 32, XMIT_DATA, false }, /* by SL: VL 15 has none */
	[0x37] = { 15, 32, RCV_DATA, false },
};

/* Counter @i of @counted; an SL's is that of the VL with the same number. */
static uint64_t count(const struct hd_emulator *emulator, uint32_t port, enum counted counted,
		      unsigned i)
{
	const struct hd_vl_counters *vls = emulator->counters + port * (size_t)HD_EMULATOR_VLS;

	switch (counted) {
	case XMIT_WAIT:
		return vls[i].xmit_wait;
	case XMIT_DATA:
		return vls[i].xmit_data;
	case RCV_DATA:
	case VL_OP_DATA:
		return vls[i].rcv_data;
	case VL_OP_PACKETS:
		return vls[i].rcv_packets;
	case OP_RCV:
		return i ? hd_pma_total(emulator, port).rcv_data
			 : hd_pma_total(emulator, port).rcv_packets;
	default:
		return 0;
	}
}

static uint64_t get(const uint8_t *row, unsigned bits, unsigned i)
{
	return bits == 16 ? hd_get16(row + 2 * i) : hd_get32(row + 4 * i);
}

static bool write_port(struct hd_pma_request *request, uint32_t port, const struct row *row)
{
	struct hd_pma_base *base = hd_pma_base_write(request->emulator, port);
	unsigned selected = hd_get16(request->data + 2);

	if (!base)
		return false;
	for (unsigned i = 0; i < row->n; i++)
		if (selected >> i & 1)
			base->details[row->counted][i] =
				count(request->emulator, port, row->counted, i) -
				get(request->data + ROW, row->bits, i);
	return true;
}

static void sum(const struct hd_pma_request *request, const struct row *row,
		uint64_t sums[HD_EMULATOR_VLS])
{
	for (uint32_t p = request->first; p <= request->last; p++)
		for (unsigned i = 0; i < row->n; i++) {
			uint64_t from = hd_pma_base(request->emulator, p)->details[row->counted][i];

			sums[i] += hd_saturate(count(request->emulator, p, row->counted, i) - from,
					       row->bits);
		}
}

unsigned hd_pma_details(struct hd_pma_request *request)
{
	const struct row *row = &rows[request->attribute];
	uint8_t *data = request->data;
	uint64_t sums[HD_EMULATOR_VLS] = { 0 };
	bool counts = row->counted != NOTHING && (!row->of_opcode || data[0] == UD_SEND_ONLY);

	for (uint32_t p = request->first; counts && request->set && p <= request->last; p++)
		if (!write_port(request, p, row))
			return HD_STATUS_BUSY;
	if (counts)
		sum(request, row, sums);
	if (row->n)
		memset(data + ROW, 0, HD_PM_DATA_SIZE - ROW);
	else
		memset(data + ROW_EXTENDED_SPEED, 0, HD_PM_DATA_SIZE - ROW_EXTENDED_SPEED);
	for (unsigned i = 0; counts && i < row->n; i++) {
		uint64_t value = hd_saturate(sums[i], row->bits);

		if (row->bits == 16)
			hd_put16(data + ROW + 2 * i, (uint16_t)value);
		else
			hd_put32(data + ROW + 4 * i, (uint32_t)value);
	}
	return HD_STATUS_OK;
}
