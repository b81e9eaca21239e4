/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Streams of commands: standard input, or connections to a stream socket. Answers that nobody reads
 * yet are kept, and delay further commands of the same stream only.
 */
#ifndef HD_SIMFABRIC_CONSOLE_STREAM_H
#define HD_SIMFABRIC_CONSOLE_STREAM_H

#include "simfabric/console.h"
#include "simfabric/emulator/loop.h"

struct hd_streams;

/* @console is copied for each stream. HD_ENOMEM. */
int hd_streams_new(struct hd_loop *loop, const struct hd_console *console,
		   struct hd_streams **streams, struct hd_error *err);

/* Closes all streams, and removes the socket. */
void hd_streams_free(struct hd_streams *streams);

/* Takes commands from @in and answers on @out, which remain the caller's. HD_EIO, HD_ENOMEM. */
int hd_streams_add(struct hd_streams *streams, int in, int out, struct hd_error *err);

/*
 * Takes connections at the socket @path, which is made; a socket that a former simulator left there
 * is replaced. HD_EIO: the socket is in use, or cannot be made; HD_EINVAL: too long.
 */
int hd_streams_listen(struct hd_streams *streams, const char *path, struct hd_error *err);

#endif
