/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Gives the page of metrics to whoever asks over HTTP: GET /metrics. */
#ifndef HD_WATCH_SERVE_H
#define HD_WATCH_SERVE_H

#include <stddef.h>

struct hd_error;
struct hd_watch_server;

/* Connections at once; others wait. Seconds without a byte that end one. */
#define HD_WATCH_MOST_CONNECTIONS 16
#define HD_WATCH_CONNECTION_TIME  10

/*
 * Listens on @where, "ADDRESS:PORT" or "[ADDRESS]:PORT", and nowhere else; port 0: one that is
 * free. @bound gets where that is, as text. Signals that the caller blocks stay with the caller.
 * HD_EINVAL: no such text, or a build without libmicrohttpd; HD_EIO: not to be had; HD_ENOMEM.
 */
int hd_watch_serve(const char *where, struct hd_watch_server **server, char *bound, size_t size,
		   struct hd_error *err);

/* Takes @page, from malloc(): what is given from now on. */
void hd_watch_serve_page(struct hd_watch_server *server, char *page, size_t size);

/* Between the two, the thread that serves is in no library: a program may fork. */
void hd_watch_serve_hold(void *server);
void hd_watch_serve_release(void *server);

/* Does nothing if @server is NULL. */
void hd_watch_serve_end(struct hd_watch_server *server);

#endif
