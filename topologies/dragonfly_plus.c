// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/dragonfly_plus.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "topologies/switch_levels.h"
#include "topologies/union_find.h"

void hd_dragonfly_plus_free(struct hd_dragonfly_plus *plus)
{
	if (!plus)
		return;
	free(plus->group);
	free(plus->is_spine);
	free(plus->first);
	free(plus->n_leaves);
	free(plus->switches);
	free(plus->port_class);
	free(plus);
}

static int allocate(const struct hd_fabric *fabric, struct hd_dragonfly_plus **result,
		    struct hd_error *err)
{
	const size_t n = fabric->n_switches + (size_t)1;
	struct hd_dragonfly_plus *plus = calloc(1, sizeof(*plus));

	*result = plus;
	if (!plus)
		return hd_error_nomem(err);
	plus->missing_local[0] = plus->missing_local[1] = HD_NONE;
	plus->missing_global[0] = plus->missing_global[1] = HD_NONE;
	plus->group = malloc(n * sizeof(*plus->group));
	plus->is_spine = calloc(n, sizeof(*plus->is_spine));
	plus->first = calloc(n + 1, sizeof(*plus->first));
	plus->n_leaves = calloc(n, sizeof(*plus->n_leaves));
	plus->switches = malloc(n * sizeof(*plus->switches));
	plus->port_class = calloc(fabric->n_ports + (size_t)1, sizeof(*plus->port_class));
	if (!plus->group || !plus->is_spine || !plus->first || !plus->n_leaves || !plus->switches ||
	    !plus->port_class)
		return hd_error_nomem(err);
	return 0;
}

/* The switch at the other end of @number; HD_NONE: there is none. */
static uint32_t switch_by(const struct hd_fabric *fabric, uint32_t s, unsigned number)
{
	uint32_t peer = hd_peer_node(fabric, s, number);

	return peer < fabric->n_switches ? peer : HD_NONE;
}

/*
 * Gives a switch without hosts next to spines the group that they are of. HD_EREFUSED: of several.
 */
static int adopt(const struct hd_fabric *fabric, uint32_t s, uint32_t *parent, struct hd_error *err)
{
	uint32_t group = HD_NONE;
	char label[HD_LABEL_SIZE];

	hd_for_each_number(number, fabric, s) {
		uint32_t peer = switch_by(fabric, s, number), of;

		if (peer == HD_NONE)
			continue;
		of = hd_find(parent, peer);
		if (group != HD_NONE && of != group)
			return hd_error_set(err, HD_EREFUSED,
					    "not a Dragonfly+: switch %s has no hosts, and its "
					    "links lead to spines of several groups",
					    hd_node_label(fabric, s, label, sizeof(label)));
		group = of;
	}
	if (group != HD_NONE)
		hd_union(parent, s, group);
	return 0;
}

/* Sets is_spine[], and sets of switches in @parent. */
static int join(const struct hd_fabric *fabric, const struct hd_switch_levels *levels,
		struct hd_dragonfly_plus *plus, uint32_t *parent, struct hd_error *err)
{
	char label[HD_LABEL_SIZE];
	int ret = 0;

	hd_for_each_switch(s, fabric) {
		parent[s] = s;
		plus->is_spine[s] = levels->level[s] == 1;
	}
	hd_for_each_switch(s, fabric)
		hd_for_each_number(number, fabric, s) {
			uint32_t peer = switch_by(fabric, s, number);

			if (peer != HD_NONE && plus->is_spine[s] && levels->level[peer] == 0)
				hd_union(parent, s, peer);
		}
	hd_for_each_switch(s, fabric) {
		if (levels->level[s] == HD_NONE || levels->level[s] > 2)
			return hd_error_set(
				err, HD_EREFUSED,
				"not a Dragonfly+: switch %s is more than two links away "
				"from switches with hosts",
				hd_node_label(fabric, s, label, sizeof(label)));
		if (!ret && levels->level[s] == 2)
			ret = adopt(fabric, s, parent, err);
	}
	return ret;
}

/* Numbers groups by their lowest switch and lists their switches, leaves first. */
static void number_groups(uint32_t n, struct hd_dragonfly_plus *plus, uint32_t *parent)
{
	uint32_t *group = plus->group;

	/* the number that stands for a set is its lowest */
	for (uint32_t s = 0; s < n; s++) {
		uint32_t root = hd_find(parent, s);

		group[s] = root == s ? plus->n_groups++ : group[root];
		plus->first[group[s] + 1]++;
		plus->n_leaves[group[s]] += !plus->is_spine[s];
	}
	for (uint32_t g = 0; g < plus->n_groups; g++) {
		uint32_t spines = plus->first[g + 1] - plus->n_leaves[g];

		if (plus->n_leaves[g] > plus->leaves)
			plus->leaves = plus->n_leaves[g];
		if (spines > plus->spines)
			plus->spines = spines;
		plus->first[g + 1] += plus->first[g];
	}
	/* parent[] is not needed any more: how many of a group are listed */
	for (int spines = 0; spines < 2; spines++) {
		for (uint32_t g = 0; g < plus->n_groups; g++)
			parent[g] = plus->first[g] + (spines ? plus->n_leaves[g] : 0);
		for (uint32_t s = 0; s < n; s++)
			if (plus->is_spine[s] == (spines == 1))
				plus->switches[parent[group[s]]++] = s;
	}
	plus->n_missing_switches = plus->n_groups * (plus->leaves + plus->spines) - n;
}

/* Counts a link of this class from @s if it is odd. */
static void count_odd(struct hd_dragonfly_plus *plus, uint32_t s, uint32_t peer, uint8_t class)
{
	if (class == HD_PORT_LOCAL && plus->is_spine[s] == plus->is_spine[peer] &&
	    !plus->n_odd_local++) {
		plus->odd_local[0] = s;
		plus->odd_local[1] = peer;
	}
	/* spines and the leaves next to them are one group, so both ends are leaves */
	if (class == HD_PORT_GLOBAL && !plus->is_spine[s] && !plus->n_odd_global++) {
		plus->odd_global[0] = s;
		plus->odd_global[1] = peer;
	}
}

static void classify_ports(const struct hd_fabric *fabric, struct hd_dragonfly_plus *plus)
{
	hd_for_each_switch(s, fabric) {
		uint8_t *class = plus->port_class + fabric->nodes[s].first_port;
		uint32_t n_hosts = 0, n_global = 0;

		class[0] = HD_PORT_TERMINAL;
		hd_for_each_number(number, fabric, s) {
			uint32_t peer = hd_peer_node(fabric, s, number);

			if (peer == HD_NONE)
				continue;
			if (!hd_is_switch(fabric, peer))
				class[number] = HD_PORT_TERMINAL;
			else if (plus->group[s] == plus->group[peer])
				class[number] = HD_PORT_LOCAL;
			else
				class[number] = HD_PORT_GLOBAL;
			n_hosts += class[number] == HD_PORT_TERMINAL;
			n_global += class[number] == HD_PORT_GLOBAL && plus->is_spine[s];
			if (s < peer)
				count_odd(plus, s, peer, class[number]);
		}
		if (!plus->is_spine[s] && n_hosts > plus->hosts)
			plus->hosts = n_hosts;
		if (n_global > plus->h)
			plus->h = n_global;
	}
}

/* Counts pairs of leaves and spines without a link. @mark is [n], of no switch. */
static void count_missing_local(const struct hd_fabric *fabric, struct hd_dragonfly_plus *plus,
				uint32_t *mark)
{
	hd_for_each_switch(s, fabric) {
		const uint32_t group = plus->group[s];

		if (plus->is_spine[s])
			continue;
		hd_for_each_number(number, fabric, s) {
			uint32_t peer = switch_by(fabric, s, number);

			if (peer != HD_NONE)
				mark[peer] = s;
		}
		for (uint32_t i = plus->first[group] + plus->n_leaves[group];
		     i < plus->first[group + 1]; i++) {
			if (mark[plus->switches[i]] == s || plus->n_missing_local++)
				continue;
			plus->missing_local[0] = s;
			plus->missing_local[1] = plus->switches[i];
		}
	}
}

/* The same for pairs of groups, which links of spines join. */
static void count_missing_global(const struct hd_fabric *fabric, struct hd_dragonfly_plus *plus,
				 uint32_t *mark)
{
	for (uint32_t g = 0; g < plus->n_groups; g++) {
		for (uint32_t i = plus->first[g]; i < plus->first[g + 1]; i++) {
			uint32_t s = plus->switches[i];

			hd_for_each_number(number, fabric, s) {
				uint32_t peer = switch_by(fabric, s, number);

				if (peer != HD_NONE && plus->is_spine[s])
					mark[plus->group[peer]] = g;
			}
		}
		for (uint32_t other = g + 1; other < plus->n_groups; other++) {
			if (mark[other] == g || plus->n_missing_global++)
				continue;
			plus->missing_global[0] = g;
			plus->missing_global[1] = other;
		}
	}
}

/* HD_EREFUSED: too little is as in a Dragonfly+. */
static int check_shape(const struct hd_fabric *fabric, const struct hd_dragonfly_plus *plus,
		       struct hd_error *err)
{
	const uint64_t n = plus->n_groups;
	uint64_t n_local = 0;
	char label[HD_LABEL_SIZE];

	if (n < 2)
		return hd_error_set(err, HD_EREFUSED,
				    "not a Dragonfly+: all leaves and spines are in one group");
	for (uint32_t g = 0; g < n; g++) {
		uint64_t spines = plus->first[g + 1] - plus->first[g] - plus->n_leaves[g];

		if (!spines)
			return hd_error_set(
				err, HD_EREFUSED,
				"not a Dragonfly+: the group of leaf %s has no spines: no "
				"neighbour without hosts",
				hd_node_label(fabric, plus->switches[plus->first[g]], label,
					      sizeof(label)));
		n_local += spines * plus->n_leaves[g];
	}
	if (plus->n_missing_local > n_local / 8)
		return hd_error_set(err, HD_EREFUSED,
				    "not a Dragonfly+: %" PRIu32 " of %" PRIu64
				    " pairs of leaves and spines are not linked, first %.64s and "
				    "%.64s",
				    plus->n_missing_local, n_local,
				    hd_node_name(fabric, plus->missing_local[0]),
				    hd_node_name(fabric, plus->missing_local[1]));
	if (plus->n_missing_global > n * (n - 1) / 2 / 8)
		return hd_error_set(err, HD_EREFUSED,
				    "not a Dragonfly+: %" PRIu32 " of %" PRIu64
				    " pairs of groups are not linked by spines",
				    plus->n_missing_global, n * (n - 1) / 2);
	if (plus->n_odd_local > n_local / 8)
		return hd_error_set(err, HD_EREFUSED,
				    "not a Dragonfly+: %" PRIu32
				    " links between leaves, or between spines, of one group",
				    plus->n_odd_local);
	return 0;
}

/* Tries @levels. @scratch is [n_switches]. */
static int try_levels(const struct hd_fabric *fabric, const struct hd_switch_levels *levels,
		      uint32_t *scratch, struct hd_dragonfly_plus **result, struct hd_error *err)
{
	struct hd_dragonfly_plus *plus;
	int ret = 0;

	*result = NULL;
	if (!fabric->n_switches)
		return hd_error_set(err, HD_EREFUSED,
				    "not a Dragonfly+: the fabric has no switches");
	if (levels->n_levels < 2 || levels->n_leaves == fabric->n_switches)
		return hd_error_set(err, HD_EREFUSED, "not a Dragonfly+: all switches have hosts");
	ret = allocate(fabric, &plus, err);
	if (!ret)
		ret = join(fabric, levels, plus, scratch, err);
	if (!ret) {
		number_groups(fabric->n_switches, plus, scratch);
		classify_ports(fabric, plus);
		memset(scratch, 0xFF, fabric->n_switches * sizeof(*scratch));
		count_missing_local(fabric, plus, scratch);
		memset(scratch, 0xFF, fabric->n_switches * sizeof(*scratch));
		count_missing_global(fabric, plus, scratch);
		ret = check_shape(fabric, plus, err);
	}
	if (ret)
		hd_dragonfly_plus_free(plus);
	else
		*result = plus;
	return ret;
}

int hd_dragonfly_plus_recognise(const struct hd_fabric *fabric, struct hd_dragonfly_plus **result,
				struct hd_error *err)
{
	uint32_t *scratch = malloc((fabric->n_switches + (size_t)1) * sizeof(*scratch));
	struct hd_switch_levels levels = { 0 };
	uint32_t most = 0;
	int ret = scratch ? hd_switch_levels_find(fabric, &levels, err) : hd_error_nomem(err);

	*result = NULL;
	hd_for_each_switch(s, fabric)
		if (!ret && levels.hosts[s] > most)
			most = levels.hosts[s];
	if (!ret)
		ret = try_levels(fabric, &levels, scratch, result, err);
	/* few end nodes on a spine make it look like a leaf */
	for (uint32_t share = 4; ret == HD_EREFUSED && share > 1; share /= 2) {
		struct hd_error ignored;
		int again;

		if (most < 2 * share)
			continue;
		hd_switch_levels_clear(&levels);
		again = hd_switch_levels_find_above(fabric, NULL, most / share, &levels, &ignored);
		if (!again)
			again = try_levels(fabric, &levels, scratch, result, &ignored);
		if (again != HD_EREFUSED)
			ret = again;
	}
	hd_switch_levels_clear(&levels);
	free(scratch);
	return ret == HD_ENOMEM ? hd_error_nomem(err) : ret;
}

bool hd_dragonfly_plus_is_perfect(const struct hd_dragonfly_plus *plus)
{
	return !plus->n_missing_switches && !plus->n_missing_local && !plus->n_missing_global &&
	       !plus->n_odd_local && !plus->n_odd_global;
}
