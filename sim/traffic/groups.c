// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Adversarial traffic on dragonflies: every group to the group, or the groups, that follow. */
#include <stdlib.h>

#include "sim/traffic/pattern.h"
#include "support/error.h"
#include "topologies/structure.h"

struct groups {
	uint32_t n_groups;
	uint32_t from, count; /* a group g sends to g + from .. g + from + count - 1 */
	uint32_t *group;      /* [host] */
	uint32_t *first;      /* [group, twice, + 1] where the hosts of a group begin */
	uint32_t *hosts;      /* grouped, twice: that following groups are a range */
};

static void release(void *data)
{
	struct groups *g = data;

	free(g->group);
	free(g->first);
	free(g->hosts);
	free(g);
}

/* 0: the fabric is no dragonfly or Dragonfly+. */
static uint32_t groups_of(const struct hd_traffic_setting *setting)
{
	return setting->structure ? setting->structure->n_groups : 0;
}

/* Of a switch: h of a dragonfly. */
static uint32_t most_global_links(const struct hd_traffic_setting *setting)
{
	const struct hd_fabric *fabric = setting->fabric;
	uint32_t most = 0;

	hd_for_each_switch(at, fabric) {
		uint32_t n = 0;

		hd_for_each_number(i, fabric, at)
			n += setting->structure->port_class[hd_port_index(fabric, at, i)] ==
			     HD_PORT_GLOBAL;
		most = n > most ? n : most;
	}
	return most;
}

static int group_hosts(const struct hd_traffic_setting *setting, struct groups *g,
		       struct hd_error *err)
{
	const struct hd_fabric *fabric = setting->fabric;
	uint32_t n = setting->n_hosts, at = 0;

	for (uint32_t host = 0; host < n; host++) {
		uint32_t peer = fabric->ports[setting->host_ports[host]].peer;
		uint32_t node = peer == HD_NONE ? HD_NONE : fabric->ports[peer].node;

		if (node == HD_NONE || node >= fabric->n_switches)
			return hd_error_set(err, HD_EINVAL, "host %u is on no switch", host);
		g->group[host] = setting->structure->group[node];
	}
	for (uint32_t i = 0; i < 2 * g->n_groups; i++) {
		g->first[i] = at;
		for (uint32_t host = 0; host < n; host++)
			if (g->group[host] == i % g->n_groups)
				g->hosts[at++] = host;
	}
	g->first[2 * g->n_groups] = at;
	return 0;
}

static int init(const struct hd_pattern_setup *setup, uint64_t from, uint64_t count, void **data,
		struct hd_error *err)
{
	uint32_t n = setup->setting->n_hosts;
	struct groups *g = calloc(1, sizeof(*g));
	int ret;

	if (!g)
		return hd_error_nomem(err);
	*data = g;
	g->n_groups = setup->setting->structure->n_groups;
	g->from = (uint32_t)from;
	g->count = (uint32_t)count;
	g->group = malloc(n * sizeof(*g->group));
	g->first = malloc((2 * (size_t)g->n_groups + 1) * sizeof(*g->first));
	g->hosts = malloc(2 * (size_t)n * sizeof(*g->hosts));
	if (!g->group || !g->first || !g->hosts)
		return hd_error_nomem(err);
	ret = group_hosts(setup->setting, g, err);
	for (uint32_t i = 0; i < g->n_groups && !ret; i++)
		if (g->first[i + 1] > g->first[i] &&
		    g->first[i + from + count] == g->first[i + from])
			ret = hd_error_set(err, HD_EINVAL,
					   "group %u would send to groups without hosts", i);
	return ret;
}

/* The number that option @key says, or @otherwise; less than the number of groups. */
static int read_groups(const struct hd_pattern_setup *setup, const char *key, uint64_t otherwise,
		       uint64_t *number, struct hd_error *err)
{
	uint32_t n_groups = groups_of(setup->setting);

	if (n_groups < 2)
		return hd_error_set(err, HD_EINVAL,
				    "the fabric is no dragonfly or Dragonfly+ of several groups");
	*number = otherwise;
	if (!hd_params_get(setup->params, key))
		return 0;
	return hd_params_number(setup->params, key, 1, n_groups - 1, number, err);
}

static int init_adversarial(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	uint64_t offset;
	int ret = read_groups(setup, "offset", 1, &offset, err);

	return ret ? ret : init(setup, offset, 1, data, err);
}

static int init_consecutive(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	uint32_t n_groups = groups_of(setup->setting);
	uint64_t count, most = 1;
	int ret;

	if (n_groups) {
		most = most_global_links(setup->setting);
		most = most < n_groups - 1 ? most : n_groups - 1;
	}
	ret = read_groups(setup, "groups", most, &count, err);
	return ret ? ret : init(setup, 1, count, data, err);
}

static uint32_t destination(const void *data, struct hd_source *source)
{
	const struct groups *g = data;
	const uint32_t *range = g->first + g->group[source->host] + g->from;

	return g->hosts[range[0] + hd_random_below(&source->random, range[g->count] - range[0])];
}

static const struct hd_option adversarial_options[] = {
	{ "offset", "1", "groups", "how many groups further" },
	{ 0 },
};

static const struct hd_option consecutive_options[] = {
	{ "groups", NULL, "groups", "how many; h when not given" },
	{ 0 },
};

const struct hd_pattern_kind hd_pattern_adversarial = {
	.policy = { .name = "adversarial",
		    .summary = "ADV+n: to the hosts of the group n further, on dragonflies",
		    .reference = "Fuentes, fairness, contention counters and FlexVC, 1.6.1.2",
		    .options = adversarial_options },
	.policy.n_bare = 1,
	.init = init_adversarial,
	.free = release,
	.destination = destination,
};

const struct hd_pattern_kind hd_pattern_consecutive = {
	.policy = { .name = "adversarial-consecutive",
		    .summary = "ADVc: to the hosts of the h groups that follow, on dragonflies",
		    .reference = "Fuentes, fairness, contention counters and FlexVC, 1.6.1.2",
		    .options = consecutive_options },
	.policy.n_bare = 1,
	.init = init_consecutive,
	.free = release,
	.destination = destination,
};
