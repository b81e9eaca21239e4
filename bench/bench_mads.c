// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Sends subnet management MADs by a directed route as fast as a window allows, and says how long
 * their answers took:
 *
 *	bench_mads PATH MAD COUNT WINDOW
 *
 * PATH is out-ports behind the first 0, as smpquery -D has them: 0,1,3. MAD is get (NodeInfo) or
 * set (an SL2VL table, most of what OpenSM sends with QoS). Prints "SECONDS ANSWERS LOST".
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <infiniband/umad.h>

#include "mad/mad.h"

#define TIMEOUT_MS 2000
#define NODE_INFO  0x0011
#define SL2VL      0x0017

struct bench {
	int port, agent;
	uint8_t path[HD_SMP_MAX_HOPS];
	uint8_t hops;
	bool set;
	uint64_t tid, n_answers, n_lost;
};

static void die(const char *what)
{
	fprintf(stderr, "bench_mads: %s\n", what);
	exit(2);
}

static unsigned long number(const char *text, unsigned long max)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || end == text || *end || value > max)
		die("usage: bench_mads PATH get|set COUNT WINDOW");
	return value;
}

static void read_path(struct bench *bench, const char *text)
{
	char *end;

	for (;; text = end + 1) {
		bench->path[bench->hops] = (uint8_t)strtoul(text, &end, 10);
		if (end == text || (*end && *end != ','))
			die("a path is numbers with commas between them");
		if (!*end)
			return;
		if (++bench->hops == HD_SMP_MAX_HOPS)
			die("the path is too long");
	}
}

static void send_one(struct bench *bench, void *umad)
{
	uint8_t *mad = umad_get_mad(umad);

	memset(umad, 0, (size_t)umad_size() + HD_MAD_SIZE);
	umad_set_addr(umad, 0xffff, 0, 0, 0);
	mad[HD_MAD_BASE_VERSION] = 1;
	mad[HD_MAD_CLASS] = HD_CLASS_SMI_DIRECT;
	mad[HD_MAD_CLASS_VERSION] = 1;
	mad[HD_MAD_METHOD] = bench->set ? HD_METHOD_SET : HD_METHOD_GET;
	mad[HD_SMP_HOP_COUNT] = bench->hops;
	hd_put64(mad + HD_MAD_TID, ++bench->tid);
	hd_put16(mad + HD_MAD_ATTRIBUTE, bench->set ? SL2VL : NODE_INFO);
	hd_put16(mad + HD_SMP_DR_SLID, 0xffff);
	hd_put16(mad + HD_SMP_DR_DLID, 0xffff);
	memcpy(mad + HD_SMP_INITIAL_PATH, bench->path, sizeof(bench->path));
	if (bench->set) {
		hd_put32(mad + HD_MAD_MODIFIER, 1 << 8 | 2); /* in-port 1, out-port 2 */
		for (unsigned sl = 0; sl < 16; sl++)
			mad[HD_SMP_DATA + sl / 2] |= (sl & 7u) << (sl % 2 ? 0 : 4);
	}
	if (umad_send(bench->port, bench->agent, umad, HD_MAD_SIZE, TIMEOUT_MS, 0) < 0)
		die("umad_send failed");
}

static void receive_one(struct bench *bench, void *umad)
{
	int length = HD_MAD_SIZE;

	if (umad_recv(bench->port, umad, &length, TIMEOUT_MS) < 0)
		die("no answer");
	if (umad_status(umad))
		bench->n_lost++;
	else if (hd_get16((uint8_t *)umad_get_mad(umad) + HD_MAD_STATUS) & 0x7fff)
		die("an answer has an error status");
	else
		bench->n_answers++;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
	struct bench bench = { 0 };
	unsigned long count, window, sent = 0;
	double start;
	void *umad;

	if (argc != 5 || (strcmp(argv[2], "get") && strcmp(argv[2], "set")))
		die("usage: bench_mads PATH get|set COUNT WINDOW");
	read_path(&bench, argv[1]);
	bench.set = !strcmp(argv[2], "set");
	count = number(argv[3], 1000000000);
	window = number(argv[4], 1000);
	if (umad_init() < 0)
		die("umad_init failed");
	bench.port = umad_open_port(NULL, 0);
	if (bench.port < 0)
		die("no port");
	bench.agent = umad_register(bench.port, HD_CLASS_SMI_DIRECT, 1, 0, NULL);
	umad = umad_alloc(1, (size_t)umad_size() + HD_MAD_SIZE);
	if (bench.agent < 0 || !umad)
		die("umad_register failed");
	start = now();
	while (bench.n_answers + bench.n_lost < count) {
		while (sent < count && sent - bench.n_answers - bench.n_lost < window) {
			send_one(&bench, umad);
			sent++;
		}
		receive_one(&bench, umad);
	}
	printf("%.6f %llu %llu\n", now() - start, (unsigned long long)bench.n_answers,
	       (unsigned long long)bench.n_lost);
	umad_free(umad);
	umad_unregister(bench.port, bench.agent);
	umad_close_port(bench.port);
	return 0;
}
