// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/smp.h"

uint32_t hd_smp_port(const struct hd_smp *smp, unsigned number)
{
	const struct hd_node *node = &smp->emulator->fabric->nodes[smp->node];

	return number <= node->n_ports ? node->first_port + number : HD_NONE;
}
