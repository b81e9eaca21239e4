// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Prints the SL2VL tables that the nodes of a live fabric hold, one line per table:
 *
 *	0xGUID IN OUT VL-OF-SL-0 ... VL-OF-SL-15
 *
 * for every linked out-port and every in-port 0 .. n of switches (by node GUID), and with IN and
 * OUT both the port's number for every linked port of adapters (by port GUID). smpquery says the
 * same, one process per table.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <infiniband/mad.h>
#include <infiniband/ibnetdisc.h>

#define TIMEOUT_MS 1000

struct reader {
	struct ibmad_port *srcport;
	unsigned long n_failed;
};

static void print_table(struct reader *reader, uint64_t guid, unsigned in, unsigned out,
			ib_portid_t *portid, unsigned modifier)
{
	uint8_t table[IB_SMP_DATA_SIZE] = { 0 };

	if (!smp_query_via(table, portid, IB_ATTR_SLVL_TABLE, modifier, TIMEOUT_MS,
			   reader->srcport)) {
		fprintf(stderr, "0x%016" PRIx64 ": no answer for %u to %u\n", guid, in, out);
		reader->n_failed++;
		return;
	}
	printf("0x%016" PRIx64 " %u %u", guid, in, out);
	for (unsigned sl = 0; sl < 16; sl++)
		printf(" %u", sl % 2 ? table[sl / 2] & 15u : table[sl / 2] >> 4);
	putchar('\n');
}

static void read_node(ibnd_node_t *node, void *context)
{
	struct reader *reader = context;

	for (int out = 1; out <= node->numports; out++) {
		ibnd_port_t *port = node->ports[out];
		ib_portid_t portid = { 0 };

		if (!port || !port->remoteport)
			continue;
		portid.lid = node->type == IB_NODE_SWITCH ? node->smalid : port->base_lid;
		if (node->type != IB_NODE_SWITCH) {
			print_table(reader, port->guid, (unsigned)out, (unsigned)out, &portid, 0);
			continue;
		}
		for (int in = 0; in <= node->numports; in++)
			print_table(reader, node->guid, (unsigned)in, (unsigned)out, &portid,
				    (unsigned)in << 8 | (unsigned)out);
	}
}

int main(void)
{
	int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS };
	struct ibnd_config config = { .timeout_ms = TIMEOUT_MS };
	struct reader reader = { 0 };
	ibnd_fabric_t *fabric = ibnd_discover_fabric(NULL, 0, NULL, &config);

	if (!fabric) {
		fputs("no fabric\n", stderr);
		return 2;
	}
	reader.srcport = mad_rpc_open_port(NULL, 0, classes, 2);
	if (!reader.srcport) {
		fputs("no port\n", stderr);
		ibnd_destroy_fabric(fabric);
		return 2;
	}
	ibnd_iter_nodes(fabric, read_node, &reader);
	mad_rpc_close_port(reader.srcport);
	ibnd_destroy_fabric(fabric);
	return reader.n_failed ? 1 : 0;
}
