// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The rings between a server and its clients: packets pass whole and in order, sleepers are woken,
 * and a client that writes nonsense harms nobody but itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "simfabric/emulator/loop.h"
#include "simfabric/emulator/ring.h"
#include "simfabric/emulator/ring_layout.h"
#include "topologies/topology.h"

/* Part one: the ring by itself. */

#define PACKETS 200000u

struct both_ends {
	struct hd_ring *ring;
	int wake_consumer, wake_producer;
};

static void sleep_on(int fd)
{
	eventfd_t count;

	eventfd_read(fd, &count);
}

static void *produce(void *context)
{
	const struct both_ends *both = context;
	struct hd_ring_end end = { .ring = both->ring, .position = both->ring->written };
	struct hd_packet packet = { 0 };

	end.seen = end.position;
	for (uint32_t i = 0; i < PACKETS; i++) {
		while (!hd_ring_room(&end))
			if (hd_ring_wait_room(&end, 1 + i % (HD_RING_SLOTS / 2)))
				sleep_on(both->wake_producer);
		hd_put32(packet.mad, i);
		hd_put32(packet.mad + 252, ~i);
		if (hd_ring_write(&end, HD_RING_PACKET, &packet))
			eventfd_write(both->wake_consumer, 1);
	}
	return NULL;
}

static void test_threads(void **state)
{
	struct both_ends both = { .ring = aligned_alloc(64, sizeof(struct hd_ring)) };
	struct hd_ring_end end = { .ring = both.ring };
	struct hd_ring_slot slot;
	pthread_t producer;

	assert_non_null(both.ring);
	memset(both.ring, 0, sizeof(*both.ring));
	/* positions run over 2^32 on the way */
	end.position = UINT32_MAX - 1000;
	both.ring->written = both.ring->read = end.position;
	both.wake_consumer = eventfd(0, 0);
	both.wake_producer = eventfd(0, 0);
	assert_int_equal(pthread_create(&producer, NULL, produce, &both), 0);
	for (uint32_t i = 0; i < PACKETS; i++) {
		while (!hd_ring_waiting(&end))
			if (hd_ring_sleep(&end))
				sleep_on(both.wake_consumer);
		hd_ring_read(&end, &slot);
		if (hd_get32(slot.packet.mad) != i || hd_get32(slot.packet.mad + 252) != ~i)
			fail_msg("packet %u is wrong", i);
		if (hd_ring_release(&end))
			eventfd_write(both.wake_producer, 1);
	}
	pthread_join(producer, NULL);
	assert_int_equal(hd_ring_waiting(&end), 0);
	close(both.wake_consumer);
	close(both.wake_producer);
	free(both.ring);
}

static void test_wrong_positions(void **state)
{
	struct hd_ring *ring = aligned_alloc(64, sizeof(*ring));
	struct hd_ring_end producer = { .ring = ring }, consumer = { .ring = ring };
	struct hd_packet packet = { 0 };

	assert_non_null(ring);
	memset(ring, 0, sizeof(*ring));
	assert_int_equal(hd_ring_room(&producer), HD_RING_SLOTS);
	for (uint32_t i = 0; i < HD_RING_SLOTS; i++)
		hd_ring_write(&producer, HD_RING_PACKET, &packet);
	assert_int_equal(hd_ring_room(&producer), 0);
	assert_int_equal(hd_ring_waiting(&consumer), HD_RING_SLOTS);
	ring->read = 1;
	assert_int_equal(hd_ring_room(&producer), 1);
	producer.seen = 0;
	ring->read = HD_RING_SLOTS + 1; /* what was never written was read */
	assert_int_equal(hd_ring_room(&producer), HD_RING_BROKEN);
	assert_false(hd_ring_wait_room(&producer, 1));
	ring->written = HD_RING_SLOTS + 1;
	assert_int_equal(hd_ring_waiting(&consumer), HD_RING_BROKEN);
	assert_false(hd_ring_sleep(&consumer));
	ring->written = UINT32_MAX;
	assert_int_equal(hd_ring_waiting(&consumer), HD_RING_BROKEN);
	free(ring);
}

/* Part two: a server, and clients that say what they like. */

struct fixture {
	struct hd_fabric *fabric;
	struct hd_emulator *emulator;
	struct hd_clients *clients;
	struct hd_access access;
	struct hd_loop *loop;
	struct hd_ring_server *server;
	char name[64];
};

static bool deliver(void *context, uint32_t port, const struct hd_packet *packet)
{
	struct fixture *fixture = context;

	return hd_clients_deliver(fixture->clients, port, packet);
}

static void lost(void *context, const struct hd_packet *packet)
{
	struct fixture *fixture = context;

	hd_clients_lost(fixture->clients, packet);
}

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	const struct hd_emulator_host host = { deliver, lost, fixture };
	struct hd_emulator_options options;
	struct hd_error err = { 0 };

	*state = fixture;
	assert_non_null(fixture);
	hd_emulator_options_init(&options);
	snprintf(fixture->name, sizeof(fixture->name), "test-ring-%d", (int)getpid());
	assert_hd_ok(hd_topology_build("mesh:2x2", &fixture->fabric, &err), err);
	assert_hd_ok(hd_emulator_new(fixture->fabric, &options, &host, &fixture->emulator, &err),
		     err);
	assert_hd_ok(hd_clients_new(fixture->emulator, &fixture->clients, &err), err);
	hd_access_init(&fixture->access);
	assert_hd_ok(hd_loop_new(&fixture->loop, &err), err);
	assert_hd_ok(hd_ring_server_new(fixture->emulator, fixture->clients, &fixture->access,
					fixture->loop, fixture->name, &fixture->server, &err),
		     err);
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	hd_ring_server_free(fixture->server);
	hd_loop_free(fixture->loop);
	hd_access_free(&fixture->access);
	hd_clients_free(fixture->clients);
	hd_emulator_free(fixture->emulator);
	hd_fabric_free(fixture->fabric);
	free(fixture);
	return 0;
}

static void count_turn(void *context, uint32_t events)
{
	++*(unsigned *)context;
}

/* Turns the loop until nothing is left to do. */
static void serve(struct fixture *fixture)
{
	struct pollfd ready = { .fd = hd_loop_fd(fixture->loop), .events = POLLIN };
	unsigned turns = 0;
	const struct hd_watch woken = { .ready = count_turn, .context = &turns };
	struct hd_error err = { 0 };

	while (poll(&ready, 1, 0) == 1 && turns < 1000)
		assert_hd_ok(hd_loop_turn(fixture->loop, 0, &woken, &err), err);
	assert_true(turns < 1000);
}

static void count(void *context, const struct hd_client_info *info)
{
	(*(unsigned *)context)++;
}

static unsigned n_clients(const struct fixture *fixture)
{
	unsigned n = 0;

	hd_clients_each(fixture->clients, count, &n);
	return n;
}

static int connect_to(const struct fixture *fixture)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	int length = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "%s:ring",
			      fixture->name);

	assert_int_equal(
		connect(fd, (struct sockaddr *)&address,
			(socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)),
		0);
	return fd;
}

/* The error that the server answers with; -1: it closes the connection. */
static int ask(struct fixture *fixture, int fd, const struct hd_ring_request *request,
	       struct hd_ring_answer *answer, int files[HD_RING_FILES])
{
	char control[CMSG_SPACE(HD_RING_FILES * sizeof(int))];
	struct iovec data = { answer, sizeof(*answer) };
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};

	assert_int_equal(send(fd, request, sizeof(*request), MSG_NOSIGNAL), sizeof(*request));
	serve(fixture);
	if (recvmsg(fd, &message, MSG_DONTWAIT) != sizeof(*answer))
		return -1;
	if (CMSG_FIRSTHDR(&message) && files)
		memcpy(files, CMSG_DATA(CMSG_FIRSTHDR(&message)), HD_RING_FILES * sizeof(int));
	return (int)answer->error;
}

struct client {
	int fd, files[HD_RING_FILES]; /* the memory, what wakes the server and us */
	struct hd_ring_pair *rings;
	struct hd_ring_end in, out;
	uint32_t number, serial;
};

static void client_open(struct fixture *fixture, struct client *client)
{
	struct hd_ring_request request = { .version = HD_RING_VERSION, .operation = HD_RING_OPEN };
	struct hd_ring_answer answer;

	client->fd = connect_to(fixture);
	assert_int_equal(ask(fixture, client->fd, &request, &answer, client->files), 0);
	client->number = answer.client;
	client->serial = answer.serial;
	client->rings = mmap(NULL, sizeof(*client->rings), PROT_READ | PROT_WRITE, MAP_SHARED,
			     client->files[0], 0);
	assert_ptr_not_equal(client->rings, MAP_FAILED);
	client->in = (struct hd_ring_end){ .ring = &client->rings->to_client };
	client->out = (struct hd_ring_end){ .ring = &client->rings->to_server };
}

static void client_close(struct client *client)
{
	munmap(client->rings, sizeof(*client->rings));
	for (unsigned i = 0; i < HD_RING_FILES; i++)
		close(client->files[i]);
	close(client->fd);
}

static void send_request(struct client *client, unsigned attribute, uint32_t number)
{
	struct hd_packet packet = { .dlid = 0xFFFF };

	packet.mad[HD_MAD_BASE_VERSION] = 1;
	packet.mad[HD_MAD_CLASS] = HD_CLASS_SMI_DIRECT;
	packet.mad[HD_MAD_CLASS_VERSION] = 1;
	packet.mad[HD_MAD_METHOD] = HD_METHOD_GET;
	hd_put64(packet.mad + HD_MAD_TID, number);
	hd_put16(packet.mad + HD_MAD_ATTRIBUTE, (uint16_t)attribute);
	hd_put16(packet.mad + HD_SMP_DR_SLID, 0xFFFF);
	hd_put16(packet.mad + HD_SMP_DR_DLID, 0xFFFF);
	if (hd_ring_write(&client->out, HD_RING_PACKET, &packet))
		eventfd_write(client->files[1], 1);
}

/* Requests of the node itself come back answered, over several turns of the rings. */
static void test_requests(void **state)
{
	struct fixture *fixture = *state;
	struct client client;
	struct hd_ring_slot slot;
	uint32_t number = 0;

	client_open(fixture, &client);
	assert_int_equal(n_clients(fixture), 1);
	for (unsigned round = 0; round < 20; round++) {
		for (unsigned i = 0; i < 200; i++)
			send_request(&client, 0x11, number + i);
		serve(fixture);
		assert_int_equal(hd_ring_waiting(&client.in), 200);
		for (unsigned i = 0; i < 200; i++) {
			hd_ring_read(&client.in, &slot);
			assert_int_equal(slot.kind, HD_RING_PACKET);
			assert_int_equal(hd_mad_method(&slot.packet),
					 HD_METHOD_GET | HD_METHOD_RESPONSE);
			assert_int_equal(hd_get64(slot.packet.mad + HD_MAD_TID), number++);
		}
		hd_ring_release(&client.in);
	}
	client_close(&client);
	serve(fixture);
	assert_int_equal(n_clients(fixture), 0);
}

/* A client that does not read its answers is not served any more, until it does. */
static void test_unread(void **state)
{
	struct fixture *fixture = *state;
	struct client client, other;
	struct hd_ring_slot slot;
	uint32_t sent = 0, got = 0;

	client_open(fixture, &client);
	client_open(fixture, &other);
	while (hd_ring_room(&client.out)) {
		send_request(&client, 0x11, sent++);
		serve(fixture);
	}
	assert_true(sent > HD_RING_SLOTS && sent < 2 * HD_RING_SLOTS);
	send_request(&other, 0x11, 1);
	serve(fixture);
	assert_int_equal(hd_ring_waiting(&other.in), 1);
	while (hd_ring_waiting(&client.in)) {
		hd_ring_read(&client.in, &slot);
		assert_int_equal(hd_get64(slot.packet.mad + HD_MAD_TID), got++);
		if (hd_ring_release(&client.in))
			eventfd_write(client.files[1], 1);
		serve(fixture);
	}
	assert_int_equal(got, sent);
	client_close(&client);
	client_close(&other);
}

static void test_nonsense_in_rings(void **state)
{
	struct fixture *fixture = *state;

	for (unsigned what = 0; what < 4; what++) {
		struct client bad, good;

		client_open(fixture, &bad);
		client_open(fixture, &good);
		send_request(&bad, 0x11, 1);
		if (what == 0)
			bad.rings->to_server.written = HD_RING_SLOTS + 1;
		else if (what == 1)
			bad.rings->to_server.written = UINT32_MAX;
		else
			/* found when the server runs out of the room that it knows of */
			for (unsigned i = 0; i < 2 * HD_RING_SLOTS && n_clients(fixture) == 2;
			     i++) {
				bad.rings->to_client.read = what == 2 ? 1u << 31 : UINT32_MAX;
				send_request(&bad, 0x11, 1);
				eventfd_write(bad.files[1], 1);
				serve(fixture);
			}
		eventfd_write(bad.files[1], 1);
		serve(fixture);
		assert_int_equal(n_clients(fixture), 1);
		send_request(&good, 0x11, 1);
		serve(fixture);
		assert_int_equal(hd_ring_waiting(&good.in), 1);
		/* the memory of the rings cannot be taken from under the server */
		assert_int_equal(ftruncate(good.files[0], 0), -1);
		client_close(&bad);
		client_close(&good);
		serve(fixture);
	}
}

/* Whatever a client does to the files that it was given, the server does not wait for it. */
static void test_full_wake_up_files(void **state)
{
	struct fixture *fixture = *state;
	const struct hd_packet packet = { .dlid = 0xFFFF };
	struct client bad, good;

	client_open(fixture, &bad);
	client_open(fixture, &good);
	/* a server that waits for one of them is ended by this */
	alarm(20);
	for (unsigned round = 0; round < HD_RING_SLOTS / 2; round++) {
		send_request(&bad, 0x11, round);
		serve(fixture);
		/* never emptied: the server's wakes fill it */
		hd_ring_sleep(&bad.in);
	}
	for (unsigned i = 1; i < HD_RING_FILES; i++) {
		uint64_t many =
			UINT64_MAX - 1; /* what fills an eventfd at once, a socket in time */

		assert_int_equal(fcntl(bad.files[i], F_SETFL, O_NONBLOCK), 0);
		while (write(bad.files[i], &many, sizeof(many)) > 0)
			;
		assert_int_equal(fcntl(bad.files[i], F_SETFL, 0), 0);
		hd_ring_write(&bad.out, HD_RING_PACKET, &packet);
		serve(fixture);
	}
	send_request(&good, 0x11, 1);
	serve(fixture);
	assert_int_equal(hd_ring_waiting(&good.in), 1);
	alarm(0);
	client_close(&bad);
	client_close(&good);
	serve(fixture);
	assert_int_equal(n_clients(fixture), 0);
}

/* A client that dies with a full ring is gone, and what it asked does no harm. */
static void test_dies_in_the_middle(void **state)
{
	struct fixture *fixture = *state;

	for (unsigned what = 0; what < 2; what++) {
		struct client bad, good;

		client_open(fixture, &bad);
		client_open(fixture, &good);
		for (unsigned i = 0; i < (what ? HD_RING_SLOTS : 1); i++)
			send_request(&bad, 0x11, i);
		bad.rings->to_server.slots[0].kind = UINT32_MAX; /* half written */
		close(bad.fd);
		serve(fixture);
		assert_int_equal(n_clients(fixture), 1);
		send_request(&good, 0x11, 1);
		serve(fixture);
		assert_int_equal(hd_ring_waiting(&good.in), 1);
		munmap(bad.rings, sizeof(*bad.rings));
		for (unsigned i = 0; i < HD_RING_FILES; i++)
			close(bad.files[i]);
		client_close(&good);
		serve(fixture);
		assert_int_equal(n_clients(fixture), 0);
	}
}

/* Transaction IDs of a client are not those of one that had its number before. */
static void test_serials(void **state)
{
	struct fixture *fixture = *state;
	struct client first, second;

	client_open(fixture, &first);
	client_close(&first);
	serve(fixture);
	client_open(fixture, &second);
	assert_int_equal(second.number, first.number);
	assert_int_not_equal(second.serial, first.serial);
	client_close(&second);
	serve(fixture);
}

/* More wakes than the socket holds, from a client that keeps to the rules. */
static void test_many_wakes(void **state)
{
	struct fixture *fixture = *state;
	struct client client;
	struct hd_ring_slot slot;

	client_open(fixture, &client);
	for (unsigned round = 0; round < 5000; round++) {
		send_request(&client, 0x11, round);
		eventfd_write(client.files[1], 1); /* one too many */
		serve(fixture);
		assert_int_equal(hd_ring_waiting(&client.in), 1);
		hd_ring_read(&client.in, &slot);
		hd_ring_release(&client.in);
		if (round % 2) {
			hd_ring_sleep(&client.in);
			hd_ring_woken(client.files[2]);
		}
	}
	client_close(&client);
	serve(fixture);
}

static void test_clients_per_user(void **state)
{
	struct fixture *fixture = *state;
	struct client clients[3];
	char byte;
	int fd;

	fixture->access.per_user = 3;
	for (unsigned i = 0; i < 3; i++)
		client_open(fixture, &clients[i]);
	fd = connect_to(fixture);
	serve(fixture);
	assert_int_equal(recv(fd, &byte, 1, MSG_DONTWAIT), 0);
	close(fd);
	client_close(&clients[0]);
	serve(fixture);
	client_open(fixture, &clients[0]);
	for (unsigned i = 0; i < 3; i++)
		client_close(&clients[i]);
	serve(fixture);
}

/* Who connects and wants nothing is let go; clients and holders of IsSM stay. */
static void test_idle_connections(void **state)
{
	struct fixture *fixture = *state;
	struct hd_ring_request request = { .version = HD_RING_VERSION, .operation = HD_RING_ISSM };
	struct hd_ring_answer answer;
	struct client client;
	int fd = connect_to(fixture), issm = connect_to(fixture);
	char byte;

	client_open(fixture, &client);
	request.client = client.number;
	assert_int_equal(ask(fixture, issm, &request, &answer, NULL), 0);
	hd_ring_server_reap(fixture->server, 3600);
	assert_int_equal(recv(fd, &byte, 1, MSG_DONTWAIT), -1);
	hd_ring_server_reap(fixture->server, 0);
	assert_int_equal(recv(fd, &byte, 1, MSG_DONTWAIT), 0);
	assert_int_equal(recv(issm, &byte, 1, MSG_DONTWAIT), -1);
	assert_int_equal(n_clients(fixture), 1);
	close(fd);
	close(issm);
	client_close(&client);
	serve(fixture);
}

static void test_other_users(void **state)
{
	struct hd_access access;

	hd_access_init(&access);
	assert_true(hd_access_allows(&access, geteuid()));
	assert_true(hd_access_allows(&access, 0));
	assert_true(hd_access_allows(&access, HD_NO_USER));
	assert_false(hd_access_allows(&access, geteuid() + 1));
	assert_non_null(hd_access_enter(&access, geteuid() + 1));
	access.any_user = true;
	access.per_user = 1;
	assert_null(hd_access_enter(&access, geteuid() + 1));
	assert_non_null(hd_access_enter(&access, geteuid() + 1));
	assert_null(hd_access_enter(&access, geteuid()));
	hd_access_leave(&access, geteuid() + 1);
	assert_null(hd_access_enter(&access, geteuid() + 1));
	hd_access_free(&access);
}

static void test_bad_requests(void **state)
{
	struct fixture *fixture = *state;
	struct hd_ring_request request = { .version = HD_RING_VERSION + 1 };
	struct hd_ring_answer answer;
	int fd = connect_to(fixture);

	assert_int_equal(ask(fixture, fd, &request, &answer, NULL), EPROTO);
	request.version = HD_RING_VERSION;
	request.operation = 99;
	assert_int_equal(ask(fixture, fd, &request, &answer, NULL), EINVAL);
	request.operation = HD_RING_REGISTER; /* nothing is open */
	assert_int_equal(ask(fixture, fd, &request, &answer, NULL), EINVAL);
	request.operation = HD_RING_OPEN;
	memset(request.host, 'x', sizeof(request.host)); /* not terminated either */
	assert_int_equal(ask(fixture, fd, &request, &answer, NULL), ENODEV);
	request.host[0] = '\0';
	request.port = 2;
	assert_int_equal(ask(fixture, fd, &request, &answer, NULL), ENODEV);
	request.operation = HD_RING_GET;
	request.port = 0;
	request.attribute = 0x7777;
	assert_int_equal(ask(fixture, fd, &request, &answer, NULL), EINVAL);
	request.attribute = 0x10011; /* more than MADs have bits for */
	assert_int_equal(ask(fixture, fd, &request, &answer, NULL), EINVAL);
	request.attribute = 0x11;
	assert_int_equal(ask(fixture, fd, &request, &answer, NULL), 0);
	assert_int_equal(answer.port, 1);
	assert_int_equal(hd_get64(answer.data + 12),
			 fixture->fabric->nodes[fixture->fabric->n_switches].guid);
	assert_int_equal(send(fd, &request, 7, 0), 7);
	serve(fixture);
	assert_int_equal(recv(fd, &answer, sizeof(answer), MSG_DONTWAIT), 0);
	close(fd);
}

static bool is_sm(const struct fixture *fixture)
{
	uint32_t port;
	struct hd_error err = { 0 };

	assert_hd_ok(hd_clients_find_port(fixture->fabric, "", &port, &err), err);
	return fixture->emulator->ports[port].capabilities & 2;
}

static void test_issm(void **state)
{
	struct fixture *fixture = *state;
	struct hd_ring_request request = { .version = HD_RING_VERSION, .operation = HD_RING_ISSM };
	struct hd_ring_answer answer;
	struct client client;
	int fd = connect_to(fixture), second = connect_to(fixture);

	client_open(fixture, &client);
	request.client = 1234;
	assert_int_equal(ask(fixture, fd, &request, &answer, NULL), ENODEV);
	assert_false(is_sm(fixture));
	request.client = client.number;
	assert_int_equal(ask(fixture, fd, &request, &answer, NULL), 0);
	assert_true(is_sm(fixture));
	assert_int_equal(ask(fixture, second, &request, &answer, NULL), EAGAIN);
	close(fd);
	serve(fixture);
	assert_false(is_sm(fixture));
	assert_int_equal(ask(fixture, second, &request, &answer, NULL), 0);
	assert_true(is_sm(fixture));
	client_close(&client); /* before its IsSM is */
	serve(fixture);
	assert_false(is_sm(fixture));
	close(second);
	serve(fixture);

	/* without a client */
	fd = connect_to(fixture);
	request.client = HD_NONE;
	assert_int_equal(ask(fixture, fd, &request, &answer, NULL), 0);
	assert_true(is_sm(fixture));
	close(fd);
	serve(fixture);
	assert_false(is_sm(fixture));
	assert_int_equal(n_clients(fixture), 0);
}

static void test_expelled(void **state)
{
	struct fixture *fixture = *state;
	struct client client;
	char byte;

	client_open(fixture, &client);
	assert_true(hd_clients_expel(fixture->clients, client.number));
	assert_int_equal(n_clients(fixture), 0);
	serve(fixture);
	assert_int_equal(recv(client.fd, &byte, 1, MSG_DONTWAIT), 0);
	client_close(&client);
}

static void test_name_taken(void **state)
{
	struct fixture *fixture = *state;
	struct hd_ring_server *server;
	struct hd_error err = { 0 };
	char name[200];

	assert_int_equal(hd_ring_server_new(fixture->emulator, fixture->clients, &fixture->access,
					    fixture->loop, fixture->name, &server, &err),
			 HD_EIO);
	assert_hd_says(err, fixture->name);
	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(hd_ring_server_new(fixture->emulator, fixture->clients, &fixture->access,
					    fixture->loop, name, &server, &err),
			 HD_EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_wrong_positions),
		cmocka_unit_test_setup_teardown(test_requests, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unread, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nonsense_in_rings, setup, teardown),
		cmocka_unit_test_setup_teardown(test_full_wake_up_files, setup, teardown),
		cmocka_unit_test_setup_teardown(test_dies_in_the_middle, setup, teardown),
		cmocka_unit_test_setup_teardown(test_serials, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many_wakes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_clients_per_user, setup, teardown),
		cmocka_unit_test_setup_teardown(test_idle_connections, setup, teardown),
		cmocka_unit_test(test_other_users),
		cmocka_unit_test_setup_teardown(test_bad_requests, setup, teardown),
		cmocka_unit_test_setup_teardown(test_issm, setup, teardown),
		cmocka_unit_test_setup_teardown(test_expelled, setup, teardown),
		cmocka_unit_test_setup_teardown(test_name_taken, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
