// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * SLtoVLMappingTable (14.2.5.8). On a switch the modifier has the out-port in bits 0-7 and the
 * in-port in bits 8-15; if SwitchInfo has the capability, bits 16 and 17 of a Set mean all
 * out-ports and all in-ports. Adapters have one table for each port and ignore the modifier.
 */
#include "simfabric/emulator/sma.h"

#define ALL_OUT 0x10000
#define ALL_IN  0x20000

/* The wire has SL 0 in the high nibble of the first byte; a row has it in the lowest. */
static hd_sl2vl_row swap_nibbles(uint64_t row)
{
	return (row >> 4 & UINT64_C(0x0F0F0F0F0F0F0F0F)) | (row & UINT64_C(0x0F0F0F0F0F0F0F0F))
								   << 4;
}

static hd_sl2vl_row from_wire(const uint8_t *data)
{
	return swap_nibbles(__builtin_bswap64(hd_get64(data)));
}

static void to_wire(uint8_t *data, hd_sl2vl_row row)
{
	hd_put64(data, __builtin_bswap64(swap_nibbles(row)));
}

/* The rows that the modifier names: from first_out to last_out, and as many in-ports. */
struct range {
	unsigned first_out, last_out, first_in, last_in;
};

static bool find_range(const struct hd_smp *smp, bool wildcards, struct range *range)
{
	unsigned n_ports = smp->emulator->fabric->nodes[smp->node].n_ports;
	unsigned out = smp->modifier & 0xFF, in = smp->modifier >> 8 & 0xFF;
	uint32_t allowed = wildcards ? 0xFFFF | ALL_OUT | ALL_IN : 0xFFFF;

	if (smp->modifier & ~allowed)
		return false;
	range->first_out = range->last_out = out;
	range->first_in = range->last_in = in;
	if (smp->modifier & ALL_OUT) {
		range->first_out = 0;
		range->last_out = n_ports;
	}
	if (smp->modifier & ALL_IN) {
		range->first_in = 0;
		range->last_in = n_ports;
	}
	return range->last_out <= n_ports && range->last_in <= n_ports;
}

static hd_sl2vl_row *switch_row(const struct hd_smp *smp, unsigned out, unsigned in)
{
	const struct hd_emulator *emulator = smp->emulator;

	return emulator->sl2vl + emulator->sl2vl_first[smp->node] +
	       out * (emulator->fabric->nodes[smp->node].n_ports + (size_t)1) + in;
}

static hd_sl2vl_row *adapter_row(const struct hd_smp *smp)
{
	const struct hd_emulator *emulator = smp->emulator;

	return emulator->sl2vl + emulator->sl2vl_first[smp->node] +
	       emulator->fabric->ports[smp->port].number;
}

unsigned hd_sma_get_sl2vl(struct hd_smp *smp)
{
	struct range range;

	if (!hd_is_switch(smp->emulator->fabric, smp->node)) {
		to_wire(smp->data, *adapter_row(smp));
		return HD_STATUS_OK;
	}
	if (!find_range(smp, false, &range))
		return HD_STATUS_BAD_FIELD;
	to_wire(smp->data, *switch_row(smp, range.first_out, range.first_in));
	return HD_STATUS_OK;
}

unsigned hd_sma_set_sl2vl(struct hd_smp *smp)
{
	hd_sl2vl_row row = from_wire(smp->data);
	struct range range;

	if (!hd_is_switch(smp->emulator->fabric, smp->node)) {
		*adapter_row(smp) = row;
		return HD_STATUS_OK;
	}
	if (!find_range(smp, smp->emulator->options.optimized_sl2vl, &range))
		return HD_STATUS_BAD_FIELD;
	for (unsigned out = range.first_out; out <= range.last_out; out++)
		for (unsigned in = range.first_in; in <= range.last_in; in++)
			*switch_row(smp, out, in) = row;
	return HD_STATUS_OK;
}
