// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which LIDs a destination has, by path-sl.dump, and which of them is next. */
#include <endian.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/networks.h"
#include "host/own_sls.h"
#include "host/preload/preload.h"
#include "support/error.h"

#define FILE_VARIABLE    "HEDDLE_LIDS"
#define PAGE_VARIABLE    "HEDDLE_NETWORKS"
#define VERBOSE_VARIABLE "HEDDLE_LIDS_VERBOSE"
#define FILE_IN_DUMP     "path-sl.dump"

#define NS_PER_S UINT64_C(1000000000)

#undef ibv_query_port

/* A port of this machine's, with its path SLs. Ports are few, and stay. */
struct port {
	struct port *next;
	uint64_t node_guid; /* in the machine's order, as `port_guid` */
	uint64_t port_guid;
	uint8_t number;
	bool is_usable;    /* its path SLs could be read */
	_Atomic bool said; /* what does not fit was told */
	struct hd_own_sls sls;
};

static struct port *ports;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void tell(const char *format, va_list args)
{
	char line[1200];

	vsnprintf(line, sizeof(line), format, args);
	fprintf(stderr, "libheddle-lids: %s\n", line);
}

static void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(format, args);
	va_end(args);
}

void hd_lids_say(const char *format, ...)
{
	va_list args;

	if (!getenv(VERBOSE_VARIABLE))
		return;
	va_start(args, format);
	tell(format, args);
	va_end(args);
}

/* The whole file @path; false: it cannot be read, and errno says why. */
static bool read_file(const char *path, char **data, size_t *size)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	ssize_t n = 1;

	*data = NULL;
	*size = 0;
	if (file < 0)
		return false;
	if (fstat(file, &status) == 0)
		*data = malloc((size_t)status.st_size + 1);
	while (*data && n > 0 && *size < (size_t)status.st_size) {
		n = read(file, *data + *size, (size_t)status.st_size - *size);
		*size += n > 0 ? (size_t)n : 0;
	}
	close(file);
	if (n < 0) {
		free(*data);
		*data = NULL;
	}
	return *data;
}

static bool read_sls(struct port *port, const char *given)
{
	struct stat status;
	struct hd_error err;
	char path[4096], line[1100], *data;
	size_t size;
	int ret;

	snprintf(path, sizeof(path), "%s%s", given,
		 stat(given, &status) == 0 && S_ISDIR(status.st_mode) ? "/" FILE_IN_DUMP : "");
	if (!read_file(path, &data, &size)) {
		warn("%s: cannot be read: %m; LIDs stay as they are", path);
		return false;
	}
	ret = hd_own_sls_parse(&port->sls, path, data, size, port->node_guid, port->port_guid,
			       &err);
	free(data);
	if (ret)
		warn("%s; LIDs stay as they are", hd_error_format(&err, line, sizeof(line)));
	else if (!port->sls.has_source || !port->sls.lid)
		warn("%s: nothing of port 0x%016llx; LIDs stay as they are", path,
		     (unsigned long long)port->port_guid);
	return !ret && port->sls.has_source && port->sls.lid;
}

static struct port *make_port(uint64_t node_guid, uint64_t port_guid, uint8_t number)
{
	const char *given = getenv(FILE_VARIABLE);
	struct port *port = calloc(1, sizeof(*port));

	if (!port)
		return NULL;
	port->node_guid = node_guid;
	port->port_guid = port_guid;
	port->number = number;
	if (given && *given)
		port->is_usable = read_sls(port, given);
	else if (!ports)
		warn(FILE_VARIABLE " does not name a path-sl.dump; LIDs stay as they are");
	port->next = ports;
	ports = port;
	return port;
}

static struct port *find_port(struct ibv_context *context, uint8_t number)
{
	__be64 (*device_guid)(struct ibv_device *) = hd_lids_next("ibv_get_device_guid");
	int (*query_gid)(struct ibv_context *, uint8_t, int, union ibv_gid *) =
		hd_lids_next("ibv_query_gid");
	uint64_t node_guid, port_guid;
	union ibv_gid gid;
	struct port *port;

	if (!device_guid || !query_gid || query_gid(context, number, 0, &gid))
		return NULL;
	node_guid = be64toh(device_guid(context->device));
	port_guid = be64toh(gid.global.interface_id);
	pthread_mutex_lock(&lock);
	for (port = ports; port; port = port->next)
		if (port->port_guid == port_guid && port->node_guid == node_guid &&
		    port->number == number)
			break;
	if (!port)
		port = make_port(node_guid, port_guid, number);
	pthread_mutex_unlock(&lock);
	return port;
}

static bool query(struct ibv_context *context, uint8_t number, struct ibv_port_attr *attr)
{
	struct verbs_context *verbs = verbs_get_ctx_op(context, query_port);
	int (*plain)(struct ibv_context *, uint8_t, struct ibv_port_attr *);

	memset(attr, 0, sizeof(*attr));
	if (verbs)
		return verbs->query_port(context, number, attr, sizeof(*attr)) == 0;
	plain = hd_lids_next("ibv_query_port");
	return plain && plain(context, number, attr) == 0;
}

/* Whether the path SLs are of the LIDs that the port has now. */
static bool is_current(struct port *port, const struct ibv_port_attr *attr)
{
	bool fits = port->sls.lid == attr->lid && port->sls.lmc[port->sls.lid] == attr->lmc;

	if (!fits && !atomic_exchange(&port->said, true))
		warn("path SLs of LID %u and LMC %u, but the port has LID %u and LMC %u; LIDs stay "
		     "as "
		     "they are",
		     port->sls.lid, port->sls.lmc[port->sls.lid], attr->lid, attr->lmc);
	if (fits)
		port->said = false;
	return fits;
}

void hd_ways_find(struct hd_ways *ways, struct ibv_context *context, const struct ibv_ah_attr *attr)
{
	const struct hd_own_sls *sls;
	struct ibv_port_attr now;
	struct port *port;

	*ways = (struct hd_ways){ 0 };
	if (!query(context, attr->port_num, &now) || now.link_layer == IBV_LINK_LAYER_ETHERNET)
		return;
	port = find_port(context, attr->port_num);
	if (!port || !port->is_usable || !is_current(port, &now))
		return;
	sls = &port->sls;
	ways->base = hd_own_sls_base(sls, attr->dlid);
	if (!ways->base || ways->base == now.lid || sls->sl[attr->dlid] == HD_OWN_NO_SL)
		return;
	/* the program knows better, or has a service level of its own */
	if (attr->sl && attr->sl != sls->sl[attr->dlid])
		return;
	ways->span = 1u << sls->lmc[ways->base];
	for (unsigned i = 0; i < ways->span; i++) {
		if (sls->sl[ways->base + i] == HD_OWN_NO_SL)
			continue;
		ways->network[ways->n] = (uint8_t)i;
		ways->sl[ways->n++] = sls->sl[ways->base + i];
	}
}

/* The network that the agent's page prefers; @again is when, in ns, to look at it again. */
static int look_at_page(uint64_t now, uint64_t *again)
{
	const char *given = getenv(PAGE_VARIABLE), *path = given ? given : HD_NETWORKS_PATH;
	struct hd_networks_page page;
	bool is_there;
	int state;

	/* sending is no place at which a thread may end: callers hold locks */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	is_there = hd_networks_read(path, &page);
	pthread_setcancelstate(state, NULL);
	*again = now + hd_networks_again(is_there ? &page : NULL);
	return is_there ? hd_networks_preferred(&page, now) : -1;
}

/*
 * The network that the agent prefers; -1: none. One thread reads the page now and then, at most
 * each 50 us, for some 2 us; else this costs a look at the clock, which is no system call.
 */
static int preferred_network(void)
{
	static _Atomic int preferred = -1;
	static _Atomic uint64_t next_look;
	uint64_t now = hd_networks_now(), due = next_look, again;

	/*
	 * a second, if the thread that has its turn does not come back, as in the child of a fork
	 */
	if (now < due || !atomic_compare_exchange_strong(&next_look, &due, now + NS_PER_S))
		return preferred;
	preferred = look_at_page(now, &again);
	next_look = again;
	return preferred;
}

unsigned hd_ways_choose(const uint8_t *networks, unsigned n)
{
	static _Atomic unsigned turn;
	int preferred = preferred_network();
	unsigned t;

	for (unsigned i = 0; preferred >= 0 && i < n; i++)
		if (networks[i] == preferred)
			return i;
	t = turn++;
	/*
	 * processes of one host, each with few connections, do not all begin with the same network
	 */
	return (t + (unsigned)getpid()) % n;
}
