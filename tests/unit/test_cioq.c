// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The cioq switch leaves out events where nothing depends on them: that of a head in the output
 * buffer, and those of credits in runs whose events all come at whole cycles. Neither an observer,
 * which needs all events, nor a message at another time changes what is delivered and counted.
 */
#include "tests/unit/model_case.h"

#include "sim/switches/credits.h"

/* What a run delivered, in any order within a tick, and what its ports counted at each stop. */
struct account {
	struct traffic *traffic;
	uint64_t delivered, counted;
	uint32_t odd; /* number of the message that comes in the middle of a cycle; or HD_NONE */
	uint32_t n_messages;
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
}

static bool next_of(void *context, uint32_t from, struct hd_message *message)
{
	struct account *account = context;

	if (!next(account->traffic, from, message))
		return false;
	message->time -= message->time % UNIT_TICKS;
	if (account->n_messages++ == account->odd)
		message->time += UNIT_TICKS / 2;
	return true;
}

static void note(void *context, uint64_t now, const struct hd_message *message, uint64_t entered,
		 unsigned hops)
{
	struct account *account = context;
	const uint64_t said[] = { now, message->time, message->from, message->to, entered, hops };
	uint64_t hash = 1;

	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		hash = mix(hash, said[i]);
	account->delivered += hash;
	account->traffic->delivered++;
}

static void ignore(void *context, uint64_t now, uint32_t port, unsigned vl, int64_t units)
{
	(void)context;
	(void)now;
	(void)port;
	(void)vl;
	(void)units;
}

static void count(struct setting *s, struct account *account)
{
	account->counted = mix(account->counted, hd_model_census(s->model).packet_hops);
	for (uint32_t i = 0; i < s->fabric->n_ports; i++) {
		struct hd_model_counters all = hd_model_port_counters(s->model, i);
		struct hd_model_counters first = hd_model_counters(s->model, i, 0);

		account->counted = mix(account->counted, all.packets);
		account->counted = mix(account->counted, all.units);
		account->counted = mix(account->counted, first.units);
	}
}

enum way { AS_IT_IS, OBSERVED, EAGER, GENERAL };

static struct account account_of(struct setting *s, enum way way, uint32_t odd)
{
	struct account account = { .traffic = &s->traffic, .odd = odd };
	const struct hd_model_user user = { .next = next_of,
					    .delivered = note,
					    .context = &account };
	struct hd_model_observer observer = { .buffer = ignore };
	struct hd_error err = { 0 };

	s->options.machine = way == GENERAL ? HD_MACHINE_GENERAL : HD_MACHINE_FASTEST;
	s->options.look_ahead = way == AS_IT_IS ? HD_LOOK_AHEAD_ALWAYS : HD_LOOK_AHEAD_NEVER;
	begin(s, 0.7, 100);
	hd_model_free(s->model);
	assert_hd_ok(hd_model_new(s->tables, &s->options, &user, &s->model, &err), err);
	if (way == OBSERVED)
		hd_model_observe(s->model, &observer);
	if (way == EAGER)
		hd_model_leave_step(s->model, 1);
	/* stops of an odd length, so that packets are anywhere */
	for (uint64_t until = 0; until < s->traffic.stop; until += 97) {
		assert_hd_ok(hd_model_run(s->model, until, &err), err);
		check_census(s);
		count(s, &account);
	}
	assert_true(s->traffic.delivered > 200);
	s->traffic.delivered = 0;
	free(s->traffic.random);
	free(s->traffic.time);
	free(s->traffic.arrived);
	return account;
}

static void assert_same(const struct account *a, const struct account *b)
{
	assert_true(a->delivered == b->delivered);
	assert_true(a->counted == b->counted);
}

/* Makes setting number @i, of which there are 48. */
static void make_cioq(struct setting *s, unsigned i)
{
	static const uint64_t latencies[] = { 0, 5 * UNIT_TICKS, 100 * UNIT_TICKS };

	make(s, "dragonfly:a=4,p=2,h=2", "dla", 8, i & 1 ? 2 : 8);
	for (unsigned c = 0; c < HD_LINK_CLASSES; c++) {
		s->options.links[c].propagation = (c * 7 + 1) * UNIT_TICKS;
		s->options.links[c].output = i & 2 ? 8 : 64;
	}
	s->options.model = &hd_switch_cioq;
	s->options.speedup = 2;
	s->options.latency = 0;
	s->options.count_waits = false;
	s->options.crossbar_latency = latencies[i / 16];
	s->options.allocator = i & 4 ? &hd_allocator_input : &hd_allocator_output;
	s->options.iterations = i & 8 ? 2 : 0;
	s->traffic.poisson = true;
}

static void test_events_that_are_left_out_change_nothing(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 48; i++) {
		struct account is, other;
		struct setting s;

		make_cioq(&s, i);
		is = account_of(&s, AS_IT_IS, HD_NONE);
		assert_true(s.model->in_step);
		hd_model_free(s.model);
		for (enum way way = OBSERVED; way <= GENERAL; way++) {
			other = account_of(&s, way, HD_NONE);
			assert_same(&is, &other);
			if (way == GENERAL)
				break;
			hd_model_free(s.model);
		}
		s.traffic.random = NULL;
		s.traffic.time = s.traffic.arrived = NULL;
		finish(&s);
	}
}

/* From a message in the middle of a cycle on, all credits are events. */
static void test_leaving_the_step(void **state)
{
	(void)state;
	for (unsigned i = 8; i < 48; i++) {
		struct account is, eager;
		struct setting s;

		make_cioq(&s, i | 8);
		is = account_of(&s, AS_IT_IS, 1000);
		assert_false(s.model->in_step);
		assert_true(s.model->eager_credits);
		hd_model_free(s.model);
		eager = account_of(&s, EAGER, 1000);
		assert_same(&is, &eager);
		s.traffic.random = NULL;
		s.traffic.time = s.traffic.arrived = NULL;
		finish(&s);
	}
}

/* What was looked up ahead may lead nowhere when the packet comes: tables change between runs. */
static void test_tables_change_while_packets_come(void **state)
{
	struct hd_model_user user = { .next = next };
	struct hd_error err = { 0 };
	struct hd_random random;
	struct setting s;

	(void)state;
	hd_random_init(&random, 8, 0);
	make(&s, "dragonfly:a=4,p=2,h=2", "dla", 8, 4);
	s.options.model = &hd_switch_cioq;
	s.options.speedup = 2;
	s.options.buffering = &hd_buffering_voq;
	s.options.live = true;
	s.options.look_ahead = HD_LOOK_AHEAD_ALWAYS;
	begin(&s, 0.9, 200);
	hd_model_free(s.model);
	user.context = &s.traffic;
	assert_hd_ok(hd_model_new(s.tables, &s.options, &user, &s.model, &err), err);
	for (uint64_t until = 7; until < s.traffic.stop; until += 7) {
		uint32_t at = hd_random_below(&random, s.fabric->n_switches);
		uint32_t host = hd_random_below(&random, s.traffic.hosts);
		uint16_t lid = s.fabric->ports[hd_model_host_port(s.model, host)].lid;
		bool is_back = hd_random_below(&random, 2);

		hd_model_set_entry(s.model, at, lid,
				   is_back ? hd_lft(s.tables, at)[lid] : HD_NO_PATH);
		assert_hd_ok(hd_model_run(s.model, until, &err), err);
	}
	check_census(&s);
	assert_true(hd_model_census(s.model).dropped > 0);
	finish(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events_that_are_left_out_change_nothing),
		cmocka_unit_test(test_leaving_the_step),
		cmocka_unit_test(test_tables_change_while_packets_come),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
