// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Every engine with every layer rule that it takes and every queue rule, on shapes of many sizes,
 * with one LID and two: proved or refused, never anything else. No promise is made by minhop, and
 * by hdor with rule single, which is for shapes without rings.
 */
#include "tests/unit/unit.h"

#include "check/check.h"
#include "engines/engine.h"
#include "fabric/lids.h"
#include "topologies/topology.h"

static const char *const specs[] = {
	"dragonfly:h=1",
	"dragonfly:h=2",
	"dragonfly:a=4,p=2,h=2,g=5",
	"dragonfly:a=3,p=2,h=2,global=random(7)",
	"mesh:2,p=4",
	"mesh:4x3",
	"torus:5x4",
	"torus:5x4,p=2,trunk=2",
	"torus:4x4x2",
	"hyperx:4x3",
	"kns:k=3,n=2",
	"tree:k=2,n=3",
	"slimfly:q=3,p=1",
};

static const char *const queues[] = {
	"single", "bbq:2", "dbbm:3", "dbbq:2", "iodet:2", "vftree:2", "voqsw:4", "xordet:4",
};

#define N_SPECS  (sizeof(specs) / sizeof(specs[0]))
#define N_QUEUES (sizeof(queues) / sizeof(queues[0]))

/* Under sanitizers every third queue rule, another one each time. */
#define STEP (HD_IS_SLOW ? 3 : 1)

static size_t first(size_t turn)
{
	return turn % STEP;
}

static bool promises(const struct hd_engine *engine, const char *layers)
{
	return !engine->loops_with || strcmp(engine->loops_with, layers) != 0;
}

/* Whether tables were made. */
static bool prove_or_refuse(const struct hd_fabric *fabric, const struct hd_engine *engine,
			    const struct hd_route_request *request, const char *spec)
{
	struct hd_check_result result;
	struct hd_tables *tables;
	struct hd_error err;
	int ret = hd_route(engine, fabric, request, &tables, &err);
	char text[512];

	if (ret) {
		assert_int_equal(ret, HD_EREFUSED);
		assert_true(err.text[0]);
		return false;
	}
	assert_hd_ok(hd_check(tables, NULL, &result, &err), err);
	if (!result.reachable ||
	    (result.failure != HD_CHECK_SOUND && promises(engine, request->layers)))
		fail_msg("%s on %s, layers %s, queues %s: %s", engine->policy.name, spec,
			 request->layers, request->queues,
			 hd_check_summary(&result, fabric, text, sizeof(text)));
	hd_check_clear(&result);
	hd_tables_free(tables);
	return true;
}

static void proved_or_refused(void **state)
{
	unsigned made[N_QUEUES] = { 0 };

	for (size_t i = 0; i < N_SPECS; i++)
		for (unsigned lmc = 0; lmc <= 1; lmc++) {
			struct hd_fabric *bare, *fabric;
			struct hd_error err;

			assert_hd_ok(hd_topology_build(specs[i], &bare, &err), err);
			assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, lmc, &fabric, &err), err);
			hd_fabric_free(bare);
			for (size_t e = 0; hd_engine_at(e); e++)
				for (size_t l = 0; hd_engine_at(e)->layer_rules[l]; l++)
					for (size_t q = first(i + lmc + l); q < N_QUEUES;
					     q += STEP) {
						struct hd_route_request request = {
							.layers = hd_engine_at(e)->layer_rules[l],
							.queues = queues[q],
							.vlarb = (i + q) % 2 ? HD_VLARB_FLOWS
									     : HD_VLARB_EQUAL,
						};

						made[q] += prove_or_refuse(fabric, hd_engine_at(e),
									   &request, specs[i]);
					}
			hd_fabric_free(fabric);
		}
	for (size_t q = 0; q < N_QUEUES; q++)
		assert_true(made[q] > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(proved_or_refused) };

	return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
