// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A program that uses libibumad's functions as the manual pages have them, for simfabric --wrapper
 * own. No subnet manager may be running. Speaks TAP. An argument says how many requests threads
 * make (20,000).
 */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/umad.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SMI       0x81
#define NODE_INFO 0x11
#define PORT_INFO 0x15
#define NOTICE    0x02 /* sent as a trap, which nobody takes: it is lost */
#define MAD_SIZE  256

struct results {
	int n, failed;
};

struct buffer {
	struct ib_user_mad umad;
	uint8_t mad[MAD_SIZE];
};

static void check(struct results *results, bool passed, const char *name)
{
	printf("%sok %d - %s\n", passed ? "" : "not ", ++results->n, name);
	results->failed += !passed;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Asks the node itself, or who is at @hops links through port 1. */
static int ask(int port, int agent, unsigned attribute, unsigned hops, uint32_t number,
	       int timeout_ms, int retries)
{
	struct buffer buffer = { 0 };
	uint8_t *mad = umad_get_mad(&buffer);

	mad[0] = mad[2] = 1;
	mad[3] = attribute == NOTICE ? 5 : 1;
	mad[1] = SMI;
	mad[7] = (uint8_t)hops;
	memcpy(mad + 12, &number, sizeof(number));
	mad[17] = (uint8_t)attribute;
	mad[23] = attribute == PORT_INFO ? 1 : 0;
	memset(mad + 32, 0xFF, 4);
	memset(mad + 129, 1, hops);
	umad_set_addr(&buffer, 0xFFFF, 0, 0, 0);
	return umad_send(port, agent, &buffer, MAD_SIZE, timeout_ms, retries);
}

/* The status of what is received, or a negative error. */
static int receive(int port, struct buffer *buffer, int timeout_ms)
{
	int length = MAD_SIZE;
	int agent = umad_recv(port, buffer, &length, timeout_ms);

	return agent < 0 ? agent : umad_status(buffer);
}

static bool readable(int fd, int timeout_ms)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };

	return poll(&wait, 1, timeout_ms) == 1;
}

static void check_adapters(struct results *results)
{
	char names[4][UMAD_CA_NAME_LEN];
	struct umad_device_node *list = umad_get_ca_device_list();
	__be64 guids[8];
	umad_port_t port;
	umad_ca_t ca;

	check(results, umad_init() == 0, "umad_init");
	check(results, umad_get_cas_names(names, 4) == 1, "one adapter");
	check(results, umad_get_ca(names[0], &ca) == 0 && ca.numports == 1 && ca.ports[1],
	      "umad_get_ca");
	check(results,
	      umad_get_ca_portguids(NULL, guids, 8) == 2 && guids[1] == ca.ports[1]->port_guid,
	      "umad_get_ca_portguids");
	check(results, umad_get_ca_portguids(NULL, guids, 1) == -ENOMEM, "no room for GUIDs");
	check(results,
	      umad_get_port(NULL, 0, &port) == 0 && port.portnum == 1 &&
		      port.port_guid == ca.ports[1]->port_guid && port.pkeys_size &&
		      port.pkeys[0] == 0xFFFF,
	      "umad_get_port");
	check(results, umad_get_port(NULL, 7, &port) < 0, "no such port");
	check(results, umad_get_ca("mlx5_0", &ca) < 0, "no such adapter");
	umad_release_port(&port);
	umad_release_ca(&ca);
	check(results,
	      list && !list->next && !strcmp(list->ca_name, names[0]) &&
		      umad_sort_ca_device_list(&list, 0) == 0,
	      "list of adapters");
	umad_free_ca_device_list(list);
}

static void check_agents(struct results *results, int port)
{
	long methods[16 / sizeof(long)] = { 1 << 5 };
	int first = umad_register(port, 0x04, 1, 0, methods);
	int second;

	check(results, first >= 0, "umad_register");
	check(results, umad_register(port, 0x04, 1, 0, methods) == -EPERM, "a method is taken");
	methods[0] = 1 << 6;
	second = umad_register(port, 0x04, 1, 0, methods);
	check(results, second >= 0 && second != first, "another is not");
	check(results,
	      umad_unregister(port, first) == 0 && umad_unregister(port, second) == 0 &&
		      umad_unregister(port, first) == -EINVAL,
	      "umad_unregister");
	check(results, umad_register(port + 100, 0x04, 1, 0, NULL) == -EINVAL, "not a port");
}

static void check_requests(struct results *results, int port, int agent)
{
	struct buffer buffer;
	double start;
	int length = 100;

	check(results, receive(port, &buffer, 0) == -EWOULDBLOCK, "nothing to receive");
	check(results, receive(port, &buffer, 10) == -ETIMEDOUT && errno == ETIMEDOUT,
	      "nothing comes either");
	check(results,
	      ask(port, agent, NODE_INFO, 1, 7, 1000, 0) == 0 &&
		      receive(port, &buffer, 1000) == 0 && buffer.mad[3] == 0x81 &&
		      buffer.mad[66] == 2,
	      "the switch answers");
	check(results,
	      ask(port, agent, NODE_INFO, 0, 7, 1000, 0) == 0 && umad_poll(port, 1000) == 0 &&
		      umad_recv(port, &buffer, &length, 0) == -EINVAL &&
		      receive(port, &buffer, 0) == 0,
	      "umad_poll, and a buffer that is too short");
	start = seconds();
	check(results,
	      ask(port, agent, NODE_INFO, 60, 8, 1000, 3) == 0 &&
		      receive(port, &buffer, 2000) == ETIMEDOUT && seconds() < start + 1,
	      "what is lost fails at once");
	start = seconds();
	check(results,
	      ask(port, agent, NOTICE, 1, 9, 1000, 1) == 0 &&
		      receive(port, &buffer, 2000) == ETIMEDOUT && seconds() < start + 1,
	      "a trap that nobody takes fails at once, too");
	check(results, ask(port, 31, NODE_INFO, 0, 1, 100, 0) == -EIO && errno == EINVAL,
	      "not an agent");
}

/* The program waits by itself. */
static void check_descriptor(struct results *results, int port, int agent)
{
	int fd = umad_get_fd(port);
	struct buffer buffer;
	bool all = true;

	check(results, fd >= 0 && !readable(fd, 0), "umad_get_fd");
	for (uint32_t i = 0; i < 100; i++) {
		all &= ask(port, agent, NODE_INFO, 0, i, 1000, 0) == 0 && readable(fd, 1000);
		all &= receive(port, &buffer, 0) == 0;
		all &= !readable(fd, 0);
	}
	check(results, all, "readable when there is something, and only then");
	for (uint32_t i = 0; i < 100; i++)
		ask(port, agent, NODE_INFO, 0, i, 1000, 0);
	for (uint32_t i = 0; i < 100; i++)
		all &= readable(fd, 1000) && receive(port, &buffer, 0) == 0;
	check(results, all && !readable(fd, 0), "as long as there is something");
	check(results,
	      ask(port, agent, NOTICE, 1, 9, 100, 0) == 0 && readable(fd, 1000) &&
		      receive(port, &buffer, 0) == ETIMEDOUT,
	      "readable when something timed out");
}

static bool is_sm(int port, int agent)
{
	struct buffer buffer;

	return ask(port, agent, PORT_INFO, 0, 1, 1000, 0) == 0 &&
	       receive(port, &buffer, 1000) == 0 && (buffer.mad[64 + 23] & 2);
}

static void check_issm(struct results *results, int port, int agent)
{
	char path[64];
	int fd, second;

	check(results,
	      umad_get_issm_path(NULL, 0, path, sizeof(path)) == 0 &&
		      umad_get_issm_path(NULL, 0, path, 4) < 0,
	      "umad_get_issm_path");
	umad_get_issm_path(NULL, 0, path, sizeof(path));
	check(results, !is_sm(port, agent), "IsSM is not set");
	fd = open(path, O_NONBLOCK);
	check(results, fd >= 0 && is_sm(port, agent), "opening sets it");
	second = open(path, O_NONBLOCK);
	check(results, second < 0 && errno == EAGAIN, "one at a time");
	close(fd);
	usleep(100000);
	check(results, !is_sm(port, agent), "closing clears it");
}

struct receiver {
	int port;
	unsigned received;
};

static void *receive_all(void *context)
{
	struct receiver *receiver = context;
	struct buffer buffer;

	while (receive(receiver->port, &buffer, 500) == 0)
		receiver->received++;
	return NULL;
}

static void *receive_for_ever(void *context)
{
	const struct receiver *receiver = context;
	struct buffer buffer;

	for (;;)
		receive(receiver->port, &buffer, -1);
	return NULL;
}

static void check_threads(struct results *results, int port, int agent, uint32_t n_requests)
{
	struct receiver receivers[2] = { { .port = port }, { .port = port } };
	pthread_t threads[2];
	struct buffer buffer;
	bool sent = true;

	for (unsigned i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, receive_all, &receivers[i]);
	for (uint32_t i = 0; i < n_requests; i++)
		sent &= ask(port, agent, NODE_INFO, i % 2, i, 5000, 0) == 0;
	for (unsigned i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	check(results, sent && receivers[0].received + receivers[1].received == n_requests,
	      "two threads receive what a third one sends, without waiting");

	pthread_create(&threads[0], NULL, receive_for_ever, &receivers[0]);
	usleep(50000);
	pthread_cancel(threads[0]);
	pthread_join(threads[0], NULL);
	check(results,
	      ask(port, agent, NODE_INFO, 0, 1, 1000, 0) == 0 && receive(port, &buffer, 1000) == 0,
	      "a thread is cancelled while it waits");
}

static void check_fork(struct results *results, int port, int agent)
{
	struct buffer buffer;
	int status = -1, own, its;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		own = umad_open_port(NULL, 0);
		its = umad_register(own, SMI, 1, 0, NULL);
		_exit(ask(own, its, NODE_INFO, 0, 1, 1000, 0) || receive(own, &buffer, 1000) ||
		      umad_close_port(own) || umad_close_port(port));
	}
	waitpid(child, &status, 0);
	check(results, status == 0, "a child opens the port for itself");
	check(results,
	      ask(port, agent, NODE_INFO, 0, 1, 1000, 0) == 0 && receive(port, &buffer, 1000) == 0,
	      "its parent's stays");
}

int main(int argc, char **argv)
{
	struct results results = { 0 };
	int port, agent;

	check_adapters(&results);
	port = umad_open_port(NULL, 0);
	agent = umad_register(port, SMI, 1, 0, NULL);
	check(&results, port >= 0 && agent >= 0, "umad_open_port");
	check(&results, umad_open_port("mlx5_0", 1) < 0, "no such adapter to open");
	check_agents(&results, port);
	check_requests(&results, port, agent);
	check_issm(&results, port, agent);
	check_threads(&results, port, agent, argc > 1 ? (uint32_t)atoi(argv[1]) : 20000);
	check_fork(&results, port, agent);
	check_descriptor(&results, port, agent);
	check(&results, umad_close_port(port) == 0 && umad_close_port(port) == -EINVAL,
	      "umad_close_port");
	printf("1..%d\n", results.n);
	return results.failed != 0;
}
