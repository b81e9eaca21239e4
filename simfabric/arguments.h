/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The command line of simfabric. */
#ifndef HD_SIMFABRIC_ARGUMENTS_H
#define HD_SIMFABRIC_ARGUMENTS_H

#include <netinet/in.h>

#include "simfabric/emulator/access.h"
#include "simfabric/emulator/emulator.h"

#define HD_SIMFABRIC_UNUSABLE 2 /* exit status: bad usage or input */

struct hd_arguments {
	const char *fabric;
	const char *name; /* of the sockets; NULL: the default */
	const char *host; /* NULL: the first adapter */
	const char *wrapper;
	const char *console; /* NULL: none; "-": standard input */
	const char *script;
	const char *history; /* NULL: none */
	bool inet;
	struct sockaddr_in listen;
	struct hd_access access;
	struct hd_emulator_options options;
	unsigned verbose;
	bool quiet;
	bool strict;
	char **command; /* ends with NULL; NULL: none */
};

/* Parses; 0, or HD_SIMFABRIC_UNUSABLE after one line on stderr. --help and --version exit. */
int hd_arguments_parse(int argc, char **argv, struct hd_arguments *arguments);

#endif
