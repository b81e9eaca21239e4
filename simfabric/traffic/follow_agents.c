// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Hosts that follow agents: by pages as `heddle agent` keeps them (host/networks.h), of which an
 * emulated host has one of its own in a directory, or by commands. Pages have the time of this
 * machine, whatever that of the emulator is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simfabric/traffic/carried_private.h"
#include "support/error.h"

/* Reads DIRECTORY/NAME into @host's copy; names are others' text, and must not lead elsewhere. */
static void read_page(const struct hd_carried *carried, struct hd_carried_host *host)
{
	const struct hd_fabric *fabric = carried->emulator->fabric;
	const char *name = hd_node_name(fabric, fabric->ports[host->port].node);
	char *path;

	host->has_page = false;
	if (!*name || strchr(name, '/') ||
	    asprintf(&path, "%s/%s", carried->options.pages, name) < 0)
		return;
	host->has_page = hd_networks_read(path, &host->page);
	free(path);
}

void hd_carried_read_pages(struct hd_carried *carried, bool all)
{
	if (!carried->options.pages)
		return;
	for (uint32_t i = 0; i < carried->n_hosts; i++)
		if (all || carried->hosts[i].has_page)
			read_page(carried, &carried->hosts[i]);
}

static unsigned preference(const struct hd_carried_host *host, uint64_t now)
{
	int network;

	if (host->ordered != HD_CARRIED_ANY)
		return host->ordered;
	network = host->has_page ? hd_networks_preferred(&host->page, now) : -1;
	return network < 0 ? HD_CARRIED_ANY : (unsigned)network;
}

void hd_carried_follow_agents(struct hd_carried *carried, bool is_new)
{
	const uint64_t now = hd_networks_now();

	for (uint32_t i = 0; carried->options.agents && i < carried->n_hosts; i++) {
		struct hd_carried_host *host = &carried->hosts[i];
		unsigned preferred = preference(host, now);

		if (host->in_model == HD_NONE || (!is_new && preferred == host->preferred))
			continue;
		host->preferred = (uint8_t)preferred;
		hd_model_prefer(carried->model, host->in_model,
				preferred == HD_CARRIED_ANY ? HD_NO_PREFERENCE : preferred);
	}
}

/* The first host of @node, by its number; HD_NONE: it has none. */
static uint32_t host_of_node(const struct hd_carried *carried, uint32_t node)
{
	const struct hd_fabric *fabric = carried->emulator->fabric;

	for (uint32_t i = 0; carried->hosts && i < carried->n_hosts; i++)
		if (fabric->ports[carried->hosts[i].port].node == node)
			return i;
	return HD_NONE;
}

int hd_carried_prefer(struct hd_carried *carried, uint32_t node, unsigned network,
		      struct hd_error *err)
{
	const struct hd_fabric *fabric = carried->emulator->fabric;
	uint32_t first = host_of_node(carried, node);

	if (!hd_carried_is_on(carried->state))
		return hd_error_set(err, HD_EINVAL, "there is no traffic");
	if (!carried->options.agents)
		return hd_error_set(err, HD_EINVAL,
				    "hosts of this traffic follow no agents: host.policy=agent");
	if (first == HD_NONE)
		return hd_error_set(err, HD_EINVAL, "that is no host");
	for (uint32_t i = first;
	     i < carried->n_hosts && fabric->ports[carried->hosts[i].port].node == node; i++)
		carried->hosts[i].ordered = (uint8_t)network;
	hd_carried_follow_agents(carried, false);
	return 0;
}

void hd_carried_forget_tallies(struct hd_carried *carried)
{
	for (unsigned i = 0; i < carried->n_classes; i++)
		free((char *)(uintptr_t)carried->tallies[i].class);
	free(carried->tallies);
	carried->tallies = NULL;
	carried->n_classes = 0;
}

/* Classes' names outlive the traffic, so that tallies can be shown after its end. */
int hd_carried_begin_tallies(struct hd_carried *carried, struct hd_error *err)
{
	unsigned n = hd_traffic_classes(carried->traffic);

	carried->tallies = calloc(carried->n_hosts * (size_t)n + 1, sizeof(*carried->tallies));
	if (!carried->tallies)
		return hd_error_nomem(err);
	for (carried->n_classes = 0; carried->n_classes < n; carried->n_classes++) {
		char *name = strdup(hd_traffic_class_name(carried->traffic, carried->n_classes));

		if (!name)
			return hd_error_nomem(err);
		carried->tallies[carried->n_classes].class = name;
	}
	for (size_t i = n; i < carried->n_hosts * (size_t)n; i++)
		carried->tallies[i].class = carried->tallies[i % n].class;
	return 0;
}

unsigned hd_carried_tallies(const struct hd_carried *carried, uint32_t node, unsigned *preferred,
			    const struct hd_carried_tally **tallies)
{
	uint32_t host = carried->state == HD_CARRIED_NONE ? HD_NONE : host_of_node(carried, node);

	if (host == HD_NONE)
		return 0;
	*preferred = carried->hosts[host].preferred;
	*tallies = &carried->tallies[host * (size_t)carried->n_classes];
	return carried->n_classes;
}
