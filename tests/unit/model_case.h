/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A fabric with tables, traffic of one kind on it, and its results. */
#ifndef HD_TESTS_MODEL_CASE_H
#define HD_TESTS_MODEL_CASE_H

#include "tests/unit/unit.h"

#include <math.h>

#include "engines/engine.h"
#include "fabric/lids.h"
#include "sim/model/model.h"
#include "support/random.h"
#include "topologies/dragonfly.h"
#include "topologies/topology.h"

#define UNIT_TICKS 10

/* Traffic of one kind from every host, and its results. */
struct traffic {
	struct hd_random *random; /* [host] */
	uint64_t *time;           /* [host] of the last message */
	uint32_t hosts, size;
	uint32_t from, to;   /* a single flow; HD_NONE: uniform among all, oneself too */
	const uint32_t *map; /* [host] destination, HD_NONE: silent; NULL: as above */
	double gap;          /* mean ticks between messages */
	bool poisson;
	uint64_t stop, warm_up;

	uint64_t delivered, latency, network_latency, shortest, longest;
	uint64_t *arrived; /* [host] packets to it since warm_up */
	unsigned hops;
};

struct setting {
	struct hd_fabric *fabric;
	struct hd_dragonfly *dragonfly;
	struct hd_tables *tables;
	struct hd_model *model;
	struct hd_model_options options;
	struct traffic traffic;
};

static inline bool next(void *context, uint32_t from, struct hd_message *message)
{
	struct traffic *t = context;

	if ((t->from != HD_NONE && from != t->from) || (t->map && t->map[from] == HD_NONE))
		return false;
	if (t->poisson)
		t->time[from] += (uint64_t)llround(
			-log((hd_random_u32(&t->random[from]) + 0.5) * 0x1p-32) * t->gap);
	message->time = t->time[from];
	if (!t->poisson)
		t->time[from] += (uint64_t)t->gap;
	message->from = from;
	message->to = t->map             ? t->map[from]
		      : t->to != HD_NONE ? t->to
					 : hd_random_below(&t->random[from], t->hosts);
	message->size = t->size;
	message->tag = 0;
	return message->time < t->stop;
}

/* Packets of 1 unit to the size of all others, one after another. */
static inline bool next_of_any_size(void *context, uint32_t from, struct hd_message *message)
{
	struct traffic *t = context;
	bool is_more = next(context, from, message);

	message->size = 1 + hd_random_below(&t->random[from], t->size);
	return is_more;
}

static inline void delivered(void *context, uint64_t now, const struct hd_message *message,
			     uint64_t entered, unsigned hops)
{
	struct traffic *t = context;
	uint64_t latency = now - message->time;

	if (now < t->warm_up)
		return;
	t->delivered++;
	t->arrived[message->to]++;
	t->latency += latency;
	t->network_latency += now - entered;
	if (!t->shortest || latency < t->shortest)
		t->shortest = latency;
	if (latency > t->longest)
		t->longest = latency;
	t->hops = hops;
}

/* Buffers of @buffer packets of @size units; links of 6 ticks, switches of 100. */
static inline void make_lmc(struct setting *s, const char *spec, const char *engine, unsigned lmc,
			    uint32_t size, uint32_t buffer)
{
	const struct hd_route_request request = { 0 };
	struct hd_error err = { 0 };
	struct hd_fabric *bare;

	memset(s, 0, sizeof(*s));
	assert_hd_ok(hd_topology_build(spec, &bare, &err), err);
	assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, lmc, &s->fabric, &err), err);
	hd_fabric_free(bare);
	assert_hd_ok(hd_route(hd_engine_find(engine), s->fabric, &request, &s->tables, &err), err);
	if (!strncmp(spec, "dragonfly", 9))
		assert_hd_ok(hd_dragonfly_recognise(s->fabric, NULL, &s->dragonfly, &err), err);
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		s->options.links[i] = (struct hd_link_options){ .unit_ticks = UNIT_TICKS,
								.propagation = 6 * (i + 1),
								.buffer = size * buffer,
								.output = 4 * size };
	s->options.latency = 100;
	s->options.cycle = UNIT_TICKS;
	s->options.count_waits = true;
	s->options.port_class = s->dragonfly ? s->dragonfly->port_class : NULL;
	s->traffic.size = size;
	s->traffic.from = s->traffic.to = HD_NONE;
}

static inline void make(struct setting *s, const char *spec, const char *engine, uint32_t size,
			uint32_t buffer)
{
	make_lmc(s, spec, engine, 0, size, buffer);
}

static inline void begin(struct setting *s, double load, uint64_t packets)
{
	struct traffic *t = &s->traffic;
	const struct hd_model_user user = { .next = next, .delivered = delivered, .context = t };
	struct hd_error err = { 0 };

	t->gap = t->size * UNIT_TICKS / load;
	t->stop = packets * t->size * UNIT_TICKS;
	t->warm_up = t->stop / 5;
	assert_hd_ok(hd_model_new(s->tables, &s->options, &user, &s->model, &err), err);
	t->hosts = hd_model_hosts(s->model);
	t->random = calloc(t->hosts, sizeof(*t->random));
	t->time = calloc(t->hosts, sizeof(*t->time));
	t->arrived = calloc(t->hosts, sizeof(*t->arrived));
	assert_non_null(t->random);
	assert_non_null(t->arrived);
	assert_non_null(t->time);
	for (uint32_t i = 0; i < t->hosts; i++)
		hd_random_init(&t->random[i], 7, i);
}

static inline void check_census(const struct setting *s)
{
	struct hd_model_census c = hd_model_census(s->model);

	assert_int_equal(c.generated, c.queued + c.under_way + c.delivered + c.dropped);
}

static inline void run(struct setting *s, double load, uint64_t packets)
{
	struct hd_error err = { 0 };

	begin(s, load, packets);
	/* in pieces, as one run */
	for (uint64_t until = s->traffic.stop / 4; until < s->traffic.stop;
	     until += s->traffic.stop / 4) {
		assert_hd_ok(hd_model_run(s->model, until, &err), err);
		check_census(s);
	}
	assert_hd_ok(hd_model_run(s->model, s->traffic.stop, &err), err);
	check_census(s);
}

/* As a share of what the hosts' links carry. */
static inline double accepted(const struct setting *s)
{
	const struct traffic *t = &s->traffic;

	return (double)t->delivered * t->size * UNIT_TICKS / (double)(t->stop - t->warm_up) /
	       t->hosts;
}

static inline void finish(struct setting *s)
{
	hd_model_free(s->model);
	free(s->traffic.random);
	free(s->traffic.time);
	free(s->traffic.arrived);
	hd_tables_free(s->tables);
	hd_dragonfly_free(s->dragonfly);
	hd_fabric_free(s->fabric);
}

static inline void assert_near(double value, double wanted, double tolerance)
{
	if (!(fabs(value - wanted) <= tolerance))
		fail_msg("%g is not within %g of %g", value, tolerance, wanted);
}

#endif
