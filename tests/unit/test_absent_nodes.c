// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Hosts come and go at random: tables with those that are away are kept, and no others. */
#include "tests/unit/unit.h"

#include "fabric/faults.h"
#include "manager/absent_nodes.h"
#include "support/random.h"
#include "tests/unit/spec_fabric.h"

#define N_HOSTS 8

/* @whole without the hosts of @away, bit h for the h-th. */
static struct hd_fabric *without(const struct hd_fabric *whole, unsigned away)
{
	struct hd_fabric *fabric;
	uint32_t links[N_HOSTS];
	struct hd_error err;
	size_t n = 0;

	assert_int_equal(whole->n_nodes - whole->n_switches, N_HOSTS);
	for (unsigned h = 0; h < N_HOSTS; h++)
		if (away >> h & 1)
			links[n++] = hd_port_index(whole, whole->n_switches + h, 1);
	assert_hd_ok(hd_fabric_without(whole, links, n, NULL, 0, &fabric, &err), err);
	return fabric;
}

/* The hosts of @whole that @fabric has. */
static unsigned hosts_of(const struct hd_fabric *whole, const struct hd_fabric *fabric)
{
	unsigned hosts = 0;

	for (unsigned h = 0; h < N_HOSTS; h++) {
		const uint32_t port = hd_port_index(whole, whole->n_switches + h, 1);

		if (hd_fabric_find_port(fabric, whole->ports[port].guid) != HD_NONE)
			hosts |= 1u << h;
	}
	return hosts;
}

static struct hd_tables *tables_on(const struct hd_fabric *fabric)
{
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_tables_new(fabric, &tables, &err), err);
	return tables;
}

/* All that is kept has a host that is in none of the newer ones. */
static void look(const struct hd_absent_nodes *absent, const struct hd_fabric *whole,
		 unsigned present)
{
	unsigned newer = present;

	assert_in_range(absent->n, 0, HD_MOST_OLDER);
	for (size_t i = 0; i < absent->n; i++) {
		const unsigned hosts = hosts_of(whole, absent->fabrics[i]);

		assert_ptr_equal(absent->tables[i]->fabric, absent->fabrics[i]);
		assert_null(absent->tables[i]->lft);
		assert_null(absent->tables[i]->sl2vl);
		assert_non_null(absent->tables[i]->sl_rows);
		assert_int_not_equal(hosts & ~newer, 0);
		newer |= hosts;
	}
}

static void hosts_come_and_go(void **state)
{
	struct hd_fabric *whole = build_fabric("tree:k=2,n=3", 0), *now = without(whole, 0);
	struct hd_tables *tables = tables_on(now);
	struct hd_absent_nodes absent = { .n = 0 };
	struct hd_random random;
	unsigned before = hosts_of(whole, now), n_kept = 0;

	(void)state;
	hd_random_init(&random, 5, 0);
	for (unsigned i = 0; i < 500; i++) {
		/* one host at a time, or many */
		const unsigned away = hd_random_below(&random, 2)
					      ? 1u << hd_random_below(&random, N_HOSTS)
					      : hd_random_below(&random, 1u << N_HOSTS) & 0x7f;
		struct hd_fabric *next = without(whole, away);
		const unsigned present = hosts_of(whole, next);
		const bool is_kept = hd_absent_nodes_take(&absent, tables, now, next);

		assert_int_equal(is_kept, (before & ~present) != 0);
		if (is_kept) {
			assert_ptr_equal(absent.tables[0], tables);
		} else {
			hd_tables_free(tables);
			hd_fabric_free(now);
		}
		look(&absent, whole, present);
		n_kept += is_kept;
		now = next;
		before = present;
		tables = tables_on(now);
	}
	assert_in_range(n_kept, 100, 499);
	hd_absent_nodes_forget(&absent);
	assert_int_equal(absent.n, 0);
	hd_tables_free(tables);
	hd_fabric_free(now);
	hd_fabric_free(whole);
}

/* Before the first sweep there is nothing to keep. */
static void nothing_is_kept_of_nothing(void **state)
{
	struct hd_fabric *whole = build_fabric("tree:k=2,n=3", 0);
	struct hd_absent_nodes absent = { .n = 0 };

	(void)state;
	assert_false(hd_absent_nodes_take(&absent, NULL, NULL, whole));
	assert_int_equal(absent.n, 0);
	hd_fabric_free(whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hosts_come_and_go),
		cmocka_unit_test(nothing_is_kept_of_nothing),
	};

	return cmocka_run_group_tests_name("absent nodes", tests, NULL, NULL);
}
