// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Two programs, each behind its exchange, on a wire that loses, repeats and reorders: what the one
 * sends is what the other receives, or the sender is told.
 */
#include <errno.h>

#include "tests/unit/unit.h"
#include "simfabric/umad/exchange.h"
#include "simfabric/umad/rmpp.h"
#include "support/random.h"

#define SECOND    UINT64_C(1000000000)
#define GET_TABLE 0x12
#define MAX_WIRE  4096

struct end {
	struct wire *wire;
	unsigned number;
};

struct wire {
	struct end contexts[2];
	struct hd_exchange ends[2]; /* 0 asks, 1 serves; LIDs 1 and 2 */
	struct hd_packet packets[MAX_WIRE];
	unsigned from[MAX_WIRE];
	unsigned n, carried;
	uint64_t now;
	uint32_t lose, repeat, reorder; /* in a thousand */
	struct hd_random random;
};

static void transmit(void *context, const struct hd_packet *packet)
{
	struct end *end = context;
	struct wire *wire = end->wire;
	unsigned copies = hd_random_below(&wire->random, 1000) < wire->repeat ? 2 : 1;

	if (hd_random_below(&wire->random, 1000) < wire->lose)
		return;
	while (copies--) {
		assert_true(wire->n < MAX_WIRE);
		wire->packets[wire->n] = *packet;
		wire->packets[wire->n].slid = (uint16_t)(1 + end->number);
		wire->from[wire->n++] = end->number;
	}
}

static void carry_one(struct wire *wire)
{
	unsigned at = 0, from;
	struct hd_packet packet;

	if (hd_random_below(&wire->random, 1000) < wire->reorder)
		at = hd_random_below(&wire->random, wire->n < 8 ? wire->n : 8);
	packet = wire->packets[at];
	from = wire->from[at];
	wire->n--;
	memmove(wire->packets + at, wire->packets + at + 1,
		(wire->n - at) * sizeof(*wire->packets));
	memmove(wire->from + at, wire->from + at + 1, (wire->n - at) * sizeof(*wire->from));
	wire->carried++;
	hd_exchange_receive(&wire->ends[!from], &packet, wire->now);
}

/* Carries everything, and lets time pass until nothing is waited for or @until has come. */
static void run(struct wire *wire, uint64_t until)
{
	for (;;) {
		uint64_t next, other;

		while (wire->n)
			carry_one(wire);
		next = hd_exchange_next(&wire->ends[0]);
		other = hd_exchange_next(&wire->ends[1]);
		next = next < other ? next : other;
		if (next > until)
			return;
		wire->now = next;
		hd_exchange_advance(&wire->ends[0], next);
		hd_exchange_advance(&wire->ends[1], next);
	}
}

static struct wire *wire_new(uint64_t seed)
{
	const struct hd_agent asks = { .mad_class = HD_CLASS_SA, .class_version = 2, .rmpp = true };
	const struct hd_agent serves = {
		.mad_class = HD_CLASS_SA,
		.class_version = 2,
		.rmpp = true,
		.methods = { 1 << GET_TABLE | 1 << 0x14 },
	};
	struct wire *wire = calloc(1, sizeof(*wire));

	assert_non_null(wire);
	hd_random_init(&wire->random, seed, 0);
	for (unsigned i = 0; i < 2; i++) {
		wire->contexts[i] = (struct end){ wire, i };
		hd_exchange_init(&wire->ends[i], i, transmit, &wire->contexts[i]);
	}
	assert_int_equal(hd_exchange_register(&wire->ends[0], &asks), 0);
	assert_int_equal(hd_exchange_register(&wire->ends[1], &serves), 0);
	return wire;
}

static void wire_free(struct wire *wire)
{
	hd_exchange_free(&wire->ends[0]);
	hd_exchange_free(&wire->ends[1]);
	free(wire);
}

static void fill(uint8_t *data, uint32_t length, unsigned method, bool rmpp)
{
	memset(data, 0, 56);
	data[0] = 1;
	data[HD_MAD_CLASS] = HD_CLASS_SA;
	data[HD_MAD_CLASS_VERSION] = 2;
	data[HD_MAD_METHOD] = (uint8_t)method;
	hd_put32(data + HD_MAD_TID + 4, 77);
	if (rmpp)
		data[HD_RMPP_FLAGS] = HD_RMPP_FLAG_ACTIVE;
	for (uint32_t i = 56; i < length; i++)
		data[i] = (uint8_t)(i * 31 + i / 251);
}

static int ask(struct wire *wire, const uint8_t *data, uint32_t length, uint32_t timeout_ms,
	       uint32_t retries)
{
	const struct hd_outgoing outgoing = {
		.dlid = 2,
		.dqp = 1,
		.data = data,
		.length = length,
		.timeout_ms = timeout_ms,
		.retries = retries,
	};

	return hd_exchange_send(&wire->ends[0], &outgoing, wire->now);
}

/* Takes the request that arrived and answers with @length bytes. */
static void serve(struct wire *wire, uint32_t length)
{
	struct hd_umad_message *request = hd_exchange_take(&wire->ends[1]);
	uint8_t *data = malloc(length);
	struct hd_outgoing outgoing = {
		.dlid = 1,
		.dqp = 1,
		.data = data,
		.length = length,
		.retries = 20,
	};

	assert_non_null(request);
	assert_non_null(data);
	fill(data, length, request->data[HD_MAD_METHOD] | HD_METHOD_RESPONSE, true);
	memcpy(data + HD_MAD_TID, request->data + HD_MAD_TID, 8);
	assert_int_equal(hd_exchange_send(&wire->ends[1], &outgoing, wire->now), 0);
	hd_umad_message_free(&wire->ends[1], request);
	free(data);
}

/* A table query, answered with @length bytes, on a wire as bad as it is. */
static void query(struct wire *wire, uint32_t length)
{
	uint8_t request[HD_MAD_SIZE], *wanted = malloc(length);
	struct hd_umad_message *answer;

	assert_non_null(wanted);
	fill(request, sizeof(request), GET_TABLE, false);
	fill(wanted, length, GET_TABLE | HD_METHOD_RESPONSE, true);
	assert_int_equal(ask(wire, request, sizeof(request), 100000, 50), 0);
	while (!wire->ends[1].ready) {
		uint64_t next = hd_exchange_next(&wire->ends[0]);

		while (wire->n && !wire->ends[1].ready)
			carry_one(wire);
		if (!wire->ends[1].ready) {
			wire->now = next;
			hd_exchange_advance(&wire->ends[0], next);
		}
	}
	serve(wire, length);
	run(wire, wire->now + 90 * SECOND);
	answer = hd_exchange_take(&wire->ends[0]);
	assert_non_null(answer);
	assert_int_equal(answer->status, 0);
	assert_int_equal(answer->length, length);
	assert_memory_equal(answer->data + 56, wanted + 56, length - 56);
	assert_int_equal(answer->lid, 2);
	hd_umad_message_free(&wire->ends[0], answer);
	/* repeated requests may have come meanwhile; the server's send is over either way */
	assert_null(hd_exchange_take(&wire->ends[0]));
	while ((answer = hd_exchange_take(&wire->ends[1]))) {
		assert_int_equal(answer->status, 0);
		hd_umad_message_free(&wire->ends[1], answer);
	}
	free(wanted);
}

/* Every length around the borders of segments, and of windows. */
static void test_lengths(void **state)
{
	static const uint32_t lengths[] = { 56,  57,   255,  256,   257,   455,   456,   457,
					    656, 1000, 9999, 12855, 12856, 12857, 13056, 100000 };

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		struct wire *wire = wire_new(i);
		uint32_t segments = lengths[i] == 56 ? 1 : (lengths[i] - 57) / 200 + 1;

		query(wire, lengths[i]);
		/*
		 * the request, each segment once, an ACK of the first, of each window, of the last
		 */
		assert_in_range(wire->carried, 1 + segments + 1, 1 + segments + 3 + segments / 64);
		assert_true(wire->now < 11 * SECOND);
		wire_free(wire);
	}
}

/* More answers in segments than are remembered, in no time: none is lost, nobody gives up. */
static void test_many_answers(void **state)
{
	struct wire *wire = wire_new(1);
	uint8_t request[HD_MAD_SIZE];
	struct hd_umad_message *answer;

	fill(request, sizeof(request), GET_TABLE, false);
	for (uint32_t n = 0; n < 20000; n++) {
		hd_put32(request + HD_MAD_TID + 4, n);
		assert_int_equal(ask(wire, request, sizeof(request), 1000, 3), 0);
		run(wire, wire->now);
		serve(wire, n % 100 ? 300 : 20000);
		run(wire, wire->now);
		answer = hd_exchange_take(&wire->ends[0]);
		assert_non_null(answer);
		assert_int_equal(answer->status, 0);
		hd_umad_message_free(&wire->ends[0], answer);
		assert_null(hd_exchange_take(&wire->ends[1]));
	}
	wire_free(wire);
}

/* A program may ask with the same ID again at once, and gets the new answer. */
static void test_same_id_again(void **state)
{
	struct wire *wire = wire_new(1);

	for (unsigned n = 0; n < 3; n++) {
		uint64_t before = wire->now;

		query(wire, 300 + 1000 * n);
		wire->now = before;
	}
	wire_free(wire);
}

static void test_bad_wires(void **state)
{
	for (uint64_t seed = 0; seed < 150; seed++) {
		struct wire *wire = wire_new(seed);

		wire->lose = seed % 3 == 0 ? 100 : 0;
		wire->repeat = seed % 5 == 0 ? 300 : 0;
		wire->reorder = seed % 2 == 0 ? 500 : 0;
		query(wire, 20000 + (uint32_t)seed * 37);
		wire_free(wire);
	}
}

/* A message of many segments the other way: a request, which has one segment's answer. */
static void test_long_request(void **state)
{
	struct wire *wire = wire_new(1);
	uint32_t length = 30000;
	uint8_t *data = malloc(length);
	struct hd_umad_message *message;

	assert_non_null(data);
	fill(data, length, 0x14, true);
	assert_int_equal(ask(wire, data, length, 1000, 3), 0);
	while (wire->n)
		carry_one(wire);
	message = wire->ends[1].ready;
	assert_non_null(message);
	assert_int_equal(message->length, length);
	assert_memory_equal(message->data + 56, data + 56, length - 56);
	serve(wire, 100);
	run(wire, wire->now + 60 * SECOND);
	message = hd_exchange_take(&wire->ends[0]);
	assert_non_null(message);
	assert_int_equal(message->status, 0);
	assert_int_equal(message->length, 100);
	hd_umad_message_free(&wire->ends[0], message);
	free(data);
	wire_free(wire);
}

static void test_timeouts(void **state)
{
	struct wire *wire = wire_new(1);
	uint8_t request[HD_MAD_SIZE];
	struct hd_umad_message *message;

	wire->lose = 1000;
	fill(request, sizeof(request), GET_TABLE, false);
	assert_int_equal(ask(wire, request, sizeof(request), 200, 3), 0);
	run(wire, SECOND / 2);
	assert_null(wire->ends[0].ready);
	run(wire, 10 * SECOND);
	assert_int_equal(wire->now, 4 * SECOND / 5); /* once, and three times more */
	message = hd_exchange_take(&wire->ends[0]);
	assert_non_null(message);
	assert_int_equal(message->status, ETIMEDOUT);
	assert_int_equal(hd_get32(message->data + HD_MAD_TID + 4), 77);
	hd_umad_message_free(&wire->ends[0], message);

	/* known to be lost: at once; but not when it was an ACK, which has the same ID */
	assert_int_equal(ask(wire, request, sizeof(request), 200, 1), 0);
	request[HD_MAD_TID + 3] = 1; /* the agent's half of the ID */
	for (unsigned i = 0; i < 2; i++) {
		struct hd_packet packet = { .dlid = 2 };

		assert_null(wire->ends[0].ready);
		memcpy(packet.mad, request, sizeof(request));
		packet.mad[HD_RMPP_FLAGS] = HD_RMPP_FLAG_ACTIVE;
		packet.mad[HD_RMPP_TYPE] = HD_RMPP_ACK;
		hd_exchange_lost(&wire->ends[0], &packet, wire->now);
		packet.mad[HD_RMPP_FLAGS] = packet.mad[HD_RMPP_TYPE] = 0;
		hd_exchange_lost(&wire->ends[0], &packet, wire->now);
	}
	message = hd_exchange_take(&wire->ends[0]);
	assert_non_null(message);
	assert_int_equal(message->status, ETIMEDOUT);
	hd_umad_message_free(&wire->ends[0], message);

	/* a long answer that nobody acknowledges */
	wire->lose = 0;
	assert_int_equal(ask(wire, request, sizeof(request), 200, 0), 0);
	while (wire->n)
		carry_one(wire);
	wire->lose = 1000;
	serve(wire, 10000);
	run(wire, wire->now + 100 * SECOND);
	message = hd_exchange_take(&wire->ends[1]);
	assert_non_null(message);
	assert_int_equal(message->status, ETIMEDOUT);
	hd_umad_message_free(&wire->ends[1], message);
	wire_free(wire);
}

static void test_agents(void **state)
{
	struct wire *wire = wire_new(1);
	struct hd_agent agent = {
		.mad_class = HD_CLASS_SA,
		.class_version = 2,
		.methods = { 1 << GET_TABLE },
	};
	uint8_t request[HD_MAD_SIZE];
	uint64_t methods[2];

	assert_int_equal(hd_exchange_register(&wire->ends[1], &agent), -EPERM);
	agent.methods[0] = 1 << 2;
	assert_int_equal(hd_exchange_register(&wire->ends[1], &agent), 1);
	hd_exchange_methods(&wire->ends[1], HD_CLASS_SA, methods);
	assert_int_equal(methods[0], 1 << GET_TABLE | 1 << 0x14 | 1 << 2);
	fill(request, sizeof(request), 2, false);
	assert_int_equal(ask(wire, request, sizeof(request), 100, 0), 0);
	while (wire->n)
		carry_one(wire);
	assert_int_equal(wire->ends[1].ready->agent, 1);
	assert_int_equal(hd_exchange_unregister(&wire->ends[1], 1), 0);
	assert_int_equal(hd_exchange_unregister(&wire->ends[1], 1), -EINVAL);
	assert_null(wire->ends[1].ready);

	/* an agent that goes takes with it what waits */
	assert_int_equal(hd_exchange_unregister(&wire->ends[0], 0), 0);
	run(wire, 10 * SECOND);
	assert_null(wire->ends[0].ready);
	assert_int_equal(ask(wire, request, sizeof(request), 100, 0), -EINVAL);
	wire_free(wire);
}

static void test_what_is_no_message(void **state)
{
	struct wire *wire = wire_new(1);
	uint8_t data[300];

	fill(data, sizeof(data), GET_TABLE, false);
	assert_int_equal(ask(wire, data, 257, 100, 0), -EINVAL);
	assert_int_equal(ask(wire, data, 35, 100, 0), -EINVAL);
	fill(data, sizeof(data), GET_TABLE, true);
	assert_int_equal(ask(wire, data, 55, 100, 0), -EINVAL);
	assert_int_equal(ask(wire, data, 300, 100, 0), 0);
	wire_free(wire);
}

static uint8_t *segment(uint8_t *mad, uint32_t number, unsigned flags, uint32_t payload)
{
	fill(mad, HD_MAD_SIZE, GET_TABLE, true);
	mad[HD_RMPP_VERSION] = 1;
	mad[HD_RMPP_TYPE] = HD_RMPP_DATA;
	mad[HD_RMPP_FLAGS] |= (uint8_t)flags;
	hd_put32(mad + HD_RMPP_SEGMENT, number);
	hd_put32(mad + HD_RMPP_LENGTH, payload);
	return mad;
}

static enum hd_rmpp_status abort_of(const uint32_t (*segments)[3], unsigned n)
{
	struct hd_rmpp_receive receive;
	struct hd_rmpp_reply reply = { 0 };
	uint8_t mad[HD_MAD_SIZE];

	hd_rmpp_receive_start(&receive, HD_CLASS_SA);
	for (unsigned i = 0; i < n; i++)
		reply = hd_rmpp_receive_segment(
			&receive, segment(mad, segments[i][0], segments[i][1], segments[i][2]));
	hd_rmpp_receive_free(&receive);
	return reply.abort;
}

static void test_contradictions(void **state)
{
	const unsigned first = HD_RMPP_FLAG_FIRST, last = HD_RMPP_FLAG_LAST;
	const uint32_t zero[][3] = { { 0, first, 0 } };
	const uint32_t not_first[][3] = { { 1, 0, 0 } };
	const uint32_t first_again[][3] = { { 1, first, 0 }, { 2, first, 0 } };
	const uint32_t beyond[][3] = { { 1, first, 0 }, { 3, last, 30 }, { 4, 0, 0 } };
	const uint32_t two_ends[][3] = { { 1, first, 0 }, { 4, last, 30 }, { 3, last, 30 } };
	const uint32_t end_before[][3] = { { 1, first, 0 }, { 4, 0, 30 }, { 3, last, 30 } };

	assert_int_equal(abort_of(zero, 1), HD_RMPP_BAD_FIRST);
	assert_int_equal(abort_of(not_first, 1), HD_RMPP_BAD_FIRST);
	assert_int_equal(abort_of(first_again, 2), HD_RMPP_BAD_FIRST);
	assert_int_equal(abort_of(beyond, 3), HD_RMPP_BAD_LAST);
	assert_int_equal(abort_of(two_ends, 3), HD_RMPP_BAD_LAST);
	assert_int_equal(abort_of(end_before, 3), HD_RMPP_BAD_LAST);
}

/* A sender that does not wait for the first ACK: its second segment is no message. */
static void test_second_segment_first(void **state)
{
	const uint32_t offset = hd_rmpp_data_offset(HD_CLASS_SA);
	struct hd_rmpp_receive receive;
	struct hd_rmpp_reply reply;
	uint8_t mad[HD_MAD_SIZE];

	(void)state;
	hd_rmpp_receive_start(&receive, HD_CLASS_SA);
	reply = hd_rmpp_receive_segment(&receive, segment(mad, 2, 0, 0));
	assert_false(reply.complete);
	reply = hd_rmpp_receive_segment(&receive, segment(mad, 1, HD_RMPP_FLAG_FIRST, 0));
	assert_false(reply.complete);
	reply = hd_rmpp_receive_segment(
		&receive, segment(mad, 3, HD_RMPP_FLAG_LAST, offset - HD_RMPP_PAYLOAD + 30));
	assert_true(reply.complete);
	assert_int_equal(receive.length, HD_MAD_SIZE + (HD_MAD_SIZE - offset) + 30);
	hd_rmpp_receive_free(&receive);
}

/* A message that is longer than an int, in which umad_recv() says the length, is not taken. */
static void test_longer_than_int(void **state)
{
	struct hd_rmpp_receive receive;
	struct hd_rmpp_reply reply;
	uint8_t mad[HD_MAD_SIZE];

	(void)state;
	hd_rmpp_receive_start(&receive, HD_CLASS_SA);
	receive.received = receive.acknowledged = INT32_MAX / (HD_MAD_SIZE - receive.offset);
	receive.window = receive.received + 1;
	receive.size = UINT32_MAX; /* as if there were room */
	reply = hd_rmpp_receive_segment(&receive, segment(mad, receive.received + 1, 0, 0));
	assert_int_equal(reply.abort, HD_RMPP_RESOURCES);
}

static void test_bad_acks(void **state)
{
	static const struct {
		uint32_t segment, window;
		uint8_t status;
		enum hd_rmpp_verdict verdict;
		enum hd_rmpp_status abort;
	} cases[] = {
		{ 2, 1, 0, HD_RMPP_FAILED, HD_RMPP_WINDOW_TOO_SMALL },
		{ 6, 70, 0, HD_RMPP_FAILED, HD_RMPP_SEGMENT_TOO_BIG },
		{ 1, 65, 9, HD_RMPP_FAILED, HD_RMPP_BAD_STATUS },
		{ 0, 0, 0, HD_RMPP_IGNORE, HD_RMPP_NORMAL },
		{ 1, 65, 0, HD_RMPP_GO_ON, HD_RMPP_NORMAL },
		{ 5, 69, 0, HD_RMPP_DONE, HD_RMPP_NORMAL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint8_t data[1000], mad[HD_MAD_SIZE], ack[HD_MAD_SIZE];
		enum hd_rmpp_status status;
		struct hd_rmpp_send send;

		fill(data, sizeof(data), GET_TABLE, true);
		assert_true(hd_rmpp_send_start(&send, data, sizeof(data)));
		assert_int_equal(send.n_segments, 5);
		assert_true(hd_rmpp_send_next(&send, mad));
		assert_false(hd_rmpp_send_next(&send, mad));
		hd_rmpp_answer(mad, HD_RMPP_ACK, cases[i].status, cases[i].segment, cases[i].window,
			       ack);
		assert_int_equal(hd_rmpp_send_acknowledge(&send, ack, &status), cases[i].verdict);
		assert_int_equal(status, cases[i].abort);
		hd_rmpp_send_free(&send);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lengths),         cmocka_unit_test(test_many_answers),
		cmocka_unit_test(test_same_id_again),   cmocka_unit_test(test_bad_wires),
		cmocka_unit_test(test_long_request),    cmocka_unit_test(test_timeouts),
		cmocka_unit_test(test_agents),          cmocka_unit_test(test_what_is_no_message),
		cmocka_unit_test(test_contradictions),  cmocka_unit_test(test_bad_acks),
		cmocka_unit_test(test_longer_than_int), cmocka_unit_test(test_second_segment_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
