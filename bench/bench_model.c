// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * How fast the performance model is: links that packets cross in a second of one core, on
 * dragonflies and tori under uniform traffic, without measures and output around it. See
 * bench/README.md.
 *
 *	bench_model [-clAn] [-m MODEL] [-a ALLOCATOR] [-i ITERATIONS] [-r ROUTING] [-g TRIGGER]
 *		[-p PATTERN] [-t TICKS] [SPEC ENGINE LOAD]
 *
 * -n: without looking ahead (sim/model/look_ahead_events.h); -l: always with it; -A: for arrivals
 * only. -m, -a, -i: the switch model, its allocator and iterations, as in switch.model and so on.
 * -c: in cycles, with packets of 8 phits, and links and buffers as in experiments/peers/fogsim.ini.
 * -r, -g: packets choose their paths, as in routing.adaptive and routing.trigger. -p: the traffic
 * pattern.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engines/engine.h"
#include "fabric/lids.h"
#include "sim/adaptive/routing.h"
#include "sim/model/model.h"
#include "sim/traffic/traffic.h"
#include "support/error.h"
#include "support/options.h"
#include "support/policy.h"
#include "topologies/structure.h"
#include "topologies/topology.h"

#define UNIT_TICKS 16000 /* 64 bytes at 32 Gb/s in ps */
#define PACKET     64    /* units: 4 KiB */
#define BUFFER     16    /* packets */
#define OUTPUT     64    /* packets of a port's buffers, where the model has them at outputs, too */

/* With -c, a unit is a phit, and takes a cycle. */
#define CYCLE         1000 /* ticks */
#define CYCLES_PACKET 8
#define CYCLES_OUTPUT 32

static const struct row {
	const char *spec, *engine;
	uint64_t ticks; /* simulated */
} rows[] = {
	{ "dragonfly:a=4,p=2,h=2", "dla", 20000000000 },
	{ "dragonfly:a=8,p=4,h=4", "dla", 1000000000 },
	{ "dragonfly:a=16,p=8,h=8", "dla", 200000000 },
	/* minhop deadlocks on a torus before it saturates */
	{ "torus:16x16", "hdor", 2000000000 },
	{ "torus:8x8x8", "hdor", 1000000000 },
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(int ret, const struct hd_error *err)
{
	if (!ret)
		return;
	fprintf(stderr, "bench_model: %s\n", err->text);
	exit(2);
}

/* How a run is made. */
struct way {
	enum hd_look_ahead look_ahead;
	const char *switches; /* NULL: as the model has them by itself */
	const char *allocator;
	unsigned iterations;
	const char *routing, *trigger; /* NULL: packets go by the tables; the routing's default */
	const char *pattern;
	bool in_cycles;
};

/* Switches of @spec, and room for what they have beside input buffers. */
static struct hd_params *use_switches(const char *spec, bool in_cycles,
				      struct hd_model_options *options)
{
	const struct hd_policy *policy;
	struct hd_params *params;
	struct hd_error err = { 0 };

	check(hd_policy_parse(&hd_switch_models, spec, &policy, &params, &err), &err);
	options->model = (const struct hd_switch_model *)policy;
	options->switch_params = params;
	for (unsigned i = 0; i < HD_LINK_CLASSES && strcmp(policy->name, "iq") != 0; i++)
		options->links[i].output = in_cycles ? CYCLES_OUTPUT : OUTPUT * PACKET;
	if (strcmp(policy->name, "hierarchical") != 0)
		return params;
	options->buffering = NULL;
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		options->links[i].port_buffer = OUTPUT * PACKET;
	options->central = 2 * OUTPUT * PACKET;
	return params;
}

/* Links, buffers and the crossbar. */
static void use_links(const struct way *way, struct hd_model_options *options)
{
	/* as in experiments/peers/fogsim.ini, in cycles and phits */
	static const struct hd_link_options links[HD_LINK_CLASSES] = {
		[HD_LINK_TERMINAL] = { .unit_ticks = CYCLE, .propagation = CYCLE, .buffer = 256 },
		[HD_LINK_LOCAL] = { .unit_ticks = CYCLE, .propagation = 10 * CYCLE, .buffer = 32 },
		[HD_LINK_GLOBAL] = { .unit_ticks = CYCLE,
				     .propagation = 100 * CYCLE,
				     .buffer = 256 },
	};

	if (way->in_cycles) {
		memcpy(options->links, links, sizeof(links));
		options->crossbar_latency = 5 * CYCLE;
		options->cycle = CYCLE;
		options->speedup = 2;
		return;
	}
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		options->links[i] = (struct hd_link_options){ .unit_ticks = UNIT_TICKS,
							      .propagation = 6000,
							      .buffer = BUFFER * PACKET };
	options->latency = 100000;
	options->cycle = UNIT_TICKS;
}

static const struct hd_policy *find(const struct hd_registry *registry, const char *name)
{
	const struct hd_policy *policy = hd_policy_find(registry, name);

	if (!policy)
		exit(2);
	return policy;
}

/* Packets choose their paths, with FIFOs at in-ports. */
static struct hd_routed *use_routing(const struct way *way, const struct hd_tables *tables,
				     const struct hd_structure *structure, struct hd_shape **shape,
				     struct hd_model_options *options)
{
	const struct hd_routed_spec spec = { way->routing, way->trigger, NULL, way->in_cycles };
	enum hd_routed_part part;
	struct hd_routed *routed = NULL;
	struct hd_error err = { 0 };

	if (!way->routing)
		return NULL;
	check(hd_shape_new(tables, structure, shape, &err), &err);
	check(hd_routed_new(&spec, *shape, &routed, &part, &err), &err);
	options->routed = routed;
	options->buffering = NULL;
	return routed;
}

static void run(const char *spec, const char *engine, double load, uint64_t ticks,
		const struct way *way)
{
	const struct hd_route_request request = { 0 };
	struct hd_model_options options = {
		.buffering = way->in_cycles && way->switches ? NULL : &hd_buffering_voq,
		.look_ahead = way->look_ahead,
		.iterations = way->iterations,
	};
	struct hd_traffic_phase phase = { .pattern = way->pattern,
					  .arrival = way->in_cycles ? "bernoulli:1" : "poisson",
					  .load = load,
					  .size = way->in_cycles ? CYCLES_PACKET : PACKET,
					  .until = UINT64_MAX };
	struct hd_traffic_setting setting = { .unit_ticks = way->in_cycles ? CYCLE : UNIT_TICKS,
					      .cycle_ticks = way->in_cycles ? CYCLE : 0,
					      .seed = 1 };
	struct hd_model_user user = { .next = hd_traffic_next, .ahead = hd_traffic_ahead };
	struct hd_fabric *bare, *fabric;
	struct hd_structure structure = { 0 };
	struct hd_model_census census, warm;
	struct hd_model_memory memory;
	struct hd_traffic *traffic;
	struct hd_params *params = NULL;
	struct hd_routed *routed;
	struct hd_shape *shape = NULL;
	struct hd_tables *tables;
	struct hd_model *model;
	struct hd_error err = { 0 };
	struct rusage usage;
	uint32_t *ports;
	double begin;
	int ret;

	check(hd_topology_build(spec, &bare, &err), &err);
	check(hd_fabric_assign_lids(bare, HD_NONE, 0, &fabric, &err), &err);
	check(hd_route(hd_engine_find(engine), fabric, &request, &tables, &err), &err);
	check(hd_structure_find_groups(&structure, fabric, &err), &err);
	use_links(way, &options);
	options.port_class = structure.port_class;
	if (way->switches)
		params = use_switches(way->switches, way->in_cycles, &options);
	if (way->allocator)
		options.allocator =
			(const struct hd_allocator *)find(&hd_allocators, way->allocator);
	routed = use_routing(way, tables, &structure, &shape, &options);

	/* the hosts are known once the model is; traffic is made before it runs */
	ports = calloc(fabric->n_ports, sizeof(*ports));
	if (!ports)
		exit(2);
	hd_for_each_port(i, fabric)
		if (!hd_is_switch(fabric, fabric->ports[i].node) && fabric->ports[i].lid)
			ports[setting.n_hosts++] = i;
	setting.fabric = fabric;
	setting.host_ports = ports;
	setting.structure = &structure;
	check(hd_traffic_new(&setting, &phase, 1, &traffic, &err), &err);
	user.context = traffic;
	check(hd_model_new(tables, &options, &user, &model, &err), &err);
	if (hd_model_hosts(model) != setting.n_hosts)
		exit(2);

	ret = hd_model_run(model, ticks / 5, &err);
	warm = hd_model_census(model);
	begin = now();
	if (!ret)
		ret = hd_model_run(model, ticks, &err);
	begin = now() - begin;
	census = hd_model_census(model);
	getrusage(RUSAGE_SELF, &usage);
	memory = hd_model_memory(model);
	printf("| %s | %s | %u | %.1f | %.2f | %.2f | %.1f | %zu | %zu | %.0f | %s |\n", spec,
	       engine, setting.n_hosts, load,
	       (double)(census.packet_hops - warm.packet_hops) / begin * 1e-6,
	       (double)(census.events - warm.events) / begin * 1e-6,
	       (double)(census.events - warm.events) /
		       (double)(census.packet_hops - warm.packet_hops),
	       memory.packet, memory.port, (double)usage.ru_maxrss / 1024, ret ? "deadlock" : "");
	fflush(stdout);
	hd_model_free(model);
	hd_traffic_free(traffic);
	hd_routed_free(routed);
	hd_shape_free(shape);
	hd_structure_clear(&structure);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
	hd_fabric_free(bare);
	hd_params_free(params);
	free(ports);
}

/* In a process of its own, whose peak of memory is the run's. */
static void run_apart(const char *spec, const char *engine, double load, uint64_t ticks,
		      const struct way *way)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		exit(2);
	if (!child) {
		run(spec, engine, load, ticks, way);
		exit(0);
	}
	if (waitpid(child, &status, 0) != child || status)
		exit(2);
}

static bool read_options(int argc, char **argv, struct way *way, uint64_t *ticks)
{
	int option;

	while ((option = getopt(argc, argv, "clAnm:a:i:r:g:p:t:")) != -1) {
		if (option == 'c')
			way->in_cycles = true;
		else if (option == 'l')
			way->look_ahead = HD_LOOK_AHEAD_ALWAYS;
		else if (option == 'A')
			way->look_ahead = HD_LOOK_AHEAD_ARRIVALS;
		else if (option == 'n')
			way->look_ahead = HD_LOOK_AHEAD_NEVER;
		else if (option == 'm')
			way->switches = optarg;
		else if (option == 'a')
			way->allocator = optarg;
		else if (option == 'i')
			way->iterations = (unsigned)strtoul(optarg, NULL, 10);
		else if (option == 'r')
			way->routing = optarg;
		else if (option == 'g')
			way->trigger = optarg;
		else if (option == 'p')
			way->pattern = optarg;
		else if (option == 't')
			*ticks = strtoull(optarg, NULL, 10);
		else
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	static const double loads[] = { 0.2, 0.5, 1 };
	struct way way = { .look_ahead = HD_LOOK_AHEAD_LARGE, .pattern = "uniform" };
	uint64_t ticks = 0;

	if (!read_options(argc, argv, &way, &ticks))
		return 2;
	puts("| fabric | engine | hosts | load | M packet-hops/s | M events/s | events per "
	     "packet-hop | bytes per packet | bytes per port | peak MiB | |\n"
	     "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|");
	fflush(stdout);
	if (argc - optind == 3) {
		run(argv[optind], argv[optind + 1], atof(argv[optind + 2]),
		    ticks ? ticks : 1000000000, &way);
		return 0;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (size_t k = 0; k < sizeof(loads) / sizeof(loads[0]); k++)
			run_apart(rows[i].spec, rows[i].engine, loads[k],
				  ticks ? ticks : rows[i].ticks, &way);
	return 0;
}
