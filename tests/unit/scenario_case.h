/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A scenario from text, and the result of its first run. */
#ifndef HD_TESTS_SCENARIO_CASE_H
#define HD_TESTS_SCENARIO_CASE_H

#include "tests/unit/unit.h"

#include <math.h>

#include "sim/scenario/columns.h"
#include "sim/scenario/sweep.h"

static inline struct hd_scenario *read_text(const char *text)
{
	struct hd_scenario *scenario = hd_scenario_new();
	struct hd_error err = { 0 };

	assert_non_null(scenario);
	assert_hd_ok(hd_scenario_read_text(scenario, "test.ini", text, strlen(text), &err), err);
	assert_hd_ok(hd_scenario_finish(scenario, &err), err);
	return scenario;
}

/* A network and what runs on it. */
struct made {
	struct hd_scenario *scenario;
	struct hd_setup setup;
	struct hd_network *network;
	struct hd_result result;
};

static inline void make(struct made *m, const char *text)
{
	const struct hd_run_threads one = { .n = 1 };
	enum hd_key culprit;
	struct hd_error err = { 0 };

	m->scenario = read_text(text);
	assert_hd_ok(hd_setup_make(m->scenario, 0, &m->setup, &err), err);
	assert_hd_ok(hd_network_make(&m->setup.network, &m->network, &culprit, &err), err);
	assert_hd_ok(hd_run(m->network, &m->setup, 1, NULL, one, &m->result, &culprit, &err), err);
}

static inline void finish(struct made *m)
{
	hd_result_clear(&m->result);
	hd_network_free(m->network);
	hd_setup_clear(&m->setup);
	hd_scenario_free(m->scenario);
}

static inline double column(const struct made *m, const char *name)
{
	return hd_result_columns[hd_result_column_find(name)].get(&m->result);
}

#endif
