// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Routes on a Dragonfly+ (Shpiner et al., 2017): up to a spine that has a link to the destination's
 * group, over that link, and down; within a group up and down. Destinations of a group take turns
 * over the links that lead there, and over the spines of their own group. Where hosts have several
 * LIDs, the first is reached so, and every other one through a group of its own, as by engine
 * dfval: there a packet may have to go down and up.
 *
 * So has what starts at a spine, or at a leaf that has lost a cable, and what ends at a spine.
 * Where packets turn so, those that have been in another group and those that have not do it at
 * different leaves of a group: one kind at the first leaf, the other at all others. Which is which
 * depends on what there is more of. So, with layer rule `plus`, no packet waits for one that has
 * fewer links between groups behind it.
 */
#include <stdlib.h>
#include <string.h>

#include "engines/ar_options.h"
#include "engines/engines.h"
#include "engines/group_vias.h"
#include "engines/plus_sets.h"
#include "engines/plus_valiant.h"
#include "engines/targets.h"
#include "engines/trunks.h"
#include "support/error.h"
#include "support/options.h"
#include "topologies/dragonfly_plus.h"

/* A link between groups as one end sees it. */
struct link {
	uint32_t to;    /* group */
	uint32_t owner; /* the spine at this end, by its place among the spines of its group */
	uint32_t far;   /* the spine at the other end, likewise */
	uint8_t port;
};

struct plan {
	const struct hd_fabric *fabric;
	const struct hd_dragonfly_plus *plus;
	const struct hd_route_targets *targets;
	struct hd_tables *tables;
	uint16_t *via;        /* [top_lid + 1] the group that each LID is reached through */
	bool is_spread;       /* some go through other groups than their own */
	uint32_t *place;      /* [switch] among the leaves, or the spines, of its group */
	struct link *links;   /* by group, group at the other end, owner, port */
	uint32_t *first_link; /* [group * (n_groups + 1) + to]; the last one is the end */
	uint8_t *cable;       /* [switch * most + place] port to a spine, or leaf, of the group; 0:
				 there is none */
	uint32_t most;        /* leaves, or spines, of a group */
};

/* The part of a fabric that one thread routes. */
struct part {
	const struct plan *plan;
	uint32_t group, n_leaves, n_spines;
	const uint32_t *leaf, *spine; /* switches */
	uint32_t *turn;               /* [n_groups] destinations seen of each */
};

static int compare_links(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	return x->port - y->port;
}

/* Lists the links of @s to other groups, and its cables within its own. */
static uint32_t list_ports(struct plan *plan, uint32_t s, uint32_t n)
{
	const struct hd_dragonfly_plus *plus = plan->plus;

	for (unsigned port = plan->fabric->nodes[s].n_ports; port > 0; port--) {
		uint32_t peer = hd_peer_node(plan->fabric, s, port);
		unsigned class = plus->port_class[hd_port_index(plan->fabric, s, port)];

		if (class == HD_PORT_LOCAL && plus->is_spine[s] != plus->is_spine[peer])
			plan->cable[s * (size_t)plan->most + plan->place[peer]] = (uint8_t)port;
		if (class == HD_PORT_GLOBAL && plus->is_spine[s] && plus->is_spine[peer])
			plan->links[n++] = (struct link){
				.to = plus->group[peer],
				.owner = plan->place[s],
				.far = plan->place[peer],
				.port = (uint8_t)port,
			};
	}
	return n;
}

static void list_links(struct plan *plan)
{
	const struct hd_dragonfly_plus *plus = plan->plus;
	uint32_t n = 0;

	for (uint32_t g = 0; g < plus->n_groups; g++) {
		uint32_t begin = n, *first = plan->first_link + g * (plus->n_groups + (size_t)1);

		for (uint32_t i = plus->first[g]; i < plus->first[g + 1]; i++)
			n = list_ports(plan, plus->switches[i], n);
		qsort(plan->links + begin, n - begin, sizeof(*plan->links), compare_links);
		for (uint32_t to = 0; to <= plus->n_groups; to++) {
			while (begin < n && plan->links[begin].to < to)
				begin++;
			first[to] = begin;
		}
	}
}

static int make_plan(struct plan *plan, struct hd_error *err)
{
	const struct hd_dragonfly_plus *plus = plan->plus;
	const size_t n = plan->fabric->n_switches;

	plan->most = plus->leaves > plus->spines ? plus->leaves : plus->spines;
	plan->place = malloc(n * sizeof(*plan->place));
	plan->links = malloc((plan->fabric->n_ports + (size_t)1) * sizeof(*plan->links));
	plan->first_link =
		malloc(plus->n_groups * (plus->n_groups + (size_t)1) * sizeof(*plan->first_link));
	plan->cable = calloc(n, plan->most);
	if (!plan->place || !plan->links || !plan->first_link || !plan->cable)
		return hd_error_nomem(err);
	for (uint32_t g = 0; g < plus->n_groups; g++)
		for (uint32_t i = plus->first[g]; i < plus->first[g + 1]; i++) {
			uint32_t k = i - plus->first[g];

			plan->place[plus->switches[i]] =
				k < plus->n_leaves[g] ? k : k - plus->n_leaves[g];
		}
	list_links(plan);
	return 0;
}

static void plan_clear(struct plan *plan)
{
	free(plan->via);
	free(plan->place);
	free(plan->links);
	free(plan->first_link);
	free(plan->cable);
}

static uint8_t cable(const struct plan *plan, uint32_t s, uint32_t place)
{
	return plan->cable[s * (size_t)plan->most + place];
}

static void set(const struct plan *plan, uint32_t s, uint16_t lid, uint8_t port)
{
	hd_lft(plan->tables, s)[lid] = port;
}

/*
 * The @k-th choice among @n of the destination whose turn it is. Those whose first choice is
 * missing take turns over the others.
 */
static uint32_t choice(uint32_t turn, uint32_t k, uint32_t n)
{
	return k ? (turn % n + 1 + (turn / n + k - 1) % (n - 1)) % n : turn % n;
}

/* Routes to a leaf's host, or to a leaf, of the same group. */
static void fill_down(const struct part *part, const struct hd_route_target *to, uint32_t turn)
{
	const struct plan *plan = part->plan;
	const uint32_t place = plan->place[to->via_switch];

	for (uint32_t i = 0; i < part->n_spines; i++) {
		uint8_t port = cable(plan, part->spine[i], place);

		if (port)
			set(plan, part->spine[i], to->lid, port);
	}
	for (uint32_t i = 0; i < part->n_leaves; i++) {
		if (part->leaf[i] == to->via_switch)
			continue;
		for (uint32_t k = 0; k < part->n_spines; k++) {
			uint32_t at = choice(turn, k, part->n_spines);
			uint8_t port = cable(plan, part->leaf[i], at);

			if (!port || !cable(plan, part->spine[at], place))
				continue;
			set(plan, part->leaf[i], to->lid, port);
			break;
		}
	}
}

/*
 * The @k-th leaf to turn at in this @turn: the first of the group before or after all others.
 * @from_outside: packets come from another group.
 */
static uint32_t leaf_to_turn_at(const struct part *part, bool from_outside, uint32_t turn,
				uint32_t k)
{
	const uint32_t others = part->n_leaves - 1;

	if (from_outside != part->plan->is_spread)
		return k;
	return k < others ? 1 + choice(turn, k, others) : 0;
}

/* Routes to a spine of the same group. */
static void fill_up(const struct part *part, const struct hd_route_target *to, uint32_t turn)
{
	const struct plan *plan = part->plan;
	const uint32_t place = plan->place[to->via_switch];

	for (uint32_t i = 0; i < part->n_leaves; i++) {
		uint8_t port = cable(plan, part->leaf[i], place);

		if (port)
			set(plan, part->leaf[i], to->lid, port);
	}
	for (uint32_t i = 0; i < part->n_spines; i++) {
		if (part->spine[i] == to->via_switch)
			continue;
		for (uint32_t k = 0; k < part->n_leaves; k++) {
			uint32_t leaf = leaf_to_turn_at(part, true, turn, k);
			uint8_t port = cable(plan, part->spine[i], leaf);

			if (!port || !cable(plan, part->leaf[leaf], place))
				continue;
			set(plan, part->spine[i], to->lid, port);
			break;
		}
	}
}

/* Whether the spine at the other end of @link has a cable to the switch of @to, or is that. */
static bool arrives(const struct plan *plan, const struct link *link,
		    const struct hd_route_target *to)
{
	const struct hd_dragonfly_plus *plus = plan->plus;
	const uint32_t group = plus->group[to->via_switch];

	if (link->to != group)
		return true;
	if (plus->is_spine[to->via_switch])
		return link->far == plan->place[to->via_switch];
	return cable(plan, to->via_switch, link->far);
}

/*
 * The link, of @n from @links on, that a switch should take at this @turn: the first choice that
 * arrives. @s is a leaf that has to have a cable to the owner, or HD_NONE. HD_NONE: none will do.
 */
static uint32_t choose(const struct plan *plan, const struct link *links, uint32_t n, uint32_t turn,
		       uint32_t s, const struct hd_route_target *to)
{
	uint32_t other = HD_NONE;

	for (uint32_t k = 0; k < n; k++) {
		uint32_t at = choice(turn, k, n);

		if (s != HD_NONE && !cable(plan, s, links[at].owner))
			continue;
		if (arrives(plan, &links[at], to))
			return at;
		if (other == HD_NONE)
			other = at;
	}
	return other;
}

/*
 * Routes to another group, over the @n links from @links on. First those who have a next hop of
 * their own: owners, and leaves with a cable to one. Then spines without such a link, by a leaf
 * that has one; then leaves, by spines that are not led back to them.
 */
static void fill_out(const struct part *part, const struct hd_route_target *to,
		     const struct link *links, uint32_t n, uint32_t turn)
{
	const struct plan *plan = part->plan;
	const uint16_t lid = to->lid;
	const bool is_passed = plan->via[lid] == part->group;
	uint32_t at;

	if (!n)
		return;
	for (uint32_t own = 0, next; own < n; own = next) {
		for (next = own + 1; next < n && links[next].owner == links[own].owner;)
			next++;
		at = turn % n >= own && turn % n < next ? turn % n - own : turn % (next - own);
		at = own + choose(plan, links + own, next - own, at, HD_NONE, to);
		set(plan, part->spine[links[own].owner], lid, links[at].port);
	}
	for (uint32_t i = 0; i < part->n_leaves; i++) {
		at = choose(plan, links, n, turn, part->leaf[i], to);
		if (at != HD_NONE)
			set(plan, part->leaf[i], lid, cable(plan, part->leaf[i], links[at].owner));
	}
	for (uint32_t i = 0; i < part->n_spines; i++) {
		const uint32_t s = part->spine[i];

		if (hd_lft(plan->tables, s)[lid] != HD_NO_PATH)
			continue;
		for (uint32_t k = 0; k < part->n_leaves; k++) {
			uint32_t leaf = leaf_to_turn_at(part, is_passed, turn, k);
			uint8_t port = cable(plan, s, leaf);

			if (!port || hd_lft(plan->tables, part->leaf[leaf])[lid] == HD_NO_PATH)
				continue;
			set(plan, s, lid, port);
			break;
		}
	}
	for (uint32_t i = 0; i < part->n_leaves; i++) {
		const uint32_t s = part->leaf[i];

		for (uint32_t k = 0; k < part->n_spines; k++) {
			uint32_t spine = choice(turn, k, part->n_spines);
			uint8_t port = cable(plan, s, spine);

			if (hd_lft(plan->tables, s)[lid] != HD_NO_PATH)
				break;
			if (port && hd_lft(plan->tables, part->spine[spine])[lid] != HD_NO_PATH)
				set(plan, s, lid, port);
		}
	}
}

static void fill_group(const struct part *part)
{
	const struct plan *plan = part->plan;
	const struct hd_dragonfly_plus *plus = plan->plus;
	const struct hd_route_targets *all = plan->targets;
	const uint32_t *first = plan->first_link + part->group * (plus->n_groups + (size_t)1);

	for (unsigned pass = 0; pass < all->n_passes; pass++) {
		memset(part->turn, 0, plus->n_groups * sizeof(*part->turn));
		for (size_t i = all->first[pass]; i < all->first[pass + 1]; i++) {
			const struct hd_route_target *to = &all->list[i];
			uint32_t group = plus->group[to->via_switch];
			uint32_t next = plan->via[to->lid] == part->group || group == part->group
						? group
						: plan->via[to->lid];
			uint32_t turn = pass + part->turn[next]++;

			if (group != part->group)
				fill_out(part, to, plan->links + first[next],
					 first[next + 1] - first[next], turn);
			else if (plus->is_spine[to->via_switch])
				fill_up(part, to, turn);
			else
				fill_down(part, to, turn);
			if (group == part->group)
				set(plan, to->via_switch, to->lid, to->via_port);
		}
	}
	for (uint32_t i = 0; i < part->n_leaves + part->n_spines; i++)
		hd_trunks_spread(plan->fabric, all, part->leaf[i],
				 hd_lft(plan->tables, part->leaf[i]), NULL);
}

static int fill(const struct plan *plan, struct hd_error *err)
{
	const struct hd_dragonfly_plus *plus = plan->plus;
	bool failed = false;

#pragma omp parallel if (plan->fabric->n_switches > 64)
	{
		uint32_t *turn = malloc(plus->n_groups * sizeof(*turn));

		if (!turn) {
#pragma omp atomic write
			failed = true;
		}
#pragma omp for schedule(dynamic)
		for (uint32_t g = 0; g < plus->n_groups; g++) {
			const uint32_t *leaves = plus->switches + plus->first[g];
			struct part part = {
				.plan = plan,
				.group = g,
				.n_leaves = plus->n_leaves[g],
				.n_spines = plus->first[g + 1] - plus->first[g] - plus->n_leaves[g],
				.leaf = leaves,
				.spine = leaves + plus->n_leaves[g],
				.turn = turn,
			};

			if (turn)
				fill_group(&part);
		}
		free(turn);
	}
	return failed ? hd_error_nomem(err) : 0;
}

/* Moves what layer rules want to know to @structure. */
static void take(struct hd_structure *structure, struct hd_dragonfly_plus *plus)
{
	/* all that turns does so at one leaf then */
	for (uint32_t g = 0; g < plus->n_groups; g++)
		structure->is_degraded |= plus->n_leaves[g] < 2;
	hd_structure_take_plus(structure, plus);
}

/* Values of option `ar`. */
enum { NO_SETS, MINIMAL, VALIANT };

static int route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		 struct hd_routes *routes, struct hd_error *err)
{
	struct hd_dragonfly_plus *plus = NULL;
	struct hd_route_targets targets = { 0 };
	struct plan plan = { .fabric = fabric, .targets = &targets, .tables = routes->tables };
	static const char *const ar_words[] = { "no", "minimal", "valiant", NULL };
	enum hd_ar_state state;
	unsigned sets;
	bool minimal;
	int ret = hd_params_bool(request->params, "minimal", &minimal, err);

	if (!ret)
		ret = hd_ar_begin(request->params, ar_words, &sets, &state, routes, err);
	if (!ret)
		ret = hd_dragonfly_plus_recognise(fabric, &plus, err);
	plan.plus = plus;
	/* what goes around gaps and what ends at spines would close cycles with the sets */
	if (!ret && sets == MINIMAL && !hd_dragonfly_plus_is_perfect(plus))
		ret = hd_error_set(err, HD_EREFUSED,
				   "ar=minimal: port sets are for an intact Dragonfly+, and parts "
				   "of this one are missing or odd: ar=valiant serves it");
	if (!ret)
		ret = hd_route_targets_list(fabric, &targets, err);
	if (!ret)
		ret = hd_group_vias_choose(fabric, &targets, plus->group, plus->n_groups, minimal,
					   &plan.via, &plan.is_spread, err);
	if (!ret)
		ret = make_plan(&plan, err);
	if (!ret)
		ret = fill(&plan, err);
	if (!ret && sets == MINIMAL)
		ret = hd_plus_sets(fabric, plus, &targets, plan.via, state, routes->tables, err);
	if (!ret && sets == VALIANT)
		ret = hd_plus_valiant(fabric, plus, &targets, state, routes->tables, err);
	if (!ret)
		take(&routes->structure, plus);
	if (!ret && plan.is_spread) {
		routes->structure.via = plan.via;
		plan.via = NULL;
	}
	plan_clear(&plan);
	hd_route_targets_free(&targets);
	hd_dragonfly_plus_free(plus);
	return ret;
}

static const struct hd_option options[] = {
	{ "minimal", "on", "",
	  "whether the first LID of a host has minimal routes; off: routes through another group" },
	HD_AR_OPTIONS("minimal: AR tables with all ports by which a minimal path begins; valiant: "
		      "also those to other groups, where a packet begins, with private LFTs and "
		      "VL2VL"),
	{ NULL, NULL, NULL, NULL },
};
static const char *const layer_rules[] = { "plus", "layered", NULL };

const struct hd_engine hd_engine_dfplus = {
	.policy.name = "dfplus",
	.policy.summary =
		"minimal routes on a Dragonfly+: 1 SL, 2 VLs, any SL is safe; with an LMC "
		"also through other groups: 3 VLs",
	.policy.reference = "Shpiner et al., Dragonfly+ (HiPINEB 2017)",
	.policy.options = options,
	.layer_rules = layer_rules,
	.any_sl = true,
	.host_policy = "roundrobin",
	.scheduler = "vlarb",
	.route = route,
};
