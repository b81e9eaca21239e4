// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Deadlock: what the model says while traffic goes on, against what comes of it. Hosts send for a
 * time; then either everything arrives, or what is left never will.
 */
#include "tests/unit/model_case.h"

#define SIZE     8
#define ROOMY    4 /* packets of a buffer, at most */
#define MOST_VLS 3
#define TRIALS   (HD_IS_SLOW ? 80 : 240)

static const struct {
	const char *spec, *engine;
} networks[] = {
	{ "torus:7,p=2", "hdor" },
	{ "torus:7,p=1", "minhop" }, /* a single VL: a cycle, whatever is shared */
	{ "dragonfly:a=4,p=2,h=1", "dla" },
	{ "dragonfly:a=3,p=2,h=1", "d3r" },
	{ "dragonfly:a=4,p=2,h=1", "df-sssp" },
	{ "dragonfly:a=3,p=2,h=2", "minhop" },
	{ "torus:5x5,p=1", "hdor" },
};

/* Of a buffer. Where that is less than a packet, VLs hold one another up. */
static const double reserves[] = { 0, 0.05, 0.25, 0.5, 0.75, 1 };

/* Of the buffers of a port, what a VL may have. */
static const double mosts[] = { 0, 0.4, 0.7 };

struct trial {
	unsigned network, buffer, reserve, most;
	bool damq, voq, cioq, vl_queues, hierarchical, any_size;
};

static struct trial draw(struct hd_random *random)
{
	struct trial trial = {
		.network = hd_random_below(random, sizeof(networks) / sizeof(networks[0])),
		.buffer = 1 + hd_random_below(random, ROOMY),
		.reserve = hd_random_below(random, sizeof(reserves) / sizeof(reserves[0])),
		.damq = hd_random_below(random, 4) != 0,
		.voq = hd_random_below(random, 2),
		.cioq = hd_random_below(random, 3) == 0,
		.any_size = hd_random_below(random, 2),
		.most = hd_random_below(random, sizeof(mosts) / sizeof(mosts[0])),
	};

	trial.hierarchical = !trial.cioq && hd_random_below(random, 2);
	trial.voq &= !trial.hierarchical;
	trial.vl_queues = trial.cioq && (trial.network + trial.buffer) % 2;
	if (trial.buffer == 1) /* of two VLs' packets, less than one */
		trial.most = 0;
	return trial;
}

/*
 * Whether the tables have no cycle, and each VL a buffer of its own, as it has of hierarchical
 * switches.
 */
static bool is_sound(const struct trial *trial)
{
	return strcmp(networks[trial->network].engine, "minhop") != 0 &&
	       (!trial->damq || trial->hierarchical ||
		trial->buffer * reserves[trial->reserve] >= 1);
}

static void begin_trial(struct setting *s, const struct trial *trial)
{
	const struct hd_model_user user = { .next = trial->any_size ? next_of_any_size : next,
					    .delivered = delivered,
					    .context = &s->traffic };
	struct hd_error err = { 0 };

	make(s, networks[trial->network].spec, networks[trial->network].engine, SIZE,
	     trial->buffer);
	s->options.damq = trial->damq;
	s->options.damq_reserved = reserves[trial->reserve];
	s->options.buffering = trial->voq ? &hd_buffering_voq : NULL;
	if (trial->cioq) {
		s->options.model = trial->vl_queues ? &hd_switch_cioq_vl : &hd_switch_cioq;
		s->options.speedup = 2;
		for (unsigned i = 0; i < HD_LINK_CLASSES && trial->vl_queues; i++)
			s->options.links[i].output = trial->buffer * SIZE;
	}
	s->options.damq_most = mosts[trial->most];
	if (trial->hierarchical) {
		s->options.model = &hd_switch_hierarchical;
		s->options.central = MOST_VLS * 4 * SIZE;
		s->options.damq_least = SIZE;
		for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
			s->options.links[i].output = MOST_VLS * SIZE;
	}
	begin(s, 1, 700);
	hd_model_free(s->model);
	assert_hd_ok(hd_model_new(s->tables, &s->options, &user, &s->model, &err), err);
}

/*
 * Runs until nothing happens any more. Returns whether a deadlock was told when or before that was
 * so.
 */
static bool run_out(struct setting *s, bool *is_early)
{
	uint64_t events = UINT64_MAX, until = s->traffic.stop;
	bool is_told = false;
	struct hd_error err = { 0 };

	*is_early = false;
	while (hd_model_census(s->model).events != events) {
		int ret;

		events = hd_model_census(s->model).events;
		until += s->traffic.stop;
		ret = hd_model_run(s->model, until, &err);
		if (ret)
			assert_int_equal(ret, HD_EREFUSED);
		assert_false(is_told && !ret); /* what is dead does not come to life */
		is_told = ret != 0;
		if (ret) { /* nor when it is asked for again, until the same time */
			err = (struct hd_error){ 0 };
			assert_int_equal(hd_model_run(s->model, until, &err), HD_EREFUSED);
			assert_hd_says(err, "deadlock");
		}
		*is_early |= is_told && hd_model_census(s->model).queued > 0;
	}
	return is_told;
}

static void check_cycle(const struct setting *s)
{
	size_t n;
	const struct hd_channel *cycle = hd_model_deadlock(s->model, &n);

	assert_true(n > 0);
	for (size_t i = 0; i < n; i++) {
		uint32_t peer = s->fabric->ports[cycle[i].port].peer;

		assert_int_equal(s->fabric->ports[peer].node,
				 s->fabric->ports[cycle[(i + 1) % n].port].node);
	}
}

static void test_what_is_told_is_what_comes(void **state)
{
	unsigned n_told = 0, n_early = 0, n_shared = 0, n_hierarchical = 0, n_vl_queues = 0;
	struct hd_random random;

	(void)state;
	hd_random_init(&random, 11, 7);
	for (unsigned i = 0; i < TRIALS; i++) {
		const struct trial trial = draw(&random);
		struct hd_model_census c;
		struct setting s;
		bool is_told, is_early;

		begin_trial(&s, &trial);
		is_told = run_out(&s, &is_early);
		c = hd_model_census(s.model);
		if (is_told != (c.under_way > 0))
			fail_msg("trial %u: %s, and %llu packets are left", i,
				 is_told ? "a deadlock" : "no deadlock",
				 (unsigned long long)c.under_way);
		if (is_told)
			check_cycle(&s);
		if (is_told && is_sound(&trial))
			fail_msg("trial %u: a deadlock where there can be none", i);
		n_told += is_told;
		n_hierarchical += is_told && trial.hierarchical;
		n_vl_queues += is_told && trial.vl_queues;
		n_early += is_early;
		n_shared += is_told && strcmp(networks[trial.network].engine, "minhop") != 0;
		check_census(&s);
		finish(&s);
	}
	/* of every kind there were some */
	assert_true(n_told > TRIALS / 10 && n_told < TRIALS);
	assert_true(n_early > TRIALS / 10);
	assert_true(n_shared > TRIALS / 40);
	assert_true(n_hierarchical > TRIALS / 40);
	assert_true(n_vl_queues > TRIALS / 40);
}

/* F1 and F3 of the four flows below go by XY, F2 and F4 by YX. */
static unsigned choose_by_flow(const struct hd_model *model, const struct hd_message *message,
			       const uint8_t *vls, unsigned n)
{
	(void)model;
	(void)vls;
	(void)n;
	return message->from == 1 || message->from == 4;
}

/*
 * 000-C9, Figure 2 of the OSHA paper: F1 0 -> 5, F2 1 -> 4, F3 5 -> 0, F4 4 -> 1. In one virtual
 * network they deadlock, in two all arrives.
 */
static void test_the_papers_four_flows(void **state)
{
	static const struct hd_host_policy by_flow = { .policy.name = "flow",
						       .choose = choose_by_flow };
	static const uint32_t map[16] = { 5,       4,       HD_NONE, HD_NONE, 1,       0,
					  HD_NONE, HD_NONE, HD_NONE, HD_NONE, HD_NONE, HD_NONE,
					  HD_NONE, HD_NONE, HD_NONE, HD_NONE };

	(void)state;
	for (unsigned n_vls = 1; n_vls <= 2; n_vls++)
		for (unsigned voq = 0; voq < 2; voq++) {
			struct hd_error err = { 0 };
			struct setting s;
			size_t n_cycle;
			int ret;

			make_lmc(&s, "kns:k=4,n=2", "osha", 1, SIZE, 2);
			if (n_vls == 1)
				for (size_t row = 0; row < s.tables->sl2vl_first[s.fabric->n_nodes];
				     row++)
					s.tables->sl2vl[row] = hd_row_identity(1);
			s.options.host_policy = &by_flow;
			s.options.buffering = voq ? &hd_buffering_voq : NULL;
			s.traffic.map = map;
			begin(&s, 1, 5000);
			ret = hd_model_run(s.model, 100 * s.traffic.stop, &err);
			check_census(&s);
			hd_model_deadlock(s.model, &n_cycle);
			if (n_vls == 1) {
				assert_int_equal(ret, HD_EREFUSED);
				/* the two links of each of the four lines */
				assert_in_range(n_cycle, 4, 8);
			} else {
				assert_hd_ok(ret, err);
				assert_int_equal(hd_model_census(s.model).delivered,
						 hd_model_census(s.model).generated);
				assert_int_equal(hd_model_census(s.model).delivered, 4 * 5000);
			}
			finish(&s);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_told_is_what_comes),
		cmocka_unit_test(test_the_papers_four_flows),
	};

	return cmocka_run_group_tests_name("deadlock", tests, NULL, NULL);
}
