// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle show lft, sl2vl, vlarb: the tables themselves. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/error.h"
#include "tools/open_input.h"
#include "tools/report.h"
#include "tools/cmd_show.h"

static void print_lft_text(const struct hd_tables *tables, uint32_t node)
{
	const struct hd_fabric *fabric = tables->fabric;
	const uint8_t *lft = hd_lft(tables, node);
	char label[HD_LABEL_SIZE], next[HD_LABEL_SIZE];

	printf("%6s  %4s  %-24s  destination\n", "LID", "port", "next");
	hd_for_each_lid(lid, fabric) {
		uint32_t peer = HD_NONE;

		if (fabric->lids[lid].port == HD_NONE && lft[lid] == HD_NO_PATH)
			continue;
		if (lft[lid] <= fabric->nodes[node].n_ports)
			peer = lft[lid] ? hd_peer_node(fabric, node, lft[lid]) : node;
		printf("%6" PRIu32 "  ", lid);
		if (lft[lid] == HD_NO_PATH)
			printf("%4s", "-");
		else
			printf("%4u", lft[lid]);
		printf("  %-24s  %s\n",
		       peer == HD_NONE ? "-" : hd_node_label(fabric, peer, next, sizeof(next)),
		       hd_report_lid(fabric, lid, label, sizeof(label)));
	}
}

static void print_lft_json(const struct hd_tables *tables, uint32_t node)
{
	const struct hd_fabric *fabric = tables->fabric;
	const uint8_t *lft = hd_lft(tables, node);
	json_t *root = hd_json_begin(), *entries = json_array();

	json_object_set_new(root, "switch", hd_json_node(fabric, node));
	hd_for_each_lid(lid, fabric) {
		json_t *entry;

		if (fabric->lids[lid].port == HD_NONE && lft[lid] == HD_NO_PATH)
			continue;
		entry = json_object();
		json_object_set_new(entry, "lid", json_integer(lid));
		json_object_set_new(entry, "port",
				    lft[lid] == HD_NO_PATH ? json_null() : json_integer(lft[lid]));
		json_array_append_new(entries, entry);
	}
	json_object_set_new(root, "lft", entries);
	hd_json_print(root);
}

int hd_show_lft(const struct hd_show *show, struct hd_error *err)
{
	const struct hd_tables *tables = show->snapshot->tables;
	uint32_t node;
	int ret = hd_input_switch(tables->fabric, show->words[0], &node, err);

	if (ret)
		return ret;
	if (!hd_lft_is_known(tables, node))
		return hd_error_set(err, HD_ENOTFOUND, "the snapshot has no LFT of '%s'",
				    show->words[0]);
	if (show->json)
		print_lft_json(tables, node);
	else
		print_lft_text(tables, node);
	return 0;
}

/* Prints the rows of a node one after the other; text repeats the header of SLs once. */
struct row_printer {
	const struct hd_tables *tables;
	uint32_t node;
	json_t *rows; /* NULL: text */
};

static void print_row(const struct row_printer *printer, unsigned in, unsigned out,
		      hd_sl2vl_row row)
{
	json_t *entry, *vls;

	if (!printer->rows) {
		printf("%4u %4u  ", in, out);
		for (unsigned sl = 0; sl < HD_MAX_SLS; sl++)
			printf(" %2u", hd_row_vl(row, sl));
		putchar('\n');
		return;
	}
	entry = json_object();
	vls = json_array();
	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++)
		json_array_append_new(vls, json_integer(hd_row_vl(row, sl)));
	json_object_set_new(entry, "in", json_integer(in));
	json_object_set_new(entry, "out", json_integer(out));
	json_object_set_new(entry, "vls", vls);
	json_array_append_new(printer->rows, entry);
}

/* Whether packets can come in at, or go out of, port @number of @node. */
static bool in_use(const struct hd_fabric *fabric, uint32_t node, unsigned number)
{
	return number == 0 || fabric->ports[hd_port_index(fabric, node, number)].peer != HD_NONE;
}

static void print_rows(const struct row_printer *printer)
{
	const struct hd_tables *tables = printer->tables;
	const struct hd_fabric *fabric = tables->fabric;
	uint32_t node = printer->node;
	unsigned n_ports = fabric->nodes[node].n_ports;
	unsigned first = fabric->nodes[node].enhanced_port0 ? 0 : 1;

	if (!hd_is_switch(fabric, node)) {
		for (unsigned number = 1; number <= n_ports; number++)
			print_row(printer, 0, number,
				  tables->sl2vl[hd_sl2vl_host_index(tables, node, number)]);
		return;
	}
	for (unsigned out = first; out <= n_ports; out++)
		for (unsigned in = 0; in <= n_ports; in++)
			if (in_use(fabric, node, out) && in_use(fabric, node, in))
				print_row(printer, in, out,
					  tables->sl2vl[hd_sl2vl_index(tables, node, in, out)]);
}

static int print_one_row(const struct row_printer *printer, const char *const *words,
			 struct hd_error *err)
{
	const struct hd_tables *tables = printer->tables;
	unsigned in, out;
	int ret = hd_input_port_number(tables->fabric, printer->node, words[0], &in, err);

	if (!ret)
		ret = hd_input_port_number(tables->fabric, printer->node, words[1], &out, err);
	if (ret)
		return ret;
	if (hd_is_switch(tables->fabric, printer->node)) {
		print_row(printer, in, out,
			  tables->sl2vl[hd_sl2vl_index(tables, printer->node, in, out)]);
		return 0;
	}
	if (in != 0 || out == 0)
		return hd_error_set(err, HD_EINVAL,
				    "an end node's rows are from IN 0 to OUT 1 and above");
	print_row(printer, in, out, tables->sl2vl[hd_sl2vl_host_index(tables, printer->node, out)]);
	return 0;
}

int hd_show_sl2vl(const struct hd_show *show, struct hd_error *err)
{
	const struct hd_tables *tables = show->snapshot->tables;
	struct row_printer printer = { .tables = tables };
	json_t *root = NULL;
	int ret = hd_fabric_find(tables->fabric, show->words[0], &printer.node, err);

	if (ret)
		return ret;
	if (show->json) {
		root = hd_json_begin();
		printer.rows = json_array();
		json_object_set_new(root, "node", hd_json_node(tables->fabric, printer.node));
		json_object_set_new(root, "rows", printer.rows);
	}
	if (show->n_words == 3) {
		ret = print_one_row(&printer, show->words + 1, err);
	} else {
		if (!show->json)
			puts("  in  out   VL of SL 0, 1, ... 15");
		print_rows(&printer);
	}
	if (ret)
		json_decref(root);
	else if (root)
		hd_json_print(root);
	return ret;
}

static void print_arbitration(const char *what, const struct hd_vlarb_entry *entries, unsigned n)
{
	printf("%-5s%s", what, n ? "" : " none");
	for (unsigned i = 0; i < n; i++)
		printf(" %u:%u", entries[i].vl, entries[i].weight);
	putchar('\n');
}

static json_t *json_arbitration(const struct hd_vlarb_entry *entries, unsigned n)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < n; i++)
		json_array_append_new(array, json_pack("{s:i, s:i}", "vl", entries[i].vl, "weight",
						       entries[i].weight));
	return array;
}

static void print_vlarb_json(const struct hd_fabric *fabric, uint32_t port,
			     const struct hd_vlarb *vlarb)
{
	json_t *root = hd_json_begin();

	json_object_set_new(root, "node", hd_json_node(fabric, fabric->ports[port].node));
	json_object_set_new(root, "port", json_integer(fabric->ports[port].number));
	json_object_set_new(root, "high_limit", json_integer(vlarb->high_limit));
	json_object_set_new(root, "high", json_arbitration(vlarb->high, vlarb->n_high));
	json_object_set_new(root, "low", json_arbitration(vlarb->low, vlarb->n_low));
	hd_json_print(root);
}

int hd_show_vlarb(const struct hd_show *show, struct hd_error *err)
{
	const struct hd_tables *tables = show->snapshot->tables;
	const struct hd_fabric *fabric = tables->fabric;
	const struct hd_vlarb *vlarb;
	unsigned number;
	uint32_t node, port;
	int ret = hd_fabric_find(fabric, show->words[0], &node, err);

	if (!ret)
		ret = hd_input_port_number(fabric, node, show->words[1], &number, err);
	if (ret)
		return ret;
	port = hd_port_index(fabric, node, number);
	if (tables->vlarb_of_port[port] == HD_NONE)
		return hd_error_set(err, HD_ENOTFOUND,
				    "the snapshot has no VL arbitration of port %u of '%s'", number,
				    show->words[0]);
	vlarb = &tables->vlarbs[tables->vlarb_of_port[port]];
	if (show->json) {
		print_vlarb_json(fabric, port, vlarb);
		return 0;
	}
	puts("VL:weight, weights in units of 64 bytes");
	print_arbitration("high", vlarb->high, vlarb->n_high);
	print_arbitration("low", vlarb->low, vlarb->n_low);
	if (vlarb->high_limit == 255)
		puts("limit unlimited");
	else
		printf("limit %u KiB\n", vlarb->high_limit * 4u);
	return 0;
}
