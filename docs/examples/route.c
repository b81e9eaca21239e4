/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routes a fabric, proves the tables, and prints the busiest link and a path.
 *
 *	cc route.c $(pkg-config --cflags --libs heddle) -o route
 *	./route dragonfly:a=4,p=2,h=2 dla	or: ./route cluster.net
 *
 * Exit status: 0 sound, 1 unsound, 2 it could not be done.
 */
#include <heddle/heddle.h>

#include <stdio.h>

static int fail(const struct heddle_error *error)
{
	fprintf(stderr, "route: %s\n", error->text);
	return 2;
}

static void print_busiest(const struct heddle_tables *tables, const struct heddle_fabric *fabric)
{
	struct heddle_load_result load = HEDDLE_LOAD_RESULT_INIT;
	struct heddle_port port = HEDDLE_PORT_INIT;
	struct heddle_node node = HEDDLE_NODE_INIT;

	if (heddle_load(tables, NULL, 0, &load, NULL) != HEDDLE_OK ||
	    heddle_fabric_port(fabric, load.busiest_port, &port, NULL) != HEDDLE_OK ||
	    heddle_fabric_node(fabric, port.node, &node, NULL) != HEDDLE_OK)
		return;
	printf("busiest link  %u flows leave %s by port %u\n", load.busiest, node.name,
	       port.number);
}

/* The way from the first host to the last one. */
static void print_path(const struct heddle_tables *tables, const struct heddle_fabric *fabric)
{
	struct heddle_fabric_info info = HEDDLE_FABRIC_INFO_INIT;
	struct heddle_node from = HEDDLE_NODE_INIT, to = HEDDLE_NODE_INIT, node = HEDDLE_NODE_INIT;
	struct heddle_hop hops[64];
	size_t n;

	if (heddle_fabric_info(fabric, &info, NULL) != HEDDLE_OK ||
	    heddle_fabric_node(fabric, info.n_switches, &from, NULL) != HEDDLE_OK ||
	    heddle_fabric_node(fabric, info.n_nodes - 1, &to, NULL) != HEDDLE_OK ||
	    heddle_path(tables, from.lid, to.lid, HEDDLE_PATH_SL, hops, 64, &n, NULL) != HEDDLE_OK)
		return;
	printf("path         ");
	for (size_t i = 0; i < n && i < 64; i++)
		if (heddle_fabric_node(fabric, hops[i].node, &node, NULL) == HEDDLE_OK)
			printf(" %s", node.name);
	printf("\n");
}

int main(int argc, char **argv)
{
	struct heddle_route_request request = HEDDLE_ROUTE_REQUEST_INIT;
	struct heddle_check_result result = HEDDLE_CHECK_RESULT_INIT;
	struct heddle_tables *tables = NULL;
	struct heddle_fabric *fabric = NULL;
	struct heddle_error error;
	enum heddle_status status;

	if (argc < 2)
		return fprintf(stderr, "usage: route FABRIC [ENGINE]\n"), 2;
	status = heddle_fabric_open(argv[1], NULL, &fabric, &error); /* a file, or a spec */
	if (status != HEDDLE_OK)
		return fail(&error);
	request.engine = argc > 2 ? argv[2] : NULL;
	status = heddle_route(fabric, &request, &tables, &error);
	heddle_fabric_free(fabric);
	if (status != HEDDLE_OK)
		return fail(&error);
	status = heddle_check(tables, NULL, &result, &error);
	if (status != HEDDLE_OK && status != HEDDLE_NO) {
		heddle_tables_free(tables);
		return fail(&error);
	}
	printf("verdict       %s\n", result.text);
	fabric = heddle_tables_fabric(tables); /* with LIDs */
	print_busiest(tables, fabric);
	print_path(tables, fabric);
	heddle_fabric_free(fabric);
	heddle_tables_free(tables);
	return status == HEDDLE_OK ? 0 : 1;
}
