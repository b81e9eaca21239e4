// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/adaptive/flows.h"

#include <stdlib.h>

static struct hd_flow_entry *place_of(const struct hd_flows *flows, uint64_t key)
{
	size_t i = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (flows->size - 1);

	while (flows->entries[i].key && flows->entries[i].key != key)
		i = (i + 1) & (flows->size - 1);
	return &flows->entries[i];
}

static bool grow(struct hd_flows *flows)
{
	struct hd_flows grown = { .n = flows->n, .size = flows->size ? 2 * flows->size : 1024 };

	grown.entries = calloc(grown.size, sizeof(*grown.entries));
	if (!grown.entries)
		return false;
	for (size_t i = 0; i < flows->size; i++)
		if (flows->entries[i].key)
			*place_of(&grown, flows->entries[i].key) = flows->entries[i];
	free(flows->entries);
	*flows = grown;
	return true;
}

struct hd_flow_entry *hd_flows_find(const struct hd_flows *flows, uint64_t key)
{
	struct hd_flow_entry *entry;

	if (!flows->size)
		return NULL;
	entry = place_of(flows, key);
	return entry->key ? entry : NULL;
}

struct hd_flow_entry *hd_flows_add(struct hd_flows *flows, uint64_t key)
{
	struct hd_flow_entry *entry;

	if (2 * flows->n >= flows->size && !grow(flows)) {
		flows->out_of_memory = true;
		return NULL;
	}
	entry = place_of(flows, key);
	if (!entry->key) {
		entry->key = key;
		flows->n++;
	}
	return entry;
}

void hd_flows_clear(struct hd_flows *flows)
{
	free(flows->entries);
	*flows = (struct hd_flows){ .n = 0 };
}
