// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/watch/serve.h"

#include "config.h"
#include "support/error.h"

#ifdef HAVE_MICROHTTPD

#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

/*
 * The thread is ours, not libmicrohttpd's, so that it can be held while the program forks: what a
 * thread had locked in malloc() or a sanitizer would stay locked in the child.
 */
struct hd_watch_server {
	struct MHD_Daemon *daemon;
	int events, end; /* something to serve; the thread shall end */
	pthread_t thread;
	bool has_thread;
	sem_t is_up;
	pthread_mutex_t busy; /* while the thread is in libmicrohttpd, and so of the page */
	char *page;
	size_t size;
};

static enum MHD_Result answer_text(struct MHD_Connection *connection, unsigned status,
				   const char *text)
{
	struct MHD_Response *response =
		MHD_create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_PERSISTENT);
	enum MHD_Result result;

	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, "Content-Type", "text/plain; charset=utf-8");
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(response, "Allow", "GET, HEAD");
	result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result answer_page(struct hd_watch_server *server,
				   struct MHD_Connection *connection)
{
	struct MHD_Response *response;
	enum MHD_Result result;

	response =
		MHD_create_response_from_buffer(server->size, server->page, MHD_RESPMEM_MUST_COPY);
	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, "Content-Type",
				"text/plain; version=0.0.4; charset=utf-8");
	result = MHD_queue_response(connection, MHD_HTTP_OK, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version, const char *data,
			      size_t *data_size, void **state)
{
	(void)version;
	(void)data;
	(void)data_size;
	(void)state;
	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		return answer_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET\n");
	if (strcmp(url, "/metrics") == 0)
		return answer_page(context, connection);
	if (strcmp(url, "/") == 0)
		return answer_text(connection, MHD_HTTP_OK, "heddle watch: /metrics\n");
	return answer_text(connection, MHD_HTTP_NOT_FOUND, "only /metrics\n");
}

/* Splits "ADDRESS:PORT"; brackets around the address go. False: it is not so. */
static bool split(const char *where, char *address, size_t size, const char **port)
{
	const char *colon = strrchr(where, ':');
	size_t length = colon ? (size_t)(colon - where) : 0;
	const bool has_brackets = length >= 2 && where[0] == '[' && where[length - 1] == ']';

	if (has_brackets) {
		where++;
		length -= 2;
	}
	if (!length || length >= size || !colon[1] ||
	    strspn(colon + 1, "0123456789") != strlen(colon + 1) || strlen(colon + 1) > 5 ||
	    atoi(colon + 1) > 65535)
		return false;
	memcpy(address, where, length);
	address[length] = '\0';
	*port = colon + 1;
	/* an address of IPv6 without brackets: which colon is meant? */
	return has_brackets || !strchr(address, ':');
}

static int listen_at(const struct addrinfo *info)
{
	const int yes = 1;
	int saved, fd = socket(info->ai_family, info->ai_socktype | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (info->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof(yes));
	if (bind(fd, info->ai_addr, info->ai_addrlen) == 0 && listen(fd, SOMAXCONN) == 0)
		return fd;
	saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

static int open_socket(const char *where, int *fd, struct hd_error *err)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };
	struct addrinfo *found;
	char address[256];
	const char *port;
	int ret;

	if (!split(where, address, sizeof(address), &port))
		return hd_error_set(err, HD_EINVAL,
				    "--listen: '%s' is not ADDRESS:PORT (of IPv6: [ADDRESS]:PORT)",
				    where);
	ret = getaddrinfo(address, port, &hints, &found);
	if (ret)
		return hd_error_set(err, HD_EINVAL, "--listen: %s: %s", address, gai_strerror(ret));
	*fd = listen_at(found);
	ret = *fd < 0 ? hd_error_set(err, HD_EIO, "--listen: %s: %s", where, strerror(errno)) : 0;
	freeaddrinfo(found);
	return ret;
}

/* Where @fd listens, as users write it. */
static void tell_bound(int fd, char *text, size_t size)
{
	char address[128] = "?", port[8] = "?";
	struct sockaddr_storage bound;
	socklen_t length = sizeof(bound);

	if (getsockname(fd, (struct sockaddr *)&bound, &length) == 0)
		getnameinfo((struct sockaddr *)&bound, length, address, sizeof(address), port,
			    sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV);
	snprintf(text, size, strchr(address, ':') ? "[%s]:%s" : "%s:%s", address, port);
}

static void *serve(void *context)
{
	struct hd_watch_server *server = context;
	struct pollfd polled[] = { { .fd = server->events, .events = POLLIN },
				   { .fd = server->end, .events = POLLIN } };

	sem_post(&server->is_up);
	while (!polled[1].revents) {
		MHD_UNSIGNED_LONG_LONG ms = 0;
		int timeout = -1;

		pthread_mutex_lock(&server->busy);
		MHD_run(server->daemon);
		/* connections end after HD_WATCH_CONNECTION_TIME, so it looks at them meanwhile */
		if (MHD_get_timeout(server->daemon, &ms) == MHD_YES)
			timeout = ms < 1000 ? (int)ms : 1000;
		pthread_mutex_unlock(&server->busy);
		poll(polled, 2, timeout);
	}
	return NULL;
}

/* A thread that serves, when it is there and has begun. False: it cannot be had. */
static bool start(struct hd_watch_server *server, int fd)
{
	const union MHD_DaemonInfo *info;

	server->daemon = MHD_start_daemon(
		MHD_USE_EPOLL, 0, NULL, NULL, answer, server, MHD_OPTION_LISTEN_SOCKET, fd,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)HD_WATCH_MOST_CONNECTIONS,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)HD_WATCH_CONNECTION_TIME, MHD_OPTION_END);
	if (!server->daemon) {
		close(fd);
		return false;
	}
	info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	server->end = eventfd(0, EFD_CLOEXEC);
	if (!info || server->end < 0)
		return false;
	server->events = info->epoll_fd;
	server->has_thread = !pthread_create(&server->thread, NULL, serve, server);
	while (server->has_thread && sem_wait(&server->is_up))
		;
	return server->has_thread;
}

int hd_watch_serve(const char *where, struct hd_watch_server **server, char *bound, size_t size,
		   struct hd_error *err)
{
	struct hd_watch_server *made = calloc(1, sizeof(*made));
	int fd = -1, ret = made ? open_socket(where, &fd, err) : hd_error_nomem(err);

	*server = NULL;
	if (ret) {
		free(made);
		return ret;
	}
	tell_bound(fd, bound, size);
	made->end = -1;
	pthread_mutex_init(&made->busy, NULL);
	sem_init(&made->is_up, 0, 0);
	if (!start(made, fd)) {
		hd_watch_serve_end(made);
		return hd_error_set(err, HD_EIO, "--listen: %s: libmicrohttpd does not start",
				    where);
	}
	*server = made;
	return 0;
}

void hd_watch_serve_page(struct hd_watch_server *server, char *page, size_t size)
{
	char *old;

	pthread_mutex_lock(&server->busy);
	old = server->page;
	server->page = page;
	server->size = size;
	pthread_mutex_unlock(&server->busy);
	free(old);
}

void hd_watch_serve_hold(void *server)
{
	pthread_mutex_lock(&((struct hd_watch_server *)server)->busy);
}

void hd_watch_serve_release(void *server)
{
	pthread_mutex_unlock(&((struct hd_watch_server *)server)->busy);
}

void hd_watch_serve_end(struct hd_watch_server *server)
{
	if (!server)
		return;
	if (server->has_thread) {
		eventfd_write(server->end, 1);
		pthread_join(server->thread, NULL);
	}
	if (server->daemon)
		MHD_stop_daemon(server->daemon);
	if (server->end >= 0)
		close(server->end);
	sem_destroy(&server->is_up);
	pthread_mutex_destroy(&server->busy);
	free(server->page);
	free(server);
}

#else

#include <stdlib.h>

int hd_watch_serve(const char *where, struct hd_watch_server **server, char *bound, size_t size,
		   struct hd_error *err)
{
	(void)where;
	(void)bound;
	(void)size;
	*server = NULL;
	return hd_error_set(err, HD_EINVAL,
			    "--listen: heddle is built without libmicrohttpd; --prometheus FILE "
			    "works without");
}

void hd_watch_serve_page(struct hd_watch_server *server, char *page, size_t size)
{
	(void)server;
	(void)size;
	free(page);
}

void hd_watch_serve_hold(void *server)
{
	(void)server;
}

void hd_watch_serve_release(void *server)
{
	(void)server;
}

void hd_watch_serve_end(struct hd_watch_server *server)
{
	(void)server;
}

#endif
