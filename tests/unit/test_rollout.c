// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Rollouts driven by random events, without a subnet manager: links fail and return, entries arrive
 * in any order or not at all, answers are lost, nodes are read again. At every moment what switches
 * hold has no loop, unless the rollout says that it is not proved; and once nothing is lost any
 * more the fabric gets to the goal within few steps. HD_ROLLOUTS: how many changes of each case.
 */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "change/rollout.h"
#include "fabric/faults.h"
#include "tests/unit/mixing.h"
#include "tests/unit/spec_fabric.h"

#define MOST_STEPS 300

static const struct hd_check_options plain = { .scope = HD_CHECK_ALL };

/* A fabric, what its switches hold, and the machine that changes that. */
struct world {
	const char *engine;
	struct hd_fabric *fabric;
	struct hd_tables *held;   /* LFTs and rows, as they are in the nodes */
	struct hd_tables *goal;   /* what the engine makes of the fabric */
	struct hd_tables *handed; /* what was handed out last; the goal, or a round's */
	struct hd_rollout rollout;
	struct hd_random random;
	double now;
	unsigned loss;                  /* of 100 entries, so many are lost */
	unsigned links_off;             /* of 100 links, so many are not up yet */
	const struct hd_fabric *raised; /* only links that it has are up; NULL: by `links_off` */
	bool is_doubtful;               /* in this change something was not proved */
	bool has_waited;                /* the last plan has waited for links, which are up now */
	unsigned n_states, n_lost, n_stopped, n_waited, n_done, n_urgent;
};

static bool is_up(void *context, const struct hd_fabric *fabric, uint32_t port)
{
	const struct world *world = context;
	const uint32_t peer = fabric->ports[port].peer;
	const uint32_t link = port < peer ? port : peer;
	const struct hd_port *p = &fabric->ports[port];

	if (world->raised)
		return world->raised->ports[hd_port_index(world->raised, p->node, p->number)]
			       .peer != HD_NONE;
	return (link * 2654435761u >> 16) % 100 >= world->links_off;
}

static struct hd_tables *copy(const struct hd_tables *tables)
{
	return put_onto(tables, tables->fabric);
}

/* What packets meet now: entries and rows held, path SLs of the goal and of before. */
static void look(struct world *world)
{
	world->n_states++;
	if (world->is_doubtful)
		return;
	if (loops(world->held, &plain))
		fail_msg("%s: a loop in state %s, round %u of %u", world->engine,
			 hd_rollout_state_name(world->rollout.state), world->rollout.round,
			 world->rollout.schedule.n_rounds);
}

/*
 * Has switches take what was handed out, in random order, some of it never. Returns whether all
 * was.
 */
static bool deliver(struct world *world)
{
	struct hd_tables *held = world->held, *sent = world->handed;
	const size_t n = held->fabric->n_switches * held->lft_stride;
	const size_t n_rows = held->sl2vl_first[held->fabric->n_nodes];
	bool is_complete = true;

	for (unsigned part = 0; part < 3; part++) {
		for (size_t i = 0; i < n; i++)
			if (held->lft[i] != sent->lft[i] &&
			    (part == 2 || hd_random_below(&world->random, 3) == 0) &&
			    hd_random_below(&world->random, 100) >= world->loss)
				held->lft[i] = sent->lft[i];
		for (size_t i = 0; i < n_rows; i++)
			if (held->sl2vl[i] != sent->sl2vl[i] &&
			    (part == 2 || hd_random_below(&world->random, 3) == 0) &&
			    hd_random_below(&world->random, 100) >= world->loss)
				held->sl2vl[i] = sent->sl2vl[i];
		look(world);
	}
	for (size_t i = 0; i < n; i++)
		is_complete &= held->lft[i] == sent->lft[i];
	for (size_t i = 0; i < n_rows; i++)
		is_complete &= held->sl2vl[i] == sent->sl2vl[i];
	world->n_lost += !is_complete;
	return is_complete;
}

static void hand_out(struct world *world, struct hd_tables *tables)
{
	if (world->handed != world->goal)
		hd_tables_free(world->handed);
	world->handed = tables ? tables : world->goal;
}

static void plan(struct world *world)
{
	struct hd_rollout_request request = {
		.goal = world->goal,
		.before = copy(world->held),
		.is_goal_of_last = world->has_waited,
		.is_up = is_up,
		.context = world,
	};
	struct hd_tables *first;
	struct hd_error err;

	world->has_waited = false;
	assert_hd_ok(hd_rollout_plan(&world->rollout, &request, world->now, &first, &err), err);
	world->is_doubtful |= world->rollout.doubt[0] != '\0';
	hand_out(world, first);
}

/* The rest of a sweep: steps until the rollout wants nodes to be read, or is over. */
static void go_on(struct world *world)
{
	for (unsigned i = 0; world->rollout.state != HD_ROLLOUT_IDLE; i++) {
		struct hd_rollout_outcome outcome;
		enum hd_rollout_action action;
		struct hd_tables *next;
		bool is_confirmed = deliver(world);

		assert_true(i < MOST_STEPS);
		world->n_urgent += world->rollout.state == HD_ROLLOUT_URGENT;
		world->now += 0.001;
		action = hd_rollout_step(&world->rollout, world->goal, world->handed, is_confirmed,
					 world->now, 0.02, &next, &outcome);
		world->n_stopped += action == HD_ROLLOUT_READ;
		world->n_waited += action == HD_ROLLOUT_AGAIN;
		world->has_waited = action == HD_ROLLOUT_AGAIN;
		if (world->has_waited)
			world->links_off = 0;
		if (action == HD_ROLLOUT_OVER) {
			assert_in_range(outcome.n_rounds, 1, HD_MAX_ROUNDS);
			world->n_done += is_confirmed;
		}
		if (action != HD_ROLLOUT_SEND) {
			assert_null(next);
			return;
		}
		assert_true(world->rollout.drained >= world->now);
		hand_out(world, next);
	}
}

/* A link fails, or all are back: other tables are wanted, whatever was under way. */
static void rewire(struct world *world, struct hd_fabric *fabric)
{
	struct hd_tables *held = put_onto(world->held, fabric);
	struct hd_tables *goal = route_behind(fabric, world->engine, world->goal);

	hd_rollout_stop(&world->rollout, world->now);
	world->has_waited = false;
	hand_out(world, NULL);
	hd_tables_free(world->held);
	hd_tables_free(world->goal);
	world->held = held;
	world->goal = world->handed = goal;
	world->fabric = fabric;
}

/* Nothing is lost any more: the goal is there within few plans. */
static void settle(struct world *world)
{
	unsigned n = 0;

	world->loss = 0;
	do {
		assert_true(n++ < 2 + HD_ROLLOUT_MOST_FAILURES + HD_ROLLOUT_MOST_WAITS);
		plan(world);
		go_on(world);
	} while (world->rollout.state != HD_ROLLOUT_IDLE);
	deliver(world);
	assert_memory_equal(world->held->lft, world->goal->lft,
			    world->fabric->n_switches * world->goal->lft_stride);
	assert_true(world->rollout.n_failures == 0 && world->rollout.n_waits == 0);
	world->is_doubtful = false;
}

static void change(struct world *world, struct hd_fabric *fabric)
{
	rewire(world, fabric);
	world->loss = hd_random_below(&world->random, 3) ? 0 : 5;
	world->links_off = hd_random_below(&world->random, 2) ? 0 : 20;
	for (unsigned i = hd_random_below(&world->random, 4); i--;) {
		plan(world);
		go_on(world);
		world->is_doubtful |= world->rollout.state == HD_ROLLOUT_IDLE && world->loss;
	}
}

static unsigned changes(void)
{
	const char *asked = getenv("HD_ROLLOUTS");

	if (asked)
		return (unsigned)strtoul(asked, NULL, 10);
	return HD_IS_SLOW ? 6 : 25;
}

static void run(const char *spec, const char *engine)
{
	struct world world = { .engine = engine };
	struct hd_fabric *whole = build_fabric(spec, 0), *parts[8];
	unsigned n_parts = 0;

	hd_random_init(&world.random, 7, 8);
	for (; n_parts < 8; n_parts++)
		parts[n_parts] = fail_link(whole, 3 + 5 * n_parts % 13);
	world.fabric = whole;
	world.goal = world.handed = route_by(whole, engine);
	world.held = copy(world.goal);
	for (unsigned n = changes(); n--;) {
		change(&world, parts[hd_random_below(&world.random, n_parts)]);
		if (hd_random_below(&world.random, 2))
			settle(&world);
		change(&world, whole);
		settle(&world);
	}
	print_message("%s, %s: %u states, %u rounds lost something, %u stopped, %u waited for "
		      "links, %u urgent parts, %u over\n",
		      spec, engine, world.n_states, world.n_lost, world.n_stopped, world.n_waited,
		      world.n_urgent, world.n_done);
	assert_true(HD_IS_SLOW || (world.n_stopped && world.n_waited && world.n_done));
	hand_out(&world, NULL);
	hd_rollout_clear(&world.rollout);
	hd_tables_free(world.held);
	hd_tables_free(world.goal);
	for (unsigned i = 0; i < n_parts; i++)
		hd_fabric_free(parts[i]);
	hd_fabric_free(whole);
}

static void random_events(void **state)
{
	static const struct {
		const char *fabric, *engine;
	} cases[] = {
		{ "dragonfly:a=4,p=1,h=2", "dla" },
		{ "dragonfly:a=4,p=1,h=2", "any" },
		{ "torus:5x5", "hdor" },
		{ "tree:k=4,n=2", "dmodc" },
		{ "tree:k=4,n=2", "updn" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		run(cases[i].fabric, cases[i].engine);
}

/* After so many failures a rollout drops what changes; then it goes on whatever is confirmed. */
static void gives_up_rounds(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=4,p=1,h=2", 0), *less;
	struct world world = { .engine = "dla", .fabric = fabric };
	unsigned n = 0;

	(void)state;
	hd_random_init(&world.random, 1, 2);
	less = fail_link(fabric, 9);
	world.goal = world.handed = route_by(fabric, "dla");
	world.held = copy(world.goal);
	rewire(&world, less);
	world.loss = 100;
	for (; n < HD_ROLLOUT_MOST_FAILURES; n++) {
		plan(&world);
		assert_int_equal(world.rollout.state == HD_ROLLOUT_IDLE, false);
		go_on(&world);
		assert_int_equal(world.rollout.state, HD_ROLLOUT_STOPPED);
		assert_int_equal(world.rollout.n_failures, n + 1);
	}
	plan(&world);
	assert_int_equal(world.rollout.way, HD_ROLLOUT_BY_DROPS);
	assert_string_equal(world.rollout.doubt,
			    "Sets of earlier rounds were lost or refused several times");
	go_on(&world);
	assert_int_equal(world.rollout.state, HD_ROLLOUT_STOPPED);
	settle(&world);
	assert_string_equal(hd_rollout_waits_for(world.rollout.state), "nothing");
	hand_out(&world, NULL);
	hd_tables_free(world.held);
	hd_tables_free(world.goal);
	hd_fabric_free(less);
	hd_fabric_free(fabric);
}

#define MARK 4711

/* The rollout has waited for links, and its schedule is marked. */
static void wait_for_links(struct world *world)
{
	plan(world);
	assert_int_equal(world->rollout.state, HD_ROLLOUT_LINKS);
	/* no entry is vacated: what nodes hold is not copied */
	assert_ptr_equal(world->handed, world->rollout.before);
	go_on(world);
	assert_int_equal(world->rollout.state, HD_ROLLOUT_STOPPED);
	world->rollout.schedule.rounds[0].n_nodes = MARK;
}

/*
 * A schedule outlives the wait for links only if nodes hold what they held, and the goal is the
 * same.
 */
static void waits_for_links(void **state)
{
	struct hd_fabric *whole = build_fabric("dragonfly:a=4,p=1,h=2", 0);
	struct hd_fabric *less = fail_link(whole, 9);
	enum { SAME, OTHER_GOAL, OTHER_ENTRY, OTHER_ROW, OTHER_SL, N_CASES };

	(void)state;
	for (unsigned i = 0; i < N_CASES; i++) {
		struct world world = { .engine = "dla", .fabric = less };

		hd_random_init(&world.random, 1, 2);
		world.goal = world.handed = route_by(less, "dla");
		world.held = copy(world.goal);
		rewire(&world, whole);
		world.raised = less;
		wait_for_links(&world);
		if (i == OTHER_GOAL)
			world.has_waited = false;
		if (i == OTHER_ENTRY)
			hd_lft(world.held, 3)[1] = HD_NO_PATH;
		if (i == OTHER_ROW)
			world.held->sl2vl[0] = hd_row_all(HD_VL_DROP);
		if (i == OTHER_SL)
			world.held->sl_rows[1] ^= 1;
		plan(&world);
		assert_int_equal(world.rollout.schedule.rounds[0].n_nodes == MARK, i == SAME);
		settle(&world);
		hand_out(&world, NULL);
		hd_rollout_clear(&world.rollout);
		hd_tables_free(world.held);
		hd_tables_free(world.goal);
	}
	hd_fabric_free(less);
	hd_fabric_free(whole);
}

/* Whether a change from @before waits for the link that @less lacks. */
static bool waits(struct hd_tables *goal, struct hd_tables *before, const struct hd_fabric *less)
{
	struct world world = { .goal = goal, .raised = less };
	struct hd_rollout_request request = {
		.goal = goal, .before = copy(before), .is_up = is_up, .context = &world
	};
	struct hd_tables *first;
	struct hd_error err;
	bool is_waiting;

	assert_hd_ok(hd_rollout_plan(&world.rollout, &request, 1, &first, &err), err);
	is_waiting = world.rollout.state == HD_ROLLOUT_LINKS;
	hd_tables_free(first);
	hd_rollout_clear(&world.rollout);
	return is_waiting;
}

/* The out-port of switch @s that leads to switch @to. */
static uint8_t port_to(const struct hd_fabric *fabric, uint32_t s, uint32_t to)
{
	uint8_t port = 1;

	while (hd_peer_node(fabric, s, port) != to)
		assert_true(port++ < fabric->nodes[s].n_ports);
	return port;
}

static struct hd_fabric *without_link(const struct hd_fabric *fabric, uint32_t s, uint32_t to)
{
	const uint32_t port = hd_port_index(fabric, s, port_to(fabric, s, to));
	struct hd_fabric *less;
	struct hd_error err;

	assert_hd_ok(hd_fabric_without(fabric, &port, 1, NULL, 0, &less, &err), err);
	return less;
}

/*
 * A change waits where packets that a switch forwards are to take a link that is not up. Of four
 * switches, each with a link to each, switch 0 gets another entry for switch 1; it leads over
 * switch 3, and the link from there to switch 1 is not up.
 */
static void waits_only_for_ways(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=4,p=1,h=0", 0);
	struct hd_fabric *less = without_link(fabric, 3, 1), *other = without_link(fabric, 2, 3);
	struct hd_tables *goal = route_by(fabric, "minhop"), *before = copy(goal);
	const uint32_t lid = fabric->ports[hd_port_index(fabric, 1, 0)].lid;
	uint8_t *old = &hd_lft(before, 0)[lid];

	(void)state;
	hd_lft(goal, 0)[lid] = port_to(fabric, 0, 3);
	assert_true(waits(goal, before, less));
	assert_false(waits(goal, before, other));
	*old = port_to(fabric, 0, 2);
	assert_true(waits(goal, before, less));
	/* also where the old way takes that link, too: rows there are confirmed before it is up */
	hd_lft(goal, 2)[lid] = hd_lft(before, 2)[lid] = port_to(fabric, 2, 3);
	assert_true(waits(goal, before, less));
	*old = HD_NO_PATH;
	assert_false(waits(goal, before, less));
	hd_tables_free(before);
	hd_tables_free(goal);
	hd_fabric_free(other);
	hd_fabric_free(less);
	hd_fabric_free(fabric);
}

/* Where no switch forwards, or nothing changes, nothing is to be waited for. */
static void nothing_to_do(void **state)
{
	struct hd_fabric *fabric = build_fabric("tree:k=2,n=2", 0);
	struct hd_tables *goal = route_by(fabric, "updn"), *first;
	struct hd_rollout rollout = { 0 };
	struct hd_rollout_request request = { .goal = goal, .is_up = is_up };
	struct hd_error err;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		request.before = i ? copy(goal) : NULL;
		assert_hd_ok(hd_rollout_plan(&rollout, &request, 1, &first, &err), err);
		assert_null(first);
		assert_int_equal(rollout.state, HD_ROLLOUT_IDLE);
	}
	hd_rollout_clear(&rollout);
	hd_tables_free(goal);
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_events),   cmocka_unit_test(gives_up_rounds),
		cmocka_unit_test(waits_for_links), cmocka_unit_test(waits_only_for_ways),
		cmocka_unit_test(nothing_to_do),
	};

	return cmocka_run_group_tests_name("rollout", tests, NULL, NULL);
}
