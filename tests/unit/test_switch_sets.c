// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Port sets from switch to switch, against the entries of every LID. */
#include "tests/unit/unit.h"

#include "engines/engines.h"
#include "manager/switch_sets.h"
#include "support/options.h"
#include "support/random.h"
#include "tests/unit/spec_fabric.h"

#define N_PLFTS 4

/* Tables of random groups on @fabric: several subgroups, private LFTs, each state. */
static struct hd_tables *random_tables(const struct hd_fabric *fabric, struct hd_random *random)
{
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_tables_new(fabric, &tables, &err), err);
	assert_hd_ok(hd_ar_new(tables, &err), err);
	hd_for_each_switch(s, fabric) {
		struct hd_ar_switch *own = &tables->ar->switches[s];

		if (hd_random_below(random, 2))
			assert_int_equal(hd_ar_add_plfts(tables, s, N_PLFTS, HD_AR_BY_SL), 0);
		for (uint32_t at = 0; at < own->n_plfts * (fabric->top_lid + 1); at++) {
			const uint32_t lid = at % (fabric->top_lid + 1);
			const unsigned plft = at / (fabric->top_lid + 1);
			const size_t entry = s * tables->lft_stride + lid;
			struct hd_port_set sets[2] = { { { 0 } }, { { 0 } } };
			const bool is_static = !hd_random_below(random, 4);
			uint16_t group = HD_AR_NO_GROUP;
			const uint8_t port = (uint8_t)(1 + hd_random_below(random, 3));
			const enum hd_ar_state state = is_static ? HD_AR_STATIC : HD_AR_FREE;

			hd_port_set_add(&sets[0], 1);
			hd_port_set_add(&sets[0], port);
			hd_port_set_add(&sets[1], 4 + hd_random_below(random, 2));
			if (!is_static)
				assert_int_equal(hd_ar_intern_subgroups(
							 tables->ar, s, sets,
							 1 + hd_random_below(random, 2), &group),
						 0);
			if (plft) {
				own->lfts[plft - 1].port[lid] = port;
				own->lfts[plft - 1].state[lid] = (uint8_t)state;
				own->lfts[plft - 1].group[lid] = group;
			} else {
				tables->lft[entry] = port;
				tables->ar->state[entry] = (uint8_t)state;
				tables->ar->group[entry] = group;
			}
		}
	}
	return tables;
}

/* Whether packets to @lid may leave by @port, of subgroup @subgroup, as tables/ar.h says it. */
static bool may_leave(const struct hd_tables *tables, uint32_t s, unsigned plft, uint32_t lid,
		      unsigned subgroup, unsigned port)
{
	const struct hd_ar_entry entry = hd_ar_entry(tables, s, plft, lid);
	const struct hd_ar_groups *groups = &tables->ar->groups[s];

	if (entry.state == HD_AR_STATIC)
		return !subgroup && port == entry.port;
	if (subgroup >= groups->first[entry.group + 1] - groups->first[entry.group])
		return false;
	return hd_port_set_has(&groups->subgroups[groups->first[entry.group] + subgroup], port);
}

static void ports_are_those_of_all_lids_on_the_switch(void **state)
{
	struct hd_fabric *fabric = build_fabric("torus:3x3,p=2", 1);
	struct hd_random random;
	unsigned n_found = 0;

	(void)state;
	hd_random_init(&random, 5, 0);
	for (unsigned round = 0; round < 5; round++) {
		struct hd_tables *tables = random_tables(fabric, &random);

		assert_int_equal(hd_switch_sets_subgroups(tables), 2);
		for (uint32_t at = 0; at < fabric->n_switches * fabric->n_switches * 10; at++) {
			const uint32_t s = at / 10 / fabric->n_switches;
			const uint32_t d = at / 10 % fabric->n_switches;
			const unsigned plft = at % 10 / 2, subgroup = at % 2;
			const bool is_there = plft < tables->ar->switches[s].n_plfts && s != d;
			struct hd_port_set set, wanted = { { 0 } };
			bool found = hd_switch_sets_find(tables, s, d, plft, subgroup, &set);

			for (unsigned port = 1; is_there && port <= 6; port++) {
				bool may = true;

				for (uint32_t lid = 1; lid <= fabric->top_lid; lid++)
					may &= fabric->lids[lid].via_switch != d ||
					       may_leave(tables, s, plft, lid, subgroup, port);
				if (may)
					hd_port_set_add(&wanted, port);
			}
			assert_int_equal(found, hd_port_set_count(&wanted) > 0);
			if (found)
				assert_memory_equal(&set, &wanted, sizeof(set));
			n_found += found;
		}
		hd_tables_free(tables);
	}
	assert_true(n_found > 100);
	hd_fabric_free(fabric);
}

static void tables_without_sets_have_default_ports(void **state)
{
	struct hd_fabric *fabric = build_fabric("torus:3x3,p=1", 0);
	struct hd_tables *tables;
	struct hd_port_set set;
	struct hd_error err;

	(void)state;
	assert_hd_ok(hd_tables_new(fabric, &tables, &err), err);
	for (uint32_t lid = 1; lid <= fabric->top_lid; lid++)
		tables->lft[lid] = 2;
	assert_true(hd_switch_sets_find(tables, 0, 1, 0, 0, &set));
	assert_int_equal(hd_port_set_count(&set), 1);
	assert_true(hd_port_set_has(&set, 2));
	assert_false(hd_switch_sets_find(tables, 0, 1, 1, 0, &set));
	assert_false(hd_switch_sets_find(tables, 0, 1, 0, 1, &set));
	assert_int_equal(hd_switch_sets_subgroups(tables), 1);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void sets_are_wanted_where_the_option_says_so(void **state)
{
	struct hd_engine_settings settings = { .params = NULL };
	struct hd_error err;

	(void)state;
	assert_false(hd_switch_sets_are_wanted(&hd_engine_any, &settings));
	assert_false(hd_switch_sets_are_wanted(&hd_engine_dmodc, &settings));
	settings.params = hd_params_new(hd_engine_dmodc.policy.options);
	assert_non_null(settings.params);
	assert_false(hd_switch_sets_are_wanted(&hd_engine_dmodc, &settings));
	assert_hd_ok(hd_params_set(settings.params, "dmodc", "ar", "yes", &err), err);
	assert_true(hd_switch_sets_are_wanted(&hd_engine_dmodc, &settings));
	hd_params_free(settings.params);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ports_are_those_of_all_lids_on_the_switch),
		cmocka_unit_test(tables_without_sets_have_default_ports),
		cmocka_unit_test(sets_are_wanted_where_the_option_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
