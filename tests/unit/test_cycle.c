// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/unit.h"

#include <stdbool.h>

#include "check/cycle.h"
#include "support/random.h"

#define MAX_VERTICES 24

/* A graph by its matrix, and the same as lists. */
struct matrix {
	uint32_t n;
	bool edge[MAX_VERTICES][MAX_VERTICES];
	struct hd_digraph graph;
	size_t first[MAX_VERTICES + 1];
	uint32_t targets[MAX_VERTICES * MAX_VERTICES];
};

static void list_edges(struct matrix *m)
{
	m->graph = (struct hd_digraph){ .n = m->n, .first = m->first, .targets = m->targets };
	for (uint32_t v = 0; v < m->n; v++) {
		m->first[v] = m->graph.n_edges;
		for (uint32_t w = 0; w < m->n; w++)
			if (m->edge[v][w])
				m->targets[m->graph.n_edges++] = w;
	}
	m->first[m->n] = m->graph.n_edges;
}

/* The length of a shortest cycle by powers of the matrix; 0: none. */
static size_t girth(const struct matrix *m)
{
	bool reach[MAX_VERTICES][MAX_VERTICES];

	memcpy(reach, m->edge, sizeof(reach));
	for (size_t length = 1; length <= m->n; length++) {
		bool longer[MAX_VERTICES][MAX_VERTICES] = { 0 };

		for (uint32_t v = 0; v < m->n; v++)
			if (reach[v][v])
				return length;
		for (uint32_t v = 0; v < m->n; v++)
			for (uint32_t w = 0; w < m->n; w++)
				for (uint32_t x = 0; reach[v][w] && x < m->n; x++)
					longer[v][x] |= m->edge[w][x];
		memcpy(reach, longer, sizeof(reach));
	}
	return 0;
}

/* Returns the length that is found; what is found is a cycle. */
static size_t find(struct matrix *m, uint64_t effort)
{
	struct hd_error err = { 0 };
	uint32_t *cycle;
	size_t length;

	list_edges(m);
	assert_hd_ok(hd_shortest_cycle(&m->graph, effort, &cycle, &length, &err), err);
	assert_true((cycle != NULL) == (length != 0));
	for (size_t i = 0; cycle && i < length; i++) {
		assert_true(m->edge[cycle[i]][cycle[(i + 1) % length]]);
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(cycle[i], cycle[j]);
	}
	free(cycle);
	return length;
}

/* Checks the shortest cycle that is not within a group, and how many groups have cycles alone. */
static size_t find_mixed(struct matrix *m, const uint32_t *group)
{
	size_t distance[MAX_VERTICES][MAX_VERTICES], shortest = 0, length;
	uint32_t n_wanted = 0, n_within, *cycle;
	struct hd_error err = { 0 };

	for (uint32_t v = 0; v < m->n; v++)
		for (uint32_t w = 0; w < m->n; w++)
			distance[v][w] = v == w ? 0 : m->edge[v][w] ? 1 : SIZE_MAX / 4;
	for (uint32_t x = 0; x < m->n; x++)
		for (uint32_t v = 0; v < m->n; v++)
			for (uint32_t w = 0; w < m->n; w++)
				if (distance[v][x] + distance[x][w] < distance[v][w])
					distance[v][w] = distance[v][x] + distance[x][w];
	for (uint32_t v = 0; v < m->n; v++) {
		bool on_cycle = false, is_first = true, is_mixed = false;

		for (uint32_t a = 0; a < m->n; a++)
			for (uint32_t b = 0; b < m->n; b++) {
				bool in_group = group[a] && group[a] == group[b];

				if (!m->edge[a][b] || distance[b][a] >= SIZE_MAX / 4)
					continue;
				if (!in_group && (!shortest || distance[b][a] + 1 < shortest))
					shortest = distance[b][a] + 1;
				if (distance[v][a] >= SIZE_MAX / 4 ||
				    distance[a][v] >= SIZE_MAX / 4)
					continue;
				on_cycle = true;
				is_mixed |= !in_group;
				is_first &= v <= a;
			}
		n_wanted += on_cycle && is_first && !is_mixed;
	}
	list_edges(m);
	assert_hd_ok(hd_shortest_mixed_cycle(&m->graph, group, 0, &cycle, &length, &n_within, &err),
		     err);
	assert_int_equal(length, shortest);
	assert_int_equal(n_within, n_wanted);
	for (size_t i = 0, mixed = 0; i < length; i++) {
		uint32_t v = cycle[i], w = cycle[(i + 1) % length];

		assert_true(m->edge[v][w]);
		mixed += !group[v] || group[v] != group[w];
		assert_true(i + 1 < length || mixed);
	}
	free(cycle);
	return length;
}

static void test_groups(void **state)
{
	struct matrix m = { .n = 8 };
	uint32_t group[MAX_VERTICES] = { 1, 1, 1, 1, 2, 2, 2, 0 };
	unsigned n_mixed = 0;

	/* a cycle in a group, one way to another group that has one, a way back from there */
	for (unsigned v = 0; v < 4; v++)
		m.edge[v][(v + 1) % 4] = true;
	assert_int_equal(find_mixed(&m, group), 0);
	for (unsigned v = 0; v < 3; v++)
		m.edge[4 + v][4 + (v + 1) % 3] = true;
	m.edge[2][5] = true;
	assert_int_equal(find_mixed(&m, group), 0);
	m.edge[4][7] = m.edge[7][1] = true;
	assert_int_equal(find_mixed(&m, group), 6); /* 2 5 6 4 7 1 */
	m.edge[7][7] = true;
	assert_int_equal(find_mixed(&m, group), 1);
	for (unsigned seed = 0; seed < 1000; seed++) {
		struct matrix r = { .n = 2 + seed % (MAX_VERTICES - 2) };
		struct hd_random random;

		hd_random_init(&random, 9, seed);
		for (unsigned i = 0; i < r.n * (1 + seed % 3); i++)
			r.edge[hd_random_below(&random, r.n)][hd_random_below(&random, r.n)] = true;
		for (unsigned v = 0; v < r.n; v++) {
			group[v] = hd_random_below(&random, 2 + seed % 4);
			r.edge[v][v] = false;
		}
		n_mixed += find_mixed(&r, group) > 0;
	}
	assert_in_range(n_mixed, 100, 990);
}

static void test_small_graphs(void **state)
{
	struct matrix m = { .n = 0 };

	assert_int_equal(find(&m, 0), 0);
	m.n = 6;
	assert_int_equal(find(&m, 0), 0);
	for (unsigned v = 0; v < 5; v++)
		m.edge[v][v + 1] = true;
	m.edge[0][3] = m.edge[1][5] = true;
	assert_int_equal(find(&m, 0), 0);
	m.edge[5][0] = true;
	assert_int_equal(find(&m, 0), 3); /* 0 1 5 */
	m.edge[1][5] = false;
	assert_int_equal(find(&m, 0), 4); /* 0 3 4 5 */
	m.edge[0][3] = false;
	assert_int_equal(find(&m, 0), 6);
	m.edge[4][4] = true;
	assert_int_equal(find(&m, 0), 1);
}

static void test_random_graphs(void **state)
{
	unsigned n_cyclic = 0;

	for (unsigned seed = 0; seed < 2000; seed++) {
		struct matrix m = { .n = 2 + seed % (MAX_VERTICES - 2) };
		struct hd_random random;
		size_t shortest, bounded;

		hd_random_init(&random, 7, seed);
		for (unsigned i = 0; i < m.n * (1 + seed % 3); i++)
			m.edge[hd_random_below(&random, m.n)][hd_random_below(&random, m.n)] = true;
		for (unsigned v = 0; v < m.n && seed % 4; v++)
			m.edge[v][v] = false;
		shortest = find(&m, 0);
		assert_int_equal(shortest, girth(&m));
		/* however little the effort, a cycle is found if there is one */
		bounded = find(&m, 1);
		assert_true(shortest ? bounded >= shortest : bounded == 0);
		n_cyclic += shortest > 2;
	}
	assert_true(n_cyclic > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_graphs),
		cmocka_unit_test(test_random_graphs),
		cmocka_unit_test(test_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
