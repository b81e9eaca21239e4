// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/tables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/memory.h"
#include "tables/ar.h"
#include "tables/classes.h"
#include "tables/lft_copy.h"

hd_sl2vl_row hd_row_identity(unsigned vls)
{
	hd_sl2vl_row row = 0;

	for (unsigned sl = 0; vls && sl < HD_MAX_SLS; sl++)
		row |= (uint64_t)(sl % vls) << (4 * sl);
	return row;
}

const hd_sl2vl_row *hd_tables_find_row(const struct hd_tables *tables, uint32_t port, unsigned in,
				       unsigned out)
{
	const struct hd_fabric *fabric = tables->fabric;
	const uint32_t node = fabric->ports[port].node;

	if (!hd_is_switch(fabric, node))
		return &tables->sl2vl[hd_sl2vl_host_index(tables, node,
							  fabric->ports[port].number)];
	if (in > fabric->nodes[node].n_ports || out > fabric->nodes[node].n_ports)
		return NULL;
	return &tables->sl2vl[hd_sl2vl_index(tables, node, in, out)];
}

struct hd_vlarb_entry hd_vlarb_entry_at(const struct hd_vlarb *vlarb, unsigned block, unsigned i)
{
	const unsigned at = block % 2 * HD_VLARB_BLOCK + i;
	const bool is_high = block >= 2;

	if (at >= (is_high ? vlarb->n_high : vlarb->n_low))
		return (struct hd_vlarb_entry){ 0 };
	return is_high ? vlarb->high[at] : vlarb->low[at];
}

void hd_sl2vl_layout(const struct hd_fabric *fabric, size_t *first)
{
	size_t rows = 0;

	hd_for_each_node(n, fabric) {
		size_t width = fabric->nodes[n].n_ports + (size_t)1;

		first[n] = rows;
		rows += hd_is_switch(fabric, n) ? width * width : width;
	}
	first[fabric->n_nodes] = rows;
}

static void fill_identity(struct hd_tables *tables, uint32_t first_node, uint32_t end_node)
{
	const struct hd_fabric *fabric = tables->fabric;
	hd_sl2vl_row identity[HD_MAX_VLS + 1];

	for (unsigned vls = 0; vls <= HD_MAX_VLS; vls++)
		identity[vls] = hd_row_identity(vls);
	for (uint32_t n = first_node; n < end_node; n++) {
		const struct hd_node *node = &fabric->nodes[n];
		const unsigned n_rows = node->type == HD_SWITCH ? node->n_ports + 1u : 1;
		hd_sl2vl_row *row = tables->sl2vl + tables->sl2vl_first[n];

		for (unsigned number = 0; number <= node->n_ports; number++) {
			const uint32_t p = hd_port_index(fabric, n, number);
			const struct hd_port *port = &fabric->ports[p];
			/* port 0 and unlinked ports have no link to agree with */
			const unsigned vls =
				port->peer != HD_NONE ? hd_link_vls(fabric, p) : port->vls;

			hd_rows_fill(row, n_rows, identity[vls]);
			row += n_rows;
		}
	}
}

void hd_tables_reset_node(struct hd_tables *tables, uint32_t node)
{
	fill_identity(tables, node, node + 1);
	if (hd_is_switch(tables->fabric, node))
		memset(hd_lft(tables, node), HD_NO_PATH, tables->lft_stride);
}

/* Gives @tables the LFTs of @copy, if that serves, or else some of their own. */
static void find_lfts(struct hd_tables *tables, struct hd_lft_copy *copy)
{
	const struct hd_fabric *fabric = tables->fabric;
	const size_t size = fabric->n_switches * tables->lft_stride;

	if (copy && !copy->is_lent && fabric->n_switches == copy->of->fabric->n_switches &&
	    fabric->top_lid == copy->of->fabric->top_lid) {
		copy->is_lent = true;
		tables->copy = copy;
		tables->lft = copy->lft;
		return;
	}
	tables->lft = hd_alloc_large(size);
}

/* Tables whose LFTs, unless they are those of @copy, and whose rows nobody has written. */
static int make(const struct hd_fabric *fabric, struct hd_lft_copy *copy, struct hd_tables **result,
		struct hd_error *err)
{
	struct hd_tables *tables = calloc(1, sizeof(*tables));
	size_t lft_size;

	*result = NULL;
	if (!tables)
		return hd_error_nomem(err);
	tables->n_owners = 1;
	tables->fabric = fabric;
	tables->lft_stride = (fabric->top_lid + HD_LFT_BLOCK) / HD_LFT_BLOCK * HD_LFT_BLOCK;
	lft_size = fabric->n_switches * tables->lft_stride;
	tables->sl2vl_first = malloc((fabric->n_nodes + (size_t)1) * sizeof(*tables->sl2vl_first));
	tables->sl_row_of_port = calloc(fabric->n_ports + (size_t)1, sizeof(uint32_t));
	tables->vlarb_of_port = malloc((fabric->n_ports + (size_t)1) * sizeof(uint32_t));
	tables->sl_rows = calloc(1, tables->lft_stride);
	tables->n_sl_rows = 1;
	find_lfts(tables, copy);
	if (tables->sl2vl_first) {
		hd_sl2vl_layout(tables->fabric, tables->sl2vl_first);
		tables->sl2vl = hd_alloc_large(tables->sl2vl_first[fabric->n_nodes] *
					       sizeof(*tables->sl2vl));
	}
	if (!tables->sl2vl || !tables->sl_row_of_port || !tables->vlarb_of_port ||
	    !tables->sl_rows || !tables->lft) {
		if (tables->sl2vl_first)
			lft_size += tables->sl2vl_first[fabric->n_nodes] * sizeof(*tables->sl2vl);
		hd_tables_free(tables);
		return hd_error_set(err, HD_ENOMEM,
				    "out of memory: tables of %" PRIu32 " switches take %zu MB",
				    fabric->n_switches, lft_size / 1000000);
	}
	memset(tables->vlarb_of_port, 0xFF, fabric->n_ports * sizeof(uint32_t));
	*result = tables;
	return 0;
}

int hd_tables_new(const struct hd_fabric *fabric, struct hd_tables **result, struct hd_error *err)
{
	return hd_tables_new_by(fabric, NULL, result, err);
}

int hd_tables_new_by(const struct hd_fabric *fabric, struct hd_lft_copy *copy,
		     struct hd_tables **result, struct hd_error *err)
{
	int ret = make(fabric, copy, result, err);

	if (ret)
		return ret;
	if (!(*result)->copy)
		memset((*result)->lft, HD_NO_PATH, fabric->n_switches * (*result)->lft_stride);
	fill_identity(*result, 0, fabric->n_nodes);
	return 0;
}

int hd_tables_new_blank(const struct hd_fabric *fabric, struct hd_tables **result,
			struct hd_error *err)
{
	return make(fabric, NULL, result, err);
}

struct hd_tables *hd_tables_share(struct hd_tables *tables)
{
	tables->n_owners++;
	return tables;
}

void hd_tables_keep_sls(struct hd_tables *tables)
{
	if (tables->copy)
		hd_lft_copy_give_back(tables->copy);
	else
		free(tables->lft);
	free(tables->sl2vl);
	tables->copy = NULL;
	tables->lft = NULL;
	tables->sl2vl = NULL;
}

void hd_tables_free(struct hd_tables *tables)
{
	if (!tables || --tables->n_owners)
		return;
	hd_tables_keep_sls(tables);
	free(tables->lft_unknown);
	free(tables->sl2vl_first);
	free(tables->sl_rows);
	free(tables->sl_row_of_port);
	free(tables->vlarbs);
	free(tables->vlarb_of_port);
	free(tables->mft);
	free(tables->classes);
	hd_ar_free(tables->ar, tables->fabric);
	free(tables);
}

int hd_tables_set_sl_rows(struct hd_tables *tables, uint32_t n_rows, struct hd_error *err)
{
	uint8_t *rows = calloc(n_rows, tables->lft_stride);

	if (!rows)
		return hd_error_nomem(err);
	hd_tables_take_sl_rows(tables, n_rows, rows);
	return 0;
}

void hd_tables_take_sl_rows(struct hd_tables *tables, uint32_t n_rows, uint8_t *rows)
{
	free(tables->sl_rows);
	tables->sl_rows = rows;
	tables->n_sl_rows = n_rows;
	memset(tables->sl_row_of_port, 0, tables->fabric->n_ports * sizeof(uint32_t));
}

int hd_tables_set_vlarb(struct hd_tables *tables, uint32_t port, const struct hd_vlarb *vlarb,
			struct hd_error *err)
{
	struct hd_vlarb clean = { .n_high = vlarb->n_high,
				  .n_low = vlarb->n_low,
				  .high_limit = vlarb->high_limit };
	struct hd_vlarb *grown;
	uint32_t i;

	/* entries beyond the counts mean nothing */
	memcpy(clean.high, vlarb->high, vlarb->n_high * sizeof(clean.high[0]));
	memcpy(clean.low, vlarb->low, vlarb->n_low * sizeof(clean.low[0]));
	for (i = tables->n_vlarbs; i > 0; i--)
		if (memcmp(&tables->vlarbs[i - 1], &clean, sizeof(clean)) == 0) {
			tables->vlarb_of_port[port] = i - 1;
			return 0;
		}
	grown = realloc(tables->vlarbs, (tables->n_vlarbs + (size_t)1) * sizeof(*grown));
	if (!grown)
		return hd_error_nomem(err);
	tables->vlarbs = grown;
	tables->vlarbs[tables->n_vlarbs] = clean;
	tables->vlarb_of_port[port] = tables->n_vlarbs++;
	return 0;
}

uint16_t hd_vlarb_serves(const struct hd_vlarb *vlarb)
{
	uint16_t vls = 0;

	for (unsigned i = 0; i < vlarb->n_high; i++)
		if (vlarb->high[i].weight)
			vls |= (uint16_t)(1u << vlarb->high[i].vl);
	for (unsigned i = 0; i < vlarb->n_low; i++)
		if (vlarb->low[i].weight)
			vls |= (uint16_t)(1u << vlarb->low[i].vl);
	return vls;
}

unsigned hd_tables_sls_used(const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;
	bool *used = calloc(tables->n_sl_rows, sizeof(*used));
	unsigned mask = 0;

	for (uint32_t i = 0; used && i < fabric->n_endports; i++)
		if (fabric->ports[fabric->endports[i]].lid)
			used[tables->sl_row_of_port[fabric->endports[i]]] = true;
	for (uint32_t row = 0; row < tables->n_sl_rows; row++) {
		const uint8_t *sl = tables->sl_rows + row * tables->lft_stride;

		for (uint32_t lid = 1; (!used || used[row]) && lid <= fabric->top_lid; lid++)
			if (fabric->lids[lid].port != HD_NONE && sl[lid] < HD_MAX_SLS)
				mask |= 1u << sl[lid];
	}
	free(used);
	return hd_classes_sls(tables->classes, mask);
}

unsigned hd_tables_most_vls(const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;
	const unsigned sls = hd_tables_sls_used(tables);
	unsigned most = 0;

	hd_for_each_switch(s, fabric)
		hd_for_each_number(out, fabric, s) {
			if (hd_peer_node(fabric, s, out) == HD_NONE)
				continue;
			hd_for_each_number(in, fabric, s) {
				const size_t row = hd_sl2vl_index(tables, s, in, out);
				unsigned vl;

				if (in == out || hd_peer_node(fabric, s, in) == HD_NONE)
					continue;
				vl = hd_row_top_vl(tables->sl2vl[row], sls);
				most = vl > most ? vl : most;
			}
		}
	return most + 1;
}
