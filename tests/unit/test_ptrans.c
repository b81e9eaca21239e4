// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* PTRANS's messages: by arithmetic, and against recordings of Debian's hpcc. */
#include "tests/unit/unit.h"

#include <string.h>

#include "sim/traffic/ptrans.h"
#include "sim/traffic/records.h"
#include "support/text.h"

#define MOST_TASKS 64
#define LEAST      3200 /* bytes of a message of a block of 20 x 20; others check and agree */

/* What each task sends to others, in its order; and receives. */
struct sequence {
	uint32_t n, tasks[MOST_TASKS];
};

struct transposition {
	struct sequence sent[MOST_TASKS], received[MOST_TASKS];
	uint32_t n;
	uint32_t units;   /* of each message; 0 before the first */
	uint32_t n_waits; /* messages that wait for the receipt of another one */
};

static void keep(struct sequence *sequence, uint32_t task)
{
	assert_in_range(sequence->n, 0, MOST_TASKS - 1);
	sequence->tasks[sequence->n++] = task;
}

static bool is_block(const struct hd_record *r)
{
	return r->units >= LEAST / 64;
}

/* The messages of blocks, by what @order says of the tasks of @records (NULL: as they are). */
static void gather(const struct hd_records *records, const uint32_t *order,
		   struct transposition *what)
{
	memset(what, 0, sizeof(*what));
	for (size_t i = 0; i < records->n; i++) {
		const struct hd_record *r = &records->all[i];
		const uint32_t from = order ? order[r->from] : r->from;
		const uint32_t to = order ? order[r->to] : r->to;

		if (!is_block(r))
			continue;
		keep(&what->sent[from], to);
		keep(&what->received[to], from);
		if (what->units)
			assert_int_equal(r->units, what->units);
		what->units = r->units;
		what->n++;
	}
	for (size_t i = 0; i < records->n_dependencies; i++) {
		const struct hd_dependency *d = &records->dependencies[i];

		what->n_waits += d->is_receipt && is_block(&records->all[d->on]) &&
				 is_block(&records->all[d->record]);
	}
}

static bool same_sequences(const struct sequence *a, const struct sequence *b)
{
	return memcmp(a, b, MOST_TASKS * sizeof(*a)) == 0;
}

/*
 * hpcc deals out the places of its grid by chance. The order of its tasks is that of a barrier in
 * the recording, whose messages have no bytes: each task first tells the next, the last the first.
 */
static void read_ring(const char *text, uint32_t n, uint32_t ring[MOST_TASKS])
{
	uint32_t next[MOST_TASKS] = { 0 };
	bool seen[MOST_TASKS] = { false };

	for (uint32_t task = 0; task < n; task++)
		next[task] = n;
	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		unsigned from, to, bytes;

		line += *line == '\n';
		if (sscanf(line, "%*u %u %u %u", &from, &to, &bytes) == 3 && !bytes && from < n &&
		    to < n && from != to && next[from] == n)
			next[from] = to;
	}
	for (uint32_t i = 0, task = 0; i < n; i++, task = next[task]) {
		assert_in_range(task, 0, n - 1);
		assert_false(seen[task]);
		seen[task] = true;
		ring[i] = task;
	}
}

/* Reads the recording of a transposition on @n tasks, and finds out the order of these. */
static void read_recording(const char *name, uint32_t n, struct transposition *recorded,
			   uint32_t ring[MOST_TASKS])
{
	char path[256];
	struct hd_records records;
	struct hd_text text;
	struct hd_error err = { 0 };

	snprintf(path, sizeof(path), HD_TEST_DATA "/traces/%s", name);
	assert_hd_ok(hd_text_read(path, &text, &err), err);
	hd_records_init(&records, n, 1, 64);
	assert_hd_ok(hd_trace_parse(path, text.data, text.size, &records, &err), err);
	read_ring(text.data, n, ring);
	gather(&records, NULL, recorded);
	hd_records_free(&records);
	hd_text_free(&text);
}

/*
 * A matrix of 200 in blocks of 20, one transposition: the same messages, bytes, and order of each
 * task, and as many that wait for others.
 */
static void test_as_recorded(void **state)
{
	static const struct {
		const char *name;
		uint32_t p, q;
		uint32_t n_messages; /* L / gcd of each task, but for those to itself */
		uint32_t units;      /* of a message: (ceil(10 / L) * 20)^2 * 8 / 64 */
	} recordings[] = {
		{ "ptrans-2x3.trace", 2, 3, 30, 200 },  { "ptrans-2x4.trace", 2, 4, 12, 450 },
		{ "ptrans-4x9.trace", 4, 9, 1260, 50 }, { "ptrans-6x6.trace", 6, 6, 30, 200 },
		{ "ptrans-6x9.trace", 6, 9, 306, 50 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(recordings) / sizeof(recordings[0]); i++) {
		const uint32_t n = recordings[i].p * recordings[i].q;
		const struct hd_ptrans ptrans = { recordings[i].p, recordings[i].q, 200, 20, 1, 0 };
		struct transposition recorded, made;
		struct hd_records records;
		struct hd_error err = { 0 };
		uint32_t ring[MOST_TASKS];
		unsigned n_same = 0;

		read_recording(recordings[i].name, n, &recorded, ring);
		assert_int_equal(recorded.n, recordings[i].n_messages);
		hd_records_init(&records, n, 1, 64);
		assert_hd_ok(hd_ptrans_fill(&ptrans, &records, &err), err);
		for (uint32_t first = 0; first < n; first++) {
			uint32_t order[MOST_TASKS];

			for (uint32_t k = 0; k < n; k++)
				order[k] = ring[(first + k) % n];
			gather(&records, order, &made);
			assert_int_equal(made.n, recordings[i].n_messages);
			assert_int_equal(made.units, recordings[i].units);
			assert_int_equal(recorded.units, recordings[i].units);
			assert_int_equal(made.n_waits, recorded.n_waits);
			n_same += same_sequences(made.sent, recorded.sent);
		}
		if (!n_same)
			fail_msg("%s: no task is the first of the grid", recordings[i].name);
		hd_records_free(&records);
	}
}

/* A block's transpose is where it belongs, whatever the grid, and there is no other message. */
static void test_transposes(void **state)
{
	(void)state;
	for (uint32_t p = 1; p <= 4; p++)
		for (uint32_t q = 1; q <= 4; q++) {
			const struct hd_ptrans ptrans = { p, q, 48, 1, 2, 7 };
			bool wanted[MOST_TASKS][MOST_TASKS] = { { false } };
			struct hd_records records;
			struct hd_error err = { 0 };
			uint32_t got[MOST_TASKS][MOST_TASKS] = { { 0 } }, n = 0;

			for (uint32_t row = 0; row < 48; row++)
				for (uint32_t column = 0; column < 48; column++)
					wanted[row % p * q + column % q][column % p * q + row % q] =
						true;
			hd_records_init(&records, p * q, 1, 1);
			assert_hd_ok(hd_ptrans_fill(&ptrans, &records, &err), err);
			for (size_t i = 0; i < records.n; i++)
				got[records.all[i].from][records.all[i].to]++;
			for (uint32_t from = 0; from < p * q; from++)
				for (uint32_t to = 0; to < p * q; to++) {
					const uint32_t each =
						wanted[from][to] && from != to ? 2 : 0;

					assert_int_equal(got[from][to], each);
					n += each;
				}
			assert_int_equal(records.n, n);
			hd_records_free(&records);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_recorded),
		cmocka_unit_test(test_transposes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
