/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files of the library need of each other. */
#ifndef HD_UMAD_PORTS_H
#define HD_UMAD_PORTS_H

#include <stdbool.h>
#include <stdint.h>

/* The only channel adapter there is. */
#define HD_CA_NAME "simfabric0"

/* Whether @ca_name means this adapter; NULL and "" mean any. */
bool hd_is_our_ca(const char *ca_name);

/* The server's number for the client that has port @number open, or HD_NO_CLIENT. */
uint32_t hd_ports_client(unsigned number);

#endif
