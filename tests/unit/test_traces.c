// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Traces: what is replayed, and what is refused where. */
#include "tests/unit/traffic_case.h"

#include <unistd.h>

#include "sim/traffic/records.h"
#include "support/text.h"

/* A file with @text whose name is put into a spec of @pattern. */
static void write_trace(const char *text, const char *pattern, const char *options, char *path,
			char spec[256])
{
	int fd;

	strcpy(path, "/tmp/heddle-trace-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	snprintf(spec, 256, "%s:%s%s", pattern, path, options);
}

static void assert_message(struct hd_traffic *t, uint32_t from, uint64_t time, uint32_t to,
			   uint32_t size)
{
	struct hd_message m;

	assert_true(hd_traffic_next(t, from, &m));
	assert_int_equal(m.time, time);
	assert_int_equal(m.from, from);
	assert_int_equal(m.to, to);
	assert_int_equal(m.size, size);
	assert_string_equal(hd_traffic_class_name(t, m.tag), "all");
}

static void test_text(void **state)
{
	static const char text[] = "# TIME SOURCE DESTINATION BYTES\n"
				   "\n"
				   "10 0 3 64\r\n"
				   "  5\t1 2 1   # in any order\n"
				   "3 1 0 0\n"
				   "10 0 1 300\n"
				   "10 0 2 128";
	char path[64], spec[256];
	struct hd_message m;
	struct hd_traffic *t;

	(void)state;
	write_trace(text, "trace", "", path, spec);
	t = make_traffic(4, spec, "poisson", 0.5, 2);
	assert_message(t, 0, 10, 3, 1);
	assert_message(t, 0, 10, 1, 2); /* 300 bytes are 5 units are 3 packets */
	assert_message(t, 0, 10, 1, 2);
	assert_message(t, 0, 10, 1, 1);
	assert_message(t, 0, 10, 2, 2);
	assert_false(hd_traffic_next(t, 0, &m));
	assert_message(t, 1, 3, 0, 1);
	assert_message(t, 1, 5, 2, 1);
	assert_false(hd_traffic_next(t, 1, &m));
	assert_false(hd_traffic_next(t, 2, &m));
	/* 8 units of 10 ticks, the last at 10 */
	assert_near(hd_traffic_offered(t, 0, 0), 8, 1e-12);
	assert_near(hd_traffic_offered(t, 3, 0), 0, 0);
	hd_traffic_free(t);
	snprintf(spec, sizeof(spec), "trace:file=%s,ticks=1000,unit=100", path);
	t = make_traffic(4, spec, "poisson", 0.5, 64);
	assert_message(t, 0, 10000, 3, 1);
	assert_message(t, 0, 10000, 1, 3);
	assert_message(t, 0, 10000, 2, 2);
	hd_traffic_free(t);
	unlink(path);
}

/* Within a phase: times count from its beginning, and what comes after its end is left out. */
static void test_trace_in_a_phase(void **state)
{
	const struct hd_traffic_setting setting = { .n_hosts = 4, .unit_ticks = 1 };
	char path[64], spec[256];
	struct hd_traffic_phase phases[] = {
		{ "shift", "deterministic:staggered=no", 0.01, 1, false, 200, 0, "" },
		{ spec, "poisson", 1, 4, true, 300, 0, "" },
		{ "shift:1", "deterministic:staggered=no", 0.01, 1, false, 400, 0, "" },
	};
	struct hd_error err = { 0 };
	struct hd_message m, reply;
	struct hd_traffic *t;

	(void)state;
	write_trace("50 0 1 64\n150 0 1 64\n", "trace", "", path, spec);
	assert_hd_ok(hd_traffic_new(&setting, phases, 3, &t, &err), err);
	/* two units until 150, and as much in replies */
	assert_near(hd_traffic_offered(t, 0, 200), 2 * 2 / 150.0, 1e-12);
	assert_true(hd_traffic_next(t, 0, &m));
	assert_int_equal(m.time, 0);
	assert_true(hd_traffic_next(t, 0, &m));
	assert_int_equal(m.time, 100);
	assert_true(hd_traffic_next(t, 0, &m));
	assert_int_equal(m.time, 250);
	assert_true(hd_traffic_reply(t, 260, &m, &reply));
	assert_int_equal(reply.from, 1);
	assert_true(hd_traffic_next(t, 0, &m));
	assert_int_equal(m.time, 300);
	assert_false(hd_traffic_next(t, 0, &m));
	hd_traffic_free(t);
	unlink(path);
}

#define VEF "VEF3 4 3 1 0 0 TRUE\nC0 0 1 2 3\n"

static void test_vef(void **state)
{
	static const char text[] = VEF "0 0 1 64 0 10 0\n"
				       "1 0 2 128 1 5 0\n"
				       "2 3 2 1 0 7 0\n";
	char path[64], spec[256];
	struct hd_message m;
	struct hd_traffic *t;

	(void)state;
	write_trace(text, "vef", ",ticks=100", path, spec);
	t = make_traffic(6, spec, "poisson", 0.5, 2);
	assert_message(t, 0, 1000, 1, 1);
	assert_message(t, 0, 1500, 2, 2); /* 5 after the one before */
	assert_false(hd_traffic_next(t, 0, &m));
	assert_message(t, 3, 700, 2, 1);
	hd_traffic_free(t);
	unlink(path);
}

/* What a trace lets go. */
struct sent {
	unsigned n;
	struct hd_message messages[8];
};

static void keep(void *context, const struct hd_message *message)
{
	struct sent *sent = context;

	assert_true(sent->n < 8);
	sent->messages[sent->n++] = *message;
}

static void assert_sent(const struct sent *sent, unsigned i, uint64_t time, uint32_t from,
			uint32_t to, uint32_t size)
{
	assert_true(i < sent->n);
	assert_int_equal(sent->messages[i].time, time);
	assert_int_equal(sent->messages[i].from, from);
	assert_int_equal(sent->messages[i].to, to);
	assert_int_equal(sent->messages[i].size, size);
	assert_int_equal(sent->messages[i].tag, 0);
}

/* Messages that wait for receipts go when the last packet of the last of them came. */
static void test_messages_that_wait(void **state)
{
	static const char text[] = "10 0 1 192\n"                      /* 0 */
				   "20 2 1 64\n"                       /* 1 */
				   "5 1 3 128 received 0 received 1\n" /* 2 */
				   "7 1 0 64 sent 2\n"                 /* 3: 7 after it */
				   "1 2 0 64 sent 1\n"                 /* 4: at 21 */
				   "3 1 2 64 received 0\n"             /* 5 */
				   "2 1 2 64 sent 5 received 1 # 6\n";
	struct sent sent = { 0 };
	const struct hd_traffic_actions actions = { .send = keep, .context = &sent };
	struct hd_message first[3], second, m;
	char path[64], spec[256];
	struct hd_traffic *t;

	(void)state;
	write_trace(text, "trace", "", path, spec);
	t = make_traffic(4, spec, "poisson", 0.5, 1);
	for (unsigned i = 0; i < 3; i++)
		assert_true(hd_traffic_next(t, 0, &first[i]));
	assert_false(hd_traffic_next(t, 0, &m));
	assert_true(hd_traffic_next(t, 2, &second));
	assert_message(t, 2, 21, 0, 1);
	assert_false(hd_traffic_next(t, 2, &m));
	assert_false(hd_traffic_next(t, 1, &m));
	assert_int_equal(hd_traffic_waiting(t), 4);
	hd_traffic_received(t, 100, &second, &actions);
	hd_traffic_received(t, 110, &first[0], &actions);
	hd_traffic_received(t, 120, &first[1], &actions);
	assert_int_equal(sent.n, 0);
	hd_traffic_received(t, 130, &first[2], &actions);
	assert_int_equal(sent.n, 5);
	assert_sent(&sent, 0, 135, 1, 3, 1); /* two packets */
	assert_sent(&sent, 1, 135, 1, 3, 1);
	assert_sent(&sent, 2, 133, 1, 2, 1);
	assert_sent(&sent, 3, 142, 1, 0, 1);
	assert_sent(&sent, 4, 135, 1, 2, 1);
	assert_int_equal(hd_traffic_waiting(t), 0);
	/* nothing waits for these */
	for (unsigned i = 0; i < 5; i++)
		hd_traffic_received(t, 200, &sent.messages[i], &actions);
	assert_int_equal(sent.n, 5);
	hd_traffic_free(t);
	unlink(path);
}

/* Eight tasks are two hosts of four: what stays within one is received as it is sent. */
static void test_tasks(void **state)
{
	static const char text[] = "10 0 3 64\n"            /* 0: within host 0 */
				   "5 3 5 64 received 0\n"  /* 1: at 15 */
				   "20 2 2 0\n"             /* 2: of a task to itself */
				   "7 5 6 64 received 1\n"  /* 3: within host 1 */
				   "1 6 0 192 received 3\n" /* 4 */
				   "2 6 4 1 received 3\n"   /* 5: within host 1, the last one */
				   "100 6 4 1 sent 5\n";    /* 6: as well */
	struct sent sent = { 0 };
	const struct hd_traffic_actions actions = { .send = keep, .context = &sent };
	struct hd_message m;
	char path[64], spec[256];
	struct hd_traffic *t;

	(void)state;
	write_trace(text, "trace", ",tasks=4", path, spec);
	t = make_traffic(2, spec, "poisson", 0.5, 4);
	assert_int_equal(hd_traffic_waiting(t), 4);
	assert_int_equal(hd_traffic_last_local(t), 20);
	assert_near(hd_traffic_offered(t, 0, 0), 0.5, 1e-12); /* a unit of 10 ticks until 20 */
	assert_true(hd_traffic_next(t, 0, &m));
	assert_int_equal(m.time, 15);
	assert_int_equal(m.to, 1);
	assert_false(hd_traffic_next(t, 0, &(struct hd_message){ 0 }));
	assert_false(hd_traffic_next(t, 1, &(struct hd_message){ 0 }));
	hd_traffic_received(t, 40, &m, &actions);
	assert_int_equal(sent.n, 1);
	assert_sent(&sent, 0, 48, 1, 0, 3);
	assert_int_equal(hd_traffic_waiting(t), 0);
	assert_int_equal(hd_traffic_last_local(t), 149);
	hd_traffic_free(t);
	unlink(path);
}

/* Two instances of three tasks, two to a host. */
static void test_instances(void **state)
{
	static const char text[] = "1 0 1 64\n2 0 2 64\n3 2 1 64 received 1\n";
	static const struct {
		const char *options;
		uint32_t hosts[4]; /* of the two of an instance */
	} places[] = {
		{ ",tasks=2,instances=2", { 0, 1, 2, 3 } },
		{ ",tasks=2,instances=2,place=blocks", { 0, 1, 2, 3 } },
		{ ",tasks=2,instances=2,place=interleaved", { 0, 2, 1, 3 } },
	};
	char path[64], spec[256];
	bool seen[6] = { false };
	struct hd_traffic *t;
	struct hd_message m;

	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct sent sent = { 0 };
		const struct hd_traffic_actions actions = { .send = keep, .context = &sent };

		write_trace(text, "trace", places[i].options, path, spec);
		t = make_traffic(5, spec, "poisson", 0.5, 4);
		for (int instance = 0; instance < 2; instance++) {
			const uint32_t *hosts = &places[i].hosts[2 * instance];

			assert_true(hd_traffic_next(t, hosts[0], &m));
			assert_int_equal(m.time, 2);
			assert_int_equal(m.to, hosts[1]);
			hd_traffic_received(t, 10, &m, &actions);
			assert_sent(&sent, (unsigned)instance, 13, hosts[1], hosts[0], 1);
		}
		hd_traffic_free(t);
		unlink(path);
	}
	write_trace("1 0 1 64\n1 1 2 64\n", "trace", ",instances=2,place=random", path, spec);
	t = make_traffic(6, spec, "poisson", 0.5, 4);
	for (uint32_t host = 0; host < 6; host++)
		if (hd_traffic_next(t, host, &m)) {
			assert_false(seen[host]);
			seen[host] = true;
		}
	assert_int_equal(seen[0] + seen[1] + seen[2] + seen[3] + seen[4] + seen[5], 4);
	hd_traffic_free(t);
	unlink(path);
}

static void test_placement_errors(void **state)
{
	static const struct {
		const char *options, *says;
	} cases[] = {
		{ ",tasks=0", "tasks" },
		{ ",instances=5", "instances: 5 on 4 hosts" },
		{ ",place=spread", "place: 'spread' is none of blocks, interleaved, random" },
		{ ",instances=3", "DESTINATION is no number up to 0" },
		{ ",instances=2", "DESTINATION is no number up to 1" },
	};
	const struct hd_traffic_setting setting = { .n_hosts = 4, .unit_ticks = 1 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char path[64], spec[256];
		struct hd_traffic_phase phase = { spec, "poisson", 1, 1, false, UINT64_MAX, 0, "" };
		struct hd_error err = { 0 };
		struct hd_traffic *t;

		write_trace("1 0 3 1\n", "trace", cases[i].options, path, spec);
		assert_int_not_equal(hd_traffic_new(&setting, &phase, 1, &t, &err), 0);
		assert_hd_says(err, cases[i].says);
		unlink(path);
	}
}

/* The end of its phase cuts off what would be sent later, and replies are nobody's receipt. */
static void test_waiting_in_phases(void **state)
{
	const struct hd_traffic_setting setting = { .n_hosts = 4, .unit_ticks = 1 };
	struct sent sent = { 0 };
	const struct hd_traffic_actions actions = { .send = keep, .context = &sent };
	struct hd_message m, reply;
	char path[64], spec[256];
	const struct hd_traffic_phase phases[] = {
		{ "uniform", "poisson", 0, 1, false, 100, 0, "" },
		{ spec, "poisson", 1, 1, true, 1000, 0, "" },
		{ spec, "poisson", 1, 1, false, UINT64_MAX, 0, "" },
	};
	struct hd_error err = { 0 };
	struct hd_traffic *t;

	(void)state;
	write_trace("10 0 1 64\n50 1 2 64 received 0\n", "trace", "", path, spec);
	assert_hd_ok(hd_traffic_new(&setting, phases, 3, &t, &err), err);
	assert_int_equal(hd_traffic_waiting(t), 2);
	assert_true(hd_traffic_next(t, 0, &m));
	assert_int_equal(m.time, 110);
	assert_true(hd_traffic_reply(t, 960, &m, &reply));
	hd_traffic_received(t, 960, &reply, &actions);
	assert_int_equal(hd_traffic_waiting(t), 2);
	hd_traffic_received(t, 960, &m, &actions); /* at 1010: too late */
	assert_int_equal(hd_traffic_waiting(t), 1);
	assert_int_equal(sent.n, 0);
	assert_true(hd_traffic_next(t, 0, &m));
	assert_int_equal(m.time, 1010);
	hd_traffic_received(t, 1020, &m, &actions);
	assert_int_equal(sent.n, 1);
	assert_int_equal(sent.messages[0].time, 1070);
	assert_string_equal(hd_traffic_class_name(t, sent.messages[0].tag), "all");
	hd_traffic_free(t);
	unlink(path);
}

/* A message that waits for a sending, and one that waits for the receipt of that. */
static void test_vef_receipts(void **state)
{
	static const char text[] = VEF "0 0 1 64 0 10 0\n"
				       "1 1 2 64 2 5 0\n"
				       "2 1 3 64 1 5 1\n";
	struct sent sent = { 0 };
	const struct hd_traffic_actions actions = { .send = keep, .context = &sent };
	struct hd_message m;
	char path[64], spec[256];
	struct hd_traffic *t;

	(void)state;
	write_trace(text, "vef", ",ticks=100", path, spec);
	t = make_traffic(4, spec, "poisson", 0.5, 2);
	assert_true(hd_traffic_next(t, 0, &m));
	assert_false(hd_traffic_next(t, 1, &(struct hd_message){ 0 }));
	hd_traffic_received(t, 7777, &m, &actions);
	assert_int_equal(sent.n, 2);
	assert_sent(&sent, 0, 8277, 1, 2, 1);
	assert_sent(&sent, 1, 8777, 1, 3, 1);
	hd_traffic_free(t);
	unlink(path);
}

static void test_errors(void **state)
{
	static const struct {
		int (*parse)(const char *, const char *, size_t, struct hd_records *,
			     struct hd_error *);
		const char *text;
		unsigned line;
		const char *says;
	} cases[] = {
		{ hd_trace_parse, "1 2 3\n", 1, "BYTES is no number" },
		{ hd_trace_parse, "#\n\n1 4 3 1\n", 3, "SOURCE is no number up to 3" },
		{ hd_trace_parse, "1 0 9 1\n", 1, "DESTINATION is no number up to 3" },
		{ hd_trace_parse, "1 0 1 1 1\n", 1, "neither \"sent N\" nor \"received N\"" },
		{ hd_trace_parse, "-1 0 1 1\n", 1, "TIME is no number" },
		{ hd_trace_parse, "1.5 0 1 1\n", 1, "TIME is no number" },
		{ hd_trace_parse, "1 0 1 1x\n", 1, "BYTES is no number" },
		{ hd_trace_parse, "1 0 1 2147483649\n", 1, "BYTES is no number up to 2147483648" },
		{ hd_trace_parse, "461168601842738791 0 1 1\n", 1, "TIME is no number up to" },
		{ hd_trace_parse, "99999999999999999999 0 1 1\n", 1, "TIME is no number" },
		{ hd_trace_parse, "1 0 1 1 received 0\n", 1, "message 0 does not come before" },
		{ hd_trace_parse, "1 0 1 1\n1 0 1 1 received 0\n", 2, "not receive message 0" },
		{ hd_trace_parse, "1 0 1 1\n1 1 0 1 sent 0\n", 2, "not send message 0" },
		{ hd_trace_parse, "1 0 1 1\n1 1 0 1 received\n", 2, "neither" },
		{ hd_trace_parse, "1 0 1 1\n1 1 0 1 received x\n", 2, "is no number" },
		{ hd_trace_parse, "1 0 1 1\n1 1 0 1 received 0 0\n", 2, "neither" },
		{ hd_trace_parse, "300000000000000000 0 1 1\n300000000000000000 0 1 1 sent 0\n", 2,
		  "TIME is too late" },
		{ hd_vef_parse, "", 0, "VEF3" },
		{ hd_vef_parse, "VEF2 4 3 1 0 0 TRUE\n", 1, "does not begin with VEF3" },
		{ hd_vef_parse, "VEF3 5 3 1 0 0 TRUE\n", 1, "TASKS is no number up to 4" },
		{ hd_vef_parse, "VEF3 0 0 0 0 0 TRUE\n", 1, "no tasks" },
		{ hd_vef_parse, "VEF3 4 3 1 0 0 FALSE\n", 1, "does not end with TRUE" },
		{ hd_vef_parse, "VEF3 4 3 1 0 0 TRUE 1\n", 1, "does not end with TRUE" },
		{ hd_vef_parse, "VEF3 4 3 1 2 0 TRUE\n", 1, "collective operations" },
		{ hd_vef_parse, "VEF3 4 3 1 0 0 TRUE\n", 1, "communicators are missing" },
		{ hd_vef_parse, "VEF3 4 3 1 0 0 TRUE\nC1 0\n", 2, "not the next communicator" },
		{ hd_vef_parse, "VEF3 4 3 1 0 0 TRUE\nC0 0 1 2\n", 2, "lacks tasks" },
		{ hd_vef_parse, "VEF3 4 3 1 0 0 TRUE\nC0 0 1 2 4\n", 2, "TASK is no number" },
		{ hd_vef_parse, VEF "0 0 1 64 0 10\n", 3, "IDDEP is no number" },
		{ hd_vef_parse, VEF "1 0 1 64 0 10 0\n", 3, "ID is not the number" },
		{ hd_vef_parse, VEF "0 0 1 64 0 10 0 0\n", 3, "more than the seven fields" },
		{ hd_vef_parse, VEF "0 0 1 64 4 10 0\n", 3, "KIND is no number up to 3" },
		{ hd_vef_parse, VEF "0 0 1 64 1 10 0\n", 3, "comes later" },
		{ hd_vef_parse, VEF "0 0 1 64 0 10 0\n1 2 1 64 1 5 0\n", 4, "has no part in" },
		{ hd_vef_parse, VEF "G0 0 1 0 64 64 0 1 0\n", 3, "collective operations" },
		{ hd_vef_parse, VEF "0 0 1 64 1 10 G0\n", 3, "IDDEP is no number" },
		{ hd_vef_parse, VEF "0 0 1 64 0 10 0\n", 3, "fewer or more messages" },
		{ hd_vef_parse,
		  VEF "0 0 1 64 0 300000000000000000 0\n1 0 1 64 1 300000000000000000 0\n", 4,
		  "TIME is too late" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_records records;
		struct hd_error err = { 0 };

		hd_records_init(&records, 4, 10, 64);
		if (cases[i].parse("file", cases[i].text, strlen(cases[i].text), &records, &err) !=
		    HD_EPARSE)
			fail_msg("'%s' was read", cases[i].text);
		assert_hd_says(err, cases[i].says);
		assert_string_equal(err.file, "file");
		if (err.line != cases[i].line)
			fail_msg("'%s': line %u", cases[i].text, err.line);
		hd_records_free(&records);
	}
}

static void test_errors_of_files(void **state)
{
	const struct hd_traffic_setting setting = { .n_hosts = 4, .unit_ticks = 1 };
	char path[64], spec[256];
	const struct hd_traffic_phase phase = { spec, "poisson", 1, 4, false, UINT64_MAX, 0, "" };
	struct hd_error err = { 0 };
	struct hd_traffic *t;

	(void)state;
	write_trace("1 2 3\n", "trace", "", path, spec);
	assert_int_equal(hd_traffic_new(&setting, &phase, 1, &t, &err), HD_EPARSE);
	assert_string_equal(err.file, path);
	assert_int_equal(err.line, 1);
	unlink(path);
	assert_int_equal(hd_traffic_new(&setting, &phase, 1, &t, &err), HD_EIO);
	write_trace("", "trace", "", path, spec);
	assert_hd_ok(hd_traffic_new(&setting, &phase, 1, &t, &err), err);
	assert_near(hd_traffic_offered(t, 0, 0), 0, 0);
	hd_traffic_free(t);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_trace_in_a_phase),
		cmocka_unit_test(test_messages_that_wait),
		cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_instances),
		cmocka_unit_test(test_placement_errors),
		cmocka_unit_test(test_waiting_in_phases),
		cmocka_unit_test(test_vef),
		cmocka_unit_test(test_vef_receipts),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_errors_of_files),
	};

	return cmocka_run_group_tests_name("traces", tests, NULL, NULL);
}
