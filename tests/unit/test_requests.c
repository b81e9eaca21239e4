// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Requests from client to client: each ends once, whatever is lost, stopped or dead. */
#include "tests/unit/unit.h"

#include "simfabric/emulator/mad_faults.h"
#include "simfabric/emulator/transactions.h"
#include "support/random.h"
#include "tests/unit/clients_case.h"

#define SPEC   "dragonfly:a=4,p=2,h=2"
#define SECOND UINT64_C(1000000000)

/* Asks the subnet manager at the other host of the first switch, or (@hops 0) at the own one. */
static struct hd_packet ask_manager(unsigned hops, unsigned host, uint64_t id)
{
	struct hd_packet packet = own_smp(HD_METHOD_GET, HD_ATTRIBUTE_SM_INFO, id);

	packet.mad[HD_SMP_HOP_COUNT] = (uint8_t)hops;
	packet.mad[HD_SMP_INITIAL_PATH + 1] = 1;
	packet.mad[HD_SMP_INITIAL_PATH + 2] = (uint8_t)(host + 1);
	return packet;
}

static struct hd_packet answer_to(const struct hd_packet *request)
{
	struct hd_packet packet = *request;

	packet.mad[HD_MAD_METHOD] |= HD_METHOD_RESPONSE;
	hd_put16(packet.mad + HD_MAD_STATUS, HD_SMP_DIRECTION);
	return packet;
}

/* A client that asks, and a subnet manager that has the request. */
struct pair {
	struct clients_case c;
	struct inbox asker, manager;
	struct hd_packet ask, answer;
};

static void pair_new(struct pair *p, bool timed)
{
	clients_case_new(&p->c, SPEC);
	(timed ? inbox_attach_timed : inbox_attach)(&p->c, &p->asker, host_port(&p->c, 0));
	inbox_attach(&p->c, &p->manager, host_port(&p->c, 1));
	hd_clients_set_issm(p->c.clients, p->manager.id, true);
	p->ask = ask_manager(2, 1, 77);
	hd_clients_send(p->c.clients, p->asker.id, &p->ask);
	assert_int_equal(p->manager.n_delivered, 1);
	p->answer = answer_to(&p->manager.delivered);
}

/* Time passes in turns: deadlines of one turn end in the next, when sockets have been read. */
static void let_pass(struct pair *p, uint64_t ns)
{
	hd_emulator_advance(p->c.emulator, p->c.emulator->now + ns);
	hd_emulator_advance(p->c.emulator, p->c.emulator->now + 1);
}

static void assert_ends(const struct pair *p, unsigned delivered, unsigned lost)
{
	assert_int_equal(p->asker.n_delivered, delivered);
	assert_int_equal(p->asker.n_lost, lost);
}

static void test_an_answer_arrives(void **state)
{
	struct pair p;

	(void)state;
	pair_new(&p, true);
	let_pass(&p, INBOX_TIMEOUT_NS - 2);
	hd_clients_send(p.c.clients, p.manager.id, &p.answer);
	assert_ends(&p, 1, 0);
	let_pass(&p, 2 * INBOX_TIMEOUT_NS);
	assert_ends(&p, 1, 0);
	clients_case_free(&p.c);
}

static void test_an_answer_is_lost(void **state)
{
	struct hd_error err;
	struct pair p;

	(void)state;
	for (int timed = 0; timed < 2; timed++) {
		pair_new(&p, timed);
		assert_hd_ok(hd_fault_drop(p.c.emulator, host_port(&p.c, 1), 1, &err), err);
		hd_clients_send(p.c.clients, p.manager.id, &p.answer);
		assert_ends(&p, 0, 1);
		assert_memory_equal(p.asker.lost.mad, p.ask.mad, HD_MAD_SIZE);
		/* an answer that comes a second time has nobody */
		assert_hd_ok(hd_fault_drop(p.c.emulator, host_port(&p.c, 1), 0, &err), err);
		hd_clients_send(p.c.clients, p.manager.id, &p.answer);
		let_pass(&p, 2 * INBOX_TIMEOUT_NS);
		assert_ends(&p, 0, 1);
		clients_case_free(&p.c);
	}
}

static void test_nobody_answers(void **state)
{
	struct pair p;

	(void)state;
	pair_new(&p, true);
	let_pass(&p, INBOX_TIMEOUT_NS - 2);
	assert_ends(&p, 0, 0);
	let_pass(&p, 2);
	assert_ends(&p, 0, 1);
	assert_memory_equal(p.asker.lost.mad, p.ask.mad, HD_MAD_SIZE);
	/* too late */
	hd_clients_send(p.c.clients, p.manager.id, &p.answer);
	let_pass(&p, 2 * INBOX_TIMEOUT_NS);
	assert_ends(&p, 0, 1);
	clients_case_free(&p.c);
}

/* What this program finds in sockets after a pause of its own is in time. */
static void test_an_answer_that_waited_in_a_socket(void **state)
{
	struct pair p;

	(void)state;
	pair_new(&p, true);
	hd_emulator_advance(p.c.emulator, p.c.emulator->now + 100 * SECOND);
	hd_clients_send(p.c.clients, p.manager.id, &p.answer);
	assert_ends(&p, 1, 0);
	let_pass(&p, 2 * INBOX_TIMEOUT_NS);
	assert_ends(&p, 1, 0);
	clients_case_free(&p.c);
}

static void test_a_client_that_keeps_time_itself(void **state)
{
	struct pair p;

	(void)state;
	pair_new(&p, false);
	let_pass(&p, 100 * SECOND);
	hd_clients_send(p.c.clients, p.manager.id, &p.answer);
	assert_ends(&p, 1, 0);
	clients_case_free(&p.c);
}

static void test_who_has_the_request_dies(void **state)
{
	struct pair p;

	(void)state;
	for (int timed = 0; timed < 2; timed++) {
		pair_new(&p, timed);
		hd_clients_detach(p.c.clients, p.manager.id);
		assert_ends(&p, 0, 1);
		assert_memory_equal(p.asker.lost.mad, p.ask.mad, HD_MAD_SIZE);
		let_pass(&p, 2 * INBOX_TIMEOUT_NS);
		assert_ends(&p, 0, 1);
		clients_case_free(&p.c);
	}
}

static void test_who_asked_dies(void **state)
{
	struct inbox other;
	struct pair p;

	(void)state;
	pair_new(&p, true);
	hd_clients_detach(p.c.clients, p.asker.id);
	/* with the same number */
	inbox_attach_timed(&p.c, &other, host_port(&p.c, 0));
	assert_int_equal(other.id, p.asker.id);
	let_pass(&p, 2 * INBOX_TIMEOUT_NS);
	hd_clients_send(p.c.clients, p.manager.id, &p.answer);
	assert_ends(&p, 0, 0);
	assert_int_equal(other.n_delivered + other.n_lost, 0);
	clients_case_free(&p.c);
}

/* A repetition is the same request: it has a deadline of its own, and one answer is enough. */
static void test_a_request_is_repeated(void **state)
{
	struct pair p;

	(void)state;
	pair_new(&p, true);
	let_pass(&p, INBOX_TIMEOUT_NS / 2);
	hd_clients_send(p.c.clients, p.asker.id, &p.ask);
	let_pass(&p, INBOX_TIMEOUT_NS * 3 / 4);
	assert_ends(&p, 0, 0);
	hd_clients_send(p.c.clients, p.manager.id, &p.answer);
	hd_clients_send(p.c.clients, p.manager.id, &p.answer);
	let_pass(&p, 2 * INBOX_TIMEOUT_NS);
	assert_ends(&p, 1, 0);
	clients_case_free(&p.c);
}

/*
 * The first of an answer's segments ends the request; who sends them repeats those that are lost.
 */
static void test_segments(void **state)
{
	struct hd_packet ask = { .slid = 7, .dlid = 7, .sqp = 1, .dqp = 1, .origin = HD_NONE };
	struct hd_packet answer;
	struct inbox client, manager;
	struct clients_case c;
	struct pair *p = &(struct pair){ 0 };

	(void)state;
	clients_case_new(&c, SPEC);
	p->c = c;
	c.emulator->ports[host_port(&c, 0)].lid = 7;
	inbox_attach(&c, &manager, host_port(&c, 0));
	hd_clients_set_issm(c.clients, manager.id, true);
	inbox_attach_timed(&c, &client, host_port(&c, 0));
	ask.mad[HD_MAD_BASE_VERSION] = 1;
	ask.mad[HD_MAD_CLASS] = HD_CLASS_SA;
	ask.mad[HD_MAD_CLASS_VERSION] = 2;
	ask.mad[HD_MAD_METHOD] = HD_METHOD_GET_TABLE;
	hd_clients_send(c.clients, client.id, &ask);
	answer = ask;
	answer.mad[HD_MAD_METHOD] |= HD_METHOD_RESPONSE;
	answer.mad[HD_RMPP_TYPE] = HD_RMPP_DATA;
	answer.mad[HD_RMPP_FLAGS] = HD_RMPP_FLAG_ACTIVE | HD_RMPP_FLAG_FIRST;
	hd_put32(answer.mad + HD_RMPP_SEGMENT, 1);
	hd_clients_send(c.clients, manager.id, &answer);
	let_pass(p, 2 * INBOX_TIMEOUT_NS);
	assert_int_equal(client.n_delivered, 1);
	assert_int_equal(client.n_lost, 0);
	hd_put32(answer.mad + HD_RMPP_SEGMENT, 2);
	answer.dlid = 9;
	hd_clients_send(c.clients, manager.id, &answer);
	hd_clients_detach(c.clients, manager.id);
	assert_int_equal(client.n_lost, 0);
	clients_case_free(&c);
}

/* Of a trap the answer is a TrapRepress. */
static void test_traps(void **state)
{
	enum { REPRESSED, REPRESS_LOST, LOST, NOT_HEARD, N };
	struct pair *p = &(struct pair){ 0 };
	struct inbox *client = &p->asker, *manager = &p->manager;

	(void)state;
	for (unsigned fate = 0; fate < N; fate++) {
		struct hd_packet trap = own_smp(HD_METHOD_TRAP, HD_ATTRIBUTE_NOTICE, 77), repress;
		uint32_t port;

		clients_case_new(&p->c, SPEC);
		port = host_port(&p->c, 0);
		p->c.emulator->ports[port].lid = 7;
		inbox_attach_timed(&p->c, client, port);
		inbox_attach(&p->c, manager, port);
		if (fate != LOST)
			hd_clients_set_issm(p->c.clients, manager->id, true);
		trap.mad[HD_MAD_CLASS] = HD_CLASS_SMI;
		trap.dlid = trap.slid = 7;
		hd_clients_send(p->c.clients, client->id, &trap);
		repress = trap;
		repress.mad[HD_MAD_METHOD] = HD_METHOD_TRAP_REPRESS;
		if (fate == REPRESS_LOST)
			repress.dlid = 9;
		if (fate <= REPRESS_LOST) {
			assert_int_equal(manager->n_delivered, 1);
			hd_clients_send(p->c.clients, manager->id, &repress);
			assert_ends(p, fate == REPRESSED, fate == REPRESS_LOST);
		}
		let_pass(p, 2 * INBOX_TIMEOUT_NS);
		assert_ends(p, fate == REPRESSED, fate != REPRESSED);
		repress.dlid = 7;
		hd_clients_send(p->c.clients, manager->id, &repress);
		assert_ends(p, fate == REPRESSED, fate != REPRESSED);
		clients_case_free(&p->c);
	}
}

static void test_too_many_requests(void **state)
{
	enum { BEYOND = 10 };
	struct pair p;

	(void)state;
	pair_new(&p, true);
	for (uint64_t id = 100; id < 100 + HD_TRANSACTIONS_MAX + BEYOND - 1; id++) {
		p.ask = ask_manager(2, 1, id);
		hd_clients_send(p.c.clients, p.asker.id, &p.ask);
	}
	assert_ends(&p, 0, BEYOND);
	assert_int_equal(hd_get64(p.asker.lost.mad + HD_MAD_TID), 100 + BEYOND - 2);
	/* of one that was given up the answer comes too late */
	hd_clients_send(p.c.clients, p.manager.id, &p.answer);
	assert_ends(&p, 0, BEYOND);
	let_pass(&p, INBOX_TIMEOUT_NS);
	assert_ends(&p, 0, HD_TRANSACTIONS_MAX + BEYOND);
	clients_case_free(&p.c);
}

/* A request that is given up while the fabric delays it is not told again when it is lost then. */
static void test_given_up_on_its_way(void **state)
{
	struct hd_error err;
	struct pair p;

	(void)state;
	pair_new(&p, true);
	hd_clients_send(p.c.clients, p.manager.id, &p.answer);
	assert_ends(&p, 1, 0);
	assert_hd_ok(hd_fault_delay(p.c.emulator, SECOND, &err), err);
	p.ask = ask_manager(2, 1, 99);
	hd_clients_send(p.c.clients, p.asker.id, &p.ask);
	assert_hd_ok(hd_fault_delay(p.c.emulator, 0, &err), err);
	for (uint64_t id = 100; id < 100 + HD_TRANSACTIONS_MAX; id++) {
		p.ask = ask_manager(2, 1, id);
		hd_clients_send(p.c.clients, p.asker.id, &p.ask);
	}
	assert_ends(&p, 1, 1);
	assert_int_equal(hd_get64(p.asker.lost.mad + HD_MAD_TID), 99);
	hd_clients_detach(p.c.clients, p.manager.id);
	assert_ends(&p, 1, 1 + HD_TRANSACTIONS_MAX);
	let_pass(&p, SECOND);
	assert_ends(&p, 1, 1 + HD_TRANSACTIONS_MAX);
	clients_case_free(&p.c);
}

/* Random lives: six clients at two hosts, of which some are managers; faults, delays, deaths. */
enum { N_CLIENTS = 6, N_REQUESTS = 400, N_HELD = 64 };

struct life {
	struct clients_case c;
	struct hd_random random;
	struct player {
		struct life *of;
		uint32_t id; /* HD_NONE: not there */
		unsigned host;
		struct hd_packet held[N_HELD]; /* requests that it has not answered */
		unsigned n_held;
	} players[N_CLIENTS];
	unsigned ends[N_REQUESTS]; /* by transaction ID */
	bool orphan[N_REQUESTS];   /* who asked is gone */
	uint32_t sender[N_REQUESTS];
	unsigned n, answers, losses;
};

static bool life_deliver(void *context, const struct hd_packet *packet)
{
	struct player *player = context;
	uint64_t id = hd_get64(packet->mad + HD_MAD_TID);

	if (packet->mad[HD_MAD_METHOD] & HD_METHOD_RESPONSE) {
		player->of->ends[id]++;
		player->of->answers++;
		assert_int_equal(player->of->sender[id], player - player->of->players);
		return true;
	}
	if (packet->mad[HD_MAD_METHOD] != HD_METHOD_GET)
		return true; /* a trap */
	if (player->n_held == N_HELD)
		return false;
	player->held[player->n_held++] = *packet;
	return true;
}

static void life_lost(void *context, const struct hd_packet *packet)
{
	struct player *player = context;
	uint64_t id = hd_get64(packet->mad + HD_MAD_TID);

	player->of->ends[id]++;
	player->of->losses++;
	assert_int_equal(player->of->sender[id], player - player->of->players);
}

static const struct hd_carrier life_carrier = { .deliver = life_deliver,
						.lost = life_lost,
						.timeout_ns = INBOX_TIMEOUT_NS };

static void life_come(struct life *life, struct player *player)
{
	struct hd_error err;

	player->n_held = 0;
	assert_hd_ok(hd_clients_attach(life->c.clients, host_port(&life->c, player->host),
				       &life_carrier, player, 0, &player->id, &err),
		     err);
	hd_clients_set_issm(life->c.clients, player->id, hd_random_below(&life->random, 2));
}

static void life_go(struct life *life, struct player *player)
{
	for (unsigned i = 0; i < life->n; i++)
		if (life->sender[i] == player - life->players && !life->ends[i])
			life->orphan[i] = true;
	hd_clients_detach(life->c.clients, player->id);
	player->id = HD_NONE;
}

static void life_ask(struct life *life, struct player *player)
{
	struct hd_packet packet =
		ask_manager(2 * hd_random_below(&life->random, 2), 1 - player->host, life->n);

	life->sender[life->n++] = (uint32_t)(player - life->players);
	hd_clients_send(life->c.clients, player->id, &packet);
}

static void life_answer(struct life *life, struct player *player)
{
	struct hd_packet answer;
	unsigned which;

	if (!player->n_held)
		return;
	which = hd_random_below(&life->random, player->n_held);
	answer = answer_to(&player->held[which]);
	/* now and then it answers twice */
	if (hd_random_below(&life->random, 8))
		player->held[which] = player->held[--player->n_held];
	hd_clients_send(life->c.clients, player->id, &answer);
}

static void life_step(struct life *life)
{
	struct player *player = &life->players[hd_random_below(&life->random, N_CLIENTS)];
	struct hd_error err;

	switch (hd_random_below(&life->random, 16)) {
	case 0:
		(player->id == HD_NONE ? life_come : life_go)(life, player);
		break;
	case 1:
		assert_hd_ok(hd_fault_drop(life->c.emulator, host_port(&life->c, player->host),
					   hd_random_below(&life->random, 3) / 4., &err),
			     err);
		break;
	case 2:
		assert_hd_ok(hd_fault_delay(life->c.emulator,
					    hd_random_below(&life->random, 2) * SECOND, &err),
			     err);
		break;
	case 3:
	case 4:
		hd_emulator_advance(life->c.emulator,
				    life->c.emulator->now +
					    hd_random_below(&life->random, 1000) * SECOND / 1000);
		break;
	case 5:
	case 6:
	case 7:
	case 8:
	case 9:
		if (player->id != HD_NONE)
			life_answer(life, player);
		break;
	default:
		if (player->id != HD_NONE)
			life_ask(life, player);
	}
}

static void test_random_lives(void **state)
{
	static struct life life;
	unsigned answers = 0, losses = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= (HD_IS_SLOW ? 40 : 200); seed++) {
		life = (struct life){ 0 };
		hd_random_init(&life.random, seed, 0);
		clients_case_new(&life.c, SPEC);
		for (unsigned i = 0; i < N_CLIENTS; i++) {
			life.players[i].of = &life;
			life.players[i].host = i % 2;
			life_come(&life, &life.players[i]);
		}
		while (life.n < N_REQUESTS)
			life_step(&life);
		for (int turn = 0; turn < 3; turn++)
			hd_emulator_advance(life.c.emulator,
					    life.c.emulator->now + 2 * INBOX_TIMEOUT_NS);
		for (unsigned i = 0; i < N_REQUESTS; i++)
			if (life.ends[i] != !life.orphan[i])
				fail_msg("seed %u: request %u ends %u times%s", (unsigned)seed, i,
					 life.ends[i], life.orphan[i] ? " for a dead client" : "");
		answers += life.answers;
		losses += life.losses;
		clients_case_free(&life.c);
	}
	assert_in_range(answers, losses / 8, losses * 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_answer_arrives),
		cmocka_unit_test(test_an_answer_is_lost),
		cmocka_unit_test(test_nobody_answers),
		cmocka_unit_test(test_an_answer_that_waited_in_a_socket),
		cmocka_unit_test(test_a_client_that_keeps_time_itself),
		cmocka_unit_test(test_who_has_the_request_dies),
		cmocka_unit_test(test_who_asked_dies),
		cmocka_unit_test(test_a_request_is_repeated),
		cmocka_unit_test(test_segments),
		cmocka_unit_test(test_traps),
		cmocka_unit_test(test_too_many_requests),
		cmocka_unit_test(test_given_up_on_its_way),
		cmocka_unit_test(test_random_lives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
