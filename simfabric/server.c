// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/server.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "support/error.h"

/*
 * Events of the emulator in one turn: clients, signals and the console have their turn after these.
 */
#define EVENTS_PER_TURN 1024

struct hd_server {
	struct hd_emulator *emulator;
	struct hd_clients *clients;
	struct hd_loop *loop;
	struct hd_watch woken;
	uint64_t started; /* CLOCK_MONOTONIC, ns */
	bool stopped;

	int signals;
	struct hd_watch signals_watch;
	void (*caught)(void *context, const struct signalfd_siginfo *info);
	void *caught_context;
};

static uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void let_time_pass(void *context, uint32_t events)
{
	struct hd_server *server = context;

	(void)events;
	hd_emulator_advance_some(server->emulator, clock_ns() - server->started, EVENTS_PER_TURN);
}

static bool deliver(void *context, uint32_t port, const struct hd_packet *packet)
{
	struct hd_server *server = context;

	return hd_clients_deliver(server->clients, port, packet);
}

static void lost(void *context, const struct hd_packet *packet)
{
	struct hd_server *server = context;

	hd_clients_lost(server->clients, packet);
}

int hd_server_new(const struct hd_fabric *fabric, const struct hd_emulator_options *options,
		  struct hd_server **result, struct hd_error *err)
{
	struct hd_server *server = calloc(1, sizeof(*server));
	int ret;

	*result = NULL;
	if (!server)
		return hd_error_nomem(err);
	server->signals = -1;
	server->woken = (struct hd_watch){ .ready = let_time_pass, .context = server };
	ret = hd_emulator_new(fabric, options, &(struct hd_emulator_host){ deliver, lost, server },
			      &server->emulator, err);
	if (!ret)
		ret = hd_clients_new(server->emulator, &server->clients, err);
	if (!ret)
		ret = hd_loop_new(&server->loop, err);
	if (ret) {
		hd_server_free(server);
		return ret;
	}
	server->started = clock_ns();
	*result = server;
	return 0;
}

void hd_server_free(struct hd_server *server)
{
	if (!server)
		return;
	if (server->signals >= 0)
		close(server->signals);
	hd_clients_free(server->clients);
	hd_emulator_free(server->emulator);
	hd_loop_free(server->loop);
	free(server);
}

struct hd_emulator *hd_server_emulator(struct hd_server *server)
{
	return server->emulator;
}

struct hd_clients *hd_server_clients(struct hd_server *server)
{
	return server->clients;
}

struct hd_loop *hd_server_loop(struct hd_server *server)
{
	return server->loop;
}

static void read_signals(void *context, uint32_t events)
{
	struct hd_server *server = context;
	struct signalfd_siginfo info;

	(void)events;
	while (read(server->signals, &info, sizeof(info)) == (ssize_t)sizeof(info))
		server->caught(server->caught_context, &info);
}

int hd_server_catch(struct hd_server *server, const sigset_t *mask,
		    void (*caught)(void *context, const struct signalfd_siginfo *info),
		    void *context, struct hd_error *err)
{
	server->caught = caught;
	server->caught_context = context;
	server->signals_watch = (struct hd_watch){ .ready = read_signals, .context = server };
	sigprocmask(SIG_BLOCK, mask, NULL);
	server->signals = signalfd(-1, mask, SFD_NONBLOCK | SFD_CLOEXEC);
	if (server->signals < 0)
		return hd_error_set(err, HD_EIO, "signalfd: %s", strerror(errno));
	return hd_loop_watch(server->loop, server->signals, EPOLLIN, &server->signals_watch, err);
}

int hd_server_run(struct hd_server *server, struct hd_error *err)
{
	int ret = 0;

	while (!server->stopped && !ret) {
		uint64_t next = hd_emulator_next(server->emulator), now, wait = UINT64_MAX;

		if (next != UINT64_MAX) {
			now = clock_ns() - server->started;
			wait = next > now ? next - now : 0;
		}
		ret = hd_loop_turn(server->loop, wait, &server->woken, err);
		hd_loop_settle(server->loop);
	}
	return ret;
}

void hd_server_stop(struct hd_server *server)
{
	server->stopped = true;
}
