// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Switches with AR tables (tables/ar.h): a packet leaves by one of the ports of its LID's group, on
 * the VL that the SL2VL or VL2VL tables give there. In state free it is the one whose queue is
 * shortest, of those that can take the packet now; of equals the default port, which is the LFT's,
 * and else a random one. In state bounded a flow, from a host to a LID, keeps the port that its
 * last packet took, until a packet comes that is `age` or more behind that. In state hash the port
 * of a flow at a switch is fixed: the Fibonacci hash of hash_key(), modulo the ports. Of several
 * subgroups, the first with a port that can take the packet now counts. Where switches have private
 * LFTs, each hop goes by the entry of the pLFT for its in-port and its SL or VL.
 *
 * What vendors' switches compare is their affair; here it is what is occupied of the buffer behind
 * the link, on the packet's VL, or on its way there.
 */
#include <stdlib.h>
#include <string.h>

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
	bool is_private;    /* there are private LFTs */
	size_t *first_part; /* [switch] in parts[] */
	uint64_t *parts;    /* [subgroup of the switch] local ports to other switches */
	uint8_t *local;     /* [port of the fabric] of switches; HD_HOP_NONE: none to a switch */
};

/* Local numbers of ports and subgroups. */
static int find_parts(const struct hd_shape *shape, struct options *options, struct hd_error *err)
{
	const struct hd_fabric *fabric = shape->fabric;
	const struct hd_ar *ar = shape->tables->ar;
	size_t n = 0;

	options->local = malloc(fabric->n_ports + (size_t)1);
	options->first_part = malloc((shape->n_switches + (size_t)1) * sizeof(size_t));
	if (!options->local || !options->first_part)
		return hd_error_nomem(err);
	memset(options->local, HD_HOP_NONE, fabric->n_ports);
	for (uint32_t at = 0; at < shape->n_switches; at++) {
		for (unsigned port = 0; port < shape->n_locals[at]; port++)
			if (shape->neighbour[hd_shape_port(shape, at, port)] != HD_NONE)
				options->local[shape->fabric_port[hd_shape_port(shape, at, port)]] =
					(uint8_t)port;
		options->first_part[at] = n;
		n += ar->groups[at].n ? ar->groups[at].first[ar->groups[at].n] : 0;
	}
	options->parts = calloc(n + 1, sizeof(*options->parts));
	if (!options->parts)
		return hd_error_nomem(err);
	for (uint32_t at = 0; at < shape->n_switches; at++) {
		const struct hd_ar_groups *groups = &ar->groups[at];

		for (uint32_t i = 0; groups->n && i < groups->first[groups->n]; i++)
			hd_for_each_in_set(port, &groups->subgroups[i]) {
				const unsigned local =
					options->local[hd_port_index(fabric, at, port)];

				if (local != HD_HOP_NONE)
					options->parts[options->first_part[at] + i] |=
						hd_port_bit(local);
			}
	}
	return 0;
}

static void clear(struct hd_routed *routed)
{
	struct options *options = routed->own;

	if (!options)
		return;
	free(options->first_part);
	free(options->parts);
	free(options->local);
}

/* Whether any entry of the tables is bounded. */
static bool has_bounded(const struct hd_shape *shape)
{
	const struct hd_tables *tables = shape->tables;

	if (!tables->ar)
		return false;
	hd_for_each_switch(s, tables->fabric)
		for (unsigned plft = 0; plft < tables->ar->switches[s].n_plfts; plft++)
			hd_for_each_lid(lid, tables->fabric)
				if (hd_ar_entry(tables, s, plft, lid).state == HD_AR_BOUNDED)
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
	options->is_private = hd_ar_is_private(routed->shape->tables);
	if (options->is_private && mode != BY_TABLES)
		return hd_error_set(err, HD_EINVAL,
				    "ar: one state for all entries is for tables without private "
				    "LFTs");
	if (routed->shape->tables->ar && find_parts(routed->shape, options, err))
		return HD_ENOMEM;
	routed->needs_flows = mode == BOUNDED || (mode == BY_TABLES && has_bounded(routed->shape));
	if (routed->needs_flows)
		return read_age(routed, params, options, err);
	if (hd_params_is_set(params, "age"))
		return hd_error_set(err, HD_EINVAL, "ar: age is about state bounded");
	return 0;
}

/* Whether packets choose at entries of @state, by their SL; by their VL where there is VL2VL. */
static bool chooses(const struct hd_ar_switch *own, enum hd_ar_state state,
		    const struct hd_view *view)
{
	const unsigned sl = own->vl2vl ? view->in_vc : view->passage->sl;

	return (state == HD_AR_HASH ? own->hash_sls : own->adaptive_sls) >> sl & 1;
}

/* The entry of the packet: that of the pLFT for its in-port, and its SL or VL. */
static struct hd_ar_entry entry_at(const struct options *options, const struct hd_view *view)
{
	const struct hd_tables *tables = view->shape->tables;
	const struct hd_passage *passage = view->passage;
	struct hd_ar_entry entry = { .state = HD_AR_STATIC };
	unsigned plft = 0;

	if (options->mode == STATIC)
		return entry;
	if (options->is_private) {
		const uint32_t in =
			view->shape->fabric_port[hd_shape_port(view->shape, view->at, passage->in)];

		plft = hd_ar_plft(tables, view->at, view->shape->fabric->ports[in].number,
				  passage->sl, view->in_vc);
	}
	entry = hd_ar_entry(tables, view->at, plft, passage->lid);
	if (!chooses(&tables->ar->switches[view->at], entry.state, view))
		entry.state = HD_AR_STATIC;
	if (entry.state != HD_AR_STATIC && options->mode != BY_TABLES)
		entry.state = options->mode == BOUNDED ? HD_AR_BOUNDED : HD_AR_FREE;
	return entry;
}

/* The local number of the default port; HD_HOP_NONE or HD_HOP_LAST: it leads to no switch. */
static unsigned default_port(const struct options *options, const struct hd_view *view,
			     const struct hd_ar_entry *entry)
{
	if (!options->is_private)
		return hd_way_tables_port(view);
	if (entry->port > view->shape->fabric->nodes[view->at].n_ports)
		return HD_HOP_NONE;
	return options->local[hd_port_index(view->shape->fabric, view->at, entry->port)];
}

/* The number that is hashed: of the flow, and of what else the switch takes into account. */
static uint64_t hash_key(const struct hd_view *view)
{
	const struct hd_ar_switch *own = &view->shape->tables->ar->switches[view->at];
	const struct hd_passage *passage = view->passage;
	const unsigned fields = own->hash_fields;
	const uint64_t rest = (fields & HD_AR_HASH_SL ? passage->sl + 1u : 0) |
			      (fields & HD_AR_HASH_VL ? view->in_vc + 1u : 0) << 8 |
			      (fields & HD_AR_HASH_IN ? passage->in + 1u : 0) << 16;

	const uint64_t mixed = (rest << 32 | own->hash_seed) * UINT64_C(0xD6E8FEB86659FD93);

	return hd_flow_key(view->at, fields & HD_AR_HASH_SOURCE ? passage->source : 0,
			   fields & HD_AR_HASH_LID ? passage->lid : 0) ^
	       mixed ^ mixed >> 32;
}

/*
 * The finalizer of MurmurHash3, in which each bit of @key changes all bits alike. One product would
 * not do: the switch is in the high bits of a key, and these do not reach the low bits that choose
 * among 2^k ports, so a flow would take the same of them at every switch.
 */
static uint64_t mix(uint64_t key)
{
	key = (key ^ key >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
	key = (key ^ key >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
	return key ^ key >> 33;
}

/* One of @ports, by the flow. */
static uint64_t hashed(const struct hd_view *view, uint64_t ports)
{
	unsigned n = (unsigned)__builtin_popcountll(ports);

	if (!n)
		return 0;
	for (n = (unsigned)(mix(hash_key(view)) % n); n; n--)
		ports &= ports - 1;
	return ports & -ports;
}

/* The ports of the packet's entry. */
static uint64_t ports_of(const struct options *options, const struct hd_view *view,
			 const struct hd_ar_entry *entry)
{
	unsigned port;

	if (entry->state == HD_AR_HASH)
		return hashed(view, hd_shape_set(view->shape, view->at, entry->group));
	if (entry->state != HD_AR_STATIC)
		return hd_shape_set(view->shape, view->at, entry->group);
	port = default_port(options, view, entry);
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
	const struct hd_ar_entry entry = entry_at(routed->own, view);
	unsigned n = 0;

	(void)header;
	for (uint64_t ports = ports_of(routed->own, view, &entry); ports; ports &= ports - 1) {
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

/* Of @ports, the best that can take the packet now, @first of equals; false: none can. */
static bool choose(const struct hd_view *view, uint64_t ports, unsigned first, unsigned *best)
{
	struct hd_sight *sight = view->sight;
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

/* The same of the first subgroup of @entry that has one. */
static bool choose_part(const struct options *options, const struct hd_view *view,
			const struct hd_ar_entry *entry, uint64_t ports, unsigned first,
			unsigned *best)
{
	const struct hd_ar_groups *groups = &view->shape->tables->ar->groups[view->at];

	for (uint32_t i = groups->first[entry->group]; i < groups->first[entry->group + 1u]; i++)
		if (choose(view, ports & options->parts[options->first_part[view->at] + i], first,
			   best))
			return true;
	return false;
}

static unsigned offer(const struct hd_routed *routed, const struct hd_view *view,
		      const struct hd_header *header, struct hd_offer *offers)
{
	const struct options *options = routed->own;
	const struct hd_ar_entry entry = entry_at(options, view);
	const unsigned first = default_port(options, view, &entry);
	uint64_t ports = ports_of(options, view, &entry);
	unsigned port = 0;
	bool found;

	(void)header;
	/* after a change of tables, a port that the flow had may be none of the set */
	if (entry.state == HD_AR_BOUNDED && is_bound(options, view, &port) &&
	    ports & hd_port_bit(port))
		ports = hd_port_bit(port);
	found = entry.state == HD_AR_STATIC
			? choose(view, ports, first, &port)
			: choose_part(options, view, &entry, ports, first, &port);
	if (!found)
		return 0;
	offers[0] = offer_of(hd_port_bit(port), hd_way_tables_vl(view, port));
	return 1;
}

static void took(const struct hd_routed *routed, const struct hd_view *view,
		 struct hd_header *header, const struct hd_offer *offer)
{
	struct hd_flow_entry *flow;

	(void)header;
	if (entry_at(routed->own, view).state != HD_AR_BOUNDED)
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
	.clear = clear,
	.offer = offer,
	.may = may,
	.took = took,
};
