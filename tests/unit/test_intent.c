// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Rule files and what they say of tables, held against walks along every path. */
#include <inttypes.h>

#include "fabric/builder.h"
#include "support/random.h"
#include "tables/ar.h"
#include "tests/unit/intent_naive.h"
#include "tests/unit/spec_fabric.h"
#include "tests/unit/unit.h"

#define MOST_TEXT 8192
#define N_KINDS   6 /* of fabrics */

static struct hd_rules *parse(const char *text)
{
	struct hd_rules *rules;
	struct hd_error err;

	assert_hd_ok(hd_rules_parse("rules", text, strlen(text), &rules, &err), err);
	return rules;
}

/* Hosts of some adapters and ports, on random switches that are linked in a random way. */
static struct hd_fabric *random_hosts(struct hd_random *random, unsigned lmc)
{
	struct hd_builder *builder = hd_builder_new();
	const uint32_t n = 1 + hd_random_below(random, 8),
		       n_links = n + hd_random_below(random, 2 * n);
	uint32_t used[8] = { 0 }, id;
	struct hd_fabric *fabric;
	struct hd_error err;
	char name[32];

	for (uint32_t s = 0; s < n; s++) {
		const struct hd_node_spec spec = {
			.type = HD_SWITCH, .guid = 0x100 + s, .n_ports = 60, .name = name
		};

		snprintf(name, sizeof(name), "sw%" PRIu32, s);
		assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
	}
	for (uint32_t i = 0; i < n_links; i++) {
		const uint32_t a = hd_random_below(random, n), b = hd_random_below(random, n);

		if (a != b && used[a] < 20 && used[b] < 20)
			assert_hd_ok(hd_builder_link(builder, a, ++used[a], b, ++used[b], &err),
				     err);
	}
	for (uint32_t h = 0; h < 12; h++) {
		const unsigned n_ports = 1 + hd_random_below(random, 2);
		const struct hd_node_spec spec = {
			.type = HD_CA, .guid = 0x1000 + 16 * h, .n_ports = n_ports, .name = name
		};

		snprintf(name, sizeof(name), "node%" PRIu32 " HCA-%" PRIu32, h / 3, h % 3);
		assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
		for (unsigned port = 1; port <= n_ports; port++) {
			const uint32_t s = hd_random_below(random, n);

			if (hd_random_below(random, 8))
				assert_hd_ok(hd_builder_link(builder, id, port, s, ++used[s], &err),
					     err);
		}
	}
	assert_hd_ok(hd_builder_finish(builder, &fabric, &err), err);
	return with_lids(fabric, lmc);
}

static struct hd_fabric *random_fabric(struct hd_random *random, uint32_t kind)
{
	static const unsigned lmcs[] = { 0, 0, 1, 2 };
	const unsigned lmc = lmcs[hd_random_below(random, 4)];

	switch (kind) {
	case 0:
		return build_fabric("pgft:m=3x4,w=1x3", lmc);
	case 1:
		return build_fabric("pgft:m=2x2x3,w=1x2x2", lmc);
	case 2:
		return build_fabric("dragonfly:a=3,p=1,h=1", lmc);
	case 3:
		return build_fabric("pgft:m=2x3,w=1x2,p=1x4", 2);
	default:
		return random_hosts(random, lmc);
	}
}

/* Port sets of up to three ports, mostly those that lead nearer. */
static void choose(struct hd_tables *tables, uint32_t lid, struct hd_random *random,
		   const uint32_t *distance)
{
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_switch(s, fabric) {
		const unsigned out = hd_lft(tables, s)[lid];
		struct hd_port_set set = { 0 };

		if (out == HD_NO_PATH || !out || hd_random_below(random, 2))
			continue;
		hd_port_set_add(&set, out);
		hd_for_each_number(number, fabric, s) {
			const uint32_t peer = hd_peer_node(fabric, s, number);

			if (hd_port_set_count(&set) < 3 && peer != HD_NONE &&
			    hd_is_switch(fabric, peer) &&
			    (distance[peer] < distance[s] || !hd_random_below(random, 100)))
				hd_port_set_add(&set, number);
		}
		assert_int_equal(hd_ar_set(tables, s, (uint16_t)lid, HD_AR_FREE, &set), 0);
	}
}

/* Breadth first from the LID, by random ones of the ports that lead nearer. */
static void route_lid(struct hd_tables *tables, uint32_t lid, struct hd_random *random,
		      uint32_t *queue, uint32_t *distance)
{
	const struct hd_fabric *fabric = tables->fabric;
	const struct hd_lid *at = &fabric->lids[lid];
	uint32_t end = 0;

	if (at->port == HD_NONE || at->via_switch == HD_NONE)
		return;
	hd_for_each_switch(s, fabric)
		distance[s] = HD_NONE;
	distance[at->via_switch] = 0;
	hd_lft(tables, at->via_switch)[lid] = at->via_port;
	queue[end++] = at->via_switch;
	for (uint32_t i = 0; i < end; i++)
		hd_for_each_number(number, fabric, queue[i]) {
			const uint32_t peer =
				fabric->ports[hd_port_index(fabric, queue[i], number)].peer;
			const uint32_t s = peer == HD_NONE ? HD_NONE : fabric->ports[peer].node;

			if (s == HD_NONE || !hd_is_switch(fabric, s))
				continue;
			if (distance[s] == HD_NONE)
				queue[end++] = s;
			else if (distance[s] != distance[queue[i]] + 1 ||
				 hd_random_below(random, 2))
				continue;
			distance[s] = distance[queue[i]] + 1;
			hd_lft(tables, s)[lid] = fabric->ports[peer].number;
		}
	if (tables->ar)
		choose(tables, lid, random, distance);
}

static void damage(struct hd_tables *tables, struct hd_random *random, uint32_t n)
{
	const struct hd_fabric *fabric = tables->fabric;

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t s = hd_random_below(random, fabric->n_switches);
		const uint32_t lid = 1 + hd_random_below(random, fabric->top_lid);

		if (!hd_ar_ports(tables, s, lid))
			hd_lft(tables, s)[lid] = (uint8_t)hd_random_below(
				random, fabric->nodes[s].n_ports + UINT32_C(2));
	}
	if (n && !hd_random_below(random, 4)) {
		tables->lft_unknown = calloc(fabric->n_switches, sizeof(bool));
		assert_non_null(tables->lft_unknown);
		tables->lft_unknown[hd_random_below(random, fabric->n_switches)] = true;
		tables->n_lft_unknown = 1;
	}
	for (size_t i = 0; i < tables->n_sl_rows * tables->lft_stride; i++)
		tables->sl_rows[i] = (uint8_t)(hd_random_below(random, 20) ? i % 3 : HD_NO_SL);
}

static struct hd_tables *random_tables(const struct hd_fabric *fabric, struct hd_random *random)
{
	uint32_t *queue = malloc(2 * (size_t)fabric->n_switches * sizeof(*queue));
	struct hd_tables *tables;
	struct hd_error err;

	assert_non_null(queue);
	assert_hd_ok(hd_tables_new(fabric, &tables, &err), err);
	if (!hd_random_below(random, 3))
		assert_hd_ok(hd_ar_new(tables, &err), err);
	hd_for_each_lid(lid, fabric)
		route_lid(tables, lid, random, queue, queue + fabric->n_switches);
	free(queue);
	if (hd_random_below(random, 3))
		damage(tables, random,
		       hd_random_below(random, fabric->n_switches * fabric->top_lid / 8 + 1));
	return tables;
}

#define say(text, ...) snprintf((text) + strlen(text), MOST_TEXT - strlen(text), __VA_ARGS__)

static void random_sets(char *text, const struct hd_fabric *fabric, struct hd_random *random)
{
	for (unsigned set = 0; set < 4; set++) {
		const bool of_switches = set > 1;

		say(text, "[set s%u]\nat_least = 0\nnodes = nobody\n", set);
		hd_for_each_node(n, fabric)
			if (hd_is_switch(fabric, n) == of_switches && !hd_random_below(random, 3))
				say(text, "nodes = 0x%" PRIx64 "\n", fabric->nodes[n].guid);
		if (!of_switches && !hd_random_below(random, 3))
			say(text, "rail = 0-1\n");
	}
}

static void random_rule(char *text, struct hd_random *random, bool has_groups, bool has_levels)
{
	static const char *const sets[] = { "hosts", "switches", "all", "s0", "s1", "s2" };
	static const char *const parts[] = { "link", "switch", "any" };
	bool is_redundant = false, has_spines = false, base = !hd_random_below(random, 5);

#define sometimes(...)                           \
	do {                                     \
		if (!hd_random_below(random, 3)) \
			say(text, __VA_ARGS__);  \
	} while (0)
	say(text, "from = %s\nto = %s\n", sets[hd_random_below(random, 6)],
	    sets[hd_random_below(random, 6)]);
	if (base)
		say(text, "lids = base\n");
	if (!hd_random_below(random, 10)) {
		say(text, "reachable = no\n");
		return;
	}
	sometimes("max_hops = %" PRIu32 "\n", hd_random_below(random, 5));
	sometimes("min_hops = %" PRIu32 "\n", hd_random_below(random, 3));
	sometimes("avoid = s2\navoid = s3\n");
	sometimes("via = s2\n");
	sometimes("stay_in = %s\n", hd_random_below(random, 3) ? "s3"
				    : has_groups               ? "group"
							       : "rail");
	sometimes("sl = 0, %" PRIu32 "-2\n", 1 + hd_random_below(random, 2));
	if (!base)
		sometimes("disjoint = %s\n", hd_random_below(random, 2) ? "links" : "switches");
	sometimes("max_load = 1.%" PRIu32 "\n", hd_random_below(random, 9));
	sometimes("max_flows = %" PRIu32 "\n", 1 + hd_random_below(random, 40));
	if (hd_random_below(random, 2)) {
		is_redundant = true;
		say(text, "survive = %s\n", parts[hd_random_below(random, 3)]);
	}
	if (!hd_random_below(random, 2)) {
		is_redundant = has_spines = true;
		say(text, "min_spines = %" PRIu32 "\n", 1 + hd_random_below(random, 3));
	}
	if (has_spines && (!has_levels || !hd_random_below(random, 2)))
		say(text, "spines = s%u\n", 2 + hd_random_below(random, 2));
	if (is_redundant && hd_random_below(random, 2))
		say(text, "together = yes\n");
#undef sometimes
}

static void assert_same(const struct hd_rules *rules, const struct hd_demand_verdict *got,
			const struct hd_demand_verdict *wanted, uint64_t seed, const char *text)
{
	for (uint32_t d = 0; d < rules->n_demands; d++) {
		if (got[d].n == wanted[d].n && got[d].n_bad == wanted[d].n_bad &&
		    got[d].mean == wanted[d].mean)
			continue;
		fail_msg("seed %" PRIu64 ", line %u (%s): %" PRIu64 " of %" PRIu64
			 " where walks say %" PRIu64 " of %" PRIu64 "\n%s",
			 seed, rules->demands[d].line, hd_demand_word(&rules->demands[d]),
			 got[d].n_bad, got[d].n, wanted[d].n_bad, wanted[d].n, text);
	}
}

/* Returns the demands that were violated. */
static uint32_t compare(uint64_t seed)
{
	struct hd_random random;
	struct hd_fabric *fabric;
	struct hd_tables *tables;
	struct hd_demand_verdict *wanted;
	struct hd_rules_verdict verdict;
	struct hd_rules *rules;
	struct hd_error err;
	char *text = calloc(1, MOST_TEXT);
	uint32_t n_bad;

	assert_non_null(text);
	hd_random_init(&random, seed, 0);
	fabric = random_fabric(&random, (uint32_t)(seed % N_KINDS));
	tables = random_tables(fabric, &random);
	random_sets(text, fabric, &random);
	for (unsigned r = 0; r < 4; r++) {
		say(text, "[rule r%u]\n", r);
		random_rule(text, &random, seed % N_KINDS == 2,
			    seed % N_KINDS < 2 || seed % N_KINDS == 3);
	}
	rules = parse(text);
	wanted = calloc(rules->n_demands, sizeof(*wanted));
	assert_non_null(wanted);
	assert_hd_ok(hd_rules_judge(rules, tables, NULL, &verdict, &err), err);
	assert_int_equal(intent_naive(rules, tables, wanted), verdict.n_uncovered);
	/* what is not covered is not judged, and leaves the others unsure */
	assert_same(rules, verdict.demands, wanted, seed, text);
	n_bad = verdict.n_bad;
	hd_rules_verdict_clear(&verdict);
	free(wanted);
	free(text);
	hd_rules_free(rules);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
	return n_bad;
}

static void verdicts_are_those_of_walks(void **state)
{
	const uint64_t n = HD_IS_SLOW ? 200 : 1000;
	uint32_t n_bad = 0;

	(void)state;
	for (uint64_t seed = 0; seed < n; seed++)
		n_bad += compare(seed);
	assert_true(n_bad > n);
}

/* Reads @text, whose error is to be in @line and to say @words. */
static void refuse(const char *text, unsigned line, const char *words)
{
	struct hd_rules *rules;
	struct hd_error err;

	assert_int_equal(hd_rules_parse("rules", text, strlen(text), &rules, &err), HD_EPARSE);
	assert_null(rules);
	assert_string_equal(err.file, "rules");
	if (err.line != line)
		fail_msg("'%s' is said of line %u, not %u", err.text, err.line, line);
	assert_hd_says(err, words);
}

static void bad_files_are_refused(void **state)
{
	(void)state;
	refuse("", 0, "no [rule NAME]");
	refuse("# nothing\nmax_hops = 3\n", 2, "'max_hops' before any [set NAME] and [rule NAME]");
	refuse("[rules x]\n", 1, "sections of a rule file are [set NAME] and [rule NAME]");
	refuse("[rule]\n", 1, "sections of a rule file");
	refuse("[rule a b]\n", 1, "'a b': a name has 1 to 43 letters");
	refuse("[rule x]\nmax_hop = 3\n", 2, "rules have no key 'max_hop': from, to, lids,");
	refuse("[set x]\nnode = y\n", 2, "sets have no key 'node': nodes, sets, kind,");
	refuse("[rule x]\n[set y]\n\n[rule x]\n", 4, "rule x once more, after line 1");
	refuse("[set x]\n[set x]\n", 2, "set x once more, after line 1");
	refuse("[set hosts]\n", 1, "every file has this set");
	refuse("[set rail]\n", 1, "stay_in = rail has another meaning");
	refuse("[rule x]\nto = storage\n", 2, "to: no [set storage] before this line");
	refuse("[set x]\nsets = x\n", 2, "sets: no [set x] before this line");
	refuse("[set x]\nwithout = hosts, y\n", 2, "without: no [set y] before this line");
	refuse("[rule x]\nmax_hops = -1\n", 2, "max_hops: '-1' is not a number from 0");
	refuse("[rule x]\nmax_hops = 3\nmax_hops = 4\n", 3, "max_hops once more");
	refuse("[rule x]\nmax_load = 0.5\n", 2, "'0.5' is not a factor from 1");
	refuse("[rule x]\nmax_load = nan\n", 2, "'nan' is not a factor from 1");
	refuse("[rule x]\nmax_flows = 0\n", 2, "max_flows: '0' is not a number from 1");
	refuse("[rule x]\nsl = 1, 16\n", 2, "sl: '1, 16' is no list of SLs");
	refuse("[rule x]\nsl = 3-1\n", 2, "sl: '3-1' is no list of SLs");
	refuse("[rule x]\nsurvive = spine\n", 2,
	       "survive: 'spine' is none of these: link, switch, any");
	refuse("[rule x]\ndisjoint = yes\n", 2, "none of these: links, switches");
	refuse("[rule x]\nreachable = maybe\n", 2, "none of these: yes, no");
	refuse("[rule x]\nreachable = no\nmax_hops = 3\n", 2, "have no other demands");
	refuse("[rule x]\nlids = base\ndisjoint = links\n[set y]\n", 3, "lids = base has one");
	refuse("[rule x]\nspines = switches\n", 2, "spines goes with min_spines");
	refuse("[rule x]\ntogether = yes\n", 2, "together goes with survive and min_spines");
	refuse("[set x]\nnodes = a,,b\n", 2, "nodes: 'a,,b' has an empty part");
	refuse("[set x]\nkind = hca\n", 2, "none of these: host, switch, router");
	refuse("[set x]\nrail = 4-2\n", 2, "'4-2' is neither a number nor FIRST-LAST");
	refuse("[set x]\nrail = -2\n", 2, "'-2' is neither a number");
	refuse("[set x]\nat_least = 1\nat_least = 2\n", 3, "at_least once more");
	refuse("[set x]\nat_least = 99999999999\n", 2, "at_least: '99999999999' is not a number");
}

/* What the sets of @text have, as words of ports: "node0/1 sw0". */
static void assert_set(const struct hd_fabric *fabric, const char *text, const char *wanted)
{
	struct hd_rules *rules = parse(text);
	struct hd_members members;
	struct hd_error err;
	char got[1024] = "";
	const bool *in;

	assert_hd_ok(hd_members_find(rules, fabric, &members, &err), err);
	in = hd_members_of(&members, rules->n_sets - 1);
	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p];

		if (in[p])
			snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s",
				 *got ? "," : "", hd_node_name(fabric, port->node));
		if (in[p] && port->number)
			snprintf(got + strlen(got), sizeof(got) - strlen(got), "/%u", port->number);
	}
	if (strcmp(got, wanted) != 0)
		fail_msg("%s: '%s', not '%s'", text, got, wanted);
	hd_members_clear(&members);
	hd_rules_free(rules);
}

/*
 * Two hosts of three rails: HCA-2 with a port, HCA-10 with two. Leaves L0, L1, L2 of one rail each,
 * spine S of all, spine T of rail 1 alone; a router. Host a may lack
 * HCA-2, and have a port of rail 1 in its place, on leaf L0.
 */
static struct hd_fabric *rails(bool lacks_one)
{
	static const char *const switches[] = { "L0", "L1", "L2", "S", "T" };
	static const uint8_t links[][4] = { { 0, 9, 3, 1 },  { 1, 9, 3, 2 }, { 2, 9, 3, 3 },
					    { 1, 10, 4, 1 }, { 5, 1, 0, 1 }, { 6, 1, 1, 1 },
					    { 6, 2, 2, 1 },  { 7, 1, 0, 2 }, { 8, 1, 1, 2 },
					    { 8, 2, 2, 2 },  { 9, 1, 0, 7 } };
	static const char *const ends[] = { "a HCA-2", "a HCA-10", "b HCA-2", "b HCA-10", "gate" };
	struct hd_builder *builder = hd_builder_new();
	struct hd_fabric *fabric;
	struct hd_error err;
	uint32_t id;

	for (unsigned s = 0; s < 5; s++)
		assert_hd_ok(hd_builder_add(builder,
					    &(struct hd_node_spec){ .type = HD_SWITCH,
								    .guid = 0x10 + s,
								    .n_ports = 16,
								    .name = switches[s] },
					    &id, &err),
			     err);
	/* the adapter with the larger name has the smaller GUID */
	for (unsigned e = 0; e < 5; e++)
		assert_hd_ok(
			hd_builder_add(builder,
				       &(struct hd_node_spec){ .type = e == 4 ? HD_ROUTER : HD_CA,
							       .guid = 0x200 - 0x10 * e,
							       .n_ports = 2,
							       .name = ends[e] },
				       &id, &err),
			err);
	for (size_t l = 0; l < sizeof(links) / sizeof(*links); l++) {
		const bool moves = lacks_one && links[l][0] == 6 && links[l][1] == 1;

		if (lacks_one && links[l][0] == 5)
			continue;
		assert_hd_ok(hd_builder_link(builder, links[l][0], links[l][1],
					     moves ? 0 : links[l][2], links[l][3], &err),
			     err);
	}
	assert_hd_ok(hd_builder_finish(builder, &fabric, &err), err);
	return with_lids(fabric, 0);
}

static void sets_have_what_their_keys_say(void **state)
{
	struct hd_fabric *fabric = rails(false);

	(void)state;
	assert_set(fabric, "[set x]\nnodes = a\n", "a HCA-10/1,a HCA-10/2,a HCA-2/1");
	assert_set(fabric, "[set x]\nnodes = a HCA-2, b*-2\n", "b HCA-2/1,a HCA-2/1");
	assert_set(fabric, "[set x]\nnodes = ?, 0x1c0\nkind = router, switch\n", "S,T,gate/1");
	assert_set(fabric, "[set x]\nnodes = 0x201\n", "a HCA-2/1");
	assert_set(fabric, "[set x]\nkind = host\nrail = 0, 2\n",
		   "b HCA-10/2,b HCA-2/1,a HCA-10/2,a HCA-2/1");
	assert_set(fabric, "[set x]\nkind = switch\nrail = 1\n", "L1,T");
	assert_set(fabric, "[set x]\nkind = switch\nrail = 0-9\n", "L0,L1,L2,T");
	assert_set(fabric, "[set x]\nlevel = 1\n", "S,T");
	assert_set(fabric, "[set x]\nleaf = L[12]\n",
		   "L1,L2,b HCA-10/1,b HCA-10/2,a HCA-10/1,a HCA-10/2");
	assert_set(fabric, "[set x]\nport = 2\n", "b HCA-10/2,a HCA-10/2");
	assert_set(fabric, "[set x]\nsets = hosts\nexcept = a, gate\n",
		   "b HCA-10/1,b HCA-10/2,b HCA-2/1");
	assert_set(fabric, "[set y]\nnodes = L*\n[set x]\nsets = y\nnodes = S\n", "L0,L1,L2,S");
	assert_set(fabric, "[set y]\nnodes = L*\n[set x]\nsets = switches\nwithout = y\n", "S,T");
	assert_set(fabric, "[set y]\nnodes = none\n[set x]\nsets = y\nat_least = 0\n", "");
	hd_fabric_free(fabric);
	fabric = rails(true);
	assert_set(fabric, "[set x]\nkind = host\nrail = 1\n", "b HCA-10/1,a HCA-10/1");
	assert_set(fabric, "[set x]\nkind = switch\nrail = 0-9\n", "L1,L2,T");
	hd_fabric_free(fabric);
}

static void what_a_fabric_lacks_is_said(void **state)
{
	struct hd_fabric *fabric = rails(false), *torus = build_fabric("torus:4x4", 0);
	struct hd_rules *groups = parse("[rule x]\nstay_in = group\n");
	struct hd_rules *spines = parse("[rule x]\n\nmin_spines = 2\n");
	struct hd_members members;
	struct hd_error err;

	(void)state;
	assert_int_equal(hd_members_find(groups, fabric, &members, &err), HD_EPARSE);
	assert_int_equal(err.line, 2);
	assert_hd_says(err, "this fabric has no groups: ");
	hd_members_clear(&members);
	assert_int_equal(hd_members_find(spines, torus, &members, &err), HD_EPARSE);
	assert_int_equal(err.line, 3);
	assert_hd_says(err, "have no levels");
	hd_members_clear(&members);
	assert_hd_ok(hd_members_find(spines, fabric, &members, &err), err);
	hd_members_clear(&members);
	hd_rules_free(groups);
	hd_rules_free(spines);
	hd_fabric_free(fabric);
	hd_fabric_free(torus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_files_are_refused),
		cmocka_unit_test(sets_have_what_their_keys_say),
		cmocka_unit_test(what_a_fabric_lacks_is_said),
		cmocka_unit_test(verdicts_are_those_of_walks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
