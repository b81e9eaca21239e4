// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * VL arbitration in ibdiagnet2.db_csv: its section VL_ARBITRATION_TABLE has a row for each entry,
 * in the order of the tables; the limit of the high-priority table is in section PORTS.
 */
#include <stdlib.h>
#include <string.h>

#include "fabric/csv_sections.h"
#include "fabric/db_csv.h"
#include "support/error.h"
#include "support/text_stream.h"
#include "tables/dumps.h"

enum { PORT_NODE, PORT_NUMBER, PORT_LIMIT };
enum { ENTRY_NODE, ENTRY_NUMBER, ENTRY_PRIORITY, ENTRY_VL, ENTRY_WEIGHT };

struct csv_reader {
	struct hd_csv csv;
	struct hd_tables *tables;
	uint8_t *limits; /* [port] of the high-priority table */
	bool *seen;      /* [port] its rows were read, or are being read */
	uint32_t port;   /* whose rows are being read; HD_NONE: none */
	struct hd_vlarb vlarb;
};

static int read_limit(void *of, const struct hd_span *values, struct hd_error *err)
{
	struct csv_reader *reader = of;
	uint64_t limit = 0;
	uint32_t port;
	int ret = hd_csv_find_port(&reader->csv, reader->tables->fabric, values, &port, err);

	if (!ret)
		ret = hd_csv_number(&reader->csv, values, PORT_LIMIT, UINT8_MAX, &limit, err);
	if (!ret && port != HD_NONE)
		reader->limits[port] = (uint8_t)limit;
	return ret;
}

/* The rows of a port end. */
static int close_port(void *of, struct hd_error *err)
{
	struct csv_reader *reader = of;
	const uint32_t port = reader->port;

	reader->port = HD_NONE;
	if (port == HD_NONE)
		return 0;
	reader->vlarb.high_limit = reader->limits[port];
	reader->tables->has_vlarb = true;
	return hd_tables_set_vlarb(reader->tables, port, &reader->vlarb, err);
}

static int open_port(struct csv_reader *reader, uint32_t port, struct hd_error *err)
{
	int ret = close_port(reader, err);

	if (ret)
		return ret;
	if (reader->seen[port])
		return hd_csv_error(&reader->csv, err,
				    "the VL arbitration of this port comes twice");
	reader->seen[port] = true;
	reader->port = port;
	memset(&reader->vlarb, 0, sizeof(reader->vlarb));
	return 0;
}

static int add_entry(struct csv_reader *reader, bool is_high, uint64_t vl, uint64_t weight,
		     struct hd_error *err)
{
	struct hd_vlarb *vlarb = &reader->vlarb;
	uint8_t *n = is_high ? &vlarb->n_high : &vlarb->n_low;

	if (*n == HD_VLARB_MAX)
		return hd_csv_error(&reader->csv, err, "more than %d entries of one table",
				    HD_VLARB_MAX);
	(is_high ? vlarb->high : vlarb->low)[(*n)++] =
		(struct hd_vlarb_entry){ .vl = (uint8_t)vl, .weight = (uint8_t)weight };
	return 0;
}

static int read_entry(void *of, const struct hd_span *values, struct hd_error *err)
{
	struct csv_reader *reader = of;
	const struct hd_span *priority = &values[ENTRY_PRIORITY];
	const char first = priority->begin < priority->end ? *priority->begin : '\0';
	const bool is_high = first == 'h' || first == 'H', is_low = first == 'l' || first == 'L';
	uint64_t vl = 0, weight = 0;
	uint32_t port;
	int ret = hd_csv_find_port(&reader->csv, reader->tables->fabric, values, &port, err);

	if (ret || port == HD_NONE)
		return ret;
	if (!is_high && !is_low)
		return hd_csv_differs(&reader->csv, err, "a priority that is not High or Low");
	ret = hd_csv_number(&reader->csv, values, ENTRY_VL, 15, &vl, err);
	if (!ret)
		ret = hd_csv_number(&reader->csv, values, ENTRY_WEIGHT, UINT8_MAX, &weight, err);
	if (!ret && port != reader->port)
		ret = open_port(reader, port, err);
	return ret ? ret : add_entry(reader, is_high, vl, weight, err);
}

static const struct hd_csv_section sections[] = {
	{ .name = "PORTS",
	  .columns = { [PORT_NODE] = "NodeGuid",
		       [PORT_NUMBER] = "PortNum",
		       [PORT_LIMIT] = "VLHighLimit" },
	  .n_required = PORT_LIMIT,
	  .row = read_limit },
	{ .name = "VL_ARBITRATION_TABLE",
	  .may_differ = true,
	  .columns = { [ENTRY_NODE] = "NodeGUID",
		       [ENTRY_NUMBER] = "PortNum",
		       [ENTRY_PRIORITY] = "Priority",
		       [ENTRY_VL] = "VL",
		       [ENTRY_WEIGHT] = "Weight" },
	  .n_required = ENTRY_WEIGHT + 1,
	  .row = read_entry,
	  .end = close_port },
};

static int begin(struct csv_reader *reader, struct hd_tables *tables, const char *name,
		 const struct hd_reading *how, struct hd_error *err)
{
	const size_t n = tables->fabric->n_ports + (size_t)1;

	*reader = (struct csv_reader){
		.csv = { .sections = sections,
			 .n_sections = sizeof(sections) / sizeof(sections[0]),
			 .reader = reader },
		.tables = tables,
		.limits = calloc(n, sizeof(*reader->limits)),
		.seen = calloc(n, sizeof(*reader->seen)),
		.port = HD_NONE,
	};
	hd_csv_begin(&reader->csv, name, how);
	return reader->limits && reader->seen ? 0 : hd_error_nomem(err);
}

/* The section is passed over: its first rows do not count either. */
static void forget_vlarb(struct hd_tables *tables)
{
	tables->has_vlarb = false;
	tables->n_vlarbs = 0;
	hd_for_each_port(p, tables->fabric)
		tables->vlarb_of_port[p] = HD_NONE;
}

static int end(struct csv_reader *reader, int ret, struct hd_error *err)
{
	if (!ret)
		ret = hd_csv_end(&reader->csv, err);
	if (!ret && hd_csv_passed(&reader->csv, "VL_ARBITRATION_TABLE"))
		forget_vlarb(reader->tables);
	free(reader->limits);
	free(reader->seen);
	return ret;
}

int hd_vlarb_parse_csv(struct hd_tables *tables, const char *name, const char *data, size_t size,
		       const struct hd_reading *how, struct hd_error *err)
{
	struct csv_reader reader;
	int ret = begin(&reader, tables, name, how, err);

	return end(&reader, ret ? ret : hd_csv_feed(&reader.csv, data, size, err), err);
}

int hd_vlarb_read_csv(struct hd_tables *tables, const char *path, const struct hd_reading *how,
		      struct hd_error *err)
{
	struct csv_reader reader;
	int ret = begin(&reader, tables, path, how, err);

	if (!ret)
		ret = hd_text_stream(path, HD_DB_CSV_MOST, &reader.csv.lines, hd_csv_feed,
				     &reader.csv, err);
	return end(&reader, ret, err);
}
