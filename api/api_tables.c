// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tables of libheddle: read, written, looked up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "check/walk.h"

/* Frees @snapshot, whose fabric is a handle's. */
static void free_snapshot(struct hd_snapshot *snapshot)
{
	snapshot->fabric = NULL;
	hd_snapshot_free(snapshot);
}

struct heddle_tables *hd_api_tables(struct heddle_fabric *fabric, struct hd_snapshot *snapshot,
				    char *notes)
{
	struct heddle_tables *handle = calloc(1, sizeof(*handle));

	if (!handle) {
		free_snapshot(snapshot);
		heddle_fabric_free(fabric);
		free(notes);
		return NULL;
	}
	atomic_init(&handle->n_refs, 1);
	snapshot->fabric = fabric->fabric;
	handle->fabric = fabric;
	handle->snapshot = snapshot;
	handle->notes = notes;
	return handle;
}

struct heddle_tables *hd_api_hold_tables(const struct heddle_tables *tables)
{
	/* who has a reference may make another one: the count is no part of what is const */
	struct heddle_tables *held = (struct heddle_tables *)tables;

	atomic_fetch_add(&held->n_refs, 1);
	return held;
}

void heddle_tables_free(struct heddle_tables *tables)
{
	if (!tables || atomic_fetch_sub(&tables->n_refs, 1) > 1)
		return;
	free_snapshot(tables->snapshot);
	heddle_fabric_free(tables->fabric);
	free(tables->notes);
	free(tables);
}

struct heddle_fabric *heddle_tables_fabric(const struct heddle_tables *tables)
{
	return hd_api_hold_fabric(tables->fabric);
}

/* Handles of what was read, and of @notes, which is freed where there is no memory for them. */
static int hand_out(struct hd_snapshot *snapshot, char *notes, struct heddle_tables **tables,
		    struct hd_error *err)
{
	struct heddle_fabric *fabric = hd_api_fabric(snapshot->fabric, NULL);

	if (fabric)
		*tables = hd_api_tables(fabric, snapshot, notes);
	if (*tables)
		return 0;
	if (!fabric) {
		free_snapshot(snapshot);
		free(notes);
	}
	return hd_error_nomem(err);
}

enum heddle_status heddle_tables_open(const char *directory,
				      const struct heddle_open_request *request,
				      struct heddle_tables **tables, struct heddle_error *error)
{
	struct heddle_open_request own;
	struct hd_reading how = { 0 };
	struct hd_snapshot *snapshot = NULL;
	struct hd_error err = { 0 };
	char *notes = NULL;
	size_t size;
	locale_t locale = hd_api_enter();
	int ret = hd_api_take_optional(&own, sizeof(own), request, &err);

	*tables = NULL;
	if (!ret && !hd_snapshot_is_directory(directory))
		ret = hd_error_at(&err, HD_EIO, directory, 0, "not a snapshot directory");
	if (!ret) {
		how.strict = own.strict;
		how.name_map = own.node_name_map;
		how.notes = open_memstream(&notes, &size);
		ret = how.notes ? hd_snapshot_read(directory, own.netfile, &how, &snapshot, &err)
				: hd_error_nomem(&err);
	}
	if (how.notes && fclose(how.notes) && !ret) {
		hd_snapshot_free(snapshot);
		ret = hd_error_nomem(&err);
	}
	if (ret)
		free(notes);
	else
		ret = hand_out(snapshot, notes, tables, &err);
	hd_api_leave(locale);
	return hd_api_done(error, ret, &err);
}

enum heddle_status heddle_tables_write(const struct heddle_tables *tables, const char *directory,
				       struct heddle_error *error)
{
	struct hd_error err = { 0 };
	locale_t locale = hd_api_enter();
	int ret = hd_snapshot_write(directory, tables->snapshot->tables,
				    &tables->snapshot->provenance, &err);

	hd_api_leave(locale);
	return hd_api_done(error, ret, &err);
}

enum heddle_status heddle_tables_info(const struct heddle_tables *tables,
				      struct heddle_tables_info *info, struct heddle_error *error)
{
	const struct hd_provenance *provenance = &tables->snapshot->provenance;
	const struct hd_fabric *fabric = tables->fabric->fabric;
	struct heddle_tables_info own;
	struct hd_error err = { 0 };
	int ret = hd_api_take(&own, sizeof(own), info, &err);

	own.engine = provenance->engine;
	own.layers = provenance->layers;
	own.queues = provenance->queues;
	own.options = provenance->options;
	own.notes = tables->notes ? tables->notes : "";
	own.top_lid = fabric->top_lid;
	own.n_switches = fabric->n_switches - tables->snapshot->tables->n_lft_unknown;
	own.lanes_are_kept = tables->lanes_are_kept;
	if (!ret)
		hd_api_give(&own, sizeof(own), info);
	return hd_api_done(error, ret, &err);
}

static int range(struct hd_error *err, const char *what, uint32_t number)
{
	return hd_error_set(err, HD_ERANGE, "there is no %s %u", what, number);
}

static int get_lft(const struct hd_tables *tables, const struct heddle_table_query *query,
		   uint32_t *value, struct hd_error *err)
{
	if (query->node >= tables->fabric->n_switches)
		return range(err, "switch", query->node);
	if (!query->lid || query->lid > tables->fabric->top_lid)
		return range(err, "LID", query->lid);
	*value = hd_lft(tables, query->node)[query->lid];
	return 0;
}

static int get_vl(const struct hd_tables *tables, const struct heddle_table_query *query,
		  uint32_t *value, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	const bool is_switch = hd_is_switch(fabric, query->node);

	if (query->node >= fabric->n_nodes)
		return range(err, "node", query->node);
	if (query->in > fabric->nodes[query->node].n_ports)
		return range(err, "port", query->in);
	if (query->out > fabric->nodes[query->node].n_ports || (!is_switch && !query->out))
		return range(err, "port", query->out);
	if (query->sl >= HD_MAX_SLS)
		return range(err, "SL", query->sl);
	*value = hd_row_vl(
		tables->sl2vl[is_switch ? hd_sl2vl_index(tables, query->node, query->in, query->out)
					: hd_sl2vl_host_index(tables, query->node, query->out)],
		query->sl);
	return 0;
}

static int get_sl(const struct hd_tables *tables, const struct heddle_table_query *query,
		  uint32_t *value, struct hd_error *err)
{
	if (query->port >= tables->fabric->n_ports)
		return range(err, "port", query->port);
	if (!query->lid || query->lid > tables->fabric->top_lid)
		return range(err, "LID", query->lid);
	*value = hd_path_sl(tables, query->port, query->lid);
	return 0;
}

enum heddle_status heddle_tables_get(const struct heddle_tables *tables,
				     const struct heddle_table_query *query, uint32_t *value,
				     struct heddle_error *error)
{
	static int (*const get[])(const struct hd_tables *, const struct heddle_table_query *,
				  uint32_t *, struct hd_error *) = {
		[HEDDLE_TABLE_LFT] = get_lft,
		[HEDDLE_TABLE_SL2VL] = get_vl,
		[HEDDLE_TABLE_PATH_SL] = get_sl,
	};
	struct heddle_table_query own;
	struct hd_error err = { 0 };
	int ret = hd_api_take(&own, sizeof(own), query, &err);

	*value = 0;
	if (!ret && own.table >= sizeof(get) / sizeof(get[0]))
		ret = range(&err, "table", own.table);
	if (!ret)
		ret = get[own.table](tables->snapshot->tables, &own, value, &err);
	return hd_api_done(error, ret, &err);
}

enum heddle_status heddle_tables_lft(const struct heddle_tables *tables, uint32_t node,
				     uint8_t *ports, size_t n, struct heddle_error *error)
{
	const struct hd_tables *t = tables->snapshot->tables;
	const size_t known = t->fabric->top_lid + (size_t)1;
	struct hd_error err = { 0 };

	if (node >= t->fabric->n_switches)
		return hd_api_done(error, range(&err, "switch", node), &err);
	if (n)
		memset(ports, HD_NO_PATH, n);
	if (n)
		memcpy(ports, hd_lft(t, node), n < known ? n : known);
	return hd_api_done(error, 0, &err);
}

/* The port that has @lid. HD_ERANGE: none. */
static int port_of(const struct hd_fabric *fabric, uint32_t lid, uint32_t *port,
		   struct hd_error *err)
{
	if (!lid || lid > fabric->top_lid || fabric->lids[lid].port == HD_NONE)
		return range(err, "port with LID", lid);
	*port = fabric->lids[lid].port;
	return 0;
}

static void copy_hops(const struct hd_hop *from, size_t n, struct heddle_hop *hops)
{
	for (size_t i = 0; i < n; i++)
		hops[i] = (struct heddle_hop){
			.node = from[i].node, .in = from[i].in, .out = from[i].out, .vl = from[i].vl
		};
}

/* That packets do not arrive, and where they are lost. */
static enum heddle_status lost(const struct hd_fabric *fabric, enum hd_check_failure failure,
			       uint32_t at, struct heddle_error *error)
{
	char label[HD_LABEL_SIZE];

	return hd_api_no(error, "%s at %s", hd_check_failure_name(failure),
			 hd_node_label(fabric, at, label, sizeof(label)));
}

enum heddle_status heddle_path(const struct heddle_tables *tables, uint32_t source,
			       uint32_t destination, uint32_t sl, struct heddle_hop *hops,
			       size_t capacity, size_t *n, struct heddle_error *error)
{
	const struct hd_tables *t = tables->snapshot->tables;
	const size_t most = t->fabric->n_switches + (size_t)2;
	struct hd_flow flow = { .lid = (uint16_t)destination };
	enum hd_check_failure failure;
	struct hd_error err = { 0 };
	struct hd_hop *way;
	uint32_t end;
	int ret = port_of(t->fabric, source, &flow.source, &err);

	*n = 0;
	if (!ret)
		ret = port_of(t->fabric, destination, &end, &err);
	if (!ret && sl != HEDDLE_PATH_SL && sl >= HD_MAX_SLS)
		ret = range(&err, "SL", sl);
	if (ret)
		return hd_api_done(error, ret, &err);
	if (sl == HEDDLE_PATH_SL)
		sl = hd_path_sl(t, flow.source, destination);
	if (sl == HD_NO_SL)
		return hd_api_no(error, "there is no path SL from LID %u to LID %u", source,
				 destination);
	flow.sl = (uint8_t)sl;
	way = malloc(most * sizeof(*way));
	if (!way)
		return hd_api_done(error, hd_error_nomem(&err), &err);
	failure = hd_walk(t, &flow, way, most, n);
	copy_hops(way, *n < capacity ? *n : capacity, hops);
	end = way[*n - 1].node;
	free(way);
	return failure == HD_CHECK_SOUND ? hd_api_done(error, 0, &err)
					 : lost(t->fabric, failure, end, error);
}
