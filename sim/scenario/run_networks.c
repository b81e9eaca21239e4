// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The networks of a sweep: points that differ in neither fabric nor routing share one. */
#include <pthread.h>
#include <stdlib.h>

#include "sim/scenario/run_network.h"
#include "support/error.h"

struct entry {
	pthread_mutex_t lock;
	size_t expected; /* runs that have not ended */
	struct hd_network *network;
	struct hd_error err; /* why there is no network */
};

struct hd_networks {
	const struct hd_scenario *scenario;
	void (*note)(void *context, char *lines);
	void *context;
	size_t n;
	struct entry entries[];
};

/* Keys that make a network are the first ones, and the one that datelines hang on. */
static bool makes_network(unsigned key)
{
	return key <= HD_ROUTING_PROOF || key == HD_SWITCH_BUBBLE;
}

static size_t count(const struct hd_scenario *scenario)
{
	size_t n = 1;

	for (unsigned key = 0; key < HD_N_KEYS; key++)
		n *= makes_network(key) ? scenario->keys[key].list.n : 1;
	return n;
}

struct hd_networks *hd_networks_new(const struct hd_scenario *scenario,
				    void (*note)(void *context, char *lines), void *context)
{
	size_t n = count(scenario);
	struct hd_networks *networks =
		calloc(1, sizeof(*networks) + n * sizeof(networks->entries[0]));

	if (!networks)
		return NULL;
	networks->scenario = scenario;
	networks->note = note;
	networks->context = context;
	networks->n = n;
	for (size_t i = 0; i < n; i++)
		pthread_mutex_init(&networks->entries[i].lock, NULL);
	return networks;
}

void hd_networks_free(struct hd_networks *networks)
{
	if (!networks)
		return;
	for (size_t i = 0; i < networks->n; i++) {
		hd_network_free(networks->entries[i].network);
		pthread_mutex_destroy(&networks->entries[i].lock);
	}
	free(networks);
}

static struct entry *entry_of(struct hd_networks *networks, size_t point)
{
	size_t index = 0;

	for (unsigned key = 0; key < HD_N_KEYS; key++)
		if (makes_network(key))
			index = index * networks->scenario->keys[key].list.n +
				hd_scenario_index(networks->scenario, point, key);
	return &networks->entries[index];
}

void hd_networks_expect(struct hd_networks *networks, size_t point, size_t n_runs)
{
	entry_of(networks, point)->expected += n_runs;
}

static void make(struct hd_networks *networks, const struct hd_network_setup *setup,
		 struct entry *entry)
{
	enum hd_key culprit;

	if (hd_network_make(setup, &entry->network, &culprit, &entry->err))
		hd_scenario_blame(networks->scenario, culprit, &entry->err);
	else if (networks->note && entry->network->notes)
		networks->note(networks->context, entry->network->notes);
}

int hd_networks_get(struct hd_networks *networks, size_t point,
		    const struct hd_network_setup *setup, const struct hd_network **network,
		    struct hd_error *err)
{
	struct entry *entry = entry_of(networks, point);
	int ret = 0;

	pthread_mutex_lock(&entry->lock);
	if (!entry->network && !entry->err.code)
		make(networks, setup, entry);
	*network = entry->network;
	if (!entry->network) {
		ret = entry->err.code;
		if (err)
			*err = entry->err;
	}
	pthread_mutex_unlock(&entry->lock);
	return ret;
}

void hd_networks_put(struct hd_networks *networks, size_t point)
{
	struct entry *entry = entry_of(networks, point);

	pthread_mutex_lock(&entry->lock);
	if (--entry->expected == 0) {
		hd_network_free(entry->network);
		entry->network = NULL;
	}
	pthread_mutex_unlock(&entry->lock);
}
