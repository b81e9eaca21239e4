// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Operations begin in the order in which they would if each waiting one were posted again by
 * itself.
 */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "sim/traffic/goal_agenda.h"
#include "support/random.h"

#define OPS        400
#define PROCESSORS 3
#define ADAPTERS   2 /* of all processors; an operation may need none */
#define SCHEDULES  300
#define MANY       200000

enum { TRY };

struct op {
	uint64_t time; /* when it is posted; of a successor, after its predecessor's begin */
	uint32_t cpu, adapter;   /* ADAPTERS: none */
	uint64_t work, transfer; /* how long it has them */
	uint32_t successor;      /* HD_NONE: none */
	bool is_successor;
};

struct schedule {
	struct op ops[OPS];
	uint64_t cpu_free[PROCESSORS], adapter_free[ADAPTERS];
	uint32_t begun[OPS]; /* in their order */
	uint64_t times[OPS];
	uint32_t n_begun;
};

static uint32_t below(struct hd_random *random, uint32_t n)
{
	return hd_random_u32(random) % n;
}

/* Few different times, so that many are equal. */
static void draw(struct hd_random *random, struct schedule *schedule)
{
	const uint32_t processors = 1 + below(random, PROCESSORS), step = 1 + below(random, 4);

	*schedule = (struct schedule){ 0 };
	for (uint32_t i = 0; i < OPS; i++)
		schedule->ops[i] = (struct op){
			.time = below(random, 3) ? 0 : below(random, 50) * step,
			.cpu = below(random, processors),
			.adapter = below(random, ADAPTERS + 1),
			.work = below(random, 3) * step,
			.transfer = below(random, 4) * step,
			.successor = i + 1 < OPS && below(random, 3) == 0 ? i + 1 : HD_NONE,
			.is_successor = i && schedule->ops[i - 1].successor == i,
		};
}

static uint64_t when_free(const struct schedule *schedule, uint32_t op)
{
	const struct op *o = &schedule->ops[op];
	const uint64_t cpu = schedule->cpu_free[o->cpu];
	const uint64_t adapter = o->adapter < ADAPTERS ? schedule->adapter_free[o->adapter] : 0;

	return cpu > adapter ? cpu : adapter;
}

/* The successor of @op, which begins @now; HD_NONE: it has none. */
static uint32_t begin(struct schedule *schedule, uint32_t op, uint64_t now)
{
	const struct op *o = &schedule->ops[op];

	schedule->cpu_free[o->cpu] = now + o->work;
	if (o->adapter < ADAPTERS)
		schedule->adapter_free[o->adapter] = now + o->transfer;
	schedule->times[schedule->n_begun] = now;
	schedule->begun[schedule->n_begun++] = op;
	return o->successor;
}

/* What is posted, in the order of posting. */
struct posted {
	uint64_t time, order;
	uint32_t op;
};

static void run_one_by_one(struct schedule *schedule)
{
	struct posted posted[OPS];
	uint64_t order = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < OPS; i++)
		if (!schedule->ops[i].is_successor)
			posted[n++] = (struct posted){ schedule->ops[i].time, order++, i };
	while (n) {
		struct posted *first = posted;
		uint64_t now;
		uint32_t successor;

		for (struct posted *p = posted; p < posted + n; p++)
			if (p->time < first->time ||
			    (p->time == first->time && p->order < first->order))
				first = p;
		now = first->time;
		if (when_free(schedule, first->op) > now) {
			*first = (struct posted){ when_free(schedule, first->op), order++,
						  first->op };
			continue;
		}
		successor = begin(schedule, first->op, now);
		*first = posted[--n];
		if (successor != HD_NONE)
			posted[n++] = (struct posted){ now + schedule->ops[successor].time, order++,
						       successor };
	}
}

static void begin_in(struct hd_goal_agenda *agenda, struct schedule *schedule, uint32_t op,
		     uint64_t now)
{
	const uint32_t successor = begin(schedule, op, now);

	if (successor != HD_NONE)
		assert_true(hd_goal_agenda_post(agenda, now + schedule->ops[successor].time, TRY,
						successor));
}

/* Whether no adapter is free later than @cpu. */
static bool waits_for_cpu_only(const struct schedule *schedule, uint64_t cpu)
{
	for (uint32_t i = 0; i < ADAPTERS; i++)
		if (schedule->adapter_free[i] > cpu)
			return false;
	return true;
}

static void try_waiters(struct hd_goal_agenda *agenda, struct schedule *schedule,
			struct hd_goal_event *waiters, uint64_t now)
{
	while (waiters->first != HD_NONE) {
		const uint32_t op = hd_goal_agenda_first(agenda, waiters);
		const uint64_t cpu = schedule->cpu_free[schedule->ops[op].cpu];

		if (when_free(schedule, op) <= now) {
			hd_goal_agenda_take(agenda, waiters);
			begin_in(agenda, schedule, op, now);
		} else if (cpu > now && waits_for_cpu_only(schedule, cpu)) {
			assert_true(hd_goal_agenda_move(agenda, cpu, waiters));
		} else {
			assert_true(
				hd_goal_agenda_move_part(agenda, when_free(schedule, op), waiters));
		}
	}
}

static void run_by_agenda(struct schedule *schedule)
{
	struct hd_goal_agenda agenda;
	struct hd_goal_event event;
	uint64_t now;

	assert_true(hd_goal_agenda_init(&agenda, OPS));
	for (uint32_t i = 0; i < OPS; i++)
		if (!schedule->ops[i].is_successor)
			assert_true(hd_goal_agenda_post(&agenda, schedule->ops[i].time, TRY, i));
	while (hd_goal_agenda_peek(&agenda, &now, &event)) {
		event = hd_goal_agenda_pop(&agenda);
		if (event.what == HD_GOAL_WAITERS)
			try_waiters(&agenda, schedule, &event, now);
		else if (when_free(schedule, event.index) <= now)
			begin_in(&agenda, schedule, event.index, now);
		else
			assert_true(hd_goal_agenda_wait(&agenda, when_free(schedule, event.index),
							schedule->ops[event.index].cpu,
							schedule->ops[event.index].adapter,
							event.index));
	}
	assert_int_equal(agenda.n_waiting, 0);
	hd_goal_agenda_free(&agenda);
}

static void test_same_order(void **state)
{
	static struct schedule one, other;
	struct hd_random random;

	(void)state;
	hd_random_init(&random, 1, 0);
	for (unsigned i = 0; i < SCHEDULES; i++) {
		draw(&random, &one);
		other = one;
		run_one_by_one(&one);
		run_by_agenda(&other);
		assert_int_equal(one.n_begun, OPS);
		assert_int_equal(other.n_begun, OPS);
		assert_memory_equal(one.begun, other.begun, sizeof(one.begun));
		assert_memory_equal(one.times, other.times, sizeof(one.times));
	}
}

/* All but the first go on waiting in one step; one step for each pair would take hours. */
static void test_many(void **state)
{
	struct hd_goal_agenda agenda;
	struct hd_goal_event event;
	uint64_t now;

	(void)state;
	assert_true(hd_goal_agenda_init(&agenda, MANY));
	for (uint32_t i = 0; i < MANY; i++)
		assert_true(hd_goal_agenda_wait(&agenda, 1, 0, i % 2, i));
	for (uint32_t i = 0; i < MANY; i++) {
		assert_true(hd_goal_agenda_peek(&agenda, &now, &event));
		assert_int_equal(now, i + 1);
		event = hd_goal_agenda_pop(&agenda);
		assert_int_equal(hd_goal_agenda_first(&agenda, &event), i);
		hd_goal_agenda_take(&agenda, &event);
		if (event.first != HD_NONE)
			assert_true(hd_goal_agenda_move(&agenda, now + 1, &event));
	}
	assert_false(hd_goal_agenda_peek(&agenda, &now, &event));
	hd_goal_agenda_free(&agenda);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_order),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
