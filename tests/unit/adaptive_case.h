/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fabrics whose packets choose their paths: views, routings, and runs of them. */
#ifndef HD_TESTS_ADAPTIVE_CASE_H
#define HD_TESTS_ADAPTIVE_CASE_H

#include "fabric/faults.h"
#include "sim/adaptive/routing.h"
#include "tests/unit/model_case.h"
#include "topologies/grid.h"

#define SMALL  "dragonfly:a=4,p=2,h=2,global=palmtree"
#define MEDIUM "dragonfly:a=5,p=2,h=2"

/* A fabric, its view, and a routing for it. */
struct chosen {
	struct setting setting;
	struct hd_structure structure;
	struct hd_shape *shape;
	struct hd_routed *routed;
};

static inline bool is_dragonfly(const char *spec)
{
	return strncmp(spec, "dragonfly", 9) == 0;
}

/* The shape of the fabric and tables that @c has, made by @spec. */
static inline void find_shape(struct chosen *c, const char *spec)
{
	struct hd_error err = { 0 };

	memset(&c->structure, 0, sizeof(c->structure));
	if (is_dragonfly(spec))
		assert_hd_ok(hd_structure_find_groups(&c->structure, c->setting.fabric, &err), err);
	else
		assert_hd_ok(hd_grid_recognise(c->setting.fabric, NULL, &c->structure.grid, &err),
			     err);
	assert_hd_ok(hd_shape_new(c->setting.tables, &c->structure, &c->shape, &err), err);
}

static inline void make_shape(struct chosen *c, const char *spec)
{
	memset(c, 0, sizeof(*c));
	make(&c->setting, spec, is_dragonfly(spec) ? "dla" : "hdor", 8, 1);
	c->setting.options.count_waits = false;
	find_shape(c, spec);
}

/* A copy of @fabric without @n random links between switches. */
static inline void fail_links(const struct hd_fabric *fabric, size_t n, uint64_t seed,
			      struct hd_fabric **left)
{
	uint32_t links[8];
	struct hd_random random;
	struct hd_error err = { 0 };

	hd_random_init(&random, seed, 0);
	for (size_t i = 0; i < n;) {
		uint32_t port = hd_random_below(&random, fabric->n_ports), peer;
		bool is_known = false;

		peer = fabric->ports[port].peer;
		if (peer == HD_NONE || !hd_is_switch(fabric, fabric->ports[port].node) ||
		    !hd_is_switch(fabric, fabric->ports[peer].node))
			continue;
		for (size_t k = 0; k < i; k++)
			is_known |= links[k] == port || links[k] == peer;
		if (!is_known)
			links[i++] = port;
	}
	assert_hd_ok(hd_fabric_without(fabric, links, n, NULL, 0, left, &err), err);
}

/* @spec's fabric without @n random links, routed anew. */
static inline void make_failed(struct chosen *c, const char *spec, size_t n, uint64_t seed)
{
	const struct hd_route_request request = { 0 };
	const char *engine = is_dragonfly(spec) ? "dla" : "hdor";
	struct hd_error err = { 0 };
	struct hd_fabric *left;

	make_shape(c, spec);
	hd_shape_free(c->shape);
	hd_structure_clear(&c->structure);
	hd_tables_free(c->setting.tables);
	fail_links(c->setting.fabric, n, seed, &left);
	hd_fabric_free(c->setting.fabric);
	c->setting.fabric = left;
	assert_hd_ok(hd_route(hd_engine_find(engine), left, &request, &c->setting.tables, &err),
		     err);
	find_shape(c, spec);
	c->setting.options.port_class = c->structure.port_class;
}

static inline int choose(struct chosen *c, const char *adaptive, const char *trigger,
			 const char *vcs, struct hd_error *err)
{
	const struct hd_routed_spec spec = { adaptive, trigger, vcs, false };
	enum hd_routed_part part;

	return hd_routed_new(&spec, c->shape, &c->routed, &part, err);
}

static inline void drop(struct chosen *c)
{
	hd_routed_free(c->routed);
	c->routed = NULL;
}

static inline void clear(struct chosen *c)
{
	drop(c);
	hd_shape_free(c->shape);
	hd_structure_clear(&c->structure);
	finish(&c->setting);
	c->setting.model = NULL;
}

/* All hosts send to the next group, or half-way across a grid. */
static inline uint32_t *next_group(const struct chosen *c, uint32_t n_hosts)
{
	uint32_t *map = malloc(n_hosts * sizeof(*map));
	uint32_t by = n_hosts / (c->shape->n_groups ? c->shape->n_groups : 2);

	assert_non_null(map);
	for (uint32_t host = 0; host < n_hosts; host++)
		map[host] = (host + by) % n_hosts;
	return map;
}

static inline void end(struct chosen *c)
{
	struct setting *s = &c->setting;

	hd_model_free(s->model);
	s->model = NULL;
	free(s->traffic.random);
	free(s->traffic.time);
	free(s->traffic.arrived);
	s->traffic.random = NULL;
	s->traffic.time = s->traffic.arrived = NULL;
}

/* Traffic at load 1 for a while: the share that arrived; checks the model meanwhile. */
static inline double go(struct chosen *c, uint64_t packets, bool adversarial, int expected)
{
	struct setting *s = &c->setting;
	struct hd_error err = { 0 };
	uint32_t n = c->setting.fabric->n_nodes - c->setting.fabric->n_switches;
	uint32_t *map = adversarial ? next_group(c, n) : NULL;
	double share;

	s->options.routed = c->routed;
	s->options.seed = 5;
	s->traffic.map = map;
	s->traffic.poisson = true;
	s->traffic.delivered = 0;
	begin(s, 1, packets);
	assert_int_equal(hd_model_run(s->model, s->traffic.stop, &err), expected);
	check_census(s);
	share = accepted(s);
	end(c);
	free(map);
	return share;
}

/* Times of packets for a run that looks for errors, not for throughput. */
#define SOME_PACKETS  (HD_IS_SLOW ? 50 : 600)
#define MORE_PACKETS  (HD_IS_SLOW ? 100 : 400)
#define A_FEW_PACKETS (HD_IS_SLOW ? 50 : 150)

/*
 * For @packets' times in buffers of one packet, by both models of switches and both allocators:
 * each model with one allocator, and if @turned with the other.
 */
static inline void go_everywhere(struct chosen *c, const char *adaptive, const char *vcs,
				 uint64_t packets, bool turned)
{
	struct hd_error err = { 0 };

	static const struct hd_switch_model *const models[] = { &hd_switch_iq, &hd_switch_cioq,
								&hd_switch_cioq_vl };

	for (unsigned model = 0; model < 3; model++) {
		const bool iterates = (model > 0) != turned;

		assert_hd_ok(choose(c, adaptive, NULL, vcs, &err), err);
		c->setting.options.model = models[model];
		c->setting.options.speedup = 2;
		c->setting.options.iterations = iterates ? 2 : 0;
		assert_true(go(c, packets, model && !iterates, HD_OK) > 0.02);
		drop(c);
	}
}

#endif
