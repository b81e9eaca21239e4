// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * P_KeyTable (14.2.5.7): 32 P_Keys. The modifier has the block in bits 0-15 and, on switches, the
 * port in bits 16-31. Ports share one first table until they are written.
 */
#include <stdlib.h>

#include "simfabric/emulator/private.h"
#include "simfabric/emulator/sma.h"

#define BLOCK            32
#define DEFAULT_PKEY     0xFFFF
#define DEFAULT_CAPACITY 64
#define MANAGEMENT_PORT  8 /* P_Keys of a switch's port 0, by default */

struct hd_pkey_state {
	uint16_t **tables; /* by port, of its capacity; NULL: only the default P_Key */
};

bool hd_pkeys_new(struct hd_emulator *emulator)
{
	emulator->pkeys = calloc(1, sizeof(*emulator->pkeys));
	if (!emulator->pkeys)
		return false;
	emulator->pkeys->tables =
		calloc(emulator->fabric->n_ports + (size_t)1, sizeof(*emulator->pkeys->tables));
	return emulator->pkeys->tables != NULL;
}

void hd_pkeys_reset(struct hd_emulator *emulator, uint32_t port)
{
	free(emulator->pkeys->tables[port]);
	emulator->pkeys->tables[port] = NULL;
}

void hd_pkeys_free(struct hd_emulator *emulator)
{
	if (!emulator->pkeys)
		return;
	for (uint32_t p = 0; emulator->pkeys->tables && p < emulator->fabric->n_ports; p++)
		hd_pkeys_reset(emulator, p);
	free(emulator->pkeys->tables);
	free(emulator->pkeys);
}

uint16_t hd_pkeys_capacity(const struct hd_emulator *emulator, uint32_t port)
{
	const struct hd_port *wired = &emulator->fabric->ports[port];
	unsigned given = hd_class_of(emulator, wired->node)->pkeys;

	if (given)
		return (uint16_t)given;
	return hd_is_switch(emulator->fabric, wired->node) && !wired->number ? MANAGEMENT_PORT
									     : DEFAULT_CAPACITY;
}

/* The port that the modifier names, with the place of its block; HD_NONE: there is none. */
static uint32_t find_block(const struct hd_smp *smp, unsigned *first, unsigned *n)
{
	uint32_t port = smp->port;
	unsigned capacity;

	if (hd_is_switch(smp->emulator->fabric, smp->node))
		port = hd_smp_port(smp, smp->modifier >> 16);
	if (port == HD_NONE)
		return HD_NONE;
	capacity = hd_pkeys_capacity(smp->emulator, port);
	*first = (smp->modifier & 0xFFFF) * BLOCK;
	if (*first >= capacity)
		return HD_NONE;
	*n = capacity - *first < BLOCK ? capacity - *first : BLOCK;
	return port;
}

unsigned hd_sma_get_pkeys(struct hd_smp *smp)
{
	unsigned first, n;
	uint32_t port = find_block(smp, &first, &n);
	const uint16_t *table;

	if (port == HD_NONE)
		return HD_STATUS_BAD_FIELD;
	table = smp->emulator->pkeys->tables[port];
	for (unsigned i = 0; table && i < n; i++)
		hd_put16(smp->data + 2 * i, table[first + i]);
	if (!table && !first)
		hd_put16(smp->data, DEFAULT_PKEY);
	return HD_STATUS_OK;
}

unsigned hd_sma_set_pkeys(struct hd_smp *smp)
{
	unsigned first, n;
	uint32_t port = find_block(smp, &first, &n);
	uint16_t **table;

	if (port == HD_NONE)
		return HD_STATUS_BAD_FIELD;
	table = &smp->emulator->pkeys->tables[port];
	if (!*table) {
		*table = calloc(hd_pkeys_capacity(smp->emulator, port), sizeof(**table));
		if (!*table)
			return HD_STATUS_BUSY;
		(*table)[0] = DEFAULT_PKEY;
	}
	for (unsigned i = 0; i < n; i++)
		(*table)[first + i] = hd_get16(smp->data + 2 * i);
	memset(smp->data + 2 * n, 0, HD_SMP_DATA_SIZE - 2 * n);
	return HD_STATUS_OK;
}
