// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/intent_naive.h"

#include "check/walk.h"
#include "tables/ar.h"
#include "tests/unit/unit.h"

struct naive {
	const struct hd_rules *rules;
	const struct hd_tables *tables;
	const struct hd_fabric *fabric;
	struct hd_members members;
	const struct hd_rule *rule;
	struct hd_demand_verdict *verdicts;
	uint64_t n_uncovered;
	struct hd_hop *hops; /* of one path after the other */
	size_t capacity;
	uint64_t *flows; /* [port] */
};

/* Paths that are looked at together. */
struct bundle {
	size_t n, n_hops;
	size_t *first; /* [n + 1] in hops[] */
	uint32_t *owner;
};

static bool has(const struct naive *naive, uint32_t set, uint32_t port)
{
	return hd_members_of(&naive->members, set)[port];
}

static uint32_t port0(const struct naive *naive, uint32_t s)
{
	return hd_port_index(naive->fabric, s, 0);
}

static bool is_switch(const struct naive *naive, const struct hd_hop *hop)
{
	return hd_is_switch(naive->fabric, hop->node);
}

static enum hd_check_failure walk(struct naive *naive, uint32_t source, uint32_t lid,
				  struct hd_hop *hops, size_t *n)
{
	const struct hd_walk_options options = { .routes_only = true };
	const struct hd_flow flow = { .source = source, .lid = (uint16_t)lid };

	return hd_walk_with(naive->tables, &flow, &options, hops, naive->fabric->n_switches + 2, n);
}

/* What a path passes, hop by hop; @wanted says whether a switch counts. */
static bool passes(const struct naive *naive, const struct hd_hop *hops, size_t n, uint32_t set,
		   bool wanted)
{
	for (size_t i = 0; i < n; i++)
		if (is_switch(naive, &hops[i]) &&
		    has(naive, set, port0(naive, hops[i].node)) == wanted)
			return true;
	return false;
}

static bool leaves_rail(const struct naive *naive, const struct hd_hop *hops, size_t n,
			uint32_t rail)
{
	for (size_t i = 0; i < n; i++)
		if (is_switch(naive, &hops[i])) {
			const uint32_t other = naive->members.rail[port0(naive, hops[i].node)];

			if (other != HD_NONE && other != rail)
				return true;
		}
	return false;
}

static bool leaves_group(const struct naive *naive, const struct hd_hop *hops, size_t n,
			 uint32_t group)
{
	for (size_t i = 0; i < n; i++)
		if (is_switch(naive, &hops[i]) && naive->members.group[hops[i].node] != group)
			return true;
	return false;
}

enum verdict { KEPT, VIOLATED, NOT_JUDGED };

static enum verdict judge_path(const struct naive *naive, const struct hd_demand *demand,
			       uint32_t source, uint32_t owner, uint32_t lid,
			       const struct hd_hop *hops, size_t n)
{
	const struct hd_members *members = &naive->members;
	const uint32_t rail = members->rail[owner];
	uint32_t n_switches = 0;
	bool bad = false;

	for (size_t i = 0; i < n; i++)
		n_switches += is_switch(naive, &hops[i]);
	switch (demand->kind) {
	case HD_DEMAND_MAX_HOPS:
		bad = n_switches - 1 > demand->number;
		break;
	case HD_DEMAND_MIN_HOPS:
		bad = n_switches - 1 < demand->number;
		break;
	case HD_DEMAND_AVOID:
		bad = passes(naive, hops, n, demand->set, true);
		break;
	case HD_DEMAND_VIA:
		bad = !passes(naive, hops, n, demand->set, true);
		break;
	case HD_DEMAND_STAY_IN_SET:
		bad = passes(naive, hops, n, demand->set, false);
		break;
	case HD_DEMAND_STAY_IN_RAIL:
		if (rail == HD_NONE || rail != members->rail[source])
			return NOT_JUDGED;
		bad = leaves_rail(naive, hops, n, rail);
		break;
	case HD_DEMAND_STAY_IN_GROUP:
		if (members->group[members->at[source]] != members->group[members->at[owner]])
			return NOT_JUDGED;
		bad = leaves_group(naive, hops, n, members->group[members->at[owner]]);
		break;
	case HD_DEMAND_SLS: {
		const unsigned sl = hd_path_sl(naive->tables, source, lid);

		bad = sl >= HD_MAX_SLS || !(demand->number >> sl & 1);
		break;
	}
	default:
		return NOT_JUDGED;
	}
	return bad ? VIOLATED : KEPT;
}

static void add_flows(struct naive *naive, const struct hd_hop *hops, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++)
		if (is_switch(naive, &hops[i]) && is_switch(naive, &hops[i + 1]))
			naive->flows[hd_port_index(naive->fabric, hops[i].node, hops[i].out)]++;
}

/* What becomes of packets, whichever ports switches choose. */
struct outcome {
	uint32_t source, owner, lid;
	bool arrives, is_lost, is_unknown;
	enum verdict verdicts[HD_N_DEMANDS + 8]; /* by demand of the rule */
};

static void add_path(struct naive *naive, struct outcome *outcome, size_t n)
{
	for (uint32_t d = 0; d < naive->rule->n_demands; d++) {
		const struct hd_demand *demand =
			&naive->rules->demands[naive->rule->first_demand + d];
		const enum verdict verdict =
			judge_path(naive, demand, outcome->source, outcome->owner, outcome->lid,
				   naive->hops, n);

		if (!outcome->arrives || verdict == VIOLATED)
			outcome->verdicts[d] = verdict;
	}
	outcome->arrives = true;
}

/* Every way of packets that are at switch @s, behind @n hops. */
static void choose(struct naive *naive, struct outcome *outcome, uint32_t s, size_t n)
{
	const struct hd_lid *lid = &naive->fabric->lids[outcome->lid];
	const struct hd_port_set *set = hd_ar_ports(naive->tables, s, outcome->lid);
	const unsigned out = hd_lft(naive->tables, s)[outcome->lid];

	for (size_t i = 0; i < n; i++)
		if (naive->hops[i].node == s) {
			outcome->is_lost = true;
			return;
		}
	naive->hops[n++] = (struct hd_hop){ .node = s };
	if (!hd_lft_is_known(naive->tables, s)) {
		outcome->is_unknown = true;
		return;
	}
	for (unsigned port = 0; port <= HD_NO_PATH; port++) {
		uint32_t next = HD_NONE;

		if (set ? !hd_port_set_has(set, port) : port != out)
			continue;
		if (s == lid->via_switch && port == lid->via_port) {
			add_path(naive, outcome, n);
			continue;
		}
		if (port && port <= naive->fabric->nodes[s].n_ports)
			next = hd_peer_node(naive->fabric, s, port);
		if (next == HD_NONE || !hd_is_switch(naive->fabric, next))
			outcome->is_lost = true;
		else
			choose(naive, outcome, next, n);
	}
}

/* One path, or all that there are with choices. */
static void find_outcome(struct naive *naive, struct outcome *outcome)
{
	enum hd_check_failure fate;
	size_t n;

	if (naive->tables->ar) {
		choose(naive, outcome, naive->members.at[outcome->source], 0);
		return;
	}
	fate = walk(naive, outcome->source, outcome->lid, naive->hops, &n);
	if (fate == HD_CHECK_SOUND)
		add_path(naive, outcome, n);
	else if (fate == HD_CHECK_NOT_COVERED)
		outcome->is_unknown = true;
	else
		outcome->is_lost = true;
}

static void judge_one(struct naive *naive, uint32_t source, uint32_t owner, uint32_t lid)
{
	const struct hd_rule *rule = naive->rule;
	struct hd_demand_verdict *verdicts = &naive->verdicts[rule->first_demand];
	struct outcome outcome = { .source = source, .owner = owner, .lid = lid };
	size_t n;

	find_outcome(naive, &outcome);
	if (!outcome.is_lost && outcome.is_unknown) {
		naive->n_uncovered++;
		return;
	}
	verdicts->n++;
	verdicts->n_bad += naive->rules->demands[rule->first_demand].kind == HD_DEMAND_ISOLATED
				   ? outcome.arrives
				   : outcome.is_lost;
	if (outcome.is_lost)
		return;
	assert_int_equal(walk(naive, source, lid, naive->hops, &n), HD_CHECK_SOUND);
	add_flows(naive, naive->hops, n);
	for (uint32_t d = 1; d < rule->n_demands; d++) {
		verdicts[d].n += outcome.verdicts[d] != NOT_JUDGED;
		verdicts[d].n_bad += outcome.verdicts[d] == VIOLATED;
	}
}

/* Whether packets arrive whatever switches choose; then those that follow the LFTs do. */
static bool surely_arrives(struct naive *naive, uint32_t source, uint32_t owner, uint32_t lid)
{
	struct outcome outcome = { .source = source, .owner = owner, .lid = lid };

	find_outcome(naive, &outcome);
	return outcome.arrives && !outcome.is_lost && !outcome.is_unknown;
}

/* Adds the paths to the LIDs of @owner that arrive. */
static unsigned add_bundle(struct naive *naive, struct bundle *bundle, uint32_t source,
			   uint32_t owner)
{
	const struct hd_port *port = &naive->fabric->ports[owner];
	const unsigned n_lids = naive->rule->base_lids ? 1 : 1u << port->lmc;
	struct hd_hop *hops = naive->hops;
	bool is_sure[1 << HD_MAX_LMC];

	/* the search for choices needs hops of its own */
	naive->hops = malloc((naive->fabric->n_switches + 2u) * sizeof(*naive->hops));
	assert_non_null(naive->hops);
	for (unsigned i = 0; i < n_lids; i++)
		is_sure[i] = surely_arrives(naive, source, owner, port->lid + i);
	free(naive->hops);
	naive->hops = hops;
	for (uint32_t lid = port->lid; lid < port->lid + n_lids; lid++) {
		size_t n;

		if (naive->capacity - bundle->n_hops < naive->fabric->n_switches + 2u) {
			naive->capacity = 2 * naive->capacity + naive->fabric->n_switches + 2u;
			naive->hops = realloc(naive->hops, naive->capacity * sizeof(*naive->hops));
			assert_non_null(naive->hops);
		}
		if (!is_sure[lid - port->lid])
			continue;
		assert_int_equal(walk(naive, source, lid, naive->hops + bundle->n_hops, &n),
				 HD_CHECK_SOUND);
		bundle->first = realloc(bundle->first, (bundle->n + 2) * sizeof(*bundle->first));
		bundle->owner = realloc(bundle->owner, (bundle->n + 1) * sizeof(*bundle->owner));
		assert_non_null(bundle->first);
		bundle->first[bundle->n] = bundle->n_hops;
		bundle->owner[bundle->n++] = owner;
		bundle->n_hops += n;
		bundle->first[bundle->n] = bundle->n_hops;
	}
	return n_lids;
}

/* Whether path @i needs element @port: a link, or a switch where @port is its port 0. */
static bool needs(const struct naive *naive, const struct bundle *bundle, size_t i, uint32_t port)
{
	const struct hd_fabric *fabric = naive->fabric;
	const struct hd_hop *hops = naive->hops;
	const bool is_link = fabric->ports[port].number != 0;

	for (size_t h = bundle->first[i]; h < bundle->first[i + 1]; h++) {
		uint32_t out;

		if (!is_switch(naive, &hops[h]))
			continue;
		if (!is_link && hops[h].node == fabric->ports[port].node)
			return true;
		if (h + 1 == bundle->first[i + 1] || !is_switch(naive, &hops[h + 1]))
			continue;
		out = hd_port_index(fabric, hops[h].node, hops[h].out);
		if (is_link && (out == port || fabric->ports[out].peer == port))
			return true;
	}
	return false;
}

/* The spines of path @i, as marks of switches; with no number of spines asked, the path counts. */
static void mark_spines(const struct naive *naive, const struct hd_demand *demand,
			const struct bundle *bundle, size_t i, bool *marks)
{
	uint32_t top = HD_NONE;

	if (!demand->number) {
		marks[0] = true;
		return;
	}
	for (size_t h = bundle->first[i]; h < bundle->first[i + 1]; h++) {
		const uint32_t s = naive->hops[h].node;

		if (!hd_is_switch(naive->fabric, s))
			continue;
		if (naive->rule->spines != HD_NONE) {
			marks[s] |= has(naive, naive->rule->spines, port0(naive, s));
			continue;
		}
		if (naive->members.level[s] == HD_NONE || !naive->members.level[s])
			continue;
		if (top == HD_NONE || naive->members.level[s] > naive->members.level[top])
			top = s;
	}
	if (top != HD_NONE)
		marks[top] = true;
}

static uint32_t count_left(const struct naive *naive, const struct hd_demand *demand,
			   const struct bundle *bundle, uint32_t failed)
{
	const uint32_t n_switches = naive->fabric->n_switches;
	bool *marks = calloc(n_switches, sizeof(*marks));
	uint32_t n = 0;

	assert_non_null(marks);
	for (size_t i = 0; i < bundle->n; i++)
		if (failed == HD_NONE || !needs(naive, bundle, i, failed))
			mark_spines(naive, demand, bundle, i, marks);
	for (uint32_t s = 0; s < n_switches; s++)
		n += marks[s];
	free(marks);
	return n;
}

/* Every part of the fabric that may fail, whether paths need it or not. */
static bool may_fail(const struct naive *naive, unsigned parts, uint32_t port, uint32_t first,
		     uint32_t last)
{
	const struct hd_port *p = &naive->fabric->ports[port];

	if (!hd_is_switch(naive->fabric, p->node))
		return false;
	if (!p->number)
		return parts & HD_PART_SWITCHES && p->node != first && p->node != last;
	return parts & HD_PART_LINKS && p->peer != HD_NONE;
}

static uint32_t worst(const struct naive *naive, const struct hd_demand *demand,
		      const struct bundle *bundle, uint32_t first, uint32_t last)
{
	uint32_t least = count_left(naive, demand, bundle, HD_NONE);

	hd_for_each_port(p, naive->fabric) {
		if (may_fail(naive, demand->parts, p, first, last)) {
			const uint32_t left = count_left(naive, demand, bundle, p);

			least = left < least ? left : least;
		}
	}
	return least;
}

/* Whether two paths need the same part. */
static bool share(const struct naive *naive, const struct hd_demand *demand,
		  const struct bundle *bundle, uint32_t first, uint32_t last)
{
	hd_for_each_port(p, naive->fabric) {
		uint32_t n = 0;

		if (!may_fail(naive, demand->parts, p, first, last))
			continue;
		for (size_t i = 0; i < bundle->n; i++)
			n += needs(naive, bundle, i, p);
		if (n > 1)
			return true;
	}
	return false;
}

static void clear(struct bundle *bundle)
{
	free(bundle->first);
	free(bundle->owner);
	*bundle = (struct bundle){ 0 };
}

static bool is_destination(const struct naive *naive, uint32_t port)
{
	return has(naive, naive->rule->to, port) && hd_is_end_port(naive->fabric, port);
}

static bool is_source(const struct naive *naive, uint32_t port)
{
	return has(naive, naive->rule->from, port) && hd_is_end_port(naive->fabric, port);
}

static void judge_pair(struct naive *naive, const struct hd_demand *demand, uint32_t source,
		       uint32_t owner)
{
	struct hd_demand_verdict *verdict = &naive->verdicts[demand - naive->rules->demands];
	const uint32_t first = naive->members.at[source], last = naive->members.at[owner];
	struct bundle bundle = { 0 };
	unsigned n_lids;

	if (first == last)
		return;
	n_lids = add_bundle(naive, &bundle, source, owner);
	verdict->n++;
	if (demand->kind == HD_DEMAND_DISJOINT)
		verdict->n_bad += n_lids == 1 || share(naive, demand, &bundle, first, last);
	else
		verdict->n_bad += worst(naive, demand, &bundle, first, last) <
				  (demand->number ? demand->number : 1);
	clear(&bundle);
}

static void judge_together(struct naive *naive, const struct hd_demand *demand, uint32_t source)
{
	struct hd_demand_verdict *verdict = &naive->verdicts[demand - naive->rules->demands];
	const uint32_t first = naive->members.at[source];
	struct bundle bundle = { 0 };
	bool is_near = false;

	hd_for_each_port(p, naive->fabric) {
		if (!is_destination(naive, p))
			continue;
		is_near |= naive->members.at[p] == first;
		if (p != source)
			add_bundle(naive, &bundle, source, p);
	}
	verdict->n++;
	verdict->n_bad += !is_near && worst(naive, demand, &bundle, first, HD_NONE) <
					      (demand->number ? demand->number : 1);
	clear(&bundle);
}

static void judge_several(struct naive *naive, const struct hd_demand *demand)
{
	const bool together = demand->kind == HD_DEMAND_REDUNDANT && naive->rule->together;

	if (demand->kind != HD_DEMAND_REDUNDANT && demand->kind != HD_DEMAND_DISJOINT)
		return;
	hd_for_each_port(source, naive->fabric) {
		if (!is_source(naive, source))
			continue;
		if (together)
			judge_together(naive, demand, source);
		hd_for_each_port(owner, naive->fabric)
			if (!together && owner != source && is_destination(naive, owner))
				judge_pair(naive, demand, source, owner);
	}
}

static void judge_load(struct naive *naive, const struct hd_demand *demand)
{
	struct hd_demand_verdict *verdict = &naive->verdicts[demand - naive->rules->demands];
	uint64_t sum = 0;

	if (demand->kind != HD_DEMAND_MAX_LOAD && demand->kind != HD_DEMAND_MAX_FLOWS)
		return;
	hd_for_each_port(p, naive->fabric) {
		sum += naive->flows[p];
		verdict->n += naive->flows[p] > 0;
	}
	verdict->mean = verdict->n ? (double)sum / (double)verdict->n : 0;
	hd_for_each_port(p, naive->fabric)
		verdict->n_bad +=
			(double)naive->flows[p] > (demand->kind == HD_DEMAND_MAX_LOAD
							   ? demand->factor * verdict->mean
							   : (double)demand->number);
}

static void judge_rule(struct naive *naive)
{
	const struct hd_rule *rule = naive->rule;

	memset(naive->flows, 0, naive->fabric->n_ports * sizeof(*naive->flows));
	hd_for_each_port(source, naive->fabric)
		hd_for_each_lid(lid, naive->fabric) {
			const uint32_t owner = naive->fabric->lids[lid].port;

			if (owner == HD_NONE || owner == source || !is_source(naive, source) ||
			    !is_destination(naive, owner) ||
			    (rule->base_lids && naive->fabric->ports[owner].lid != lid))
				continue;
			judge_one(naive, source, owner, lid);
		}
	for (uint32_t d = rule->first_demand; d < rule->first_demand + rule->n_demands; d++) {
		judge_several(naive, &naive->rules->demands[d]);
		judge_load(naive, &naive->rules->demands[d]);
	}
}

uint64_t intent_naive(const struct hd_rules *rules, const struct hd_tables *tables,
		      struct hd_demand_verdict *verdicts)
{
	struct naive naive = { .rules = rules,
			       .tables = tables,
			       .fabric = tables->fabric,
			       .verdicts = verdicts,
			       .capacity = tables->fabric->n_switches + 2u };
	struct hd_error err;

	naive.hops = malloc(naive.capacity * sizeof(*naive.hops));
	naive.flows = malloc(naive.fabric->n_ports * sizeof(*naive.flows));
	assert_true(naive.hops && naive.flows);
	assert_hd_ok(hd_members_find(rules, naive.fabric, &naive.members, &err), err);
	for (uint32_t r = 0; r < rules->n_rules; r++) {
		naive.rule = &rules->rules[r];
		judge_rule(&naive);
	}
	hd_members_clear(&naive.members);
	free(naive.hops);
	free(naive.flows);
	return naive.n_uncovered;
}
