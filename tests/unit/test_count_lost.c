// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pairs of hosts that lose packets in rounds, against each pair's packets followed by themselves. */
#include "tests/unit/unit.h"

#include <inttypes.h>
#include <stdlib.h>

#include "change/schedule.h"
#include "tests/unit/mixing.h"
#include "tests/unit/spec_fabric.h"

/* Whether packets from @source to @lid on @sl arrive by @tables, and by no link that @is_dark. */
static bool arrives(const struct hd_tables *tables, const bool *is_dark, uint32_t source,
		    uint32_t lid, unsigned sl)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint32_t port = source; /* that they leave by */
	size_t row = hd_sl2vl_host_index(tables, fabric->ports[source].node,
					 fabric->ports[source].number);

	for (unsigned hops = 0; hops <= fabric->n_switches + 1; hops++) {
		const uint32_t peer = fabric->ports[port].peer;
		unsigned vl, out;
		uint32_t s;

		if (sl >= HD_MAX_SLS || peer == HD_NONE || (is_dark && is_dark[port]))
			return false;
		vl = hd_row_vl(tables->sl2vl[row], sl);
		if (vl == HD_VL_DROP || vl >= hd_link_vls(fabric, port))
			return false;
		s = fabric->ports[peer].node;
		if (!hd_is_switch(fabric, s))
			return peer == fabric->lids[lid].port;
		out = hd_lft(tables, s)[lid];
		if (!out || out > fabric->nodes[s].n_ports)
			return false;
		port = hd_port_index(fabric, s, out);
		row = hd_sl2vl_index(tables, s, fabric->ports[peer].number, out);
	}
	return false;
}

static bool is_host(const struct hd_fabric *fabric, uint32_t p)
{
	return !hd_is_switch(fabric, fabric->ports[p].node) && hd_is_end_port(fabric, p);
}

/* The pairs that lose packets by @at. Hosts have their new path SLs if @has_new_sls. */
static uint64_t count_pairs(const struct hd_tables *at, bool has_new_sls,
			    const struct hd_tables *now, const struct hd_tables *before,
			    const bool *is_dark)
{
	const struct hd_fabric *fabric = now->fabric;
	uint64_t n = 0;

	hd_for_each_port(p, fabric)
		hd_for_each_port(q, fabric) {
			const uint32_t lid = fabric->ports[q].lid;
			unsigned old_sl, new_sl;

			if (!is_host(fabric, p) || !is_host(fabric, q) ||
			    fabric->ports[p].node == fabric->ports[q].node)
				continue;
			old_sl = hd_path_sl(before, p, lid);
			new_sl = hd_path_sl(now, p, lid);
			n += arrives(before, is_dark, p, lid, old_sl) &&
			     arrives(now, NULL, p, lid, new_sl) &&
			     !arrives(at, is_dark, p, lid, has_new_sls ? new_sl : old_sl);
		}
	return n;
}

/* What all rounds of a schedule lose together. */
static uint64_t try_count(const struct hd_schedule *schedule, const struct hd_tables *now,
			  const struct hd_tables *before, const bool *is_dark)
{
	uint64_t lost[HD_MAX_ROUNDS], n = 0;
	struct hd_tables *at;
	struct hd_error err;

	assert_hd_ok(hd_schedule_count_lost(schedule, now, before, is_dark, lost, &err), err);
	for (unsigned r = 1; r <= schedule->n_rounds; r++) {
		assert_hd_ok(hd_schedule_tables(schedule, now, before, r, &at, &err), err);
		assert_int_equal(lost[r - 1],
				 count_pairs(at, r == schedule->n_rounds, now, before, is_dark));
		n += lost[r - 1];
		hd_tables_free(at);
	}
	return n;
}

/* Links between switches that are not up, one of @share. */
static void darken(const struct hd_fabric *fabric, struct hd_random *random, unsigned share,
		   bool *is_dark)
{
	hd_for_each_port(p, fabric)
		if (hd_is_switch_link(fabric, p) && p < fabric->ports[p].peer)
			is_dark[p] = is_dark[fabric->ports[p].peer] =
				hd_random_below(random, share) == 0;
}

/* All schedules from @before to @now, with all links and without some. */
static uint64_t try_schedules(const struct hd_tables *now, const struct hd_tables *before,
			      struct hd_random *random)
{
	bool *is_dark = calloc(now->fabric->n_ports, sizeof(*is_dark)), is_proved;
	struct hd_schedule schedule;
	struct hd_error err;
	uint64_t n;
	int ret;

	assert_non_null(is_dark);
	assert_hd_ok(hd_schedule_drop(now, before, &schedule, &is_proved, &err), err);
	n = try_count(&schedule, now, before, NULL);
	hd_schedule_clear(&schedule);
	ret = hd_schedule_make(now, before, &schedule, &err);
	if (!ret && !schedule.needs_new_sls) {
		n += try_count(&schedule, now, before, NULL);
		darken(now->fabric, random, 4, is_dark);
		n += try_count(&schedule, now, before, is_dark);
	}
	if (!ret)
		hd_schedule_clear(&schedule);
	free(is_dark);
	return n;
}

/* Takes @n random entries out of @tables. */
static void cut_entries(struct hd_tables *tables, unsigned n, struct hd_random *random)
{
	const struct hd_fabric *fabric = tables->fabric;

	while (n--)
		hd_lft(tables,
		       (uint32_t)hd_random_below(
			       random,
			       fabric->n_switches))[1 + hd_random_below(random, fabric->top_lid)] =
			HD_NO_PATH;
}

/* Random rows of @tables drop packets of one SL. */
static void cut_rows(struct hd_tables *tables, unsigned n, struct hd_random *random)
{
	const size_t n_rows = tables->sl2vl_first[tables->fabric->n_nodes];

	while (n--) {
		hd_sl2vl_row *row = &tables->sl2vl[hd_random_below(random, (uint32_t)n_rows)];

		*row = hd_row_set(*row, hd_random_below(random, 4), HD_VL_DROP);
	}
}

/* One engine after another, where the tables of either side lack entries and rows. */
static void each_pair_is_followed(void **state)
{
	static const struct {
		const char *spec, *old, *new;
	} cases[] = {
		{ "torus:4x4", "any", "updn" },
		{ "torus:3x3", "hdor", "updn" },
		{ "torus:3x3", "any", "hdor" },
		{ "mesh:3x3", "hdor", "updn" },
		{ "dragonfly:a=2,p=2,h=1", "df-sssp", "dla" },
		{ "dragonfly:a=4,p=1,h=1", "dla", "df-minhop" },
		{ "tree:k=4,n=2", "updn", "dmodc" },
	};
	struct hd_random random;
	uint64_t n = 0;

	(void)state;
	hd_random_init(&random, 3, 4);
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (unsigned turn = 0; turn < (HD_IS_SLOW ? 4 : 16); turn++) {
			struct hd_fabric *fabric = build_fabric(cases[i].spec, 0);
			struct hd_tables *before = route_by(fabric, cases[i].old);
			struct hd_tables *now = route_by(fabric, cases[i].new);

			if (turn & 1)
				cut_entries(now, 2, &random);
			if (turn & 2)
				cut_entries(before, 2, &random);
			if (turn & 4)
				cut_rows(before, 40, &random);
			if (turn & 8)
				cut_rows(now, 20, &random);
			n += try_schedules(now, before, &random);
			hd_tables_free(before);
			hd_tables_free(now);
			hd_fabric_free(fabric);
		}
	assert_true(n > 0);
	print_message("%" PRIu64 " lost pairs, each found by itself\n", n);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_pair_is_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
