/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Asking the server: its socket is "@NAME:ring", NAME from IBSIM_SOCKNAME ("sim" without). */
#ifndef HD_UMAD_CONNECTION_H
#define HD_UMAD_CONNECTION_H

#include "simfabric/emulator/ring_layout.h"

#define HD_NO_CLIENT UINT32_MAX

/* A connected socket; or -errno: ECONNREFUSED when there is no server. */
int hd_umad_connect(void);

/*
 * Sends @request, completed with version and SIM_HOST, and waits for its answer. Fills in
 * @files[n], which the answer carries, when @n is not 0. Returns 0 or -errno, also where the answer
 * has one.
 */
int hd_umad_ask(int socket, struct hd_ring_request *request, struct hd_ring_answer *answer,
		int *files, unsigned n);

/* @attribute with @modifier of the agent at port number @port (0: the first), over a connection of
 * its own, so that a fork leaves nothing behind. */
int hd_umad_ask_attribute(unsigned port, unsigned attribute, uint32_t modifier,
			  struct hd_ring_answer *answer);

#endif
