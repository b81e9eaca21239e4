// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Switches with AR tables (tables/ar.h): a packet leaves by one of the ports of its LID's group, on
 * the VL that the SL2VL tables give there. In state free it is the one whose queue is shortest, of
 * those that can take the packet now; of equals the default port, which is the LFT's, and else a
 * random one. In state bounded a flow, from a host to a LID, keeps the port that its last packet
 * took, until a packet comes that is `age` or more behind that.
 *
 * What vendors' switches compare is their affair; here it is what is occupied of the buffer behind
 * the link, on the packet's VL, or on its way there.
 */
#include <stdlib.h>

#include "sim/adaptive/flows.h"
#include "sim/adaptive/ways.h"
#include "support/duration.h"
#include "support/error.h"
#include "tables/ar.h"

enum mode { BY_TABLES, STATIC, BOUNDED, FREE };

static const char *const modes[] = { "tables", "static", "bounded", "free", NULL };

struct options {
	enum mode mode;
	uint64_t age; /* ticks, or cycles ... */
	bool in_cycles;
};

/* Whether any entry of the tables is bounded. */
static bool has_bounded(const struct hd_shape *shape)
{
	const struct hd_tables *tables = shape->tables;

	if (!tables->ar)
		return false;
	for (size_t i = 0; i < tables->fabric->n_switches * tables->lft_stride; i++)
		if (tables->ar->state[i] == HD_AR_BOUNDED)
			return true;
	return false;
}

static int read_age(const struct hd_routed *routed, const struct hd_params *params,
		    struct options *options, struct hd_error *err)
{
	int ret;

	options->in_cycles = routed->in_cycles;
	if (options->in_cycles) {
		if (!hd_params_is_set(params, "age"))
			return hd_error_set(err, HD_EINVAL,
					    "ar: how many cycles is age? (the clock is cycles)");
		return hd_params_number(params, "age", 1, UINT32_MAX, &options->age, err);
	}
	ret = hd_parse_duration(hd_params_get(params, "age"), "age", &options->age, err);
	if (!ret && !options->age)
		return hd_error_set(err, HD_ERANGE, "age: 0 is not in 1ns and more");
	options->age *= 1000; /* ticks are picoseconds */
	return ret;
}

static int init(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err)
{
	struct options *options = calloc(1, sizeof(*options));
	unsigned mode;
	int ret;

	routed->own = options;
	if (!options)
		return hd_error_nomem(err);
	ret = hd_params_word(params, "state", modes, &mode, err);
	if (ret)
		return ret;
	options->mode = mode;
	routed->counts_order = true;
	if (mode != STATIC && !routed->shape->tables->ar)
		return hd_error_set(err, HD_EINVAL,
				    "ar goes by sets of ports, and the tables have none: engines "
				    "make them with option ar");
	routed->needs_flows = mode == BOUNDED || (mode == BY_TABLES && has_bounded(routed->shape));
	if (routed->needs_flows)
		return read_age(routed, params, options, err);
	if (hd_params_is_set(params, "age"))
		return hd_error_set(err, HD_EINVAL, "ar: age is about state bounded");
	return 0;
}

static enum hd_ar_state state_at(const struct options *options, const struct hd_view *view)
{
	const struct hd_tables *tables = view->shape->tables;
	enum hd_ar_state state;

	if (options->mode == STATIC)
		return HD_AR_STATIC;
	state = tables->ar->state[view->at * tables->lft_stride + view->passage->lid];
	if (state == HD_AR_STATIC || options->mode == BY_TABLES)
		return state;
	return options->mode == BOUNDED ? HD_AR_BOUNDED : HD_AR_FREE;
}

/* The ports of the packet's entry. */
static uint64_t ports_of(const struct options *options, const struct hd_view *view)
{
	const struct hd_tables *tables = view->shape->tables;
	unsigned port;

	if (state_at(options, view) != HD_AR_STATIC)
		return hd_shape_set(
			view->shape, view->at,
			tables->ar->group[view->at * tables->lft_stride + view->passage->lid]);
	port = hd_way_tables_port(view);
	return port < view->shape->n_locals[view->at] ? hd_port_bit(port) : 0;
}

static struct hd_offer offer_of(uint64_t ports, unsigned vl)
{
	return (struct hd_offer){
		.ports = ports,
		.vcs = 1u << vl,
		.via = HD_NONE,
		.step = HD_STEP_ON,
		.is_escape = true,
	};
}

static unsigned may(const struct hd_routed *routed, const struct hd_view *view,
		    const struct hd_header *header, struct hd_offer *offers)
{
	unsigned n = 0;

	(void)header;
	for (uint64_t ports = ports_of(routed->own, view); ports; ports &= ports - 1) {
		const unsigned port = (unsigned)__builtin_ctzll(ports),
			       vl = hd_way_tables_vl(view, port);
		unsigned i = 0;

		if (vl == HD_VL_DROP)
			continue;
		while (i < n && offers[i].vcs != 1u << vl)
			i++;
		if (i == n)
			offers[n++] = offer_of(0, vl);
		offers[i].ports |= hd_port_bit(port);
	}
	return n;
}

/* Whether the packet has to go where the one before it went, and where that is. */
static bool is_bound(const struct options *options, const struct hd_view *view, unsigned *port)
{
	const struct hd_sight *sight = view->sight;
	const struct hd_flow_entry *flow = hd_flows_find(
		sight->flows, hd_flow_key(view->at, view->passage->source, view->passage->lid));
	uint64_t age = options->age * (options->in_cycles ? sight->cycle : 1);

	if (!flow || view->passage->arrived >= flow->when + age)
		return false;
	*port = flow->port;
	return true;
}

/* Of @ports, the best that can take the packet now; false: none can. */
static bool choose(const struct hd_view *view, uint64_t ports, unsigned *best)
{
	struct hd_sight *sight = view->sight;
	const unsigned first = hd_way_tables_port(view);
	uint32_t least = UINT32_MAX;
	unsigned equals = 0;

	for (ports &= sight->free; ports; ports &= ports - 1) {
		const unsigned port = (unsigned)__builtin_ctzll(ports),
			       vl = hd_way_tables_vl(view, port);
		uint32_t occupied;

		if (vl == HD_VL_DROP || !(sight->room[vl] >> port & 1))
			continue;
		occupied = sight->occupied[port * sight->n_vcs + vl];
		if (occupied > least)
			continue;
		equals = occupied < least ? 1 : equals + 1;
		least = occupied;
		/* each of n equals with the chance 1 / n, unless one is the default port */
		if (equals == 1 || port == first ||
		    (*best != first && !hd_sight_below(sight, equals)))
			*best = port;
	}
	return least != UINT32_MAX;
}

static unsigned offer(const struct hd_routed *routed, const struct hd_view *view,
		      const struct hd_header *header, struct hd_offer *offers)
{
	const struct options *options = routed->own;
	uint64_t ports = ports_of(options, view);
	unsigned port = 0;

	(void)header;
	if (state_at(options, view) == HD_AR_BOUNDED && is_bound(options, view, &port))
		ports &= hd_port_bit(port);
	if (!choose(view, ports, &port))
		return 0;
	offers[0] = offer_of(hd_port_bit(port), hd_way_tables_vl(view, port));
	return 1;
}

static void took(const struct hd_routed *routed, const struct hd_view *view,
		 struct hd_header *header, const struct hd_offer *offer)
{
	struct hd_flow_entry *flow;

	(void)header;
	if (state_at(routed->own, view) != HD_AR_BOUNDED)
		return;
	flow = hd_flows_add(view->sight->flows,
			    hd_flow_key(view->at, view->passage->source, view->passage->lid));
	if (!flow)
		return;
	flow->when = view->sight->now;
	flow->port = (uint8_t)__builtin_ctzll(offer->ports);
}

static const struct hd_option options[] = {
	{ "state", "tables", "",
	  "tables, as each entry says; static, bounded or free, of all entries that have a group" },
	{ "age", "30us", "",
	  "with bounded, how long a flow is idle before it may change its port; cycles where "
	  "run.clock is cycles" },
	{ NULL, NULL, NULL, NULL },
};

const struct hd_routing hd_routing_ar = {
	.policy.name = "ar",
	.policy.summary = "any port of the tables' set for a LID, on the tables' VLs",
	.policy.options = options,
	.policy.n_bare = 1,
	.vcs = "tables",
	.max_hops = 3,
	.init = init,
	.offer = offer,
	.may = may,
	.took = took,
};
