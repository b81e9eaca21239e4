// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DLA: deterministic minimal routes on a dragonfly whose groups and whose pairs of groups are fully
 * connected (Maglione-Mathey et al., DLA in OpenSM, sections 2.1.1 and 4). The decision at a
 * switch, as in Figure 4:
 *
 *     another group, no global link to it here   the local link to a switch that has one
 *     another group                              the global link
 *     this group, another switch                 the local link to it
 *     this switch                                the terminal port
 *
 * Every path is at most local, global, local, and with layer rule `shift` two VLs suffice for any
 * SL. Where several global links join two groups, the paper leaves the choice open: here every
 * switch that owns such links uses its own, and the rest even the links out, destination by
 * destination.
 *
 * The work is writing the LFTs. All switches of a group agree on a key for every LID - the group
 * it is in, or its switch if that group is theirs - and differ only in the port per key, so that a
 * row is one pass of table look-ups, of bytes where there are at most 256 keys (hd_translate()).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/targets.h"
#include "engines/engines.h"
#include "engines/translate.h"
#include "support/error.h"
#include "topologies/dragonfly.h"

#define BYTE_KEYS 256

/* A global link as one end sees it. */
struct global_link {
	uint32_t to_group;
	uint32_t owner; /* switch */
	uint8_t port;
};

struct plan {
	const struct hd_fabric *fabric;
	const struct hd_dragonfly *dragonfly;
	struct hd_tables *tables;
	struct hd_route_targets destinations;

	/* The links of each group, by (group they lead to, owner, port). */
	struct global_link *links;
	uint32_t *first_link; /* [group * (n_groups + 1) + to_group]; the last one is the end */

	/* Destinations of each pass by the group they are in, in the order of `destinations`. */
	uint32_t *by_group;       /* [n] index in destinations.list */
	uint32_t *first_by_group; /* [pass * (n_groups + 1) + group] */

	uint16_t *key; /* [lft_stride] as seen from outside the LID's group */
};

/* Everything one thread needs to fill the rows of one group. */
struct workspace {
	uint16_t *key;        /* [lft_stride] */
	uint8_t *byte_key;    /* the same where n_keys <= 256 */
	uint8_t *port_of_key; /* [n_keys], and at least 256 */
	uint8_t *local;       /* [a * a] first port from one switch of the group to another */
	uint32_t *used;       /* [most links of a group] routes per global link */
};

static unsigned n_keys(const struct plan *plan)
{
	return plan->dragonfly->n_groups + plan->dragonfly->a + 1;
}

/* The key of LIDs that lead nowhere. */
static uint16_t no_key(const struct plan *plan)
{
	return (uint16_t)(n_keys(plan) - 1);
}

static int compare_links(const void *a, const void *b)
{
	const struct global_link *x = a, *y = b;

	if (x->to_group != y->to_group)
		return x->to_group < y->to_group ? -1 : 1;
	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	return x->port - y->port;
}

/* Collects the global links of every group. */
static int list_links(struct plan *plan, struct hd_error *err)
{
	const struct hd_dragonfly *d = plan->dragonfly;
	const struct hd_fabric *fabric = plan->fabric;
	uint32_t n = 0;

	plan->links = malloc((fabric->n_ports + (size_t)1) * sizeof(*plan->links));
	plan->first_link =
		malloc(d->n_groups * (d->n_groups + (size_t)1) * sizeof(*plan->first_link));
	if (!plan->links || !plan->first_link)
		return hd_error_nomem(err);
	for (uint32_t group = 0; group < d->n_groups; group++) {
		uint32_t begin = n;
		uint32_t *first = plan->first_link + group * (d->n_groups + (size_t)1);

		for (uint32_t i = d->first[group]; i < d->first[group + 1]; i++) {
			uint32_t s = d->switches[i];

			for (unsigned port = 1; port <= fabric->nodes[s].n_ports; port++)
				if (d->port_class[hd_port_index(fabric, s, port)] == HD_PORT_GLOBAL)
					plan->links[n++] = (struct global_link){
						.to_group = d->group[hd_peer_node(fabric, s, port)],
						.owner = s,
						.port = (uint8_t)port,
					};
		}
		qsort(plan->links + begin, n - begin, sizeof(*plan->links), compare_links);
		for (uint32_t to = 0; to <= d->n_groups; to++) {
			while (begin < n && plan->links[begin].to_group < to)
				begin++;
			first[to] = begin;
		}
	}
	return 0;
}

/* Sorts destinations, stably, by (pass, group), and gives each LID its key. */
static int list_destinations(struct plan *plan, struct hd_error *err)
{
	const struct hd_dragonfly *d = plan->dragonfly;
	const struct hd_route_targets *all = &plan->destinations;
	uint32_t *fill = calloc(d->n_groups + (size_t)1, sizeof(*fill));

	plan->by_group = malloc((all->n + 1) * sizeof(*plan->by_group));
	plan->first_by_group =
		malloc(all->n_passes * (d->n_groups + (size_t)1) * sizeof(*plan->first_by_group));
	plan->key = malloc(plan->tables->lft_stride * sizeof(*plan->key));
	if (!fill || !plan->by_group || !plan->first_by_group || !plan->key) {
		free(fill);
		return hd_error_nomem(err);
	}
	for (size_t lid = 0; lid < plan->tables->lft_stride; lid++)
		plan->key[lid] = no_key(plan);
	for (unsigned pass = 0; pass < all->n_passes; pass++) {
		uint32_t *first = plan->first_by_group + pass * (d->n_groups + (size_t)1);
		uint32_t begin = (uint32_t)all->first[pass];

		memset(fill, 0, (d->n_groups + (size_t)1) * sizeof(*fill));
		for (size_t i = all->first[pass]; i < all->first[pass + 1]; i++)
			fill[d->group[all->list[i].via_switch]]++;
		for (uint32_t group = 0; group <= d->n_groups; group++) {
			uint32_t count = group < d->n_groups ? fill[group] : 0;

			first[group] = fill[group] = begin;
			begin += count;
		}
		for (size_t i = all->first[pass]; i < all->first[pass + 1]; i++) {
			uint32_t group = d->group[all->list[i].via_switch];

			plan->by_group[fill[group]++] = (uint32_t)i;
			plan->key[all->list[i].lid] = (uint16_t)group;
		}
	}
	free(fill);
	return 0;
}

static void plan_clear(struct plan *plan)
{
	hd_route_targets_free(&plan->destinations);
	free(plan->links);
	free(plan->first_link);
	free(plan->by_group);
	free(plan->first_by_group);
	free(plan->key);
}

/* Finds the first port from each switch of @group to each other one. */
static void list_local_ports(const struct plan *plan, uint32_t group, uint8_t *local)
{
	const struct hd_dragonfly *d = plan->dragonfly;

	memset(local, HD_NO_PATH, (size_t)d->a * d->a);
	for (uint32_t i = d->first[group]; i < d->first[group + 1]; i++) {
		uint32_t s = d->switches[i];
		uint8_t *row = local + (size_t)(i - d->first[group]) * d->a;

		for (unsigned port = plan->fabric->nodes[s].n_ports; port > 0; port--)
			if (d->port_class[hd_port_index(plan->fabric, s, port)] == HD_PORT_LOCAL)
				row[d->position[hd_peer_node(plan->fabric, s, port)]] =
					(uint8_t)port;
	}
}

/* Fills the row of @s as if one link joined each pair of groups and of switches. */
static void fill_row(const struct plan *plan, uint32_t s, uint32_t group,
		     const struct workspace *work)
{
	const struct hd_dragonfly *d = plan->dragonfly;
	const uint32_t *first = plan->first_link + group * (d->n_groups + (size_t)1);
	const size_t stride = plan->tables->lft_stride;
	uint8_t *lft = hd_lft(plan->tables, s);
	const uint8_t *to_local = work->local + (size_t)d->position[s] * d->a;

	memset(work->port_of_key, HD_NO_PATH, n_keys(plan));
	memcpy(work->port_of_key + d->n_groups, to_local, d->a);
	for (uint32_t to = 0; to < d->n_groups; to++) {
		const struct global_link *link = &plan->links[first[to]];

		if (first[to] == first[to + 1])
			continue;
		work->port_of_key[to] =
			link->owner == s ? link->port : to_local[d->position[link->owner]];
	}
	if (n_keys(plan) <= BYTE_KEYS)
		hd_translate(work->byte_key, stride, work->port_of_key, lft);
	else
		for (size_t lid = 0; lid < stride; lid++)
			lft[lid] = work->port_of_key[work->key[lid]];
}

/* The least used of @n counters, searched from the @turn-th on. */
static uint32_t least_used(const uint32_t *used, uint32_t n, uint32_t turn)
{
	uint32_t at = turn % n, best = at;

	for (uint32_t k = 1; k < n; k++) {
		at = at + 1 == n ? 0 : at + 1;
		if (used[at] < used[best])
			best = at;
	}
	return best;
}

/*
 * Chooses, for the destination @lid in another group, one of the links begin .. end - 1 that lead
 * there, at every switch of @group. Owners choose among their own, which are neighbours in the list;
 * what they leave uneven, the others even out.
 */
static void spread_destination(const struct plan *plan, uint32_t group, uint16_t lid,
			       uint32_t begin, uint32_t end, uint32_t turn,
			       const struct workspace *work)
{
	const struct hd_dragonfly *d = plan->dragonfly;
	const struct global_link *links = plan->links;
	uint32_t *used = work->used;

	for (uint32_t own = begin, next; own < end; own = next) {
		uint32_t link;

		for (next = own + 1; next < end && links[next].owner == links[own].owner;)
			next++;
		link = own + least_used(used + (own - begin), next - own, turn);
		used[link - begin]++;
		hd_lft(plan->tables, links[own].owner)[lid] = links[link].port;
	}
	for (uint32_t i = d->first[group], own = begin; i < d->first[group + 1]; i++) {
		uint32_t s = d->switches[i], link;

		while (own < end && links[own].owner < s)
			own++;
		if (own < end && links[own].owner == s)
			continue;
		link = begin + least_used(used, end - begin, turn + i - d->first[group]);
		used[link - begin]++;
		hd_lft(plan->tables, s)[lid] =
			work->local[(size_t)d->position[s] * d->a + d->position[links[link].owner]];
	}
}

/* Several links join @group to the group @to: shares them out. */
static void spread_pair(const struct plan *plan, uint32_t group, uint32_t to,
			const struct workspace *work)
{
	const uint32_t n_groups = plan->dragonfly->n_groups;
	const uint32_t *first = plan->first_link + group * (n_groups + (size_t)1);

	for (unsigned pass = 0; pass < plan->destinations.n_passes; pass++) {
		const uint32_t *range = plan->first_by_group + pass * (n_groups + (size_t)1) + to;

		memset(work->used, 0, (first[to + 1] - first[to]) * sizeof(*work->used));
		for (uint32_t n = range[0]; n < range[1]; n++)
			spread_destination(plan, group,
					   plan->destinations.list[plan->by_group[n]].lid,
					   first[to], first[to + 1], pass + n - range[0], work);
	}
}

/*
 * Several local links join @s to another switch of its group: destinations that take the first of
 * them take turns instead.
 */
static void spread_local(const struct plan *plan, uint32_t s)
{
	const struct hd_fabric *fabric = plan->fabric;
	const unsigned n_ports = fabric->nodes[s].n_ports;
	const uint8_t *class = plan->dragonfly->port_class + fabric->nodes[s].first_port;
	uint8_t *lft = hd_lft(plan->tables, s);
	uint8_t next[HD_MAX_PORTS + 1], turn[HD_MAX_PORTS + 1];
	bool any = false;

	/* next: the following port to the same switch, around from the last to the first */
	for (unsigned port = 1; port <= n_ports; port++) {
		unsigned other = port;

		next[port] = (uint8_t)port;
		if (class[port] != HD_PORT_LOCAL)
			continue;
		do {
			other = other == n_ports ? 1 : other + 1;
		} while (other != port &&
			 (class[other] != HD_PORT_LOCAL ||
			  hd_peer_node(fabric, s, other) != hd_peer_node(fabric, s, port)));
		next[port] = (uint8_t)other;
		any |= other != port;
	}
	if (!any)
		return;
	for (unsigned pass = 0; pass < plan->destinations.n_passes; pass++) {
		for (unsigned port = 1; port <= n_ports; port++) {
			turn[port] = (uint8_t)port;
			for (unsigned k = 0; k < pass; k++)
				turn[port] = next[turn[port]];
		}
		for (size_t i = plan->destinations.first[pass];
		     i < plan->destinations.first[pass + 1]; i++) {
			uint16_t lid = plan->destinations.list[i].lid;
			unsigned port = lft[lid];

			if (port == 0 || port > n_ports || next[port] == port)
				continue;
			lft[lid] = turn[port];
			turn[port] = next[turn[port]];
		}
	}
}

/* A function of its own because then compilers see that the arrays do not overlap. */
static void narrow(const uint16_t *restrict key, size_t n, uint8_t *restrict byte_key)
{
	for (size_t i = 0; i < n; i++)
		byte_key[i] = (uint8_t)key[i];
}

static void fill_group(const struct plan *plan, uint32_t group, const struct workspace *work)
{
	const struct hd_dragonfly *d = plan->dragonfly;
	const uint32_t *first = plan->first_link + group * (d->n_groups + (size_t)1);

	list_local_ports(plan, group, work->local);
	memcpy(work->key, plan->key, plan->tables->lft_stride * sizeof(*work->key));
	for (unsigned pass = 0; pass < plan->destinations.n_passes; pass++) {
		const uint32_t *range =
			plan->first_by_group + pass * (d->n_groups + (size_t)1) + group;

		for (uint32_t n = range[0]; n < range[1]; n++) {
			const struct hd_route_target *to =
				&plan->destinations.list[plan->by_group[n]];

			work->key[to->lid] = (uint16_t)(d->n_groups + d->position[to->via_switch]);
		}
	}
	if (n_keys(plan) <= BYTE_KEYS)
		narrow(work->key, plan->tables->lft_stride, work->byte_key);
	for (uint32_t i = d->first[group]; i < d->first[group + 1]; i++)
		fill_row(plan, d->switches[i], group, work);
	for (uint32_t to = 0; to < d->n_groups; to++)
		if (first[to + 1] - first[to] > 1)
			spread_pair(plan, group, to, work);
	for (uint32_t i = d->first[group]; i < d->first[group + 1]; i++)
		spread_local(plan, d->switches[i]);
	for (unsigned pass = 0; pass < plan->destinations.n_passes; pass++) {
		const uint32_t *range =
			plan->first_by_group + pass * (d->n_groups + (size_t)1) + group;

		for (uint32_t n = range[0]; n < range[1]; n++) {
			const struct hd_route_target *to =
				&plan->destinations.list[plan->by_group[n]];

			hd_lft(plan->tables, to->via_switch)[to->lid] = to->via_port;
		}
	}
}

static int fill(struct plan *plan, struct hd_error *err)
{
	const struct hd_dragonfly *d = plan->dragonfly;
	bool failed = false;

#pragma omp parallel if (plan->fabric->n_switches > 64)
	{
		struct workspace work = {
			.key = malloc(plan->tables->lft_stride * sizeof(*work.key)),
			.byte_key = malloc(plan->tables->lft_stride),
			.port_of_key =
				calloc(1, n_keys(plan) < BYTE_KEYS ? BYTE_KEYS : n_keys(plan)),
			.local = malloc((size_t)d->a * d->a),
			.used = malloc((plan->fabric->n_ports + (size_t)1) * sizeof(*work.used)),
		};
		bool ready =
			work.key && work.byte_key && work.port_of_key && work.local && work.used;

		if (!ready) {
#pragma omp atomic write
			failed = true;
		}
#pragma omp for schedule(dynamic)
		for (uint32_t group = 0; group < d->n_groups; group++)
			if (ready)
				fill_group(plan, group, &work);
		free(work.key);
		free(work.byte_key);
		free(work.port_of_key);
		free(work.local);
		free(work.used);
	}
	return failed ? hd_error_nomem(err) : 0;
}

/* "group 3 (of switch G3S0)" */
static const char *group_label(const struct hd_fabric *fabric, const struct hd_dragonfly *d,
			       uint32_t group, char *buffer, size_t size)
{
	snprintf(buffer, size, "group %u (of switch %.64s)", group,
		 hd_node_name(fabric, d->switches[d->first[group]]));
	return buffer;
}

/* Refuses what Figure 4 cannot serve, naming the groups. */
static int check_shape(const struct hd_fabric *fabric, const struct hd_dragonfly *d,
		       struct hd_error *err)
{
	char one[128], other[128];

	if (d->n_groups + (size_t)d->a >= UINT16_MAX)
		return hd_error_set(err, HD_EREFUSED, "%u groups of %u switches are too many",
				    d->n_groups, d->a);
	if (d->n_missing_local) {
		uint32_t a = d->missing_local[0], b = d->missing_local[1];

		return hd_error_set(err, HD_EREFUSED,
				    "%s is not fully connected: no link between %.64s and %.64s "
				    "(%u such pairs in all)",
				    group_label(fabric, d, d->group[a], one, sizeof(one)),
				    hd_node_name(fabric, a), hd_node_name(fabric, b),
				    d->n_missing_local);
	}
	if (d->n_missing_global)
		return hd_error_set(
			err, HD_EREFUSED, "no link between %s and %s (%u such pairs in all)",
			group_label(fabric, d, d->missing_global[0], one, sizeof(one)),
			group_label(fabric, d, d->missing_global[1], other, sizeof(other)),
			d->n_missing_global);
	return 0;
}

static int recognise(const struct hd_fabric *fabric, const struct hd_params *params,
		     struct hd_dragonfly **dragonfly, struct hd_error *err)
{
	const char *path = hd_params_get(params, "groups");
	struct hd_dragonfly_hints hints = { 0 };
	uint64_t *group_of_switch = NULL;
	int ret;

	if (path) {
		ret = hd_dragonfly_read_groups(path, fabric, &group_of_switch, err);
		if (ret)
			return ret;
		hints.group_of_switch = group_of_switch;
	}
	ret = hd_dragonfly_recognise(fabric, &hints, dragonfly, err);
	free(group_of_switch);
	if (!ret)
		ret = check_shape(fabric, *dragonfly, err);
	return ret;
}

static int route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		 struct hd_routes *routes, struct hd_error *err)
{
	struct hd_dragonfly *dragonfly = NULL;
	struct plan plan = { .fabric = fabric, .tables = routes->tables };
	int ret = recognise(fabric, request->params, &dragonfly, err);

	plan.dragonfly = dragonfly;
	if (!ret)
		ret = hd_route_targets_list(fabric, &plan.destinations, err);
	if (!ret)
		ret = list_links(&plan, err);
	if (!ret)
		ret = list_destinations(&plan, err);
	if (!ret)
		ret = fill(&plan, err);
	if (!ret) {
		routes->structure.port_class = dragonfly->port_class;
		routes->structure.n_groups = dragonfly->n_groups;
		routes->structure.group = dragonfly->group;
		dragonfly->port_class = NULL;
		dragonfly->group = NULL;
	}
	plan_clear(&plan);
	hd_dragonfly_free(dragonfly);
	return ret;
}

static const struct hd_option options[] = {
	{ "groups", NULL, "file", "GUID-to-group file that overrides recognition" },
	{ NULL, NULL, NULL, NULL },
};
static const char *const layer_rules[] = { "shift", NULL };

const struct hd_engine hd_engine_dla = {
	.name = "dla",
	.summary = "minimal routes on a fully connected dragonfly: 1 SL, 2 VLs",
	.reference = "Maglione-Mathey et al., DLA in OpenSM, section 4; Kim and Dally (2008)",
	.options = options,
	.layer_rules = layer_rules,
	.any_sl = true,
	.route = route,
};
