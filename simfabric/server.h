/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The emulated fabric as a process: the emulator, its clients, the clock and the signals around one
 * loop. Carriers and the console watch their descriptors with hd_server_loop().
 */
#ifndef HD_SIMFABRIC_SERVER_H
#define HD_SIMFABRIC_SERVER_H

#include <sys/signalfd.h>

#include "simfabric/emulator/clients.h"
#include "simfabric/emulator/loop.h"

struct hd_server;

/*
 * Makes a fabric that has just been switched on; time runs from now on. @fabric must outlive it.
 * What hd_emulator_new() returns; HD_EIO.
 */
int hd_server_new(const struct hd_fabric *fabric, const struct hd_emulator_options *options,
		  struct hd_server **server, struct hd_error *err);
void hd_server_free(struct hd_server *server);

struct hd_emulator *hd_server_emulator(struct hd_server *server);
struct hd_clients *hd_server_clients(struct hd_server *server);
struct hd_loop *hd_server_loop(struct hd_server *server);

/* Blocks the signals of @mask and calls @caught for each signal that comes. HD_EIO. */
int hd_server_catch(struct hd_server *server, const sigset_t *mask,
		    void (*caught)(void *context, const struct signalfd_siginfo *info),
		    void *context, struct hd_error *err);

/* Serves until hd_server_stop(). HD_EIO. */
int hd_server_run(struct hd_server *server, struct hd_error *err);
void hd_server_stop(struct hd_server *server);

#endif
