// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The room fabric/ on the command line, for test scripts:
 *
 *	fabric_tool copy FILE                read and write again
 *	fabric_tool lids FILE                "0xPORTGUID LID LMC" of every port that has a LID
 *	fabric_tool assign FILE LMC [PORT]   the same after hd_fabric_assign_lids(), the subnet
 *	                                     manager on the port with GUID PORT
 *	fabric_tool time FILE                seconds that reading takes
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fabric/fabric.h"
#include "fabric/lids.h"
#include "fabric/netfile.h"
#include "support/error.h"

static void print_lids(const struct hd_fabric *fabric)
{
	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		const struct hd_port *port = &fabric->ports[fabric->endports[i]];

		if (port->lid)
			printf("0x%016" PRIx64 " %u %u\n", port->guid, port->lid, port->lmc);
	}
}

static int assign(const struct hd_fabric *fabric, int argc, char **argv, struct hd_error *err)
{
	uint32_t port =
		argc > 4 ? hd_fabric_find_port(fabric, strtoull(argv[4], NULL, 0)) : HD_NONE;
	struct hd_fabric *assigned;
	int ret;

	if (argc > 4 && port == HD_NONE)
		return hd_error_set(err, HD_ENOTFOUND, "no port %s", argv[4]);
	ret = hd_fabric_assign_lids(fabric, port, (unsigned)atoi(argc > 3 ? argv[3] : "0"),
				    &assigned, err);
	if (!ret)
		print_lids(assigned);
	hd_fabric_free(assigned);
	return ret;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 2 ? argv[1] : "";
	struct hd_error err = { 0 };
	struct hd_fabric *fabric;
	char buffer[1100];
	double start = now();
	int ret;

	if (argc < 3) {
		fprintf(stderr, "usage: fabric_tool copy|lids|assign|time FILE\n");
		return 2;
	}
	ret = hd_netfile_read(argv[2], NULL, &fabric, &err);
	if (!ret && strcmp(verb, "time") == 0)
		printf("%" PRIu32 " nodes %" PRIu32 " links %.3f s\n", fabric->n_nodes,
		       fabric->n_links, now() - start);
	else if (!ret && strcmp(verb, "copy") == 0)
		ret = hd_netfile_write(fabric, stdout, &err);
	else if (!ret && strcmp(verb, "lids") == 0)
		print_lids(fabric);
	else if (!ret && strcmp(verb, "assign") == 0)
		ret = assign(fabric, argc, argv, &err);
	hd_fabric_free(fabric);
	if (ret)
		fprintf(stderr, "fabric_tool: %s\n", hd_error_format(&err, buffer, sizeof(buffer)));
	return ret ? 2 : 0;
}
