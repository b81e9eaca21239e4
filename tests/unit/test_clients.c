// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Who gets a MAD that arrives at a port; the table of transactions behind it. */
#include "tests/unit/unit.h"

#include "simfabric/emulator/transactions.h"
#include "tests/unit/clients_case.h"

#define NODE_INFO 0x0011
#define SPEC      "dragonfly:a=4,p=2,h=2"

static void test_answers_return_to_who_asked(void **state)
{
	struct clients_case c;
	struct inbox inboxes[3];
	struct hd_packet packet = own_smp(HD_METHOD_GET, NODE_INFO, 77);

	(void)state;
	clients_case_new(&c, SPEC);
	for (int i = 0; i < 3; i++)
		inbox_attach(&c, &inboxes[i], host_port(&c, 0));
	hd_clients_send(c.clients, inboxes[1].id, &packet);
	assert_int_equal(inboxes[0].n_delivered, 0);
	assert_int_equal(inboxes[1].n_delivered, 1);
	assert_int_equal(inboxes[2].n_delivered, 0);
	assert_int_equal(hd_get64(inboxes[1].delivered.mad + HD_MAD_TID), 77);
	/* the same number again, from another */
	hd_clients_send(c.clients, inboxes[2].id, &packet);
	assert_int_equal(inboxes[1].n_delivered, 1);
	assert_int_equal(inboxes[2].n_delivered, 1);
	clients_case_free(&c);
}

static void test_lost_requests_are_told(void **state)
{
	struct clients_case c;
	struct inbox inbox;
	struct hd_packet packet = own_smp(HD_METHOD_GET, NODE_INFO, 5);

	(void)state;
	clients_case_new(&c, SPEC);
	inbox_attach(&c, &inbox, host_port(&c, 0));
	/* out of a port that the adapter does not have */
	packet.mad[HD_SMP_HOP_COUNT] = 1;
	packet.mad[HD_SMP_INITIAL_PATH + 1] = 9;
	hd_clients_send(c.clients, inbox.id, &packet);
	assert_int_equal(inbox.n_delivered, 0);
	assert_int_equal(inbox.n_lost, 1);
	assert_memory_equal(inbox.lost.mad, packet.mad, HD_MAD_SIZE);
	/* nobody waits for the answer to a TrapRepress */
	packet.mad[HD_MAD_METHOD] = HD_METHOD_TRAP_REPRESS;
	hd_clients_send(c.clients, inbox.id, &packet);
	assert_int_equal(inbox.n_lost, 1);
	clients_case_free(&c);
}

static struct hd_packet unsolicited(unsigned mad_class, unsigned method)
{
	struct hd_packet packet = own_smp(method, 2, 1);

	packet.mad[HD_MAD_CLASS] = (uint8_t)mad_class;
	return packet;
}

static void test_unsolicited_mads(void **state)
{
	struct clients_case c;
	struct inbox plain, manager, registered;
	struct hd_packet trap = unsolicited(HD_CLASS_SMI, HD_METHOD_TRAP);
	struct hd_packet report = unsolicited(HD_CLASS_SA, HD_METHOD_REPORT);
	struct hd_packet query = unsolicited(HD_CLASS_SA, HD_METHOD_GET);
	uint64_t methods[2] = { UINT64_C(1) << HD_METHOD_TRAP, 0 };
	uint32_t port;
	struct hd_error err;

	(void)state;
	clients_case_new(&c, SPEC);
	port = host_port(&c, 3);
	assert_false(hd_clients_deliver(c.clients, port, &trap));
	inbox_attach(&c, &plain, port);
	assert_false(hd_clients_deliver(c.clients, port, &trap));
	inbox_attach(&c, &manager, port);
	hd_clients_set_issm(c.clients, manager.id, true);
	assert_true(hd_clients_deliver(c.clients, port, &trap));
	assert_true(hd_clients_deliver(c.clients, port, &query));
	assert_int_equal(manager.n_delivered, 2);
	assert_int_equal(plain.n_delivered, 0);
	/* elsewhere nobody is */
	assert_false(hd_clients_deliver(c.clients, host_port(&c, 4), &query));
	/* what the SA reports is for whom it serves */
	assert_true(hd_clients_deliver(c.clients, port, &report));
	assert_int_equal(plain.n_delivered, 1);

	inbox_attach(&c, &registered, port);
	assert_hd_ok(hd_clients_register(c.clients, registered.id, HD_CLASS_SMI, methods, &err),
		     err);
	assert_true(hd_clients_deliver(c.clients, port, &trap));
	assert_int_equal(registered.n_delivered, 1);
	assert_true(hd_clients_deliver(c.clients, port, &query));
	assert_int_equal(manager.n_delivered, 3);
	assert_int_not_equal(hd_clients_register(c.clients, 999, HD_CLASS_SMI, methods, &err), 0);
	clients_case_free(&c);
}

static void test_who_cannot_take_it(void **state)
{
	struct clients_case c;
	struct inbox inbox;
	struct hd_packet trap = unsolicited(HD_CLASS_SMI, HD_METHOD_TRAP);

	(void)state;
	clients_case_new(&c, SPEC);
	inbox_attach(&c, &inbox, host_port(&c, 0));
	hd_clients_set_issm(c.clients, inbox.id, true);
	inbox.full = true;
	assert_false(hd_clients_deliver(c.clients, host_port(&c, 0), &trap));
	clients_case_free(&c);
}

static void count_managed(void *context)
{
	++*(unsigned *)context;
}

static void test_issm(void **state)
{
	struct clients_case c;
	struct inbox a, b;
	unsigned managed = 0;
	uint32_t port;

	(void)state;
	clients_case_new(&c, SPEC);
	port = host_port(&c, 0);
	hd_clients_when_managed(c.clients, count_managed, &managed);
	inbox_attach(&c, &a, port);
	inbox_attach(&c, &b, port);
	assert_false(c.emulator->ports[port].capabilities & 2);
	hd_clients_set_issm(c.clients, a.id, true);
	hd_clients_set_issm(c.clients, b.id, true);
	assert_true(c.emulator->ports[port].capabilities & 2);
	assert_int_equal(managed, 1);
	hd_clients_set_issm(c.clients, a.id, false);
	assert_true(c.emulator->ports[port].capabilities & 2);
	hd_clients_detach(c.clients, b.id);
	assert_false(c.emulator->ports[port].capabilities & 2);
	clients_case_free(&c);
}

static void count_client(void *context, const struct hd_client_info *info)
{
	uint32_t *next = context;

	assert_int_equal(info->id, *next);
	++*next;
}

static void test_a_thousand_clients(void **state)
{
	enum { N = 1000 };
	static struct inbox inboxes[N];
	struct clients_case c;
	struct hd_packet packet = own_smp(HD_METHOD_GET, NODE_INFO, 1);
	uint32_t n = 0;

	(void)state;
	clients_case_new(&c, SPEC);
	for (uint32_t i = 0; i < N; i++) {
		inbox_attach(&c, &inboxes[i], host_port(&c, i % 72));
		assert_int_equal(inboxes[i].id, i);
	}
	hd_clients_each(c.clients, count_client, &n);
	assert_int_equal(n, N);
	for (uint32_t i = 0; i < N; i++)
		hd_clients_send(c.clients, inboxes[i].id, &packet);
	for (uint32_t i = 0; i < N; i++)
		assert_int_equal(inboxes[i].n_delivered, 1);
	/* numbers that are free are given again, the lowest first */
	assert_true(hd_clients_expel(c.clients, 500));
	assert_true(inboxes[500].expelled);
	assert_false(hd_clients_expel(c.clients, 500));
	hd_clients_detach(c.clients, 20);
	assert_int_equal(hd_clients_port(c.clients, 20), HD_NONE);
	inbox_attach(&c, &inboxes[20], host_port(&c, 0));
	assert_int_equal(inboxes[20].id, 20);
	inbox_attach(&c, &inboxes[500], host_port(&c, 0));
	assert_int_equal(inboxes[500].id, 500);
	clients_case_free(&c);
}

static void test_a_number_that_somebody_had_before(void **state)
{
	struct clients_case c;
	struct inbox server, first, second;
	struct hd_packet packet = unsolicited(0x32, HD_METHOD_GET);
	uint32_t port;

	(void)state;
	clients_case_new(&c, SPEC);
	port = host_port(&c, 0);
	c.emulator->ports[port].lid = 7;
	inbox_attach(&c, &server, port);
	inbox_attach(&c, &first, port);
	packet.dlid = 7;
	packet.slid = 7;
	packet.dqp = packet.sqp = 1;
	hd_clients_send(c.clients, first.id, &packet);
	assert_int_equal(server.n_delivered, 1);
	hd_clients_detach(c.clients, first.id);
	inbox_attach(&c, &second, port);
	assert_int_equal(second.id, first.id);
	packet.mad[HD_MAD_METHOD] |= HD_METHOD_RESPONSE;
	hd_clients_send(c.clients, server.id, &packet);
	assert_int_equal(second.n_delivered, 0);
	clients_case_free(&c);
}

static void test_find_port(void **state)
{
	struct clients_case c;
	struct hd_error err;
	uint32_t port;
	char guid[32];

	(void)state;
	clients_case_new(&c, SPEC);
	assert_hd_ok(hd_clients_find_port(c.fabric, "", &port, &err), err);
	assert_int_equal(port, host_port(&c, 0));
	assert_hd_ok(hd_clients_find_port(c.fabric, "H-00003", &port, &err), err);
	assert_int_equal(port, host_port(&c, 3));
	snprintf(guid, sizeof(guid), "0x%llx", (unsigned long long)c.fabric->ports[port].guid);
	assert_hd_ok(hd_clients_find_port(c.fabric, guid, &port, &err), err);
	assert_int_equal(port, host_port(&c, 3));
	assert_hd_ok(hd_clients_find_port(c.fabric, hd_node_name(c.fabric, 1), &port, &err), err);
	assert_int_equal(port, hd_port_index(c.fabric, 1, 0));
	assert_int_equal(hd_clients_find_port(c.fabric, "nobody", &port, &err), HD_ENOTFOUND);
	assert_hd_says(err, "nobody");
	clients_case_free(&c);
}

static bool all_are_there(void *context, const struct hd_transaction *transaction)
{
	(void)context;
	(void)transaction;
	return true;
}

/* All but client *@context. */
static bool one_is_gone(void *context, const struct hd_transaction *transaction)
{
	return transaction->client != *(const uint32_t *)context;
}

static const struct hd_packet request = { .length = HD_MAD_SIZE };

static void count_given_up(void *context, const struct hd_transaction *transaction,
			   const struct hd_packet *packet)
{
	(void)transaction;
	assert_int_equal(packet->length, HD_MAD_SIZE);
	++*(unsigned *)context;
}

static void test_transactions_are_bounded(void **state)
{
	struct hd_transactions *transactions;
	struct hd_transaction found, t = { .port = 3, .client = 1, .mad_class = 4 };
	unsigned given_up = 0;
	struct hd_error err;

	(void)state;
	assert_hd_ok(hd_transactions_new(&transactions, count_given_up, &given_up, &err), err);
	for (t.id = 0; t.id < HD_TRANSACTIONS_MAX + 10; t.id++)
		hd_transactions_add(transactions, &t, &request);
	assert_int_equal(given_up, 10);
	found = t;
	found.id = 9;
	assert_false(
		hd_transactions_answer(transactions, &found, HD_ANSWER_WHOLE, all_are_there, NULL));
	found.id = 10;
	assert_true(
		hd_transactions_answer(transactions, &found, HD_ANSWER_WHOLE, all_are_there, NULL));
	assert_false(
		hd_transactions_answer(transactions, &found, HD_ANSWER_WHOLE, all_are_there, NULL));
	hd_transactions_free(transactions);
}

static void test_equal_transactions_in_order(void **state)
{
	static const struct {
		enum hd_answer_part part;
		uint32_t client;
	} steps[] = {
		{ HD_ANSWER_NONE, 0 },    /* 0, 1, 2 and 3 wait */
		{ HD_ANSWER_FIRST, 0 },   /* so 0 gets an answer in segments, */
		{ HD_ANSWER_FURTHER, 0 }, /* all of them, */
		{ HD_ANSWER_FIRST, 1 },   /* and so does 1 */
		{ HD_ANSWER_FURTHER, 1 }, { HD_ANSWER_WHOLE, 2 }, { HD_ANSWER_FURTHER, 1 },
		{ HD_ANSWER_WHOLE, 3 },   { HD_ANSWER_WHOLE, 1 }, /* again: nobody waits any more */
		{ HD_ANSWER_WHOLE, 0 },
	};
	struct hd_transactions *transactions;
	struct hd_transaction t = { .id = 5, .port = 3, .mad_class = 3 }, found = t;
	unsigned given_up = 0;
	struct hd_error err;

	(void)state;
	assert_hd_ok(hd_transactions_new(&transactions, count_given_up, &given_up, &err), err);
	for (t.client = 0; t.client < 4; t.client++)
		hd_transactions_add(transactions, &t, &request);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		assert_true(hd_transactions_answer(transactions, &found, steps[i].part,
						   all_are_there, NULL));
		if (found.client != steps[i].client)
			fail_msg("step %zu: client %u", i, found.client);
	}
	assert_false(
		hd_transactions_answer(transactions, &found, HD_ANSWER_FIRST, all_are_there, NULL));
	hd_transactions_free(transactions);
}

static void test_transactions_of_the_dead(void **state)
{
	struct hd_transactions *transactions;
	struct hd_transaction t = { .id = 5, .port = 3, .mad_class = 3 }, found = t;
	uint32_t gone = 0;
	unsigned given_up = 0;
	struct hd_error err;

	(void)state;
	assert_hd_ok(hd_transactions_new(&transactions, count_given_up, &given_up, &err), err);
	for (t.client = 0; t.client < 2; t.client++)
		hd_transactions_add(transactions, &t, &request);
	assert_true(
		hd_transactions_answer(transactions, &found, HD_ANSWER_WHOLE, one_is_gone, &gone));
	assert_int_equal(found.client, 1);
	t.client = 0;
	assert_false(hd_transactions_remove(transactions, &t));
	assert_int_equal(given_up, 0);
	assert_false(
		hd_transactions_answer(transactions, &found, HD_ANSWER_WHOLE, all_are_there, NULL));
	hd_transactions_free(transactions);
}

/* What an SA query and its answer look like, of a few segments or none. */
static struct hd_packet sa_mad(unsigned method, uint64_t id, unsigned type, unsigned segment)
{
	struct hd_packet packet = { .slid = 7, .dlid = 7, .sqp = 1, .dqp = 1, .origin = HD_NONE };

	packet.mad[HD_MAD_BASE_VERSION] = 1;
	packet.mad[HD_MAD_CLASS] = HD_CLASS_SA;
	packet.mad[HD_MAD_CLASS_VERSION] = 2;
	packet.mad[HD_MAD_METHOD] = (uint8_t)method;
	hd_put64(packet.mad + HD_MAD_TID, id);
	packet.mad[HD_RMPP_VERSION] = 1;
	packet.mad[HD_RMPP_TYPE] = (uint8_t)type;
	packet.mad[HD_RMPP_FLAGS] = segment ? HD_RMPP_FLAG_ACTIVE : 0;
	hd_put32(packet.mad + HD_RMPP_SEGMENT, segment);
	return packet;
}

/*
 * Programs that one after the other begin with the same IDs each get their answers, as segments
 * too.
 */
static void test_the_next_client_with_the_same_ids(void **state)
{
	struct clients_case c;
	struct inbox server, client, daemon;
	uint32_t port;

	(void)state;
	clients_case_new(&c, SPEC);
	port = host_port(&c, 0);
	c.emulator->ports[port].lid = 7;
	inbox_attach(&c, &server, port);
	hd_clients_set_issm(c.clients, server.id, true);
	inbox_attach(&c, &daemon, port);
	for (unsigned round = 0; round < 4; round++) {
		struct inbox *who = round == 1 ? &daemon : &client;
		struct hd_packet ask = sa_mad(0x12, 4711, HD_RMPP_DATA, 0);

		inbox_attach(&c, &client, port);
		hd_clients_send(c.clients, who->id, &ask);
		for (unsigned segment = 1; segment <= 3; segment++) {
			struct hd_packet answer = sa_mad(0x92, 4711, HD_RMPP_DATA, segment);
			struct hd_packet ack = sa_mad(0x12, 4711, HD_RMPP_ACK, segment);

			hd_clients_send(c.clients, server.id, &answer);
			assert_int_equal(who->n_delivered, segment);
			hd_clients_send(c.clients, who->id, &ack);
		}
		hd_clients_detach(c.clients, client.id);
	}
	clients_case_free(&c);
}

/*
 * What the stock wrapper passes on as programs wrote it: RMPP is asked for, no kernel has made
 * segments. A request is answered, and so is the next client's with the same ID, while the one
 * before waits for more of its answer.
 */
static void test_rmpp_without_a_kernel(void **state)
{
	struct clients_case c;
	struct inbox server, before, client;
	struct hd_packet ask = sa_mad(0x14, 4711, 0, 0), answer = sa_mad(0x94, 4711, 0, 0);
	uint32_t port;

	(void)state;
	ask.mad[HD_RMPP_FLAGS] = HD_RMPP_FLAG_ACTIVE;
	answer.mad[HD_RMPP_FLAGS] = HD_RMPP_FLAG_ACTIVE;
	clients_case_new(&c, SPEC);
	port = host_port(&c, 0);
	c.emulator->ports[port].lid = 7;
	inbox_attach(&c, &server, port);
	hd_clients_set_issm(c.clients, server.id, true);
	inbox_attach(&c, &before, port);
	hd_clients_send(c.clients, before.id, &ask);
	hd_clients_send(c.clients, server.id, &answer);
	assert_int_equal(before.n_delivered, 1);
	inbox_attach(&c, &client, port);
	hd_clients_send(c.clients, client.id, &ask);
	hd_clients_send(c.clients, server.id, &answer);
	assert_int_equal(before.n_delivered, 1);
	assert_int_equal(client.n_delivered, 1);
	clients_case_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers_return_to_who_asked),
		cmocka_unit_test(test_lost_requests_are_told),
		cmocka_unit_test(test_unsolicited_mads),
		cmocka_unit_test(test_who_cannot_take_it),
		cmocka_unit_test(test_issm),
		cmocka_unit_test(test_a_thousand_clients),
		cmocka_unit_test(test_a_number_that_somebody_had_before),
		cmocka_unit_test(test_find_port),
		cmocka_unit_test(test_transactions_are_bounded),
		cmocka_unit_test(test_equal_transactions_in_order),
		cmocka_unit_test(test_transactions_of_the_dead),
		cmocka_unit_test(test_the_next_client_with_the_same_ids),
		cmocka_unit_test(test_rmpp_without_a_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
