// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The bounds of vlarb/bound.h against packets in the model: sources keep to what the bounds assume
 * of them, and no packet waits longer. How much a source sends at once is counted from what it
 * sends, for each class and each channel that its packets take.
 */
#include "tests/unit/model_case.h"

#include <stdlib.h>

#include "vlarb/bound.h"
#include "check/walk.h"
#include "support/options.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/spec_fabric.h"

/* Links of the specs send 25 bytes per ns: a unit of 64 in 2.56 ns. */
#define TICKS_PER_NS 100
#define TICKS        256
#define PROPAGATION  600
#define LATENCY      10000
/* How long sources send, and how long what they sent may be under way after that. */
#define SENDING (20000 * TICKS_PER_NS)

/* When and where hosts send, each class at its rate. */
enum manner {
	IN_STEP,   /* all to one host, then all to the next */
	BY_CHANCE, /* each in an order and from a time of its own */
	AT_ONCE,   /* a packet to each other host, at once */
	UNIFORM,   /* to a host that is drawn for each packet */
	MANNERS,
};

static const char *const manners[] = { "in step", "by chance", "at once", "uniform" };

/* What a host sends of a class. */
struct source {
	double time, gap; /* of the next packet; ticks */
	uint32_t *order;  /* [other host] */
	uint32_t turn;
	struct hd_random random;
};

/* Bytes above the rate that a host may have on a channel: a bucket that leaks. */
struct bucket {
	double level, time;
	double rate; /* bytes per tick */
};

/*
 * Switches whose packets wait for their links alone, or nearly: what has come waits at the output,
 * or gets there faster than links send. The last two are those of experiments/qos.
 */
struct switches {
	const char *name;
	unsigned speedup;                 /* of cioq */
	const struct hd_arbiter *arbiter; /* NULL: the model has none */
	bool any_order;                   /* packets of a VL may overtake one another */
};

static const struct switches bounded_by[] = {
	{ "hierarchical:mport=64,speed=64", 1, NULL, false },
	{ "cioq", 8, &hd_arbiter_oldest, false },
	{ "cioq", 8, &hd_arbiter_round_robin, true },
	{ "hierarchical", 1, NULL, false },
	{ "cioq", 3, &hd_arbiter_oldest, false },
};

#define SWITCHES (sizeof(bounded_by) / sizeof(bounded_by[0]))

struct bounded {
	const char *name;
	struct hd_fabric *fabric;
	struct hd_tables *tables;
	const struct hd_classes *classes;
	struct hd_model *model;
	struct hd_params *params;
	enum manner manner;
	double load;
	uint64_t stop;
	uint32_t n; /* hosts */
	uint32_t *ports;
	uint32_t *ticks;        /* [port] of a unit on its link; 0: none */
	uint32_t slowest;       /* of hosts' links */
	struct source *sources; /* [host * classes + class] */
	struct hd_hop *hops;

	uint64_t packets, waited[HD_MAX_CLASSES]; /* ticks, the most */
	double burst[HD_MAX_CLASSES];             /* bytes, the most */
	double most[SWITCHES];                    /* of the bound, in all runs */
};

static double bytes_per_tick(const struct bounded *b, unsigned class)
{
	const struct hd_class *c = &b->classes->list[class];

	return b->load * c->share / c->of * 64 / b->slowest;
}

static void start_sources(struct bounded *b)
{
	const unsigned n_classes = b->classes->n;

	for (uint32_t i = 0; i < b->n * n_classes; i++) {
		struct source *source = &b->sources[i];
		const uint32_t host = i / n_classes;
		const unsigned class = i % n_classes;

		hd_random_init(&source->random, 11, i);
		source->turn = 0;
		source->time = 0;
		source->gap = b->classes->list[class].packet * 64 / bytes_per_tick(b, class);
		if (b->manner == BY_CHANCE || b->manner == UNIFORM) {
			hd_random_permutation(&source->random, b->n - 1, source->order);
			source->time = hd_random_u32(&source->random) * 0x1p-32 * source->gap;
		} else {
			for (uint32_t k = 0; k < b->n - 1; k++)
				source->order[k] = k;
		}
		for (uint32_t k = 0; k < b->n - 1; k++)
			source->order[k] += source->order[k] >= host;
	}
}

/* The next message of @host, of all its classes. */
static bool next_of(void *context, uint32_t host, struct hd_message *message)
{
	struct bounded *b = context;
	struct source *source = &b->sources[host * b->classes->n];
	unsigned class = 0;

	for (unsigned c = 1; c < b->classes->n; c++)
		if (b->sources[host * b->classes->n + c].time < source[class].time)
			class = c;
	source += class;
	*message = (struct hd_message){
		.time = (uint64_t)ceil(source->time),
		.from = host,
		.to = source->order[b->manner == UNIFORM
					    ? hd_random_below(&source->random, b->n - 1)
					    : source->turn],
		.size = b->classes->list[class].packet,
		.tag = class,
	};
	source->turn = (source->turn + 1) % (b->n - 1);
	if (b->manner != AT_ONCE)
		source->time += source->gap;
	else if (!source->turn)
		source->time += source->gap * (b->n - 1);
	return message->time < b->stop;
}

static size_t walk(struct bounded *b, uint32_t from, uint32_t to, unsigned class)
{
	const uint16_t lid = b->fabric->ports[b->ports[to]].lid;
	const struct hd_flow flow = {
		.source = b->ports[from],
		.lid = lid,
		.sl = (uint8_t)hd_class_sl(b->classes, class,
					   hd_path_sl(b->tables, b->ports[from], lid)),
	};
	size_t n;

	assert_int_equal(hd_walk(b->tables, &flow, b->hops, b->fabric->n_switches + 2, &n),
			 HD_CHECK_SOUND);
	return n;
}

/* The channel that hop @i sends into. */
static size_t channel_of(const struct bounded *b, size_t i)
{
	return hd_port_index(b->fabric, b->hops[i].node, b->hops[i].out) * (size_t)HD_MAX_VLS +
	       b->hops[i].vl;
}

/* What @host sends at once, at most, of each class on any channel. */
static void count_bursts(struct bounded *b, uint32_t host)
{
	const size_t n_channels = b->fabric->n_ports * (size_t)HD_MAX_VLS;
	struct bucket *buckets = calloc(n_channels * b->classes->n, sizeof(*buckets));
	struct hd_message message;

	assert_non_null(buckets);
	for (unsigned c = 0; c < b->classes->n; c++)
		for (uint32_t to = 0; to < b->n; to++)
			for (size_t i = 0, n = to == host ? 0 : walk(b, host, to, c); i + 1 < n;
			     i++)
				buckets[c * n_channels + channel_of(b, i)].rate +=
					bytes_per_tick(b, c) / (b->n - 1);
	while (next_of(b, host, &message)) {
		const unsigned class = message.tag;
		const size_t n = walk(b, host, message.to, class);

		for (size_t i = 0; i + 1 < n; i++) {
			struct bucket *at = &buckets[class * n_channels + channel_of(b, i)];

			at->level =
				fmax(0, at->level - ((double)message.time - at->time) * at->rate) +
				message.size * 64;
			at->time = (double)message.time;
			b->burst[class] = fmax(b->burst[class], at->level);
		}
	}
	free(buckets);
}

/* From the first unit on the last link to the tail: more where packets come from slower links. */
static uint64_t ticks_of_tail(struct bounded *b, const struct hd_message *message)
{
	const size_t n = walk(b, message->from, message->to, message->tag);
	uint64_t ticks = 0, before = 0;

	for (size_t i = 0; i + 1 < n; i++) {
		const uint32_t port = hd_port_index(b->fabric, b->hops[i].node, b->hops[i].out);

		ticks += before > b->ticks[port] ? before - b->ticks[port] : 0;
		before = b->ticks[port];
	}
	return message->size * (ticks + before);
}

static void arrived(void *context, uint64_t now, const struct hd_message *message, uint64_t entered,
		    unsigned hops)
{
	struct bounded *b = context;
	const uint64_t way = hops * (uint64_t)PROPAGATION + (hops - 1) * (uint64_t)LATENCY +
			     ticks_of_tail(b, message);
	const uint64_t latency = now - message->time;

	assert_true(latency >= way);
	b->packets++;
	if (latency - way > b->waited[message->tag])
		b->waited[message->tag] = latency - way;
}

static void run_model(struct bounded *b, const struct switches *switches)
{
	const struct hd_model_user user = { .next = next_of, .delivered = arrived, .context = b };
	uint8_t class_of_tag[HD_MAX_CLASSES];
	struct hd_model_options options = {
		.latency = LATENCY,
		.cycle = TICKS,
		.scheduler = &hd_scheduler_vlarb,
		.class_of_tag = class_of_tag,
		.damq_least = 64,
		.central = 1u << 24,
		.port_ticks = b->ticks,
		.speedup = switches->speedup,
		.arbiter = switches->arbiter,
	};
	const struct hd_policy *policy;
	struct hd_model_census census;
	struct hd_error err;

	assert_hd_ok(hd_policy_parse(&hd_switch_models, switches->name, &policy, &b->params, &err),
		     err);
	options.model = (const struct hd_switch_model *)policy;
	if (switches->arbiter)
		options.buffering = &hd_buffering_voq;
	for (unsigned c = 0; c < b->classes->n; c++)
		class_of_tag[c] = (uint8_t)c;
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		options.links[i] = (struct hd_link_options){
			.unit_ticks = TICKS,
			.propagation = PROPAGATION,
			.buffer = 1u << 20,
			.output = switches->arbiter ? 64 : 1u << 24,
		};
	start_sources(b);
	assert_hd_ok(hd_model_new(b->tables, &options, &user, &b->model, &err), err);
	assert_hd_ok(hd_model_run(b->model, b->stop + SENDING, &err), err);
	census = hd_model_census(b->model);
	assert_int_equal(census.generated, census.delivered);
	hd_model_free(b->model);
	hd_params_free(b->params);
}

static struct hd_bound find_bound(const struct bounded *b, double load, uint64_t burst,
				  bool any_order)
{
	const struct hd_bound_traffic traffic = { .load = load,
						  .burst = burst,
						  .any_order = any_order };
	struct hd_bound bound;
	struct hd_error err;

	assert_hd_ok(hd_bound_find(b->tables, &traffic, &bound, &err), err);
	assert_int_equal(bound.unknown, HD_NONE);
	return bound;
}

/* The most that a host sends at once in a class of @class's lanes. */
static double lanes_burst(const struct bounded *b, unsigned class)
{
	double burst = 0;

	for (unsigned c = 0; c < b->classes->n; c++)
		if (b->classes->list[c].lanes == b->classes->list[class].lanes)
			burst = fmax(burst, b->burst[c]);
	return burst;
}

/* The greatest part of the bound that packets have waited, of all classes. */
static double compare(struct bounded *b, const struct switches *switches)
{
	double most = 0;

	b->packets = 0;
	memset(b->waited, 0, sizeof(b->waited));
	run_model(b, switches);
	for (unsigned c = 0; c < b->classes->n; c++) {
		const struct hd_bound bound = find_bound(
			b, b->load, (uint64_t)ceil(lanes_burst(b, c)), switches->any_order);

		assert_true(isfinite(bound.list[c].wait));
		most = fmax(most, (double)b->waited[c] / TICKS_PER_NS / bound.list[c].wait);
	}
	return most;
}

/* Sources that send @load of what is feasible. */
static void set_sources(struct bounded *b, enum manner manner, double load)
{
	double need = 1;

	for (unsigned c = 0; c < b->classes->n; c++)
		need = fmax(need, find_bound(b, 1, 0, false).list[c].need);
	b->manner = manner;
	b->load = load / need;
	memset(b->burst, 0, sizeof(b->burst));
	start_sources(b);
	for (uint32_t host = 0; host < b->n; host++)
		count_bursts(b, host);
}

static void assert_bounded(struct bounded *b, enum manner manner, double load)
{
	set_sources(b, manner, load);
	for (size_t i = 0; i < SWITCHES; i++) {
		const double most = compare(b, &bounded_by[i]);

		if (most > b->most[i])
			b->most[i] = most;
		if (most > 1)
			fail_msg("%s, %s, %s, load %.3f: %.3f of the bound", b->name,
				 bounded_by[i].name, manners[manner], b->load, most);
	}
}

/* Links are as fast as specs have them, or half as fast. */
static void find_rates(struct bounded *b)
{
	const struct hd_fabric *fabric = b->fabric;

	b->ticks = calloc(fabric->n_ports + (size_t)1, sizeof(*b->ticks));
	assert_non_null(b->ticks);
	hd_for_each_port(p, fabric)
		if (fabric->ports[p].peer != HD_NONE)
			b->ticks[p] = fabric->ports[p].speed == HD_EDR ? 2 * TICKS : TICKS;
	for (uint32_t i = 0; i < b->n; i++)
		b->slowest =
			b->ticks[b->ports[i]] > b->slowest ? b->ticks[b->ports[i]] : b->slowest;
}

static void make_bounded(struct bounded *b, const char *name, struct hd_fabric *fabric,
			 const char *engine, const char *queues, const struct hd_classes *classes,
			 unsigned cap)
{
	const struct hd_route_request request = { .classes = classes,
						  .queues = queues,
						  .vlarb_cap = cap };
	struct hd_error err;

	*b = (struct bounded){ .name = name,
			       .fabric = fabric,
			       .stop = SENDING / (HD_IS_SLOW ? 4 : 1) };
	assert_hd_ok(hd_route(hd_engine_find(engine), fabric, &request, &b->tables, &err), err);
	b->classes = b->tables->classes;
	b->ports = malloc((fabric->n_ports + (size_t)1) * sizeof(*b->ports));
	b->hops = malloc((fabric->n_switches + (size_t)2) * sizeof(*b->hops));
	assert_non_null(b->ports);
	assert_non_null(b->hops);
	hd_for_each_port(p, fabric)
		if (!hd_is_switch(fabric, fabric->ports[p].node) &&
		    fabric->ports[p].peer != HD_NONE)
			b->ports[b->n++] = p;
	find_rates(b);
	b->sources = calloc(b->n * (size_t)b->classes->n, sizeof(*b->sources));
	assert_non_null(b->sources);
	for (uint32_t i = 0; i < b->n * b->classes->n; i++) {
		b->sources[i].order = malloc(b->n * sizeof(*b->sources[i].order));
		assert_non_null(b->sources[i].order);
	}
}

static void free_bounded(struct bounded *b)
{
	for (uint32_t i = 0; i < b->n * b->classes->n; i++)
		free(b->sources[i].order);
	free(b->sources);
	free(b->ports);
	free(b->ticks);
	free(b->hops);
	hd_tables_free(b->tables);
	hd_fabric_free(b->fabric);
}

static const char five[] = "[class VO] share = 10%  packet = 128\n"
			   "[class VI] share = 30%  packet = 256\n"
			   "[class CL] share = 50%  packet = 512\n"
			   "[class BE] share = 5%  packet = 1024\n"
			   "[class BK] share = 5%  packet = 1024\n";
static const char mixed[] = "[class VO] share = 10%  packet = 128\n"
			    "[class VI] share = 30%  packet = 256\n"
			    "[class CL] share = 50%  packet = 512\n"
			    "[class BE] share = 5%  packet = 1024  lanes = rest\n"
			    "[class BK] share = 5%  packet = 1024  lanes = rest\n";
/* with VO before all others */
static const char urgent[] = "[class VO] share = 25%  packet = 128  priority = high\n"
			     "[class VI] share = 25%  packet = 256\n"
			     "[class CL] share = 40%  packet = 512\n"
			     "[class BE] share = 10%  packet = 1024\n";

static void parse(const char *text, struct hd_classes *classes)
{
	struct hd_error err;

	assert_hd_ok(hd_classes_parse("classes", text, strlen(text), classes, &err), err);
}

/*
 * Engines with layers and queues of theirs; what fits one table of VL arbitration, and what needs
 * both.
 */
static void engines_and_capacities(void **state)
{
	static const struct {
		const char *spec, *engine, *queues, *classes;
		unsigned cap;
	} cases[] = {
		{ "hyperx:1,p=8", "any", NULL, five, 8 },
		{ "tree:k=4,n=2", "dmodc", NULL, five, 16 },
		{ "tree:k=2,n=3", "dmodc", "vftree:2", urgent, 8 },
		{ "dragonfly:a=4,p=1,h=2", "dla", NULL, mixed, 4 },
		{ "torus:4x4", "hdor", NULL, mixed, 8 },
		{ "mesh:3x3,p=2", "hdor", NULL, five, 64 },
		{ "kns:k=3,n=2", "hdor", NULL, mixed, 40 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_classes classes;
		struct bounded b;

		parse(cases[i].classes, &classes);
		make_bounded(&b, cases[i].spec, build_fabric(cases[i].spec, 0), cases[i].engine,
			     cases[i].queues, &classes, cases[i].cap);
		for (unsigned manner = 0; manner < MANNERS; manner += HD_IS_SLOW ? 2 : 1)
			/* packets that overtake one another have no bound at load 1 */
			assert_bounded(&b, manner, manner % 2 ? .5 : .98);
		print_message("%s: at most", b.name);
		for (size_t k = 0; k < SWITCHES; k++)
			print_message(" %.3f", b.most[k]);
		print_message(" of the bound\n");
		free_bounded(&b);
	}
}

/* Gives links of @class half the rate; groups have @size switches. */
static void slow_down(struct hd_fabric *fabric, enum hd_link_class class, unsigned size)
{
	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p];
		enum hd_link_class is = HD_LINK_LOCAL;
		uint32_t other;

		if (port->peer == HD_NONE)
			continue;
		other = fabric->ports[port->peer].node;
		if (!hd_is_switch(fabric, port->node) || !hd_is_switch(fabric, other))
			is = HD_LINK_TERMINAL;
		else if (size && port->node / size != other / size)
			is = HD_LINK_GLOBAL;
		if (is == class)
			fabric->ports[p].speed = HD_EDR;
	}
}

/* Links between switches, or groups, or those of hosts, at half the rate of others. */
static void links_of_two_rates(void **state)
{
	static const struct {
		const char *spec, *engine, *classes;
		enum hd_link_class slow;
		unsigned size; /* of a group */
	} cases[] = {
		{ "tree:k=4,n=2", "dmodc", five, HD_LINK_LOCAL, 0 },
		{ "tree:k=2,n=3", "dmodc", urgent, HD_LINK_LOCAL, 0 },
		{ "torus:4x4", "hdor", mixed, HD_LINK_LOCAL, 0 },
		{ "dragonfly:a=4,p=1,h=2", "dla", mixed, HD_LINK_GLOBAL, 4 },
		{ "dragonfly:a=4,p=1,h=2", "dla", mixed, HD_LINK_LOCAL, 4 },
		{ "mesh:3x3,p=2", "hdor", five, HD_LINK_TERMINAL, 0 },
	};
	static const char *const names[] = { "to hosts", "between switches", "between groups" };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_fabric *fabric = build_fabric(cases[i].spec, 0);
		struct hd_classes classes;
		struct bounded b;

		parse(cases[i].classes, &classes);
		slow_down(fabric, cases[i].slow, cases[i].size);
		make_bounded(&b, cases[i].spec, fabric, cases[i].engine, NULL, &classes, 8);
		for (unsigned manner = 0; manner < MANNERS; manner += HD_IS_SLOW ? 2 : 1)
			assert_bounded(&b, manner, manner % 2 ? .5 : .98);
		print_message("%s, half the rate %s: at most", b.name, names[cases[i].slow]);
		for (size_t k = 0; k < SWITCHES; k++)
			print_message(" %.3f", b.most[k]);
		print_message(" of the bound\n");
		free_bounded(&b);
	}
}

/* Classes by chance: two to five, whose shares are whole percents, some of them on common lanes. */
static void draw_classes(struct hd_random *random, struct hd_classes *classes)
{
	const unsigned n = 2 + hd_random_below(random, 4);
	unsigned left = 100, length = 0;
	char text[1024];

	for (unsigned c = 0; c < n; c++) {
		const unsigned most = left - 5 * (n - 1 - c);
		const unsigned share = c + 1 == n ? left : 5 + hd_random_below(random, most - 4);

		left -= share;
		length += (unsigned)snprintf(text + length, sizeof(text) - length,
					     "[class c%u] share = %u%%  packet = %u%s\n", c, share,
					     64u << hd_random_below(random, 6),
					     hd_random_below(random, 3) ? "" : "  lanes = common");
	}
	parse(text, classes);
}

static void graphs_by_chance(void **state)
{
	double most = 0;

	(void)state;
	for (unsigned seed = 0; seed < (HD_IS_SLOW ? 10 : 40); seed++) {
		struct hd_fabric *fabric;
		struct hd_classes classes;
		struct hd_random random, rates;
		struct bounded b;

		hd_random_init(&random, 5, seed);
		hd_random_init(&rates, 6, seed);
		draw_classes(&random, &classes);
		fabric = random_graph(seed);
		hd_for_each_port(p, fabric) {
			fabric->ports[p].width = 4;
			fabric->ports[p].speed = HD_HDR;
			/* every second fabric has links of two rates */
			if (seed % 2 && fabric->ports[p].peer < p)
				fabric->ports[p].speed =
					fabric->ports[fabric->ports[p].peer].speed =
						hd_random_below(&rates, 2) ? HD_HDR : HD_EDR;
		}
		make_bounded(&b, "random graph", fabric, "any", NULL, &classes,
			     8 << hd_random_below(&random, 3));
		b.stop /= 4;
		if (b.n > 2 && b.n < 24)
			assert_bounded(&b, hd_random_below(&random, MANNERS),
				       .3 + .1 * hd_random_below(&random, 7));
		for (size_t k = 0; k < SWITCHES; k++)
			most = fmax(most, b.most[k]);
		free_bounded(&b);
	}
	print_message("random graphs: at most %.3f of the bound\n", most);
}

/*
 * All hosts of a switch send to one at once, in two classes of equal parts: the last packet has
 * nearly the wait of the bound, in which a host's own link has little.
 */
static void nearly_the_bound(void **state)
{
	static const char two[] = "[class a] share = 50%  packet = 1024\n"
				  "[class b] share = 50%  packet = 1024\n";
	struct hd_classes classes;
	struct bounded b;

	(void)state;
	parse(two, &classes);
	make_bounded(&b, "hyperx:1,p=40", build_fabric("hyperx:1,p=40", 0), "any", NULL, &classes,
		     8);
	assert_bounded(&b, IN_STEP, .1);
	print_message("%s: %.3f %.3f of the bound\n", b.name, b.most[0], b.most[1]);
	assert_true(b.most[0] > .9 && b.most[1] > .85);
	free_bounded(&b);
}

/*
 * An in-port that sends one packet at a time makes packets for other out-ports wait, which VOQs do
 * not change: no such bound.
 */
static void not_by_one_packet_at_a_time(void **state)
{
	static const struct switches in_turn = { "iq", 1, &hd_arbiter_oldest, false };
	struct hd_classes classes;
	double half, full;
	struct bounded b;

	(void)state;
	parse(five, &classes);
	make_bounded(&b, "hyperx:1,p=8", build_fabric("hyperx:1,p=8", 0), "any", NULL, &classes, 8);
	b.stop = SENDING;
	set_sources(&b, IN_STEP, .5);
	half = compare(&b, &in_turn);
	set_sources(&b, IN_STEP, 1);
	full = compare(&b, &in_turn);
	print_message("%s, iq: %.3f at half the load, %.3f\n", b.name, half, full);
	assert_true(half < 1);
	assert_true(full > 1);
	free_bounded(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(engines_and_capacities),
		cmocka_unit_test(links_of_two_rates),
		cmocka_unit_test(graphs_by_chance),
		cmocka_unit_test(nearly_the_bound),
		cmocka_unit_test(not_by_one_packet_at_a_time),
	};

	return cmocka_run_group_tests_name("bounds in the model", tests, NULL, NULL);
}
