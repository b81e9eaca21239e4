// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Hosts that follow agents: by pages as `heddle agent` keeps them (host/networks.h), of which an
 * emulated host has one of its own in a directory, or by commands. Pages have the time of this machine,
 * whatever that of the emulator is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simfabric/traffic/carried_private.h"
#include "support/error.h"

/* Reads DIRECTORY/NAME into @host's copy; names are others' text, and must not lead elsewhere. */
static void read_page(const struct hd_haul *haul, struct hd_haul_host *host)
{
	const struct hd_fabric *fabric = haul->emulator->fabric;
	const char *name = hd_node_name(fabric, fabric->ports[host->port].node);
	char *path;

	host->has_page = false;
	if (!*name || strchr(name, '/') || asprintf(&path, "%s/%s", haul->options.pages, name) < 0)
		return;
	host->has_page = hd_networks_read(path, &host->page);
	free(path);
}

void hd_haul_read_pages(struct hd_haul *haul, bool all)
{
	if (!haul->options.pages)
		return;
	for (uint32_t i = 0; i < haul->n_hosts; i++)
		if (all || haul->hosts[i].has_page)
			read_page(haul, &haul->hosts[i]);
}

static unsigned preference(const struct hd_haul_host *host, uint64_t now)
{
	int network;

	if (host->ordered != HD_HAUL_ANY)
		return host->ordered;
	network = host->has_page ? hd_networks_preferred(&host->page, now) : -1;
	return network < 0 ? HD_HAUL_ANY : (unsigned)network;
}

void hd_haul_follow_agents(struct hd_haul *haul, bool is_new)
{
	const uint64_t now = hd_networks_now();

	for (uint32_t i = 0; haul->options.agents && i < haul->n_hosts; i++) {
		struct hd_haul_host *host = &haul->hosts[i];
		unsigned preferred = preference(host, now);

		if (host->in_model == HD_NONE || (!is_new && preferred == host->preferred))
			continue;
		host->preferred = (uint8_t)preferred;
		hd_model_prefer(haul->model, host->in_model,
				preferred == HD_HAUL_ANY ? HD_NO_PREFERENCE : preferred);
	}
}

/* The first host of @node, by its number; HD_NONE: it has none. */
static uint32_t host_of_node(const struct hd_haul *haul, uint32_t node)
{
	const struct hd_fabric *fabric = haul->emulator->fabric;

	for (uint32_t i = 0; haul->hosts && i < haul->n_hosts; i++)
		if (fabric->ports[haul->hosts[i].port].node == node)
			return i;
	return HD_NONE;
}

int hd_haul_prefer(struct hd_haul *haul, uint32_t node, unsigned network, struct hd_error *err)
{
	const struct hd_fabric *fabric = haul->emulator->fabric;
	uint32_t first = host_of_node(haul, node);

	if (!hd_haul_is_on(haul->state))
		return hd_error_set(err, HD_EINVAL, "there is no traffic");
	if (!haul->options.agents)
		return hd_error_set(err, HD_EINVAL,
				    "hosts of this traffic follow no agents: host.policy=agent");
	if (first == HD_NONE)
		return hd_error_set(err, HD_EINVAL, "that is no host");
	for (uint32_t i = first;
	     i < haul->n_hosts && fabric->ports[haul->hosts[i].port].node == node; i++)
		haul->hosts[i].ordered = (uint8_t)network;
	hd_haul_follow_agents(haul, false);
	return 0;
}

void hd_haul_forget_tallies(struct hd_haul *haul)
{
	for (unsigned i = 0; i < haul->n_classes; i++)
		free((char *)(uintptr_t)haul->tallies[i].class);
	free(haul->tallies);
	haul->tallies = NULL;
	haul->n_classes = 0;
}

/* Classes' names outlive the traffic, so that tallies can be shown after its end. */
int hd_haul_begin_tallies(struct hd_haul *haul, struct hd_error *err)
{
	unsigned n = hd_traffic_classes(haul->traffic);

	haul->tallies = calloc(haul->n_hosts * (size_t)n + 1, sizeof(*haul->tallies));
	if (!haul->tallies)
		return hd_error_nomem(err);
	for (haul->n_classes = 0; haul->n_classes < n; haul->n_classes++) {
		char *name = strdup(hd_traffic_class_name(haul->traffic, haul->n_classes));

		if (!name)
			return hd_error_nomem(err);
		haul->tallies[haul->n_classes].class = name;
	}
	for (size_t i = n; i < haul->n_hosts * (size_t)n; i++)
		haul->tallies[i].class = haul->tallies[i % n].class;
	return 0;
}

unsigned hd_haul_tallies(const struct hd_haul *haul, uint32_t node, unsigned *preferred,
			 const struct hd_haul_tally **tallies)
{
	uint32_t host = haul->state == HD_HAUL_NONE ? HD_NONE : host_of_node(haul, node);

	if (host == HD_NONE)
		return 0;
	*preferred = haul->hosts[host].preferred;
	*tallies = &haul->tallies[host * (size_t)haul->n_classes];
	return haul->n_classes;
}
