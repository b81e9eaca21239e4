// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Histories and packets that live for a while: what states of a window make together is found, and
 * nothing else; by hand on a ring, and by chance against an implementation that knows no groups.
 */
#include "tests/unit/unit.h"

#include <inttypes.h>
#include <unistd.h>

#include "check/check.h"
#include "simfabric/emulator/power.h"
#include "tests/unit/history_case.h"
#include "tests/unit/history_naive.h"

#define MS UINT64_C(1000000)
#define S  (1000 * MS)

/* A ring of four switches S0 to S3, each with a host. Ports of a switch: */
enum { HOST = 1, ON = 2, BACK = 3 };

struct ring {
	struct history_case h;
	FILE *file;
	uint64_t n_states;
};

/* The LIDs of switch @s and of its host. */
static void lids_of(const struct ring *r, uint32_t s, uint16_t lids[2])
{
	lids[0] = r->h.c.fabric->ports[hd_port_index(r->h.c.fabric, s, 0)].lid;
	lids[1] = r->h.c.fabric
			  ->ports[r->h.c.fabric->ports[hd_port_index(r->h.c.fabric, s, HOST)].peer]
			  .lid;
}

static uint8_t *entry(struct ring *r, uint32_t s, uint16_t lid)
{
	return &r->h.c.emulator->switches[s].lft[lid];
}

/* Switch @s has sent packets to switch @to and its host by @out before the history. */
static void had(struct ring *r, uint32_t s, uint32_t to, uint8_t out)
{
	uint16_t lids[2];

	lids_of(r, to, lids);
	*entry(r, s, lids[0]) = *entry(r, s, lids[1]) = out;
}

static void ring_begin(struct ring *r)
{
	history_case_new(&r->h, "torus:4", "updn");
	for (uint32_t s = 0; s < 4; s++) {
		had(r, s, (s + 1) % 4, ON);
		had(r, s, (s + 3) % 4, BACK);
		had(r, s, (s + 2) % 4, s == 1 ? BACK : ON);
	}
	history_case_begin(&r->h);
	history_case_end(&r->h);
	r->file = fopen(r->h.path, "a");
	assert_non_null(r->file);
	r->n_states = 1;
}

static void ring_end(struct ring *r)
{
	fclose(r->file);
	history_case_free(&r->h);
}

static void say(struct ring *r, uint64_t time, uint32_t s, const char *what, unsigned n)
{
	fprintf(r->file, "set %" PRIu64 ".%09" PRIu64 " 0x%016" PRIx64 " %s 0x0 0x0 %u\n", time / S,
		time % S, r->h.c.fabric->nodes[s].guid, what, n);
}

/* At @time, switch @s sends packets to switch @to and its host by @out from now on. */
static void sends(struct ring *r, uint64_t time, uint32_t s, uint32_t to, uint8_t out)
{
	uint16_t lids[2];

	lids_of(r, to, lids);
	say(r, time, s, "LinearForwardingTable", 2);
	for (unsigned i = 0; i < 2; i++) {
		fprintf(r->file, "lft %u %u %u\n", lids[i], *entry(r, s, lids[i]), out);
		*entry(r, s, lids[i]) = out;
	}
	r->n_states++;
}

static struct hd_history_verdict prove(struct ring *r, uint64_t life)
{
	struct hd_history_verdict verdict;

	fflush(r->file);
	verdict = history_case_prove(&r->h, life);
	assert_int_equal(verdict.n_states, r->n_states);
	assert_int_equal(verdict.n_unsound, 0);
	return verdict;
}

/* The cycle of all four links of one direction, of which no state has all. */
static void expect_cycle(struct ring *r, uint64_t life, uint64_t first, uint64_t last)
{
	const struct hd_history_proof proof = { .name = "history", .life = life };
	struct hd_history_verdict verdict;
	struct hd_history_reader *reader;
	FILE *stream = fopen(r->h.path, "r");
	struct hd_error err;

	assert_non_null(stream);
	assert_hd_ok(hd_history_open(stream, "history", &reader, &err), err);
	assert_hd_ok(hd_history_prove(reader, &proof, &verdict, &err), err);
	assert_true(verdict.n_windows_unsound > 0);
	assert_int_equal(verdict.window.first_number, first);
	assert_int_equal(verdict.window.last_number, last);
	assert_int_equal(verdict.window.last.kind, HD_HISTORY_SET);
	assert_int_equal(verdict.window.witness.failure, HD_CHECK_CREDIT_LOOP);
	assert_int_equal(verdict.window.witness.n_witness, 4);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(
			verdict.window.fabric.ports[verdict.window.witness.witness[i].port].number,
			ON);
	hd_history_verdict_clear(&verdict);
	hd_history_close(reader);
}

static void test_a_cycle_of_two_states(void **state)
{
	struct hd_history_verdict verdict;
	struct ring r;

	(void)state;
	ring_begin(&r);
	sends(&r, 1 * S, 0, 2, BACK);
	sends(&r, 1 * S + 50 * MS, 1, 3, ON);
	verdict = prove(&r, 0);
	assert_int_equal(verdict.n_windows, 0);
	verdict = prove(&r, 20 * MS);
	assert_int_equal(verdict.n_windows, 2);
	assert_int_equal(verdict.n_windows_unsound, 0);
	verdict = prove(&r, 50 * MS - 1);
	assert_int_equal(verdict.n_windows_unsound, 0);
	for (unsigned i = 1; i < 3; i++) {
		verdict = prove(&r, i * 50 * MS);
		assert_int_equal(verdict.n_windows, 1);
		assert_int_equal(verdict.n_windows_unsound, 1);
		assert_int_equal(verdict.n_windows_cyclic, 1);
		assert_int_equal(verdict.n_windows_looping, 0);
		assert_int_equal(verdict.window.over, 1 * S);
		assert_int_equal(verdict.window.last.time, 1 * S + 50 * MS);
		expect_cycle(&r, i * 50 * MS, 1, 3);
	}
	/* what comes long after it has a window of its own */
	sends(&r, 2 * S, 3, 1, BACK);
	sends(&r, 2 * S, 3, 1, ON);
	verdict = prove(&r, 100 * MS);
	assert_int_equal(verdict.n_windows, 2);
	assert_int_equal(verdict.n_windows_unsound, 1);
	expect_cycle(&r, 100 * MS, 1, 3);
	ring_end(&r);
}

/* Two values and none, or two that come again, are two; three are asked by twos. */
static void test_values(void **state)
{
	static const uint8_t two[] = { HD_NO_PATH, BACK, HD_NO_PATH, ON, BACK };
	struct hd_history_verdict verdict;
	struct ring r;

	(void)state;
	ring_begin(&r);
	for (unsigned i = 0; i < sizeof(two) / sizeof(*two); i++)
		sends(&r, 1 * S + i * MS, 0, 2, two[i]);
	verdict = prove(&r, 20 * MS);
	assert_int_equal(verdict.n_windows, 1);
	assert_int_equal(verdict.n_windows_again, 0);
	/* to a host that drops it; a window ends there, and one begins that is too short */
	sends(&r, 1 * S + 5 * MS, 0, 2, HOST);
	verdict = prove(&r, 20 * MS);
	assert_int_equal(verdict.n_windows, 2);
	assert_int_equal(verdict.n_windows_again, 1);
	assert_int_equal(verdict.n_windows_anew, 0);
	assert_int_equal(verdict.n_windows_unsound, 0);
	/* what comes then is asked with all values but the first */
	sends(&r, 1 * S + 6 * MS, 1, 3, ON);
	verdict = prove(&r, 20 * MS);
	assert_int_equal(verdict.n_windows, 2);
	assert_int_equal(verdict.n_windows_again, 1);
	assert_int_equal(verdict.n_windows_unsound, 0);
	/* without the third value, the cycle is found */
	verdict = prove(&r, 500 * 1000);
	assert_int_equal(verdict.n_windows, 7);
	assert_int_equal(verdict.n_windows_again, 0);
	ring_end(&r);
}

/* Values of before a cut count behind it, too. */
static void test_values_of_before(void **state)
{
	struct hd_history_verdict verdict;
	struct ring r;

	(void)state;
	ring_begin(&r);
	sends(&r, 1 * S, 3, 1, BACK);
	sends(&r, 1 * S + 1 * MS, 0, 2, HD_NO_PATH);
	sends(&r, 1 * S + 2 * MS, 0, 2, BACK);
	sends(&r, 1 * S + 3 * MS, 3, 1, HOST);
	sends(&r, 1 * S + 4 * MS, 0, 2, HOST);
	verdict = prove(&r, 20 * MS);
	/* states 1 to 4, 2 to 5, 3 to 6 */
	assert_int_equal(verdict.n_windows, 3);
	assert_int_equal(verdict.n_windows_again, 2);
	ring_end(&r);
}

/* More states than are taken together: windows go over the cut. */
static void test_many_states(void **state)
{
	const unsigned n = 5000, gone = 4090, come = 4100;
	struct hd_history_verdict verdict;
	bool is_there = true;
	struct ring r;

	(void)state;
	ring_begin(&r);
	for (unsigned i = 1; i < n; i++)
		if (i == gone) {
			sends(&r, 1 * S + i * MS, 0, 2, BACK);
		} else if (i == come) {
			sends(&r, 1 * S + i * MS, 1, 3, ON);
		} else {
			sends(&r, 1 * S + i * MS, 3, 2, is_there ? HD_NO_PATH : BACK);
			is_there = !is_there;
		}
	verdict = prove(&r, 5 * MS);
	assert_int_equal(verdict.n_windows, n - 6);
	assert_int_equal(verdict.n_windows_unsound, 0);
	assert_true(verdict.n_checks < 20);
	/* 12 states, of which the first is the last that has the one, and the last the other */
	verdict = prove(&r, 10 * MS);
	assert_int_equal(verdict.n_windows, n - 11);
	assert_int_equal(verdict.n_windows_unsound, 1);
	expect_cycle(&r, 10 * MS, gone, come + 1);
	verdict = prove(&r, 20 * MS);
	assert_int_equal(verdict.n_windows, n - 21);
	assert_int_equal(verdict.n_windows_unsound, 11);
	expect_cycle(&r, 20 * MS, gone, come + 1);
	verdict = prove(&r, 1000 * S);
	assert_int_equal(verdict.n_windows, 1);
	assert_int_equal(verdict.n_windows_again, 0);
	assert_int_equal(verdict.n_windows_unsound, 1);
	expect_cycle(&r, 1000 * S, gone, come + 1);
	ring_end(&r);
}

static void gets_lid(struct ring *r, uint64_t time, uint32_t s, unsigned old, unsigned new)
{
	say(r, time, s, "PortInfo", 1);
	fprintf(r->file, "port 0 lid %u %u\n", old, new);
	r->n_states++;
}

/* A switch that loses its LID and gets it back is in the window; another LID parts it. */
static void test_lids(void **state)
{
	struct hd_history_verdict verdict;
	uint16_t lids[2];
	struct ring r;

	(void)state;
	ring_begin(&r);
	lids_of(&r, 2, lids);
	sends(&r, 1 * S, 0, 2, BACK);
	gets_lid(&r, 1 * S + 1 * MS, 2, lids[0], 0);
	gets_lid(&r, 1 * S + 2 * MS, 2, 0, lids[0]);
	sends(&r, 1 * S + 3 * MS, 1, 3, ON);
	verdict = prove(&r, 10 * MS);
	assert_int_equal(verdict.n_windows, 1);
	assert_int_equal(verdict.n_windows_anew, 0);
	expect_cycle(&r, 10 * MS, 1, 5);
	sends(&r, 2 * S, 1, 3, BACK);
	sends(&r, 2 * S + 1 * MS, 0, 2, ON);
	gets_lid(&r, 2 * S + 2 * MS, 2, lids[0], 40);
	verdict = prove(&r, 10 * MS);
	assert_int_equal(verdict.n_windows_anew, 1);
	ring_end(&r);
}

/* By chance */

/* Gives the records of the file times by chance. */
static void give_times(const char *path, struct hd_random *random)
{
	static const char *const kinds[] = { "set ", "plug ", "unplug ", "on ", "off " };
	FILE *file = fopen(path, "r");
	char line[512], *text = NULL;
	uint64_t time = 0;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(file);
	assert_non_null(out);
	while (fgets(line, sizeof(line), file)) {
		const char *rest = line;

		for (unsigned i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
			if (!strncmp(line, kinds[i], strlen(kinds[i])))
				rest = strchr(strchr(line, ' ') + 1, ' ');
		if (rest != line) {
			time += hd_random_below(random, 3) ? hd_random_below(random, 10) * MS
							   : 30 * MS;
			fprintf(out, "%.*s %" PRIu64 ".%09" PRIu64, (int)strcspn(line, " "), line,
				time / S, time % S);
		}
		fputs(rest, out);
	}
	fclose(file);
	fclose(out);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	free(text);
}

/* An entry that is lost, or the engine's again: mixtures of these are sound. */
static void change_gently(struct history_case *h, struct hd_random *random)
{
	const uint32_t s = hd_random_below(random, h->c.fabric->n_switches);
	const uint16_t lid = (uint16_t)(1 + hd_random_below(random, h->c.fabric->top_lid));

	history_case_set_entry(
		h, s, lid, hd_random_below(random, 2) ? HD_NO_PATH : hd_lft(h->c.tables, s)[lid]);
}

static void make_by_chance(struct history_case *h, uint64_t seed, struct hd_random *random)
{
	static const char *const specs[] = { "torus:4x4", "torus:5", "dragonfly:a=3,p=1,h=1" };
	static const char *const engines[] = { "hdor", "updn", "dla" };
	const unsigned gentle = seed % 4 ? 16 : 1;

	history_case_new(h, specs[seed % 3], engines[seed % 3]);
	history_case_begin(h);
	for (unsigned i = 0; i < 60; i++) {
		const uint32_t node = hd_random_below(random, h->c.fabric->n_nodes);

		if (hd_random_below(random, gentle))
			change_gently(h, random);
		else if (hd_random_below(random, 6))
			history_case_change(h, random);
		else if (hd_node_off(h->c.emulator, node))
			hd_node_on(h->c.emulator, node);
	}
	history_case_end(h);
	give_times(h->path, random);
}

static void test_by_chance(void **state)
{
	static const uint64_t lives[] = { 1, 5 * MS, 12 * MS, 40 * MS, 10 * S };
	uint64_t n_windows = 0, n_unsound = 0, n_again = 0;

	(void)state;
	for (uint64_t seed = 0; seed < (HD_IS_SLOW ? 6 : 45); seed++) {
		struct hd_history_verdict verdict, alone;
		struct history_naive naive;
		struct hd_random random;
		struct history_case h;

		hd_random_init(&random, seed, 0);
		make_by_chance(&h, seed, &random);
		history_naive_begin(&naive, h.path);
		alone = history_case_prove(&h, 0);
		for (unsigned i = 0; i < sizeof(lives) / sizeof(*lives); i++) {
			verdict = history_case_prove(&h, lives[i]);
			history_naive_ask(&naive, lives[i]);
			assert_int_equal(verdict.n_states, naive.n);
			assert_int_equal(verdict.n_windows, naive.n_windows);
			assert_int_equal(verdict.n_windows_unsound, naive.n_unsound);
			assert_int_equal(verdict.n_windows_again, naive.n_again);
			assert_int_equal(verdict.n_windows_anew, 0);
			assert_int_equal(verdict.n_looping, alone.n_looping);
			assert_int_equal(verdict.n_cyclic, alone.n_cyclic);
			assert_int_equal(verdict.n_unsound, alone.n_unsound);
			assert_int_equal(verdict.n_stretches, alone.n_stretches);
			n_windows += naive.n_windows;
			n_unsound += naive.n_unsound;
			n_again += naive.n_again;
		}
		history_naive_end(&naive);
		history_case_free(&h);
	}
	print_message("%" PRIu64 " windows, %" PRIu64 " unsound, %" PRIu64 " not as a whole\n",
		      n_windows, n_unsound, n_again);
	assert_true(n_unsound > 0 && n_unsound < n_windows && n_again > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_cycle_of_two_states),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_values_of_before),
		cmocka_unit_test(test_many_states),
		cmocka_unit_test(test_lids),
		cmocka_unit_test(test_by_chance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
