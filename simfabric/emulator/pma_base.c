// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdlib.h>

#include "simfabric/emulator/pma.h"
#include "simfabric/emulator/private.h"

struct hd_pma_state {
	struct hd_pma_base **bases; /* by port; NULL: never written */
};

bool hd_pma_new(struct hd_emulator *emulator)
{
	emulator->pma = calloc(1, sizeof(*emulator->pma));
	if (!emulator->pma)
		return false;
	emulator->pma->bases =
		calloc(emulator->fabric->n_ports + (size_t)1, sizeof(*emulator->pma->bases));
	return emulator->pma->bases != NULL;
}

void hd_pma_reset(struct hd_emulator *emulator, uint32_t port)
{
	free(emulator->pma->bases[port]);
	emulator->pma->bases[port] = NULL;
}

void hd_pma_free(struct hd_emulator *emulator)
{
	if (!emulator->pma)
		return;
	for (uint32_t p = 0; emulator->pma->bases && p < emulator->fabric->n_ports; p++)
		hd_pma_reset(emulator, p);
	free(emulator->pma->bases);
	free(emulator->pma);
}

const struct hd_pma_base *hd_pma_base(const struct hd_emulator *emulator, uint32_t port)
{
	static const struct hd_pma_base never_written;
	const struct hd_pma_base *base = emulator->pma->bases[port];

	return base ? base : &never_written;
}

struct hd_pma_base *hd_pma_base_write(struct hd_emulator *emulator, uint32_t port)
{
	struct hd_pma_base **base = &emulator->pma->bases[port];

	if (!*base)
		*base = calloc(1, sizeof(**base));
	return *base;
}

struct hd_vl_counters hd_pma_total(const struct hd_emulator *emulator, uint32_t port)
{
	const struct hd_vl_counters *vls = emulator->counters + port * (size_t)HD_EMULATOR_VLS;
	struct hd_vl_counters total = { .xmit_wait = emulator->xmit_waits[port] };

	for (unsigned vl = 0; vl < HD_EMULATOR_VLS; vl++) {
		total.xmit_data += vls[vl].xmit_data;
		total.rcv_data += vls[vl].rcv_data;
		total.xmit_packets += vls[vl].xmit_packets;
		total.rcv_packets += vls[vl].rcv_packets;
	}
	return total;
}
