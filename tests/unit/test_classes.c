// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Service classes: class files, SLs and VLs of classes, what fits and what is refused, the proof.
 */
#include "tests/unit/unit.h"

#include <math.h>
#include <unistd.h>

#include "check/check.h"
#include "check/load.h"
#include "engines/engine.h"
#include "fabric/lids.h"
#include "vlarb/shares.h"
#include "support/options.h"
#include "tables/classes.h"
#include "tables/snapshot.h"
#include "topologies/topology.h"

#define THREE                                     \
	"[class VO] share = 10%  packet = 128\n"  \
	"[class VI]  share = 30%  packet = 256\n" \
	"[class CL]  share = 50%\npacket = 512\n"
#define FOUR THREE "[class BE]  share = 10%  packet = 1024\n"
#define FIVE THREE "[class BE] share = 5%  packet = 1024\n[class BK] share = 1/20  packet = 1024\n"
#define MIXED                                                               \
	THREE "[class BE] share = 5%  packet = 1024  lanes = rest ; idle\n" \
	      "[class BK] share = 5%  packet = 1024  lanes = rest\n"

static int parse(const char *text, struct hd_classes *classes, struct hd_error *err)
{
	return hd_classes_parse("classes", text, strlen(text), classes, err);
}

static void files_are_read(void **state)
{
	struct hd_classes classes;
	struct hd_error err;
	uint64_t parts[HD_MAX_CLASSES];

	assert_hd_ok(parse(MIXED, &classes, &err), err);
	assert_int_equal(classes.n, 5);
	assert_int_equal(classes.n_lanes, 4);
	assert_int_equal(classes.fallback, 0);
	assert_string_equal(classes.list[1].name, "VI");
	assert_int_equal(classes.list[1].packet, 4);
	assert_int_equal(classes.list[3].lanes, 3);
	assert_int_equal(classes.list[4].lanes, 3);
	assert_string_equal(classes.list[4].shares, "rest");
	assert_int_equal(hd_classes_parts(&classes, parts), 20);
	assert_int_equal(parts[0], 2);
	assert_int_equal(parts[4], 1);

	assert_hd_ok(parse("[class a]\nshare = 12.5%\nwait = 1us\ndefault = no\n"
			   "[class b] share = 7/8  default = yes  sl = 3  packet = 100",
			   &classes, &err),
		     err);
	assert_int_equal(classes.list[0].share, 1);
	assert_int_equal(classes.list[0].of, 8);
	assert_int_equal(classes.list[0].wait, 1000);
	assert_int_equal(classes.list[0].packet, 64);
	assert_int_equal(classes.list[1].packet, 2);
	assert_int_equal(classes.fallback, 1);
	assert_int_equal(classes.list[1].first_sl, 3);
	assert_hd_ok(parse("[class a] share = 1/3\n[class b] share = 1/3\n[class c] share = 1/3",
			   &classes, &err),
		     err);
}

static void files_are_refused(void **state)
{
	static const struct {
		const char *text;
		unsigned line;
		const char *says;
	} cases[] = {
		{ "", 0, "no [class NAME]" },
		{ "share = 10%", 1, "before any [class NAME]" },
		{ "\n[lane x]", 2, "sections of a class file are [class NAME]" },
		{ "[class a/b]", 1, "the name of a class" },
		{ "[class .a]", 1, "the name of a class" },
		{ "[class]", 1, "sections of a class file" },
		{ "[class a] share = 1%\n[class b] share = 1%\n[class a]", 3,
		  "class a once more, after line 1" },
		{ "[class a]\nshare = 50%\n[class b]\nshare = 49.5%", 3,
		  "sum to 99.5%, not to 100%" },
		{ "[class a] share = 100%\n[class b] share = 1%", 2, "sum to 101%, not to 100%" },
		{ "[class a]\n", 1, "class a has no share" },
		{ "[class a]\nshare = 0%", 2, "no part of a link" },
		{ "[class a]\nshare = 101%", 2, "no part of a link" },
		{ "[class a]\nshare = 10", 2, "no part of a link" },
		{ "[class a]\nshare = 1/0", 2, "no part of a link" },
		{ "[class a] share = 100%\nshare = 100%", 2, "share once more" },
		{ "[class a]\nweight = 3", 2, "classes have no key 'weight'" },
		{ "[class a]\npacket = 4097", 2, "4097 bytes are more than the MTU, 4096" },
		{ "[class a]\npacket = big", 2, "no number of bytes" },
		{ "[class a]\npacket = 0", 2, "no number of bytes" },
		{ "[class a]\nwait = 3", 2, "no time" },
		{ "[class a]\ndistance = 0", 2, "not a number of entries, 1 to 1024" },
		{ "[class a]\nlanes = x y", 2, "no name" },
		{ "[class a]\nsl = 16", 2, "not an SL from 0 to 15" },
		{ "[class a]\nsl = 3-2", 2, "not FIRST-LAST" },
		{ "[class a]\ndefault = maybe", 2, "neither yes nor no" },
		{ "[class a] default = yes\n[class b] default = yes", 2, "both the default" },
		{ "[class a] sl = 2\n[class b] sl = 2", 2, "classes a and b both claim SL 2" },
		{ "[class a] sl = 2-5\n[class b] sl = 4-7", 2, "classes a and b both claim SL 4" },
		{ "[class a] sl = 2-5\n[class b] sl = 6-8", 2, "3 SLs, where another class has 4" },
		{ "[class a]\nqueues = ", 2, "no queue rule" },
		{ "[class a] share = 50%  lanes = x  queues = dbbm:2\n"
		  "[class b] share = 50%  lanes = x  queues = single",
		  2, "classes a and b share lanes, and have other queues: dbbm:2, single" },
		{ "[class a]\nnonsense", 2, "neither [section] nor key = value" },
	};
	char many[17 * 32] = "";
	struct hd_classes classes;
	struct hd_error err;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(parse(cases[i].text, &classes, &err), HD_EPARSE);
		assert_hd_says(err, cases[i].says);
		assert_int_equal(err.line, cases[i].line);
	}
	for (unsigned i = 0; i < 17; i++)
		sprintf(many + strlen(many), "[class c%u] share = 1/17\n", i);
	assert_int_equal(parse(many, &classes, &err), HD_EPARSE);
	assert_hd_says(err, "more than 16 classes");
	assert_int_equal(err.line, 17);
}

static void sls_are_assigned(void **state)
{
	struct hd_classes classes;
	struct hd_error err;

	assert_hd_ok(parse("[class a] share = 1/3\n[class b] share = 1/3  default = yes\n"
			   "[class c] share = 1/3  sl = 2",
			   &classes, &err),
		     err);
	/* the default comes first, since packets that ask for no SL have SL 0 */
	assert_hd_ok(hd_classes_assign(&classes, 2, &err), err);
	assert_int_equal(classes.list[1].first_sl, 0);
	assert_int_equal(classes.list[2].first_sl, 2);
	assert_int_equal(classes.list[0].first_sl, 4);
	assert_int_equal(hd_class_of_sl(&classes, 1), 1);
	assert_int_equal(hd_class_of_sl(&classes, 5), 0);
	assert_int_equal(hd_class_of_sl(&classes, 6), HD_NONE);
	assert_int_equal(hd_class_sl(&classes, 0, 1), 5);
	assert_int_equal(hd_class_sl(&classes, 2, HD_NO_SL), HD_NO_SL);
	assert_int_equal(hd_classes_sls(&classes, 2), 0x2a);

	assert_hd_ok(parse("[class a] share = 50%  sl = 0\n[class b] share = 50%  sl = 3", &classes,
			   &err),
		     err);
	assert_int_equal(hd_classes_assign(&classes, 4, &err), HD_EREFUSED);
	assert_hd_says(err, "classes a and b have SLs from 0 and from 3 on, and need 4 each");
	assert_hd_ok(parse("[class a] share = 50%  sl = 14\n[class b] share = 50%", &classes, &err),
		     err);
	assert_int_equal(hd_classes_assign(&classes, 4, &err), HD_EREFUSED);
	assert_hd_says(err, "class a needs 4 SLs from 14 on, and the last SL is 15");
	assert_hd_ok(parse("[class a] share = 50%  sl = 5\n[class b] share = 50%", &classes, &err),
		     err);
	assert_int_equal(hd_classes_assign(&classes, 6, &err), HD_EREFUSED);
	assert_hd_says(err, "no 6 SLs in one place left for class b");
}

/* A routed fabric. */
struct routed {
	struct hd_fabric *fabric;
	struct hd_tables *tables;
	struct hd_classes classes;
};

static int route(const char *spec, const char *engine, const char *option, const char *text,
		 struct hd_route_request *request, struct routed *r, struct hd_error *err)
{
	const struct hd_engine *e = hd_engine_find(engine);
	struct hd_fabric *bare;
	struct hd_params *params = hd_params_new(e->policy.options);
	int ret;

	assert_hd_ok(hd_topology_build(spec, &bare, err), *err);
	assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, 0, &r->fabric, err), *err);
	hd_fabric_free(bare);
	if (option)
		assert_hd_ok(hd_params_set_pair(params, engine, option, err), *err);
	request->params = params;
	request->classes = NULL;
	if (text) {
		assert_hd_ok(parse(text, &r->classes, err), *err);
		request->classes = &r->classes;
	}
	ret = hd_route(e, r->fabric, request, &r->tables, err);
	hd_params_free(params);
	return ret;
}

static void clear(struct routed *r)
{
	hd_tables_free(r->tables);
	hd_fabric_free(r->fabric);
	*r = (struct routed){ 0 };
}

static enum hd_check_failure check(const struct hd_tables *tables,
				   const struct hd_check_options *options, unsigned *sls,
				   unsigned *vls)
{
	struct hd_check_result result;
	enum hd_check_failure failure;
	struct hd_error err;

	assert_hd_ok(hd_check(tables, options, &result, &err), err);
	failure = result.failure;
	*sls = result.sls;
	*vls = result.vls;
	hd_check_clear(&result);
	return failure;
}

/*
 * Every class has the layers of the routes without classes, in lanes of its own: class by class,
 * row by row and path SL by path SL.
 */
static void assert_composed(const struct hd_tables *with, const struct hd_tables *without)
{
	const struct hd_classes *classes = with->classes;
	const struct hd_fabric *fabric = with->fabric;

	assert_int_equal(with->n_sl_rows, without->n_sl_rows);
	for (uint32_t p = 0; p < fabric->n_ports; p++)
		for (uint32_t lid = 1; lid <= fabric->top_lid; lid++)
			assert_int_equal(hd_path_sl(with, p, lid),
					 hd_path_sl(without, p, lid) +
						 classes->list[classes->fallback].first_sl);
	for (uint32_t p = 0; p < fabric->n_ports; p++) {
		const struct hd_port *port = &fabric->ports[p];

		if (port->peer == HD_NONE || !hd_is_switch(fabric, port->node))
			continue;
		for (unsigned in = 0; in <= fabric->nodes[port->node].n_ports; in++)
			for (unsigned sl = 0; sl < classes->n * classes->n_sls; sl++) {
				const size_t row =
					hd_sl2vl_index(with, port->node, in, port->number);
				const struct hd_class *class =
					&classes->list[hd_class_of_sl(classes, sl)];

				assert_int_equal(hd_row_vl(with->sl2vl[row], sl),
						 classes->first_vl[class->lanes] +
							 hd_row_vl(without->sl2vl[row],
								   sl - class->first_sl));
			}
	}
}

static void what_must_fit(void **state)
{
	static const struct {
		const char *spec, *engine, *option, *queues, *classes;
		unsigned max_vls, sls, vls;
	} cases[] = {
		{ "dragonfly:a=4,p=2,h=2", "dla", NULL, NULL, MIXED, 8, 5, 8 },
		{ "torus:8x8", "hdor", NULL, NULL, FOUR, 8, 16, 8 },
		{ "torus:8x8x4", "hdor", "ties=split", NULL, FOUR, 8, 16, 8 },
		{ "tree:k=4,n=3", "dmodc", NULL, NULL, FIVE, 8, 5, 5 },
		{ "tree:k=4,n=2", "dmodc", NULL, "dbbm:2", FOUR, 8, 8, 8 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_route_request request = { .max_vls = cases[i].max_vls,
						    .queues = cases[i].queues };
		const struct hd_check_options all = { .all_sls = true },
					      reversed = { .reversed_sl = true };
		struct routed with = { 0 }, without = { 0 };
		unsigned sls, vls;
		struct hd_error err;

		assert_hd_ok(route(cases[i].spec, cases[i].engine, cases[i].option,
				   cases[i].classes, &request, &with, &err),
			     err);
		assert_hd_ok(route(cases[i].spec, cases[i].engine, cases[i].option, NULL, &request,
				   &without, &err),
			     err);
		assert_int_equal(check(with.tables, &(struct hd_check_options){ 0 }, &sls, &vls),
				 HD_CHECK_SOUND);
		assert_int_equal(sls, cases[i].sls);
		assert_int_equal(vls, cases[i].vls);
		/* as sound as without classes: dimension order on rings is not */
		assert_int_equal(check(with.tables, &reversed, &sls, &vls),
				 check(without.tables, &reversed, &sls, &vls));
		/* where lanes are the same for every SL, they are within each class */
		if (!cases[i].queues && strcmp(cases[i].engine, "hdor") != 0)
			assert_int_equal(check(with.tables, &all, &sls, &vls), HD_CHECK_SOUND);
		assert_composed(with.tables, without.tables);
		assert_true(with.tables->classes->error == 0);
		clear(&with);
		clear(&without);
	}
}

/* The rows of linked ports have, for @sl, @first more than those of @alone for @alone_sl. */
static bool is_moved(const struct hd_tables *with, unsigned sl, const struct hd_tables *alone,
		     unsigned alone_sl, unsigned first)
{
	const struct hd_fabric *fabric = with->fabric;

	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p];
		const bool is_host = !hd_is_switch(fabric, port->node);
		const unsigned n = is_host ? 0 : fabric->nodes[port->node].n_ports;

		for (unsigned in = 0; in <= n && port->peer != HD_NONE; in++) {
			const size_t row =
				is_host ? hd_sl2vl_host_index(with, port->node, port->number)
					: hd_sl2vl_index(with, port->node, in, port->number);

			if (hd_row_vl(with->sl2vl[row], sl) !=
			    first + hd_row_vl(alone->sl2vl[row], alone_sl))
				return false;
		}
	}
	return true;
}

/*
 * Packets of class @class go on the VLs that the queue rule @queues gives without classes, in lanes
 * of the class: pair by pair.
 */
static void assert_queues(const struct hd_tables *with, unsigned class, const char *spec,
			  const char *engine, const char *queues)
{
	const struct hd_classes *classes = with->classes;
	const unsigned first = classes->first_vl[classes->list[class].lanes];
	struct hd_route_request request = { .queues = queues };
	struct routed alone = { 0 };
	struct hd_error err;

	assert_hd_ok(route(spec, engine, NULL, NULL, &request, &alone, &err), err);
	hd_for_each_port(source, with->fabric)
		for (uint32_t lid = 1; lid <= with->fabric->top_lid; lid++) {
			const unsigned sl =
				hd_class_sl(classes, class, hd_path_sl(with, source, lid));

			if (with->fabric->ports[source].lid &&
			    !is_moved(with, sl, alone.tables, hd_path_sl(alone.tables, source, lid),
				      first))
				fail_msg("%s, %s", spec, queues);
		}
	clear(&alone);
}

static void queues_of_classes(void **state)
{
	static const struct {
		const char *spec, *engine, *queues, *of_class[3];
		unsigned n_sls, vls;
	} cases[] = {
		{ "tree:k=3,n=2", "dmodc", NULL, { "dbbm:4", NULL, "single" }, 4, 6 },
		{ "tree:k=3,n=2", "dmodc", "dbbm:2", { "dbbm:4", NULL, "single" }, 4, 7 },
		{ "tree:k=3,n=2", "any", NULL, { "dbbm:4", "dbbm:2", NULL }, 4, 7 },
		{ "dragonfly:a=2,p=1,h=1",
		  "dla",
		  "dbbm:4",
		  { "dbbm:2", "single", "single" },
		  2,
		  8 },
		/* two queue classes, of which one is another's part, and links' dimensions */
		{ "mesh:3x3", "hdor", "single", { "iodet:2", NULL, NULL }, 4, 4 },
		{ "mesh:3x3", "hdor", "iodet:2", { "dbbm:2", "single", NULL }, 4, 5 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_route_request request = { .queues = cases[i].queues };
		char text[512];
		unsigned sls, vls;
		struct routed r = { 0 };
		struct hd_error err;
		int n = 0;

		for (unsigned c = 0; c < 3; c++)
			n += snprintf(text + n, sizeof(text) - (size_t)n,
				      "[class c%u]\nshare = 1/3\n%s%s\n", c,
				      cases[i].of_class[c] ? "queues = " : "",
				      cases[i].of_class[c] ? cases[i].of_class[c] : "");
		assert_hd_ok(route(cases[i].spec, cases[i].engine, NULL, text, &request, &r, &err),
			     err);
		if (r.tables->classes->n_sls != cases[i].n_sls)
			fail_msg("case %zu: %u SLs of a class, not %u", i, r.tables->classes->n_sls,
				 cases[i].n_sls);
		assert_int_equal(r.tables->classes->first_vl[3], cases[i].vls);
		assert_int_equal(check(r.tables, &(struct hd_check_options){ 0 }, &sls, &vls),
				 HD_CHECK_SOUND);
		for (unsigned c = 0; c < 3; c++)
			assert_queues(r.tables, c, cases[i].spec, cases[i].engine,
				      cases[i].of_class[c] ? cases[i].of_class[c]
							   : cases[i].queues);
		clear(&r);
	}
}

static void what_is_refused(void **state)
{
	static const struct {
		const char *spec, *engine, *queues, *classes, *says;
		unsigned max_vls, cap;
	} cases[] = {
		{ "torus:8x8", "hdor", NULL, FIVE,
		  "5 service classes x 4 flow classes x 1 queues (single) need 20 SLs, of which "
		  "there are 16",
		  15, 8 },
		{ "dragonfly:a=4,p=2,h=2", "dla", NULL, FIVE,
		  "5 lanes of classes x 2 layers x 1 queues (single) need 10 VLs, of which there "
		  "are 8",
		  8, 8 },
		{ "dragonfly:a=4,p=2,h=2", "dla", "xordet:2", FOUR,
		  "4 lanes of classes x 2 layers x 2 queues (xordet) need 16 VLs", 15, 8 },
		{ "dragonfly:a=4,p=2,h=2", "dla", NULL, MIXED,
		  "8 VLs are in use, and VL arbitration has room for 3 + 3", 8, 3 },
		{ "dragonfly:a=4,p=2,h=2", "dla", NULL,
		  "[class a] share = 50%  packet = 3904  lanes = x\n"
		  "[class b] share = 50%  lanes = x",
		  "lanes x: no turn of 16320 bytes holds whole packets of all of its classes", 8,
		  8 },
		{ "dragonfly:a=4,p=2,h=2", "dla", NULL,
		  "[class a] share = 50%  sl = 0-1\n[class b] share = 50%  sl = 2-3",
		  "service classes are given 2 SLs each, and need 1", 8, 8 },
		{ "dragonfly:a=4,p=2,h=2", "dla", NULL,
		  "[class a] share = 50%  queues = xordet:4\n[class b] share = 50%",
		  "2 layers x (4 + 1) queues of the lanes of classes need 10 VLs, of which there "
		  "are 8",
		  8, 8 },
		{ "dragonfly:a=4,p=2,h=2", "dla", "dbbm:5",
		  "[class a] share = 50%  queues = xordet:4\n[class b] share = 50%",
		  "the 2 queue rules of the classes, which alone take up to 5 SLs, together take "
		  "more than the 16 that there are",
		  15, 8 },
		{ "tree:k=4,n=2", "dmodc", NULL,
		  "[class a] share = 1/3  queues = dbbm:6\n[class b] share = 1/3\n"
		  "[class c] share = 1/3",
		  "3 service classes x 1 flow classes x 6 queue classes (of all queue rules) need "
		  "18 SLs, of which there are 16",
		  15, 8 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_route_request request = { .max_vls = cases[i].max_vls,
						    .vlarb_cap = cases[i].cap,
						    .queues = cases[i].queues };
		struct routed r = { 0 };
		struct hd_error err;

		assert_int_equal(route(cases[i].spec, cases[i].engine, NULL, cases[i].classes,
				       &request, &r, &err),
				 HD_EREFUSED);
		assert_hd_says(err, cases[i].says);
		clear(&r);
	}
}

/* What goes wrong in one class is found, whether paths have its SLs or another's. */
static void proof_of_every_class(void **state)
{
	struct hd_route_request request = { .max_vls = 8 };
	const struct hd_check_options one = { .one_class = true };
	struct routed r = { 0 };
	unsigned sls, vls;
	struct hd_error err;
	uint32_t link = 0;
	size_t row;

	assert_hd_ok(route("dragonfly:a=4,p=2,h=2", "dla", NULL, MIXED, &request, &r, &err), err);
	while (r.fabric->ports[link].peer == HD_NONE ||
	       !hd_is_switch(r.fabric, r.fabric->ports[r.fabric->ports[link].peer].node))
		link++;
	row = hd_sl2vl_index(r.tables, r.fabric->ports[link].node, 1, r.fabric->ports[link].number);

	/* class VI is dropped where packets come from a host */
	r.tables->sl2vl[row] = hd_row_set(r.tables->sl2vl[row], 1, HD_VL_DROP);
	assert_int_equal(check(r.tables, &(struct hd_check_options){ 0 }, &sls, &vls),
			 HD_CHECK_DROPPED);
	assert_int_equal(check(r.tables, &one, &sls, &vls), HD_CHECK_SOUND);
	assert_int_equal(sls, 1);
	r.tables->sl2vl[row] = hd_row_set(r.tables->sl2vl[row], 1, 2);

	/* class BK goes in one layer all the way: a credit loop */
	for (size_t i = 0; i < r.tables->sl2vl_first[r.fabric->n_nodes]; i++)
		r.tables->sl2vl[i] = hd_row_set(r.tables->sl2vl[i], 4, 6);
	assert_int_equal(check(r.tables, &(struct hd_check_options){ 0 }, &sls, &vls),
			 HD_CHECK_CREDIT_LOOP);
	assert_int_equal(check(r.tables, &one, &sls, &vls), HD_CHECK_SOUND);
	clear(&r);

	/* lanes of BE and BK that no entry serves */
	assert_hd_ok(route("dragonfly:a=4,p=2,h=2", "dla", NULL, MIXED, &request, &r, &err), err);
	for (uint32_t i = 0; i < r.tables->n_vlarbs; i++)
		for (unsigned e = 0; e < r.tables->vlarbs[i].n_low; e++)
			if (r.tables->vlarbs[i].low[e].vl >= 6)
				r.tables->vlarbs[i].low[e].weight = 0;
	assert_int_equal(check(r.tables, &(struct hd_check_options){ 0 }, &sls, &vls),
			 HD_CHECK_STARVED);
	assert_int_equal(check(r.tables, &one, &sls, &vls), HD_CHECK_SOUND);
	clear(&r);
}

/* Flows are counted in one class, or in all. */
static void load_by_class(void **state)
{
	struct hd_route_request request = { .max_vls = 8 };
	struct hd_load one, all;
	struct routed r = { 0 };
	struct hd_error err;

	assert_hd_ok(route("torus:8x8", "hdor", NULL, FOUR, &request, &r, &err), err);
	assert_hd_ok(hd_load_compute(r.tables, &one, &err), err);
	assert_hd_ok(hd_load_compute_classes(r.tables, &all, &err), err);
	assert_int_equal(one.n_flows, 64 * 63);
	assert_int_equal(all.n_flows, 4 * one.n_flows);
	assert_int_equal(one.n_lost + all.n_lost, 0);
	for (uint32_t p = 0; p < r.fabric->n_ports; p++)
		assert_int_equal(hd_load_port(&all, p), 4 * hd_load_port(&one, p));
	hd_load_clear(&one);
	hd_load_clear(&all);
	clear(&r);
}

/* Tables of each port are by its own capacity, and by flows where that is asked for. */
static void ports_by_their_capacity(void **state)
{
	static const struct hd_vlarb_entry of_four[] = {
		{ 0, 4 }, { 2, 24 }, { 0, 4 }, { 4, 80 }, { 0, 4 }, { 2, 24 }, { 0, 4 }, { 6, 16 },
	};
	struct hd_route_request request = { .max_vls = 8 };
	struct hd_vlarb_room *rooms;
	struct routed r = { 0 };
	struct hd_error err;

	assert_hd_ok(hd_topology_build("dragonfly:a=4,p=2,h=2", &r.fabric, &err), err);
	rooms = calloc(r.fabric->n_ports, sizeof(*rooms));
	for (uint32_t p = 0; p < r.fabric->n_ports; p++)
		rooms[p].low = rooms[p].high = (uint8_t[]){ 4, 8, 16, 40, 64 }[p % 5];
	request.vlarb_rooms = rooms;
	hd_fabric_free(r.fabric);
	assert_hd_ok(route("dragonfly:a=4,p=2,h=2", "dla", NULL, MIXED, &request, &r, &err), err);
	for (uint32_t p = 0; p < r.fabric->n_ports; p++) {
		const struct hd_vlarb *vlarb;
		unsigned n;

		if (r.fabric->ports[p].peer == HD_NONE)
			continue;
		vlarb = &r.tables->vlarbs[r.tables->vlarb_of_port[p]];
		n = vlarb->n_low;
		assert_in_range(n, 1, rooms[p].low);
		if (hd_vlarb_serves(vlarb) != 0x55) { /* links with both layers of all lanes */
			assert_int_equal(hd_vlarb_serves(vlarb), 0xff);
			assert_int_equal(vlarb->n_high != 0, rooms[p].low < 8);
			continue;
		}
		assert_int_equal(n, rooms[p].low == 4 ? 4 : rooms[p].low / 8 * 8);
		for (unsigned e = 0; n > 4 && e < n; e++) {
			assert_int_equal(vlarb->low[e].vl, of_four[e % 8].vl);
			assert_int_equal(vlarb->low[e].weight, of_four[e % 8].weight);
		}
	}
	clear(&r);
	request.vlarb = HD_VLARB_FLOWS;
	assert_hd_ok(route("dragonfly:a=4,p=2,h=2", "dla", NULL, MIXED, &request, &r, &err), err);
	assert_true(r.tables->classes->error < .05);
	clear(&r);
	/* a port without entries arbitrates by itself, which is nobody's share */
	memset(rooms, 0, sizeof(*rooms));
	for (uint32_t p = 0; p < 30; p++)
		rooms[p].low = rooms[p].high = 0;
	assert_int_equal(route("dragonfly:a=4,p=2,h=2", "dla", NULL, MIXED, &request, &r, &err),
			 HD_EREFUSED);
	assert_hd_says(err, "VL arbitration has room for 0 + 0");
	clear(&r);
	free(rooms);
}

static void snapshots_have_classes(void **state)
{
	struct hd_route_request request = { .max_vls = 8 };
	char directory[] = "/tmp/heddle-classes-XXXXXX", path[64];
	struct hd_snapshot *read;
	struct routed r = { 0 };
	struct hd_error err;

	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/s", directory);
	assert_hd_ok(route("torus:8x8", "hdor", NULL,
			   FOUR "wait = 3us\ndefault = yes\nqueues = single\n", &request, &r, &err),
		     err);
	assert_int_equal(r.tables->classes->list[3].first_sl, 0);
	assert_hd_ok(hd_snapshot_write(path, r.tables, NULL, &err), err);
	/* another snapshot takes its place, with the files of classes */
	assert_hd_ok(hd_snapshot_write(path, r.tables, NULL, &err), err);
	assert_hd_ok(hd_snapshot_read(path, NULL, NULL, &read, &err), err);
	assert_int_equal(hd_classes_count_changes(r.tables->classes, read->tables->classes), 0);
	assert_int_equal(read->tables->classes->list[3].wait, 3000);
	assert_string_equal(read->tables->classes->list[3].queues, "single");
	read->tables->classes->list[1].share++;
	strcpy(read->tables->classes->list[2].name, "new");
	assert_int_equal(hd_classes_count_changes(r.tables->classes, read->tables->classes), 3);
	assert_int_equal(hd_classes_count_changes(r.tables->classes, NULL), 4);
	assert_int_equal(hd_classes_count_changes(NULL, NULL), 0);
	hd_snapshot_free(read);
	clear(&r);
	snprintf(path, sizeof(path), "rm -r %s", directory);
	assert_int_equal(system(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_read),          cmocka_unit_test(files_are_refused),
		cmocka_unit_test(sls_are_assigned),        cmocka_unit_test(what_must_fit),
		cmocka_unit_test(queues_of_classes),       cmocka_unit_test(what_is_refused),
		cmocka_unit_test(proof_of_every_class),    cmocka_unit_test(load_by_class),
		cmocka_unit_test(ports_by_their_capacity), cmocka_unit_test(snapshots_have_classes),
	};

	return cmocka_run_group_tests_name("classes", tests, NULL, NULL);
}
