/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A fabric under traffic, for tests of simfabric/traffic/. */
#ifndef HD_TESTS_CARRIED_CASE_H
#define HD_TESTS_CARRIED_CASE_H

#include "simfabric/traffic/carried.h"
#include "tests/unit/emulator_case.h"

#define DRAGONFLY "dragonfly:a=4,p=2,h=2"
#define MS        UINT64_C(1000000)

/* Port @number of the switch @node. */
static inline uint32_t switch_port(const struct emulator_case *c, uint32_t node, unsigned number)
{
	return hd_port_index(c->fabric, node, number);
}

static inline uint32_t first_host(const struct emulator_case *c)
{
	return hd_port_index(c->fabric, c->fabric->n_switches, 1);
}

static inline struct hd_vl_counters *lanes(const struct emulator_case *c, uint32_t port)
{
	return &c->emulator->counters[port * (size_t)HD_EMULATOR_VLS];
}

/* A fabric under traffic. */
struct scene {
	struct emulator_case c;
	struct hd_carried *carried;
	char sls[64]; /* a file of the engine's path SLs */
};

/* What hosts sent and received, and what links carried between their ends. */
struct sums {
	uint64_t sent, received, words_sent, words_received;
};

/*
 * Makes the fabric @spec with the tables of @engine (NULL: none), and 1 << @lmc LIDs for each host;
 * begin() gives each host one LID. finish() frees everything.
 */
void begin_lmc(struct scene *s, const char *spec, const char *engine, unsigned lmc);
void begin(struct scene *s, const char *spec, const char *engine);
void finish(struct scene *s);

/* Starts the traffic @text, as the console does; @limited: @text must have an end. */
int start(struct scene *s, const char *text, bool limited, struct hd_error *err);

/* Checks that no packet is lost or made. */
void check_census(const struct hd_carried_status *status);

/* Lets the emulator's time pass, @step at once, until there is no traffic any more. */
struct hd_carried_status wait_for_end(struct scene *s, uint64_t step);

/* Starts that traffic, and waits for its end. */
struct hd_carried_status carry(struct scene *s, const char *text);

struct sums sum_up(const struct emulator_case *c);

#endif
