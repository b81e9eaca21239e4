// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Most of the work is writing the LFTs. All switches of a group agree on a key for every LID - the
 * group that it heads for, or its switch if that group is their own - and differ only in the port
 * per key. So a row is one pass of table look-ups, of bytes where there are at most 256 keys
 * (hd_translate()). Where the LFTs are a copy of others, rows that would be the same stay.
 */
#include "engines/group_routes.h"

#include <stdlib.h>
#include <string.h>

#include "support/translate.h"
#include "support/error.h"
#include "tables/lft_copy.h"

#define BYTE_KEYS 256

/* A global link as one end sees it. */
struct global_link {
	uint32_t to_group;
	uint32_t owner; /* switch */
	uint8_t port;
};

/* Targets by group, within a group in the order of `targets`. */
struct sorted {
	uint32_t *list;  /* [n] index in targets->list */
	uint32_t *first; /* [n_groups + 1] */
};

struct plan {
	const struct hd_fabric *fabric;
	const struct hd_dragonfly *dragonfly;
	struct hd_tables *tables;
	const struct hd_route_targets *targets;
	const uint16_t *via;  /* [lft_stride], or NULL */
	const uint8_t *local; /* [switch * a + position], or NULL */

	/* The links of each group, by (group at the other end, owner, port). */
	struct global_link *links;
	uint32_t *first_link; /* [group * (n_groups + 1) + to_group]; the last one is the end */

	/* Targets by their group, and by the group that they go through. */
	struct sorted in, through;

	uint16_t *key; /* [lft_stride] the key in groups other than those two */
};

/* Everything one thread needs to fill the rows of one group. */
struct workspace {
	uint16_t *key;        /* [lft_stride] */
	uint8_t *byte_key;    /* the same where n_keys <= 256 */
	uint8_t *port_of_key; /* [n_keys], and at least 256 */
	uint8_t *row;         /* [lft_stride] */
	uint8_t *local;       /* [a * a] first port from one switch of the group to another */
	uint32_t *used;       /* [most links of a group] routes per global link */
	uint32_t *turn;       /* [n_groups] targets of a pass that head for each group */
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

			hd_for_each_number(port, fabric, s)
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

/* The group that @target goes through on its way from other groups; for minimal routes its own. */
static uint32_t group_through(const struct plan *plan, const struct hd_route_target *target)
{
	return plan->via ? plan->via[target->lid] : plan->dragonfly->group[target->via_switch];
}

static uint32_t group_of(const struct plan *plan, const struct hd_route_target *target,
			 bool through)
{
	return through ? group_through(plan, target) : plan->dragonfly->group[target->via_switch];
}

/* Sorts targets, stably, by the group that they are in or go @through. */
static int sort_targets(const struct plan *plan, bool through, struct sorted *sorted,
			struct hd_error *err)
{
	const struct hd_route_targets *all = plan->targets;
	const uint32_t n_groups = plan->dragonfly->n_groups;
	uint32_t *first = calloc(n_groups + (size_t)2, sizeof(*first));

	sorted->first = first;
	sorted->list = malloc((all->n + 1) * sizeof(*sorted->list));
	if (!first || !sorted->list)
		return hd_error_nomem(err);
	/*
	 * first[g + 1] is where targets of g are put next, so at the end it is where those of g + 1
	 * begin
	 */
	for (size_t i = 0; i < all->n; i++)
		first[group_of(plan, &all->list[i], through) + 2]++;
	for (uint32_t group = 0; group < n_groups; group++)
		first[group + 2] += first[group + 1];
	for (size_t i = 0; i < all->n; i++)
		sorted->list[first[group_of(plan, &all->list[i], through) + 1]++] = (uint32_t)i;
	return 0;
}

static int list_keys(struct plan *plan, struct hd_error *err)
{
	plan->key = malloc(plan->tables->lft_stride * sizeof(*plan->key));
	if (!plan->key)
		return hd_error_nomem(err);
	for (size_t lid = 0; lid < plan->tables->lft_stride; lid++)
		plan->key[lid] = no_key(plan);
	for (size_t i = 0; i < plan->targets->n; i++)
		plan->key[plan->targets->list[i].lid] =
			(uint16_t)group_through(plan, &plan->targets->list[i]);
	return 0;
}

static void plan_clear(struct plan *plan)
{
	free(plan->links);
	free(plan->first_link);
	free(plan->in.list);
	free(plan->in.first);
	free(plan->through.list);
	free(plan->through.first);
	free(plan->key);
}

/* Finds the first port from each switch of @group towards each other one. */
static void list_local_ports(const struct plan *plan, uint32_t group, uint8_t *local)
{
	const struct hd_dragonfly *d = plan->dragonfly;

	memset(local, HD_NO_PATH, (size_t)d->a * d->a);
	for (uint32_t i = d->first[group]; i < d->first[group + 1]; i++) {
		uint32_t s = d->switches[i];
		uint8_t *row = local + (size_t)(i - d->first[group]) * d->a;

		if (plan->local) {
			memcpy(row, plan->local + (size_t)s * d->a, d->a);
			continue;
		}
		for (unsigned port = plan->fabric->nodes[s].n_ports; port > 0; port--)
			if (d->port_class[hd_port_index(plan->fabric, s, port)] == HD_PORT_LOCAL)
				row[d->position[hd_peer_node(plan->fabric, s, port)]] =
					(uint8_t)port;
	}
}

/* Finds the port of each key at @s as if one link joined each pair of groups and of switches. */
static void list_ports(const struct plan *plan, uint32_t s, uint32_t group,
		       const struct workspace *work)
{
	const struct hd_dragonfly *d = plan->dragonfly;
	const uint32_t *first = plan->first_link + group * (d->n_groups + (size_t)1);
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
}

/* Fills a row by the ports of its keys. */
static void fill_row(const struct plan *plan, const struct workspace *work, uint8_t *lft)
{
	const size_t stride = plan->tables->lft_stride;

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
 * there, at every switch of @group. Owners of such links choose among their own, which are
 * neighbours in the list. The other switches even out what that leaves uneven: one by one where
 * each is linked to all owners, otherwise all by one choice, since a packet must not be sent back
 * on its way.
 */
static void spread_target(const struct plan *plan, uint32_t group, uint16_t lid, uint32_t begin,
			  uint32_t end, uint32_t turn, const struct workspace *work)
{
	const struct hd_dragonfly *d = plan->dragonfly;
	const struct global_link *links = plan->links;
	uint32_t common = HD_NONE;
	uint32_t *used = work->used + (begin - plan->first_link[group * (d->n_groups + (size_t)1)]);

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
		link = common;
		if (link == HD_NONE)
			link = begin + least_used(used, end - begin, turn + i - d->first[group]);
		if (plan->local)
			common = link;
		used[link - begin]++;
		hd_lft(plan->tables, s)[lid] =
			work->local[(size_t)d->position[s] * d->a + d->position[links[link].owner]];
	}
}

/* Spreads destinations over the links to groups that several links lead to. */
static void spread_group(const struct plan *plan, uint32_t group, const struct workspace *work)
{
	const struct hd_route_targets *all = plan->targets;
	const uint32_t n_groups = plan->dragonfly->n_groups;
	const uint32_t *first = plan->first_link + group * (n_groups + (size_t)1);

	for (unsigned pass = 0; pass < all->n_passes; pass++) {
		memset(work->used, 0, (first[n_groups] - first[0]) * sizeof(*work->used));
		memset(work->turn, 0, n_groups * sizeof(*work->turn));
		for (size_t i = all->first[pass]; i < all->first[pass + 1]; i++) {
			uint16_t lid = all->list[i].lid;
			uint32_t to = work->key[lid];

			if (to < n_groups && first[to + 1] - first[to] > 1)
				spread_target(plan, group, lid, first[to], first[to + 1],
					      pass + work->turn[to]++, work);
		}
	}
}

static bool has_trunks(const struct plan *plan, uint32_t group)
{
	const uint32_t n_groups = plan->dragonfly->n_groups;
	const uint32_t *first = plan->first_link + group * (n_groups + (size_t)1);

	for (uint32_t to = 0; to < n_groups; to++)
		if (first[to + 1] - first[to] > 1)
			return true;
	return false;
}

/*
 * Several local links join @s to another switch of its group: destinations that have the first of
 * them take turns over all.
 */
static void spread_local(const struct plan *plan, uint32_t s)
{
	const struct hd_fabric *fabric = plan->fabric;
	const unsigned n_ports = fabric->nodes[s].n_ports;
	const uint8_t *class = plan->dragonfly->port_class + fabric->nodes[s].first_port;
	uint8_t *lft = hd_lft(plan->tables, s);
	uint8_t next[HD_MAX_PORTS + 1], turn[HD_MAX_PORTS + 1];
	bool any = false;

	/* next[port] is the following port to the same switch; after the last comes the first */
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
	for (unsigned pass = 0; pass < plan->targets->n_passes; pass++) {
		for (unsigned port = 1; port <= n_ports; port++) {
			turn[port] = (uint8_t)port;
			for (unsigned k = 0; k < pass; k++)
				turn[port] = next[turn[port]];
		}
		for (size_t i = plan->targets->first[pass]; i < plan->targets->first[pass + 1];
		     i++) {
			uint16_t lid = plan->targets->list[i].lid;
			unsigned port = lft[lid];

			if (port == 0 || port > n_ports || next[port] == port)
				continue;
			lft[lid] = turn[port];
			turn[port] = next[turn[port]];
		}
	}
}

/* This is a function of its own so that compilers see that the arrays do not overlap. */
static void narrow(const uint16_t *restrict key, size_t n, uint8_t *restrict byte_key)
{
	for (size_t i = 0; i < n; i++)
		byte_key[i] = (uint8_t)key[i];
}

/* Sets the keys in @group. */
static void list_group_keys(const struct plan *plan, uint32_t group, const struct workspace *work)
{
	const struct hd_dragonfly *d = plan->dragonfly;
	const struct hd_route_target *all = plan->targets->list;
	const struct sorted *in = &plan->in, *through = &plan->through;

	memcpy(work->key, plan->key, plan->tables->lft_stride * sizeof(*work->key));
	if (plan->via)
		for (uint32_t n = through->first[group]; n < through->first[group + 1]; n++) {
			const struct hd_route_target *to = &all[through->list[n]];

			work->key[to->lid] = (uint16_t)d->group[to->via_switch];
		}
	for (uint32_t n = in->first[group]; n < in->first[group + 1]; n++) {
		const struct hd_route_target *to = &all[in->list[n]];

		work->key[to->lid] = (uint16_t)(d->n_groups + d->position[to->via_switch]);
	}
	if (n_keys(plan) <= BYTE_KEYS)
		narrow(work->key, plan->tables->lft_stride, work->byte_key);
}

/* Whether several links join @s to another switch of its group. */
static bool has_local_trunks(const struct plan *plan, uint32_t s, const struct workspace *work)
{
	const struct hd_dragonfly *d = plan->dragonfly;
	const uint8_t *to_local = work->local + (size_t)d->position[s] * d->a;
	unsigned n = 0;

	hd_for_each_number(port, plan->fabric, s)
		n += d->port_class[hd_port_index(plan->fabric, s, port)] == HD_PORT_LOCAL;
	for (uint32_t k = 0; k < d->a; k++)
		n -= to_local[k] != HD_NO_PATH;
	return n > 0;
}

/* Whether rows of @group are no more than the ports of keys, and destinations at the switches. */
static bool is_simple(const struct plan *plan, uint32_t group, const struct workspace *work)
{
	const struct hd_dragonfly *d = plan->dragonfly;

	if (plan->via || plan->local || has_trunks(plan, group))
		return false;
	for (uint32_t i = d->first[group]; i < d->first[group + 1]; i++)
		if (has_local_trunks(plan, d->switches[i], work))
			return false;
	return true;
}

/* Makes the row of a copy that which it would be, where it is not. */
static void renew_row(const struct plan *plan, uint32_t s, uint32_t group,
		      const struct workspace *work)
{
	struct hd_lft_copy *copy = plan->tables->copy;
	const bool are_bytes = n_keys(plan) <= BYTE_KEYS;
	uint8_t *lft = hd_lft(plan->tables, s);
	bool is_same = true;

	list_ports(plan, s, group, work);
	if (are_bytes && hd_lft_copy_is_by(copy, s, group, work->port_of_key))
		return;
	fill_row(plan, work, work->row);
	for (uint32_t n = plan->in.first[group]; n < plan->in.first[group + 1]; n++) {
		const struct hd_route_target *to = &plan->targets->list[plan->in.list[n]];

		if (to->via_switch == s)
			work->row[to->lid] = to->via_port;
	}
	is_same = !memcmp(lft, work->row, plan->tables->lft_stride);
	if (is_same && are_bytes)
		hd_lft_copy_note(copy, s, group, work->port_of_key);
	if (is_same)
		return;
	memcpy(lft, work->row, plan->tables->lft_stride);
	hd_lft_touch(plan->tables, s);
}

/* Fills the rows of @group, of a copy, where they would be others than they are. */
static void renew_group(const struct plan *plan, uint32_t group, const struct workspace *work)
{
	const struct hd_dragonfly *d = plan->dragonfly;

	if (n_keys(plan) <= BYTE_KEYS)
		hd_lft_copy_set_keys(plan->tables->copy, group, work->byte_key);
	for (uint32_t i = d->first[group]; i < d->first[group + 1]; i++)
		renew_row(plan, d->switches[i], group, work);
	for (uint32_t n = plan->in.first[group]; n < plan->in.first[group + 1]; n++) {
		const struct hd_route_target *to = &plan->targets->list[plan->in.list[n]];
		uint8_t *entry = &hd_lft(plan->tables, to->via_switch)[to->lid];

		if (*entry == to->via_port)
			continue;
		*entry = to->via_port;
		hd_lft_touch(plan->tables, to->via_switch);
	}
}

static void fill_group(const struct plan *plan, uint32_t group, const struct workspace *work)
{
	const struct hd_dragonfly *d = plan->dragonfly;

	list_local_ports(plan, group, work->local);
	list_group_keys(plan, group, work);
	if (plan->tables->copy && is_simple(plan, group, work)) {
		renew_group(plan, group, work);
		return;
	}
	for (uint32_t i = d->first[group]; i < d->first[group + 1]; i++) {
		const uint32_t s = d->switches[i];

		list_ports(plan, s, group, work);
		fill_row(plan, work, hd_lft(plan->tables, s));
		hd_lft_touch(plan->tables, s);
	}
	if (has_trunks(plan, group))
		spread_group(plan, group, work);
	for (uint32_t i = d->first[group]; i < d->first[group + 1]; i++)
		spread_local(plan, d->switches[i]);
	for (uint32_t n = plan->in.first[group]; n < plan->in.first[group + 1]; n++) {
		const struct hd_route_target *to = &plan->targets->list[plan->in.list[n]];

		hd_lft(plan->tables, to->via_switch)[to->lid] = to->via_port;
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
			.row = malloc(plan->tables->lft_stride),
			.local = malloc((size_t)d->a * d->a),
			.used = malloc((plan->fabric->n_ports + (size_t)1) * sizeof(*work.used)),
			.turn = malloc(d->n_groups * sizeof(*work.turn)),
		};
		bool ready = work.key && work.byte_key && work.port_of_key && work.row &&
			     work.local && work.used && work.turn;

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
		free(work.row);
		free(work.local);
		free(work.used);
		free(work.turn);
	}
	return failed ? hd_error_nomem(err) : 0;
}

int hd_group_routes_fill(const struct hd_fabric *fabric, const struct hd_dragonfly *dragonfly,
			 const struct hd_route_targets *targets, const struct hd_group_ways *ways,
			 struct hd_tables *tables, struct hd_error *err)
{
	struct plan plan = {
		.fabric = fabric,
		.dragonfly = dragonfly,
		.tables = tables,
		.targets = targets,
		.via = ways ? ways->via : NULL,
		.local = ways ? ways->local : NULL,
	};
	int ret = list_links(&plan, err);

	if (!ret && tables->copy)
		ret = hd_lft_copy_make_room(tables->copy, dragonfly->n_groups, err);
	if (!ret)
		ret = sort_targets(&plan, false, &plan.in, err);
	if (!ret && plan.via)
		ret = sort_targets(&plan, true, &plan.through, err);
	if (!ret)
		ret = list_keys(&plan, err);
	if (!ret)
		ret = fill(&plan, err);
	plan_clear(&plan);
	return ret;
}
