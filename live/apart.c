// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Reads a fabric in a child process, which sends what it has read through a pipe: a head with all
 * numbers, then the arrays.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/live.h"
#include "support/error.h"

/* What the child sends first. Pointers in it mean nothing but whether there is an array. */
struct head {
	int ret;
	bool is_discovered;
	struct hd_error err;
	struct hd_fabric fabric;
	struct hd_tables tables;
	size_t names_size, n_sl2vl;
};

struct part {
	void **data;
	size_t size;
};

#define N_PARTS 14

#define MS_TO_TIDY_UP 1000

/* All arrays of @fabric and @tables: what is not here would point into the child's memory. */
static void list_parts(struct hd_fabric *fabric, struct hd_tables *tables, const struct head *head,
		       struct part *parts)
{
	const size_t stride = tables->lft_stride;
	const struct part all[N_PARTS] = {
		{ (void **)&fabric->nodes, fabric->n_nodes * sizeof(*fabric->nodes) },
		{ (void **)&fabric->ports, fabric->n_ports * sizeof(*fabric->ports) },
		{ (void **)&fabric->lids, (fabric->top_lid + (size_t)1) * sizeof(*fabric->lids) },
		{ (void **)&fabric->endports, fabric->n_endports * sizeof(*fabric->endports) },
		{ (void **)&fabric->names, head->names_size },
		{ (void **)&tables->lft, fabric->n_switches * stride },
		{ (void **)&tables->lft_unknown,
		  fabric->n_switches * sizeof(*tables->lft_unknown) },
		{ (void **)&tables->sl2vl, head->n_sl2vl * sizeof(*tables->sl2vl) },
		{ (void **)&tables->sl2vl_first,
		  (fabric->n_nodes + (size_t)1) * sizeof(*tables->sl2vl_first) },
		{ (void **)&tables->sl_rows, tables->n_sl_rows * stride },
		{ (void **)&tables->sl_row_of_port,
		  fabric->n_ports * sizeof(*tables->sl_row_of_port) },
		{ (void **)&tables->vlarbs, tables->n_vlarbs * sizeof(*tables->vlarbs) },
		{ (void **)&tables->vlarb_of_port,
		  fabric->n_ports * sizeof(*tables->vlarb_of_port) },
		{ (void **)&tables->mft, tables->n_mft * sizeof(*tables->mft) },
	};

	memcpy(parts, all, sizeof(all));
}

static size_t names_size(const struct hd_fabric *fabric)
{
	size_t size = 0;

	hd_for_each_node(n, fabric) {
		const size_t end = fabric->nodes[n].name + strlen(hd_node_name(fabric, n)) + 1;

		if (end > size)
			size = end;
	}
	return size;
}

static bool send_all(int fd, const void *data, size_t size)
{
	const char *next = data;

	while (size) {
		const ssize_t n = write(fd, next, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		next += n;
		size -= (size_t)n;
	}
	return true;
}

static void read_and_send(const struct hd_live_options *options, int fd)
{
	struct hd_fabric *fabric = NULL;
	struct hd_tables *tables = NULL;
	struct head head = { 0 };
	struct part parts[N_PARTS];
	bool is_sent;

	head.ret = hd_live_fabric(options, &fabric, &head.err);
	head.is_discovered = !head.ret;
	if (!head.ret)
		head.ret = hd_live_tables(options, fabric, &tables, &head.err);
	if (!head.ret) {
		head.fabric = *fabric;
		head.tables = *tables;
		head.names_size = names_size(fabric);
		head.n_sl2vl = tables->sl2vl_first[fabric->n_nodes];
		list_parts(fabric, tables, &head, parts);
	}
	is_sent = send_all(fd, &head, sizeof(head));
	for (int i = 0; !head.ret && is_sent && i < N_PARTS; i++)
		if (*parts[i].data)
			is_sent = send_all(fd, *parts[i].data, parts[i].size);
}

/* What the parent waits for: data of the child, or a signal. */
struct channel {
	int fd, signals;
	bool is_ended; /* by a signal */
};

static bool receive_all(struct channel *channel, void *data, size_t size)
{
	struct pollfd polled[] = { { .fd = channel->fd, .events = POLLIN },
				   { .fd = channel->signals, .events = POLLIN } };
	char *next = data;

	while (size) {
		ssize_t n;

		if (poll(polled, 2, -1) < 0 && errno != EINTR)
			return false;
		channel->is_ended |= polled[1].revents != 0;
		if (channel->is_ended)
			return false;
		n = read(channel->fd, next, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		next += n;
		size -= (size_t)n;
	}
	return true;
}

/* The arrays whose pointers in @parts are set. */
static int receive_parts(struct channel *channel, struct part *parts, struct hd_error *err)
{
	bool is_there[N_PARTS];

	for (int i = 0; i < N_PARTS; i++) {
		is_there[i] = *parts[i].data != NULL;
		*parts[i].data = NULL;
	}
	for (int i = 0; i < N_PARTS; i++) {
		if (!is_there[i])
			continue;
		*parts[i].data = malloc(parts[i].size + 1);
		if (!*parts[i].data)
			return hd_error_nomem(err);
		if (!receive_all(channel, *parts[i].data, parts[i].size))
			return hd_error_set(err, HD_EIO, "the process that reads ends early");
	}
	return 0;
}

static int receive(struct channel *channel, struct hd_fabric **fabric, struct hd_tables **tables,
		   bool *is_discovered, struct hd_error *err)
{
	struct part parts[N_PARTS];
	struct head head;

	if (!receive_all(channel, &head, sizeof(head)))
		return hd_error_set(err, HD_EIO, "the process that reads ends early");
	*is_discovered = head.is_discovered;
	if (head.ret) {
		if (err)
			*err = head.err;
		return head.ret;
	}
	*fabric = malloc(sizeof(**fabric));
	*tables = malloc(sizeof(**tables));
	if (!*fabric || !*tables) {
		free(*fabric);
		free(*tables);
		*fabric = NULL;
		*tables = NULL;
		return hd_error_nomem(err);
	}
	**fabric = head.fabric;
	**tables = head.tables;
	(*tables)->fabric = *fabric;
	(*tables)->classes = NULL; /* nodes hold none of these */
	(*tables)->ar = NULL;
	(*tables)->copy = NULL;
	list_parts(*fabric, *tables, &head, parts);
	return receive_parts(channel, parts, err);
}

/* The child: it ends with its parent. */
static void run_child(const struct hd_live_options *options, bool is_quiet, pid_t parent, int fd)
{
	const int null = is_quiet ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	if (null >= 0)
		dup2(null, STDERR_FILENO);
	read_and_send(options, fd);
	exit(0); /* libumad2sim removes its files then */
}

/* Ends the child, after a second for its libraries to tidy up; says so where it crashed. */
static void end_child(pid_t child, const struct channel *channel, int ret, struct hd_error *err)
{
	struct pollfd end = { .fd = channel->fd, .events = POLLIN };
	int status = 0;

	if (!channel->is_ended)
		poll(&end, 1, MS_TO_TIDY_UP);
	kill(child, SIGKILL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (ret && channel->is_ended)
		hd_error_set(err, HD_EIO, "a signal ends the reading");
	else if (ret && WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
		hd_error_set(err, HD_EIO, "a library of InfiniBand crashes: signal %d",
			     WTERMSIG(status));
}

int hd_live_read_apart(const struct hd_live_options *options, bool is_quiet, const sigset_t *ends,
		       const struct hd_fork_guard *guard, struct hd_fabric **fabric,
		       struct hd_tables **tables, bool *is_discovered, struct hd_error *err)
{
	const pid_t self = getpid();
	struct channel channel = { 0 };
	int fds[2], ret;
	pid_t child;

	*fabric = NULL;
	*tables = NULL;
	*is_discovered = false;
	if (pipe2(fds, O_CLOEXEC))
		return hd_error_set(err, HD_EIO, "no pipe: %s", strerror(errno));
	if (guard)
		guard->hold(guard->context);
	child = fork();
	if (!child)
		run_child(options, is_quiet, self, fds[1]);
	if (guard)
		guard->release(guard->context);
	close(fds[1]);
	if (child < 0) {
		close(fds[0]);
		return hd_error_set(err, HD_EIO, "no process: %s", strerror(errno));
	}
	channel.fd = fds[0];
	channel.signals = signalfd(-1, ends, SFD_CLOEXEC);
	ret = receive(&channel, fabric, tables, is_discovered, err);
	end_child(child, &channel, ret, err);
	close(channel.fd);
	if (channel.signals >= 0)
		close(channel.signals);
	if (ret) {
		hd_tables_free(*tables);
		hd_fabric_free(*fabric);
		*tables = NULL;
		*fabric = NULL;
	}
	return ret;
}
