// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The recorder without MPI: logs, messages of collective operations, and how logs become a trace.
 */
#include "tests/unit/unit.h"

#include "host/recorder/collectives.h"
#include "host/recorder/merge.h"

#define MOST 17

static void logs_are_read_as_they_were_written(void **state)
{
	const struct hd_step steps[] = {
		{ HD_STEP_SEND, true, false, 0, UINT64_MAX, UINT32_MAX, 0x7FFFFFFF, 1 << 20, 0 },
		{ HD_STEP_RECEIVE, false, true, 127, 128, 0, 16384, 0, UINT64_MAX },
		{ .kind = HD_STEP_FORK, .begins_call = true, .compute = 12345, .serial = 3 },
		{ .kind = HD_STEP_FORK_END },
		{ .kind = HD_STEP_COLLECTIVE, .tag = HD_SCAN, .serial = 9 },
		{ .kind = HD_STEP_JOIN, .serial = 3 },
		{ .kind = HD_STEP_END, .compute = UINT64_MAX },
	};
	struct hd_step_log log = { 0 };
	const uint8_t *at;
	struct hd_step step;

	(void)state;
	for (int round = 0; round < 10000; round++)
		for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
			assert_true(hd_step_log_add(&log, &steps[i]));
	at = log.bytes;
	for (int round = 0; round < 10000; round++)
		for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
			assert_true(hd_step_read(&at, log.bytes + log.n, &step));
			assert_int_equal(step.kind, steps[i].kind);
			assert_int_equal(step.begins_call, steps[i].begins_call);
			assert_int_equal(step.collective, steps[i].collective);
			assert_int_equal(step.compute, steps[i].compute);
			assert_int_equal(step.communicator, steps[i].communicator);
			assert_int_equal(step.peer, steps[i].peer);
			assert_int_equal(step.tag, steps[i].tag);
			assert_int_equal(step.bytes, steps[i].bytes);
			assert_int_equal(step.serial, steps[i].serial);
		}
	assert_false(hd_step_read(&at, log.bytes + log.n, &step));
	hd_step_log_free(&log);
}

/* Messages of an operation, from each task to each. */
struct counts {
	uint32_t me, sent[MOST][MOST], received[MOST][MOST];
	uint64_t bytes;
};

static void count(void *context, bool sends, uint32_t peer, uint64_t bytes)
{
	struct counts *counts = context;

	assert_true(peer < MOST && peer != counts->me);
	if (sends)
		counts->sent[counts->me][peer]++;
	else
		counts->received[peer][counts->me]++;
	counts->bytes += sends ? bytes : 0;
}

static void count_all(enum hd_collective kind, uint32_t size, uint32_t root, struct counts *counts)
{
	struct hd_collective_call call = { .kind = kind, .size = size, .root = root, .bytes = 1 };

	memset(counts, 0, sizeof(*counts));
	for (call.rank = 0; call.rank < size; call.rank++) {
		counts->me = call.rank;
		hd_collective_steps(&call, count, counts);
	}
}

/* The sum of what ranks at depth d of a binomial tree have to be passed on by: d each. */
static uint64_t depths(uint32_t size)
{
	uint64_t sum = 0;

	for (uint32_t i = 1; i < size; i++)
		sum += (uint64_t)__builtin_popcount(i);
	return sum;
}

/* All that is sent is received, and it is as much as theory says. */
static void operations_send_what_they_receive(void **state)
{
	(void)state;
	for (uint32_t size = 1; size <= MOST; size++)
		for (uint32_t root = 0; root < size; root += size / 3 + 1)
			for (unsigned kind = 0; kind < HD_COLLECTIVES; kind++) {
				const uint64_t others = size - 1;
				struct counts c;

				count_all((enum hd_collective)kind, size, root, &c);
				assert_memory_equal(c.sent, c.received, sizeof(c.sent));
				switch (kind) {
				case HD_BARRIER:
					assert_int_equal(c.bytes, 0);
					break;
				case HD_BCAST:
				case HD_REDUCE:
				case HD_GATHERV:
				case HD_SCATTERV:
					assert_int_equal(c.bytes, others);
					break;
				case HD_GATHER:
				case HD_SCATTER:
					assert_int_equal(c.bytes, depths(size));
					break;
				case HD_ALLGATHER:
				case HD_ALLTOALL:
				case HD_REDUCE_SCATTER:
					assert_int_equal(c.bytes, others * size);
					break;
				}
			}
}

static void add(struct hd_step_log *log, struct hd_step step)
{
	assert_true(hd_step_log_add(log, &step));
}

/* What hd_merge() writes, without comments; NULL: it fails, and says @error. */
static char *merge_as(bool goal, const struct hd_step_log *logs, uint32_t n, double factor,
		      char error[256])
{
	const struct hd_merge_options options = { .factor = factor,
						  .last = UINT64_MAX,
						  .goal = goal };
	char *text = NULL, *begin;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const bool ok = hd_merge(logs, n, &options, out, error);

	fclose(out);
	if (!ok) {
		free(text);
		return NULL;
	}
	for (begin = text; *begin == '#' || *begin == '/'; begin = strchr(begin, '\n') + 1)
		;
	memmove(text, begin, strlen(begin) + 1);
	return text;
}

static char *merge(const struct hd_step_log *logs, uint32_t n, double factor, char error[256])
{
	return merge_as(false, logs, n, factor, error);
}

/*
 * Task 0 sends twice by one envelope and once by another; task 1 has posted its receives in another
 * order than it waits for them.
 */
static void receives_match_in_the_order_of_posting(void **state)
{
	struct hd_step_log logs[2] = { { 0 } };
	char error[256], *text;

	(void)state;
	add(&logs[0], (struct hd_step){ .kind = HD_STEP_SEND,
					.peer = 1,
					.tag = 5,
					.bytes = 10,
					.compute = 100,
					.begins_call = true });
	add(&logs[0], (struct hd_step){ .kind = HD_STEP_SEND, .peer = 1, .tag = 6, .bytes = 20 });
	add(&logs[0], (struct hd_step){ .kind = HD_STEP_SEND, .peer = 1, .tag = 5, .bytes = 30 });
	add(&logs[1], (struct hd_step){ .kind = HD_STEP_RECEIVE,
					.tag = 5,
					.serial = 8,
					.compute = 40,
					.begins_call = true });
	add(&logs[1],
	    (struct hd_step){ .kind = HD_STEP_SEND, .peer = 0, .bytes = 1, .compute = 7 });
	add(&logs[1], (struct hd_step){ .kind = HD_STEP_RECEIVE, .tag = 5, .serial = 2 });
	add(&logs[1], (struct hd_step){ .kind = HD_STEP_RECEIVE, .tag = 6, .serial = 5 });
	add(&logs[1], (struct hd_step){ .kind = HD_STEP_SEND, .peer = 0, .bytes = 2 });
	text = merge(logs, 2, 0.5, error);
	assert_non_null(text);
	assert_string_equal(text, "50 0 1 10\n0 0 1 20 sent 0\n0 0 1 30 sent 1\n"
				  "20 1 1 0\n4 1 0 1 sent 3 received 2\n"
				  "0 1 0 2 sent 4 received 0 received 1\n");
	free(text);
	text = merge(logs, 2, 0, error);
	assert_string_equal(text, "0 0 1 10\n0 0 1 20 sent 0\n0 0 1 30 sent 1\n"
				  "0 1 0 1 received 2\n0 1 0 2 sent 3 received 0 received 1\n");
	free(text);
	text = merge_as(true, logs, 2, 0.5, error);
	assert_string_equal(text, "num_ranks 2\n\nrank 0 {\n"
				  "l1: calc 50 cpu 1\n"
				  "l2: send 10b to 1 tag 0\nl2 requires l1\n"
				  "l3: send 20b to 1 tag 1\nl3 requires l2\n"
				  "l4: send 30b to 1 tag 2\nl4 requires l3\n"
				  "l5: recv 1b from 1 tag 4\nl6: recv 2b from 1 tag 5\n"
				  "}\n\nrank 1 {\n"
				  "l1: calc 20 cpu 1\n"
				  "l2: recv 30b from 0 tag 2\n"
				  "l3: calc 4 cpu 1\nl3 requires l1\nl3 requires l2\n"
				  "l4: send 1b to 0 tag 4\nl4 requires l3\n"
				  "l5: recv 10b from 0 tag 0\nl6: recv 20b from 0 tag 1\n"
				  "l7: send 2b to 0 tag 5\n"
				  "l7 requires l4\nl7 requires l5\nl7 requires l6\n}\n");
	free(text);
	text = merge_as(true, logs, 1, 1, error);
	assert_null(text); /* task 1 is not there */
	hd_step_log_free(&logs[0]);
	hd_step_log_free(&logs[1]);
}

static void bad_logs_are_told(void **state)
{
	struct hd_step_log logs[2] = { { 0 } };
	char error[256] = "";

	(void)state;
	add(&logs[1], (struct hd_step){ .kind = HD_STEP_RECEIVE, .peer = 0 });
	assert_null(merge(logs, 2, 1, error));
	assert_string_equal(error, "task 1 has a message that no task is recorded to have sent");
	logs[1].n--;
	assert_null(merge(logs, 2, 1, error));
	assert_string_equal(error, "the log of task 1 is damaged");
	logs[1].n = 0;
	add(&logs[1], (struct hd_step){ .kind = HD_STEP_SEND, .bytes = UINT64_C(1) << 32 });
	assert_null(merge(logs, 2, 1, error));
	assert_non_null(strstr(error, "4294967296 bytes at once"));
	logs[1].n = 0;
	add(&logs[1], (struct hd_step){ .kind = HD_STEP_JOIN, .serial = 3 });
	assert_null(merge(logs, 2, 1, error));
	hd_step_log_free(&logs[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(logs_are_read_as_they_were_written),
		cmocka_unit_test(operations_send_what_they_receive),
		cmocka_unit_test(receives_match_in_the_order_of_posting),
		cmocka_unit_test(bad_logs_are_told),
	};

	return cmocka_run_group_tests_name("recorder", tests, NULL, NULL);
}
