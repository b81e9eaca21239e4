// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* AR tables: what engines put into them, their dump, and the proof of all choices. */
#include "tests/unit/unit.h"

#include "check/check.h"
#include "engines/engine.h"
#include "fabric/lids.h"
#include "support/random.h"
#include "tables/ar.h"
#include "tables/dumps.h"
#include "tests/unit/tables_case.h"
#include "topologies/topology.h"

struct net {
	struct hd_fabric *fabric;
	struct hd_tables *tables;
};

/* @engine as on a command line: "updn:ar=yes"; @layers and @queues may be NULL. */
static int make_net_on(struct net *net, const char *spec, const char *engine, const char *layers,
		       const char *queues, struct hd_error *err)
{
	const struct hd_policy *policy;
	struct hd_params *params;
	struct hd_fabric *bare;
	int ret;

	*net = (struct net){ NULL, NULL };
	assert_hd_ok(hd_policy_parse(&hd_engines, engine, &policy, &params, err), *err);
	assert_hd_ok(hd_topology_build(spec, &bare, err), *err);
	assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, 0, &net->fabric, err), *err);
	hd_fabric_free(bare);
	ret = hd_route(
		(const struct hd_engine *)policy, net->fabric,
		&(struct hd_route_request){ .params = params, .layers = layers, .queues = queues },
		&net->tables, err);
	hd_params_free(params);
	return ret;
}

static int make_net(struct net *net, const char *spec, const char *engine, const char *queues,
		    struct hd_error *err)
{
	return make_net_on(net, spec, engine, NULL, queues, err);
}

static struct net new_net(const char *spec, const char *engine)
{
	struct hd_error err = { 0 };
	struct net net;

	assert_hd_ok(make_net(&net, spec, engine, NULL, &err), err);
	return net;
}

static void free_net(struct net *net)
{
	hd_tables_free(net->tables);
	hd_fabric_free(net->fabric);
}

static uint32_t find(const struct net *net, const char *name)
{
	uint32_t node;

	assert_int_equal(hd_fabric_find(net->fabric, name, &node, NULL), 0);
	return node;
}

/* The LID of switch @name. */
static uint32_t lid_of(const struct net *net, const char *name)
{
	return net->fabric->ports[net->fabric->nodes[find(net, name)].first_port].lid;
}

/* The names of the switches to which @from may send packets for switch @to, by port. */
static const char *ways(const struct net *net, const char *from, const char *to)
{
	static char text[256];
	uint32_t s = find(net, from);
	const struct hd_port_set *set = hd_ar_ports(net->tables, s, lid_of(net, to));

	text[0] = '\0';
	if (!set)
		return "static";
	hd_for_each_in_set(port, set) {
		uint32_t peer = hd_peer_node(net->fabric, s, port);

		if (text[0])
			strcat(text, " ");
		strcat(text, hd_node_name(net->fabric, peer));
	}
	return text;
}

static void equal_groups_are_shared(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *tables = tables_case_tables(fabric);
	struct hd_port_set two = { { 0 } }, one = { { 0 } };
	struct hd_ar_totals totals;

	hd_port_set_add(&two, 3);
	hd_port_set_add(&two, 4);
	hd_port_set_add(&one, 3);
	assert_null(hd_ar_ports(tables, 0, 8));
	assert_int_equal(hd_ar_new(tables, NULL), 0);
	assert_int_equal(hd_ar_set(tables, 0, 8, HD_AR_FREE, &two), 0);
	assert_int_equal(hd_ar_set(tables, 0, 7, HD_AR_BOUNDED, &two), 0);
	assert_int_equal(hd_ar_set(tables, 0, 2, HD_AR_FREE, &one), 0);
	assert_int_equal(tables->ar->groups[0].n, 1);
	assert_int_equal(tables->ar->groups[1].n, 0);
	assert_int_equal(hd_port_set_count(hd_ar_ports(tables, 0, 7)), 2);
	assert_ptr_equal(hd_ar_ports(tables, 0, 7), hd_ar_ports(tables, 0, 8));
	assert_null(hd_ar_ports(tables, 0, 2));
	hd_ar_count(tables, &totals);
	assert_int_equal(totals.n_entries, 2);
	assert_int_equal(totals.n_ports, 4);
	assert_int_equal(totals.most_groups, 1);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void engines_know_sets(void **state)
{
	struct hd_error err = { 0 };
	struct net net = new_net("mesh:4x4", "hdor:ar=negative-first");
	unsigned n = 0;

	assert_string_equal(ways(&net, "S0.0", "S2.2"), "S1.0 S0.1");
	assert_string_equal(ways(&net, "S2.2", "S0.0"), "S1.2 S2.1");
	assert_string_equal(ways(&net, "S2.0", "S0.2"), "static"); /* to lower x alone */
	assert_string_equal(ways(&net, "S0.0", "S3.0"), "static");
	free_net(&net);

	net = new_net("hyperx:4x4", "hdor:ar=negative-first,ar_state=bounded");
	assert_string_equal(ways(&net, "S0.0", "S2.3"), "S2.0 S0.3");
	assert_string_equal(ways(&net, "S3.0", "S1.2"), "static");
	hd_for_each_switch(s, net.fabric)
		hd_for_each_lid(lid, net.fabric) {
			size_t entry = s * net.tables->lft_stride + lid;

			if (net.tables->ar->state[entry] == HD_AR_BOUNDED)
				n++;
			else
				assert_int_equal(net.tables->ar->group[entry], HD_AR_NO_GROUP);
		}
	assert_true(n > 0);
	free_net(&net);

	net = new_net("mesh:4x4", "hdor:ar=minimal");
	assert_string_equal(ways(&net, "S2.0", "S0.2"), "S1.0 S2.1");
	assert_string_equal(ways(&net, "S2.0", "S0.0"), "static");
	free_net(&net);
	net = new_net("kns:k=4,n=2", "hdor:ar=negative-first");
	assert_string_equal(ways(&net, "R0.0", "R2.2"), "X0 Y0");
	assert_string_equal(ways(&net, "R2.0", "R0.2"), "static");
	assert_string_equal(ways(&net, "X0", "R2.2"), "static");
	free_net(&net);

	net = new_net("tree:k=2,n=3", "updn:ar=yes");
	hd_for_each_switch(s, net.fabric)
		hd_for_each_lid(lid, net.fabric) {
			const struct hd_port_set *set = hd_ar_ports(net.tables, s, lid);

			if (set)
				assert_true(hd_port_set_has(set, hd_lft(net.tables, s)[lid]));
		}
	free_net(&net);

	/* two links between each switch and each other group; or one, of two switches of a group */
	net = new_net("dragonfly:a=4,p=2,h=4,g=3", "dla:ar=trunks");
	assert_string_equal(ways(&net, "G0S0", "G1S3"), "G1S3 G1S0");
	assert_string_equal(ways(&net, "G0S0", "G0S1"), "static");
	free_net(&net);
	net = new_net("dragonfly:a=4,p=2,h=2,g=5", "dla:ar=trunks");
	assert_null(net.tables->ar->groups[0].sets);
	free_net(&net);
	net = new_net("dragonfly:a=4,p=2,h=2,g=5", "dla:ar=owners");
	assert_string_equal(ways(&net, "G0S0", "G2S1"), "G0S1 G0S3");
	free_net(&net);

	assert_int_equal(make_net(&net, "torus:5x5", "hdor:ar=negative-first", NULL, &err),
			 HD_EREFUSED);
	assert_hd_says(err, "is a ring");
	free_net(&net);
	assert_int_equal(make_net(&net, "mesh:2x2x2x2x2x2", "hdor:ar=minimal", NULL, &err),
			 HD_EREFUSED);
	assert_hd_says(err, "2^5 = 32 SLs");
	free_net(&net);
	assert_int_equal(make_net(&net, "mesh:4x4", "hdor:ar_state=free", NULL, &err), HD_EINVAL);
	free_net(&net);
	assert_int_equal(make_net(&net, "mesh:4x4", "updn:ar=maybe", NULL, &err), HD_EINVAL);
	assert_hd_says(err, "none of no, yes");
	free_net(&net);
}

/* Every way of every packet, one by one. */
struct oracle {
	const struct net *net;
	uint16_t lid;
	uint8_t sl;
	bool *used;    /* [port * 16 + VL] channels */
	bool *follows; /* [(port * 16 + VL) * (256 * 16) + out-port * 16 + VL] */
	unsigned depth, longest;
	bool lost;
	uint32_t from; /* whether the flow takes a channel, and another behind it */
	unsigned from_vl;
	uint32_t to;
	unsigned to_vl;
	bool takes_both;
};

static unsigned row_vl(const struct oracle *o, size_t row)
{
	return hd_row_vl(o->net->tables->sl2vl[row], o->sl);
}

/* A packet came to @s by channel (@from, @vl), HD_NONE: it is the switch's own. */
static void walk(struct oracle *o, uint32_t s, uint32_t from, unsigned vl)
{
	const struct hd_fabric *fabric = o->net->fabric;
	const struct hd_tables *tables = o->net->tables;
	const struct hd_port_set *some = hd_ar_ports(tables, s, o->lid);
	struct hd_port_set set = some ? *some : (struct hd_port_set){ { 0 } };
	unsigned in = from == HD_NONE ? 0 : fabric->ports[fabric->ports[from].peer].number;

	if (o->depth > fabric->n_switches) {
		o->lost = true;
		return;
	}
	hd_port_set_add(&set, hd_lft(tables, s)[o->lid]);
	hd_for_each_in_set(out, &set) {
		uint32_t port = hd_port_index(fabric, s, out), peer = fabric->ports[port].peer;
		unsigned next;

		if (out == 0)
			return; /* the switch's own LID */
		next = row_vl(o, hd_sl2vl_index(tables, s, in, out));
		if (peer == HD_NONE || next == HD_VL_DROP) {
			o->lost = true;
			continue;
		}
		o->used[port * 16 + next] = true;
		if (from != HD_NONE)
			o->follows[(from * 16 + vl) * (size_t)4096 + out * 16 + next] = true;
		if (from == o->from && vl == o->from_vl && port == o->to && next == o->to_vl)
			o->takes_both = true;
		if (!hd_is_switch(fabric, fabric->ports[peer].node)) {
			o->lost |= fabric->lids[o->lid].port != peer;
			continue;
		}
		o->depth++;
		if (o->depth > o->longest)
			o->longest = o->depth;
		/* longest ways are looked for, so that a place is visited by all of them */
		walk(o, fabric->ports[peer].node, port, next);
		o->depth--;
	}
}

/* The flow from @source. */
static void walk_flow(struct oracle *o, uint32_t source)
{
	const struct hd_fabric *fabric = o->net->fabric;
	const uint32_t node = fabric->ports[source].node;
	unsigned vl;

	o->depth = 0;
	if (hd_is_switch(fabric, node)) {
		walk(o, node, HD_NONE, 0);
		return;
	}
	vl = row_vl(o, hd_sl2vl_host_index(o->net->tables, node, fabric->ports[source].number));
	o->used[source * 16 + vl] = true;
	walk(o, fabric->ports[fabric->ports[source].peer].node, source, vl);
}

static void oracle_init(struct oracle *o, const struct net *net)
{
	const size_t n = net->fabric->n_ports * (size_t)16;

	*o = (struct oracle){ .net = net, .from = HD_NONE, .to = HD_NONE };
	o->used = calloc(n, 1);
	o->follows = calloc(n * 4096, 1);
	assert_non_null(o->used);
	assert_non_null(o->follows);
}

static void oracle_clear(struct oracle *o)
{
	free(o->used);
	free(o->follows);
}

/* Compares the proof with all ways of all flows. Returns whether all of them arrive. */
static bool compare(const struct net *net, const struct hd_check_result *result)
{
	const struct hd_fabric *fabric = net->fabric;
	uint64_t channels = 0, dependencies = 0;
	struct oracle o;

	oracle_init(&o, net);
	hd_for_each_port(p, fabric)
		hd_for_each_lid(lid, fabric) {
			uint32_t owner = fabric->lids[lid].port;

			if (!hd_is_end_port(fabric, p) || owner == HD_NONE || owner == p)
				continue;
			o.lid = (uint16_t)lid;
			o.sl = (uint8_t)hd_path_sl(net->tables, p, lid);
			walk_flow(&o, p);
		}
	for (size_t i = 0; i < fabric->n_ports * (size_t)16; i++)
		channels += o.used[i];
	for (size_t i = 0; i < fabric->n_ports * (size_t)16 * 4096; i++)
		dependencies += o.follows[i];
	assert_int_equal(result->reachable, !o.lost);
	if (!o.lost) {
		assert_int_equal(result->channels, channels);
		assert_int_equal(result->dependencies, dependencies);
		assert_int_equal(result->max_hops, o.longest);
	}
	oracle_clear(&o);
	return !o.lost;
}

/* The witness is a cycle, each flow of which holds one channel and may want the next. */
static void assert_witness(const struct net *net, const struct hd_check_result *result)
{
	struct oracle o;

	oracle_init(&o, net);
	assert_true(result->n_witness > 1);
	for (size_t i = 0; i < result->n_witness; i++) {
		const struct hd_witness *held = &result->witness[i];
		const struct hd_witness *wanted = &result->witness[(i + 1) % result->n_witness];

		assert_int_not_equal(held->flow.source, HD_NONE);
		o.lid = held->flow.lid;
		o.sl = held->flow.sl;
		o.from = held->port;
		o.from_vl = held->vl;
		o.to = wanted->port;
		o.to_vl = wanted->vl;
		o.takes_both = false;
		walk_flow(&o, held->flow.source);
		assert_true(o.takes_both);
	}
	oracle_clear(&o);
}

static void all_choices_are_proved(void **state)
{
	static const struct {
		const char *spec, *engine, *queues;
	} sound[] = {
		{ "mesh:4x4", "hdor:ar=negative-first", NULL },
		{ "mesh:3x3x3", "hdor:ar=negative-first", NULL },
		{ "mesh:4x3", "hdor:ar=negative-first,order=yx", "xordet:4" },
		{ "mesh:3x3,p=2", "hdor:ar=negative-first", "iodet:2" },
		{ "hyperx:4x4", "hdor:ar=negative-first", NULL },
		{ "hyperx:3x3,p=2,trunk=2", "hdor:ar=negative-first", NULL },
		{ "hyperx:3x4,p=2", "hdor:ar=negative-first", "dbbm:2" },
		{ "hyperx:3x3x2", "hdor:ar=negative-first", NULL },
		{ "kns:k=3,n=2", "hdor:ar=negative-first", NULL },
		{ "kns:k=4,n=2", "hdor:ar=negative-first,order=yx", "xordet:2" },
		{ "kns:k=3,n=3", "hdor:ar=negative-first", NULL },
		{ "mesh:4x4", "hdor:ar=minimal", "xordet:4" },
		{ "mesh:3x3x3", "hdor:ar=minimal", NULL },
		{ "mesh:4x3,p=2,trunk=3", "hdor:ar=minimal", NULL },
		{ "mesh:4x3", "hdor:ar=minimal,order=yx", NULL },
		{ "hyperx:4x3,p=2", "hdor:ar=minimal", "xordet:2" },
		{ "hyperx:3x3x2", "hdor:ar=minimal", NULL },
		{ "kns:k=3,n=2", "hdor:ar=minimal", "xordet:4" },
		{ "kns:k=3,n=3", "hdor:ar=minimal", NULL },
		{ "tree:k=2,n=3", "updn:ar=yes", NULL },
		{ "tree:k=3,n=2", "updn:ar=yes", "xordet:2" },
		{ "tree:k=3,n=3", "dmodc:ar=yes", NULL },
		{ "tree:k=3,n=2", "dmodc:ar=yes", "xordet:2" },
		{ "dragonflyplus:leaves=3,g=4", "dfplus:ar=minimal", NULL },
		{ "dragonflyplus:leaves=2,g=3", "dfplus:ar=minimal", "dbbm:2" },
		{ "torus:4x4", "updn:ar=yes", NULL },
		{ "torus:5x3", "updn:ar=yes", NULL },
		{ "dragonfly:a=4,p=1,h=1", "updn:ar=yes", NULL },
		{ "torus:4x4", "any:ar=yes", NULL },
		{ "torus:3x3x3,p=2", "any:ar=yes,vls=2", "dbbm:2" },
		{ "hyperx:3x3,p=2,trunk=2", "any:ar=yes", "xordet:2" },
		{ "dragonfly:a=4,p=2,h=2", "any:ar=yes,ar_state=bounded", NULL },
		{ "jellyfish:n=20,r=4,seed=2", "any:ar=yes,vls=0", NULL },
		{ "dragonfly:a=4,p=2,h=4,g=3", "dla:ar=trunks", NULL },
		{ "dragonfly:a=4,p=1,h=2,g=5", "dla:ar=owners", NULL },
		{ "dragonfly:a=4,p=1,h=2,g=3", "dla:ar=owners", "xordet:2" },
		{ "dragonfly:a=4,p=1,h=2", "dla:ar=trunks", NULL },
	};

	for (size_t i = 0; i < sizeof(sound) / sizeof(sound[0]); i++) {
		struct hd_check_result result;
		struct hd_error err = { 0 };
		char text[512];
		struct net net;

		assert_hd_ok(make_net(&net, sound[i].spec, sound[i].engine, sound[i].queues, &err),
			     err);
		assert_hd_ok(hd_check(net.tables, NULL, &result, &err), err);
		if (result.failure != HD_CHECK_SOUND)
			fail_msg("%s %s: %s", sound[i].spec, sound[i].engine,
				 hd_check_summary(&result, net.fabric, text, sizeof(text)));
		assert_true(compare(&net, &result));
		hd_check_clear(&result);
		free_net(&net);
	}
}

/* Any SL, and the SL of the other direction, are followed too. */
static void any_sl(void **state)
{
	struct net net = new_net("dragonfly:a=4,p=2,h=4,g=3", "dla:ar=trunks");
	const struct hd_check_options all = { .all_sls = true }, back = { .reversed_sl = true };
	struct hd_check_result result;

	assert_int_equal(hd_check(net.tables, &all, &result, NULL), 0);
	assert_int_equal(result.failure, HD_CHECK_SOUND);
	hd_check_clear(&result);
	assert_int_equal(hd_check(net.tables, &back, &result, NULL), 0);
	assert_int_equal(result.failure, HD_CHECK_SOUND);
	hd_check_clear(&result);
	free_net(&net);
}

/* Gives the tables of @net, without sets, those of @engine. */
static void borrow_sets(struct net *net, const char *spec, const char *engine)
{
	struct net other = new_net(spec, engine);

	assert_int_equal(hd_ar_new(net->tables, NULL), 0);
	hd_for_each_switch(s, net->fabric)
		hd_for_each_lid(lid, net->fabric) {
			const struct hd_port_set *set = hd_ar_ports(other.tables, s, lid);

			if (set)
				assert_int_equal(
					hd_ar_set(net->tables, s, (uint16_t)lid, HD_AR_FREE, set),
					0);
		}
	free_net(&other);
}

/* LFTs that are sound, with all shortest ways beside them: the sets close a cycle. */
static void sets_that_close_cycles_are_refused(void **state)
{
	static const struct {
		const char *spec, *sound;
	} cases[] = {
		{ "mesh:3x3", "hdor" },
		{ "torus:3x3", "updn" },
		{ "hyperx:3x3", "hdor" },
		{ "torus:6,p=2", "updn" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct net net = new_net(cases[i].spec, cases[i].sound);
		struct hd_check_result result;

		assert_int_equal(hd_check(net.tables, NULL, &result, NULL), 0);
		assert_int_equal(result.failure, HD_CHECK_SOUND);
		hd_check_clear(&result);
		borrow_sets(&net, cases[i].spec, "minhop:ar=yes");
		assert_int_equal(hd_check(net.tables, NULL, &result, NULL), 0);
		if (result.found[HD_CHECK_FORWARD_LOOP].n) {
			/* updn's detours do not go with shortest ways */
			assert_int_equal(result.failure, HD_CHECK_FORWARD_LOOP);
			assert_true(result.n_loop > 1);
		} else {
			assert_int_equal(result.failure, HD_CHECK_CREDIT_LOOP);
			assert_witness(&net, &result);
		}
		hd_check_clear(&result);
		free_net(&net);
	}
}

/* A ring with all shortest ports and one VL. */
static void rings_with_one_vl(void **state)
{
	static const char *const specs[] = { "torus:6", "torus:4x4", "torus:5" };

	for (size_t i = 0; i < 3; i++) {
		struct net net = new_net(specs[i], "minhop:ar=yes");
		struct hd_check_result result;

		assert_int_equal(hd_check(net.tables, NULL, &result, NULL), 0);
		assert_int_equal(result.vls, 1);
		assert_true(result.reachable);
		assert_int_equal(result.failure, HD_CHECK_CREDIT_LOOP);
		assert_true(compare(&net, &result));
		assert_witness(&net, &result);
		hd_check_clear(&result);
		free_net(&net);
	}
}

/* KNS: packets that fall and packets that rise share the links of a line's switch, so they need
 * layers. */
static void lines_with_switches(void **state)
{
	for (unsigned k = 2; k <= 4; k++) {
		const struct hd_check_options hosts = { .scope = HD_CHECK_HOSTS };
		struct hd_check_result result;
		struct hd_error err = { 0 };
		struct net net;
		char spec[32];

		snprintf(spec, sizeof(spec), "kns:k=%u,n=2", k);
		for (unsigned i = 0; i < 4; i++) {
			const bool minimal = i & 1, single = i & 2;

			assert_hd_ok(
				make_net_on(&net, spec,
					    minimal ? "hdor:ar=minimal" : "hdor:ar=negative-first",
					    single ? "single" : NULL, NULL, &err),
				err);
			assert_int_equal(hd_check(net.tables, &hosts, &result, NULL), 0);
			assert_true(result.reachable);
			assert_int_equal(result.failure, single && (minimal || k > 2)
								 ? HD_CHECK_CREDIT_LOOP
								 : HD_CHECK_SOUND);
			assert_int_equal(result.vls, single ? 1 : 2);
			hd_check_clear(&result);
			free_net(&net);
		}
	}
}

/* All minimal ways of meshes and HyperX make circles, unless layers tell directions apart. */
static void minimal_sets_need_layers(void **state)
{
	static const struct {
		const char *spec;
		unsigned layers;
	} cases[] = {
		{ "mesh:4x4", 2 },
		{ "mesh:3x3x3", 4 },
		{ "hyperx:3x3", 2 },
		{ "mesh:3x2x2x2", 8 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_check_result result;
		struct hd_error err = { 0 };
		struct net net = new_net(cases[i].spec, "hdor:ar=minimal");

		assert_int_equal(hd_check(net.tables, NULL, &result, NULL), 0);
		assert_int_equal(result.failure, HD_CHECK_SOUND);
		assert_int_equal(result.vls, cases[i].layers);
		hd_check_clear(&result);
		free_net(&net);

		assert_hd_ok(
			make_net_on(&net, cases[i].spec, "hdor:ar=minimal", "single", NULL, &err),
			err);
		assert_int_equal(hd_check(net.tables, NULL, &result, NULL), 0);
		assert_int_equal(result.failure, HD_CHECK_CREDIT_LOOP);
		assert_witness(&net, &result);
		hd_check_clear(&result);
		free_net(&net);
	}
}

static unsigned port_to(const struct net *net, uint32_t s, uint32_t node)
{
	hd_for_each_number(port, net->fabric, s)
		if (hd_peer_node(net->fabric, s, port) == node)
			return port;
	fail();
	return 0;
}

/* Adds @port to the set of switch @s for @lid. */
static void add_port(struct net *net, uint32_t s, uint32_t lid, unsigned port)
{
	const struct hd_port_set *some = hd_ar_ports(net->tables, s, lid);
	struct hd_port_set set = some ? *some : (struct hd_port_set){ { 0 } };

	hd_port_set_add(&set, hd_lft(net->tables, s)[lid]);
	hd_port_set_add(&set, port);
	assert_int_equal(hd_ar_set(net->tables, s, (uint16_t)lid, HD_AR_FREE, &set), 0);
}

/* The switch next to @s along @d on the way to @to; HD_NONE: there is nothing to correct. */
static uint32_t next_along(const struct net *net, unsigned d, uint32_t s, uint32_t to, bool *rises)
{
	/* names of switches are their coordinates */
	unsigned from[2], there[2];
	char name[16];
	const char *label = hd_node_name(net->fabric, s);

	assert_int_equal(sscanf(label + 1, "%u.%u", &from[0], &from[1]), 2);
	assert_int_equal(sscanf(hd_node_name(net->fabric, to) + 1, "%u.%u", &there[0], &there[1]),
			 2);
	if (from[d] == there[d])
		return HD_NONE;
	*rises = there[d] > from[d];
	from[d] = there[d] > from[d] ? from[d] + 1 : from[d] - 1;
	snprintf(name, sizeof(name), "%c%u.%u", label[0], from[0], from[1]);
	return find(net, name);
}

/* Any one hop up that is added to a set of hops down closes a circle. */
static void a_rise_before_a_fall_is_refused(void **state)
{
	static const char *const specs[] = { "mesh:4x4", "mesh:3x5" };
	unsigned n = 0;

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct net whole = new_net(specs[i], "hdor:ar=negative-first");

		for (uint32_t s = 0; s < whole.fabric->n_switches; s++)
			for (uint32_t to = 0; to < whole.fabric->n_switches; to++) {
				struct hd_check_result result;
				bool up[2];
				const uint32_t x = next_along(&whole, 0, s, to, &up[0]);
				const uint32_t y = next_along(&whole, 1, s, to, &up[1]);
				struct net net;

				if (x == HD_NONE || y == HD_NONE || up[0] == up[1])
					continue;
				net = new_net(specs[i], "hdor:ar=negative-first");
				add_port(&net, s, lid_of(&net, hd_node_name(net.fabric, to)),
					 port_to(&net, s, up[0] ? x : y));
				assert_int_equal(hd_check(net.tables, NULL, &result, NULL), 0);
				assert_int_equal(result.failure, HD_CHECK_CREDIT_LOOP);
				assert_witness(&net, &result);
				hd_check_clear(&result);
				free_net(&net);
				n++;
			}
		free_net(&whole);
	}
	assert_true(n > 100);
}

/* Sound LFTs with a few random ports more: whatever comes of that is what the walks say. */
static void random_sets(void **state)
{
	static const char *const specs[][2] = { { "mesh:3x3", "hdor" },
						{ "torus:5", "updn" },
						{ "hyperx:3x2,p=2", "hdor" } };
	unsigned n_sound = 0, n_cycles = 0, n_lost = 0;

	for (unsigned seed = 1; seed <= 300; seed++) {
		struct net net = new_net(specs[seed % 3][0], specs[seed % 3][1]);
		struct hd_check_result result;
		struct hd_random random;
		unsigned n;

		hd_random_init(&random, seed, 0);
		n = 1 + hd_random_below(&random, 12);
		assert_int_equal(hd_ar_new(net.tables, NULL), 0);
		while (n--) {
			uint32_t s = hd_random_below(&random, net.fabric->n_switches);
			uint32_t lid = 1 + hd_random_below(&random, net.fabric->top_lid);
			unsigned port = 1 + hd_random_below(&random, net.fabric->nodes[s].n_ports);

			/* towards switches more often than not, lest nothing is ever sound */
			if (hd_lft(net.tables, s)[lid] &&
			    (hd_random_below(&random, 50) == 0 ||
			     hd_peer_node(net.fabric, s, port) < net.fabric->n_switches))
				add_port(&net, s, lid, port);
		}
		assert_int_equal(hd_check(net.tables, NULL, &result, NULL), 0);
		if (!compare(&net, &result)) {
			n_lost++;
			assert_int_not_equal(result.found[result.failure].flow.source, HD_NONE);
			assert_int_equal(result.n_loop > 1,
					 result.found[HD_CHECK_FORWARD_LOOP].n > 0);
		} else if (result.n_witness) {
			n_cycles++;
			assert_witness(&net, &result);
		} else {
			n_sound++;
		}
		hd_check_clear(&result);
		free_net(&net);
	}
	assert_true(n_sound > 20);
	assert_true(n_cycles > 5);
	assert_true(n_lost > 20);
}

/* A choice that leads back, one that leads to another host, one that SL2VL tables drop. */
static void every_choice_has_to_arrive(void **state)
{
	struct hd_check_result result;
	struct net net = new_net("mesh:4", "hdor");
	uint32_t s1 = find(&net, "S1"), s2 = find(&net, "S2"), s3 = find(&net, "S3");
	uint32_t host = find(&net, "H-00001"), lid = lid_of(&net, "S3");
	struct hd_error err;
	char text[512];

	assert_int_equal(hd_ar_new(net.tables, NULL), 0);
	add_port(&net, s2, lid, port_to(&net, s2, s1));
	assert_int_equal(hd_check(net.tables, NULL, &result, &err), 0);
	assert_int_equal(result.failure, HD_CHECK_FORWARD_LOOP);
	assert_int_equal(result.found[HD_CHECK_FORWARD_LOOP].n, 2);
	assert_int_equal(result.found[HD_CHECK_FORWARD_LOOP].flow.lid, lid);
	assert_int_equal(result.n_loop, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct hd_hop *hop = &result.loop[i], *next = &result.loop[1 - i];

		assert_int_equal(hd_peer_node(net.fabric, hop->node, hop->out), next->node);
		assert_int_equal(hd_peer_node(net.fabric, next->node, next->in), hop->node);
	}
	assert_non_null(strstr(hd_check_summary(&result, net.fabric, text, sizeof(text)),
			       "forwarding loop: 2 times"));
	hd_check_clear(&result);
	free_net(&net);

	net = new_net("mesh:4", "hdor");
	assert_int_equal(hd_ar_new(net.tables, NULL), 0);
	add_port(&net, s1, lid, port_to(&net, s1, host));
	assert_int_equal(hd_check(net.tables, NULL, &result, &err), 0);
	assert_int_equal(result.failure, HD_CHECK_NO_PATH);
	assert_int_equal(result.found[HD_CHECK_NO_PATH].n, 1);
	assert_int_equal(result.found[HD_CHECK_NO_PATH].port,
			 hd_port_index(net.fabric, s1, port_to(&net, s1, host)));
	hd_check_clear(&result);
	free_net(&net);

	/* the switch of a LID has a set for it: what leaves there comes back, or is lost */
	net = new_net("mesh:4", "hdor");
	assert_int_equal(hd_ar_new(net.tables, NULL), 0);
	lid = net.fabric->ports[hd_port_index(net.fabric, find(&net, "H-00003"), 1)].lid;
	add_port(&net, s3, lid, port_to(&net, s3, s2));
	assert_int_equal(hd_check(net.tables, NULL, &result, &err), 0);
	assert_int_equal(result.failure, HD_CHECK_FORWARD_LOOP);
	hd_check_clear(&result);
	free_net(&net);

	net = new_net("mesh:2x2", "hdor:ar=negative-first");
	s1 = find(&net, "S0.0");
	for (unsigned in = 0; in <= net.fabric->nodes[s1].n_ports; in++) {
		unsigned out = port_to(&net, s1, find(&net, "S0.1"));

		net.tables->sl2vl[hd_sl2vl_index(net.tables, s1, in, out)] =
			hd_row_all(in == 1 ? HD_VL_DROP : 0);
	}
	assert_int_equal(hd_check(net.tables, NULL, &result, &err), 0);
	assert_int_equal(result.failure, HD_CHECK_DROPPED);
	assert_int_equal(result.found[HD_CHECK_DROPPED].port,
			 hd_port_index(net.fabric, s1, port_to(&net, s1, find(&net, "S0.1"))));
	hd_check_clear(&result);
	free_net(&net);
}

static void dumps_are_read_back(void **state)
{
	static const char *const cases[][2] = {
		{ "mesh:4x4", "hdor:ar=negative-first" },
		{ "tree:k=4,n=3", "updn:ar=yes,ar_state=bounded" },
		{ "dragonfly:a=4,p=2,h=4,g=3", "dla:ar=trunks" },
		{ "dragonfly:a=4,p=2,h=2,g=5", "dla:ar=trunks" }, /* no set at all */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct net net = new_net(cases[i][0], cases[i][1]);
		const size_t n = net.fabric->n_switches * net.tables->lft_stride;
		struct hd_tables *again;
		struct hd_error err = { 0 };
		size_t size, part;
		char *text = tables_case_write(&hd_dump_ar, net.tables, &size), *twice;

		assert_non_null(text);
		assert_int_equal(hd_tables_new(net.fabric, &again, NULL), 0);
		memcpy(again->lft, net.tables->lft, n);
		assert_hd_ok(hd_dump_ar.parse(again, "ar", text, size, &err), err);
		assert_memory_equal(again->ar->state, net.tables->ar->state, n);
		assert_memory_equal(again->ar->group, net.tables->ar->group,
				    n * sizeof(*again->ar->group));
		twice = tables_case_write(&hd_dump_ar, again, &part);
		assert_int_equal(part, size);
		assert_memory_equal(twice, text, size);
		/* no part of it is taken for the whole, which may lack its last newline */
		for (part = 0; i == 0 && part + 1 < size; part++) {
			assert_int_equal(hd_dump_ar.parse(again, "cut", text, part, &err),
					 HD_EPARSE);
			assert_string_equal(err.file, "cut");
		}
		free(text);
		free(twice);
		hd_tables_free(again);
		free_net(&net);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_groups_are_shared),
		cmocka_unit_test(engines_know_sets),
		cmocka_unit_test(all_choices_are_proved),
		cmocka_unit_test(any_sl),
		cmocka_unit_test(sets_that_close_cycles_are_refused),
		cmocka_unit_test(rings_with_one_vl),
		cmocka_unit_test(lines_with_switches),
		cmocka_unit_test(minimal_sets_need_layers),
		cmocka_unit_test(a_rise_before_a_fall_is_refused),
		cmocka_unit_test(random_sets),
		cmocka_unit_test(every_choice_has_to_arrive),
		cmocka_unit_test(dumps_are_read_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
