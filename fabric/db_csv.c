// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/db_csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/builder.h"
#include "fabric/csv_sections.h"
#include "fabric/link_rate.h"
#include "support/error.h"
#include "support/text_stream.h"

/* A link may come from both of its ends, but not for ever. */
#define ROWS_PER_PORT 4

struct db_node {
	uint64_t guid;
	uint32_t id; /* in the builder */
	unsigned line;
	uint32_t first_port; /* index in has_row of port 0 */
	uint8_t n_ports;
	uint8_t type;
	bool is_enhanced; /* its port 0, as SWITCHES says */
};

struct db_reader {
	struct hd_csv csv;
	struct hd_builder *builder;
	struct db_node *nodes; /* in the order of the file, then by GUID */
	size_t n_nodes, capacity;
	bool *has_row; /* of a port: section PORTS has it */
	size_t n_ports;
	uint64_t n_links; /* rows */
};

enum {
	NODE_GUID,
	NODE_TYPE,
	NODE_PORTS,
	NODE_NAME,
	NODE_SYSTEM,
	NODE_PORT,
	NODE_VENDOR,
	NODE_DEVICE
};
enum {
	PORT_NODE,
	PORT_NUMBER,
	PORT_GUID,
	PORT_LID,
	PORT_LMC,
	PORT_WIDTH,
	PORT_SPEED,
	PORT_CAP,
	PORT_VLS
};
enum { LINK_NODE_1, LINK_PORT_1, LINK_NODE_2, LINK_PORT_2 };
enum { SWITCH_GUID, SWITCH_ENHANCED };

/* Gives an error of the builder its place in the file. */
static int at_line(const struct db_reader *reader, unsigned line, int code,
		   const struct hd_error *inner, struct hd_error *err)
{
	if (code == HD_ENOMEM)
		return hd_error_nomem(err);
	return hd_error_at(err, HD_EPARSE, reader->csv.lines.file, line, "%s", inner->text);
}

static int number(struct db_reader *reader, const struct hd_span *values, unsigned column,
		  uint64_t max, uint64_t *value, struct hd_error *err)
{
	return hd_csv_number(&reader->csv, values, column, max, value, err);
}

/* Reads the numbers of NODES into @spec, and the GUID of a switch's port. */
static int scan_node(struct db_reader *reader, const struct hd_span *values,
		     struct hd_node_spec *spec, uint64_t *port_guid, struct hd_error *err)
{
	static const enum hd_node_type types[] = { HD_SWITCH, HD_CA, HD_SWITCH, HD_ROUTER };
	uint64_t type = 0, n_ports = 0, vendor = 0, device = 0;
	int ret = number(reader, values, NODE_GUID, UINT64_MAX, &spec->guid, err);

	if (!ret)
		ret = number(reader, values, NODE_TYPE, UINT8_MAX, &type, err);
	if (!ret)
		ret = number(reader, values, NODE_PORTS, HD_MAX_PORTS, &n_ports, err);
	if (!ret)
		ret = number(reader, values, NODE_SYSTEM, UINT64_MAX, &spec->sysimg_guid, err);
	if (!ret)
		ret = number(reader, values, NODE_PORT, UINT64_MAX, port_guid, err);
	if (!ret)
		ret = number(reader, values, NODE_VENDOR, UINT32_MAX, &vendor, err);
	if (!ret)
		ret = number(reader, values, NODE_DEVICE, UINT32_MAX, &device, err);
	if (ret)
		return ret;
	if (type == 0 || type >= sizeof(types) / sizeof(types[0]))
		return hd_csv_error(&reader->csv, err,
				    "node type %" PRIu64
				    ": 1 is a channel adapter, 2 a switch, 3 a router",
				    type);
	if (!spec->guid)
		return hd_csv_error(&reader->csv, err, "this node has no GUID");
	spec->type = types[type];
	spec->n_ports = (unsigned)n_ports;
	spec->vendor_id = (uint32_t)vendor;
	spec->device_id = (uint32_t)device;
	spec->line = reader->csv.lines.number;
	return 0;
}

static int keep_node(struct db_reader *reader, const struct hd_node_spec *spec, uint32_t id,
		     struct hd_error *err)
{
	if (reader->n_nodes == reader->capacity) {
		size_t wanted = reader->capacity ? 2 * reader->capacity : 256;
		struct db_node *grown = realloc(reader->nodes, wanted * sizeof(*grown));

		if (!grown)
			return hd_error_nomem(err);
		reader->nodes = grown;
		reader->capacity = wanted;
	}
	reader->nodes[reader->n_nodes++] = (struct db_node){
		.guid = spec->guid,
		.id = id,
		.line = spec->line,
		.first_port = (uint32_t)reader->n_ports,
		.n_ports = (uint8_t)spec->n_ports,
		.type = (uint8_t)spec->type,
	};
	reader->n_ports += spec->n_ports + (size_t)1;
	return 0;
}

static int read_node(void *of, const struct hd_span *values, struct hd_error *err)
{
	struct db_reader *reader = of;
	const struct hd_span *text = &values[NODE_NAME];
	const size_t length = (size_t)(text->end - text->begin);
	char name[HD_MAX_NAME + 1];
	struct hd_node_spec spec = { .name = name };
	struct hd_error inner = { 0 };
	uint64_t port_guid = 0;
	uint32_t id;
	int ret = scan_node(reader, values, &spec, &port_guid, err);

	if (ret)
		return ret;
	if (length > HD_MAX_NAME)
		return hd_csv_error(&reader->csv, err, "a name longer than %u bytes", HD_MAX_NAME);
	memcpy(name, text->begin, length);
	name[length] = '\0';
	ret = hd_builder_add(reader->builder, &spec, &id, &inner);
	if (ret)
		return at_line(reader, spec.line, ret, &inner, err);
	if (spec.type == HD_SWITCH && port_guid)
		hd_builder_port(reader->builder, id, 0)->guid = port_guid;
	return keep_node(reader, &spec, id, err);
}

static int compare_nodes(const void *a, const void *b)
{
	const struct db_node *x = a, *y = b;

	if (x->guid != y->guid)
		return x->guid < y->guid ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* All nodes are known: from now on they are found by their GUIDs. */
static int end_nodes(void *of, struct hd_error *err)
{
	struct db_reader *reader = of;

	if (!reader->n_nodes)
		return hd_csv_error(&reader->csv, err, "no node");
	qsort(reader->nodes, reader->n_nodes, sizeof(*reader->nodes), compare_nodes);
	for (size_t i = 1; i < reader->n_nodes; i++)
		if (reader->nodes[i].guid == reader->nodes[i - 1].guid)
			return hd_error_at(
				err, HD_EPARSE, reader->csv.lines.file, reader->nodes[i].line,
				"GUID 0x%016" PRIx64 " belongs to two nodes, the other on line %u",
				reader->nodes[i].guid, reader->nodes[i - 1].line);
	reader->has_row = calloc(reader->n_ports, sizeof(*reader->has_row));
	return reader->has_row ? 0 : hd_error_nomem(err);
}

static int compare_guid(const void *key, const void *element)
{
	const uint64_t *guid = key;
	const struct db_node *node = element;

	return *guid < node->guid ? -1 : *guid > node->guid;
}

/*
 * The node with the GUID and the number of its port in the columns @guid_column and @port_column;
 * NULL in @node: section NODES lacks it, which is @guid.
 */
static int find_port(struct db_reader *reader, const struct hd_span *values, unsigned guid_column,
		     unsigned port_column, const struct db_node **node, uint64_t *guid,
		     uint64_t *port, struct hd_error *err)
{
	int ret;

	if (!reader->has_row)
		return hd_csv_error(&reader->csv, err, "section %s stands before section NODES",
				    reader->csv.name);
	ret = number(reader, values, guid_column, UINT64_MAX, guid, err);
	if (!ret)
		ret = number(reader, values, port_column, UINT8_MAX, port, err);
	if (ret)
		return ret;
	*node = bsearch(guid, reader->nodes, reader->n_nodes, sizeof(*reader->nodes), compare_guid);
	if (*node && *port > (*node)->n_ports)
		return hd_csv_error(&reader->csv, err,
				    "port %" PRIu64 " of 0x%016" PRIx64 ", which has %u ports",
				    *port, *guid, (*node)->n_ports);
	return 0;
}

uint8_t hd_db_csv_speed(uint64_t code)
{
	/* the highest byte has the speeds beyond NDR, the next one those of the vendor */
	if (code >> 24 & 1)
		return HD_XDR;
	return hd_speed_of_codes(code >> 8 & 0xFF, code >> 16 & 1, code & 0xFF);
}

static int set_rate(struct db_reader *reader, const struct hd_span *values, struct hd_port *port,
		    struct hd_error *err)
{
	uint64_t width = 0, speed = 0, cap = 0, vls = 0;
	int ret = number(reader, values, PORT_WIDTH, UINT8_MAX, &width, err);

	if (!ret)
		ret = number(reader, values, PORT_SPEED, UINT32_MAX, &speed, err);
	if (!ret)
		ret = number(reader, values, PORT_CAP, UINT8_MAX, &cap, err);
	if (!ret)
		ret = number(reader, values, PORT_VLS, UINT8_MAX, &vls, err);
	if (ret)
		return ret;
	port->width = hd_width_of_code((unsigned)width);
	port->speed = hd_db_csv_speed(speed);
	/* VLs that the port operates; before a subnet manager has told it, those that it has */
	vls = hd_vlcap_vls((unsigned)vls) ? hd_vlcap_vls((unsigned)vls)
					  : hd_vlcap_vls((unsigned)cap);
	if (vls)
		port->vls = (uint8_t)vls;
	return 0;
}

static int set_lid(struct db_reader *reader, const struct hd_span *values, struct hd_port *port,
		   struct hd_error *err)
{
	uint64_t guid = 0, lid = 0, lmc = 0;
	int ret = number(reader, values, PORT_GUID, UINT64_MAX, &guid, err);

	if (!ret)
		ret = number(reader, values, PORT_LID, UINT16_MAX, &lid, err);
	if (!ret)
		ret = number(reader, values, PORT_LMC, HD_MAX_LMC, &lmc, err);
	if (!ret && lid > HD_MAX_LID)
		ret = hd_odd(&reader->csv.oddities, reader->csv.lines.number,
			     "taken for a port without a LID", err,
			     "LID %" PRIu64 " is no unicast LID", lid);
	if (ret)
		return ret;
	port->lid = lid > HD_MAX_LID ? 0 : (uint16_t)lid;
	port->lmc = (uint8_t)lmc;
	if (guid)
		port->guid = guid;
	return 0;
}

static int read_port(void *of, const struct hd_span *values, struct hd_error *err)
{
	struct db_reader *reader = of;
	const struct db_node *node;
	uint64_t guid = 0, which = 0;
	struct hd_port *port;
	int ret = find_port(reader, values, PORT_NODE, PORT_NUMBER, &node, &guid, &which, err);

	if (ret)
		return ret;
	if (!node)
		return hd_odd(&reader->csv.oddities, reader->csv.lines.number,
			      "the port is left out", err,
			      "a port of node 0x%016" PRIx64 ", which is not in section NODES",
			      guid);
	if (reader->has_row[node->first_port + which])
		return hd_csv_error(&reader->csv, err,
				    "a second row of port %" PRIu64 " of 0x%016" PRIx64, which,
				    guid);
	reader->has_row[node->first_port + which] = true;
	port = hd_builder_port(reader->builder, node->id, (unsigned)which);
	if ((node->type == HD_SWITCH) == (which == 0)) {
		ret = set_lid(reader, values, port, err);
		if (ret)
			return ret;
	}
	/* netfiles have no rate of a switch's port 0, nor its VLs */
	return which ? set_rate(reader, values, port, err) : 0;
}

static int read_link(void *of, const struct hd_span *values, struct hd_error *err)
{
	struct db_reader *reader = of;
	const struct db_node *nodes[2];
	uint64_t guids[2] = { 0 }, ports[2] = { 0 };
	struct hd_error inner = { 0 };
	int ret;

	ret = find_port(reader, values, LINK_NODE_1, LINK_PORT_1, &nodes[0], &guids[0], &ports[0],
			err);
	if (!ret)
		ret = find_port(reader, values, LINK_NODE_2, LINK_PORT_2, &nodes[1], &guids[1],
				&ports[1], err);
	if (ret)
		return ret;
	if (++reader->n_links > ROWS_PER_PORT * (uint64_t)reader->n_ports)
		return hd_csv_error(&reader->csv, err, "more links than the nodes have ports");
	for (int end = 0; end < 2; end++)
		if (!nodes[end])
			return hd_odd(&reader->csv.oddities, reader->csv.lines.number,
				      "the link is left out", err,
				      "a link to node 0x%016" PRIx64
				      ", which is not in section NODES",
				      guids[end]);
	ret = hd_builder_link(reader->builder, nodes[0]->id, (unsigned)ports[0], nodes[1]->id,
			      (unsigned)ports[1], &inner);
	return ret ? at_line(reader, reader->csv.lines.number, ret, &inner, err) : 0;
}

static int read_switch(void *of, const struct hd_span *values, struct hd_error *err)
{
	struct db_reader *reader = of;
	struct db_node *node;
	uint64_t guid = 0, enhanced = 0;
	int ret = number(reader, values, SWITCH_GUID, UINT64_MAX, &guid, err);

	if (!ret)
		ret = number(reader, values, SWITCH_ENHANCED, 1, &enhanced, err);
	if (ret)
		return ret;
	if (!reader->has_row)
		return hd_csv_error(&reader->csv, err,
				    "section SWITCHES stands before section NODES");
	node = bsearch(&guid, reader->nodes, reader->n_nodes, sizeof(*reader->nodes), compare_guid);
	if (node)
		node->is_enhanced = node->type == HD_SWITCH && enhanced;
	return 0;
}

static const struct hd_csv_section sections[] = {
	{ .name = "NODES",
	  .is_required = true,
	  .columns = { [NODE_GUID] = "NodeGUID",
		       [NODE_TYPE] = "NodeType",
		       [NODE_PORTS] = "NumPorts",
		       [NODE_NAME] = "NodeDesc",
		       [NODE_SYSTEM] = "SystemImageGUID",
		       [NODE_PORT] = "PortGUID",
		       [NODE_VENDOR] = "VendorID",
		       [NODE_DEVICE] = "DeviceID" },
	  .n_required = NODE_NAME,
	  .row = read_node,
	  .end = end_nodes },
	{ .name = "PORTS",
	  .is_required = true,
	  .columns = { [PORT_NODE] = "NodeGuid",
		       [PORT_NUMBER] = "PortNum",
		       [PORT_GUID] = "PortGuid",
		       [PORT_LID] = "LID",
		       [PORT_LMC] = "LMC",
		       [PORT_WIDTH] = "LinkWidthActv",
		       [PORT_SPEED] = "LinkSpeedActv",
		       [PORT_CAP] = "VLCap",
		       [PORT_VLS] = "OpVLs" },
	  .n_required = PORT_GUID,
	  .row = read_port },
	{ .name = "LINKS",
	  .is_required = true,
	  .columns = { [LINK_NODE_1] = "NodeGuid1",
		       [LINK_PORT_1] = "PortNum1",
		       [LINK_NODE_2] = "NodeGuid2",
		       [LINK_PORT_2] = "PortNum2" },
	  .n_required = LINK_PORT_2 + 1,
	  .row = read_link },
	{ .name = "SWITCHES",
	  .may_differ = true,
	  .columns = { [SWITCH_GUID] = "NodeGUID", [SWITCH_ENHANCED] = "ENP0" },
	  .n_required = SWITCH_ENHANCED,
	  .row = read_switch },
};

/*
 * What is told of ports without a link has no place in netfiles: a LID there may be of long ago. So
 * their GUIDs are the builder's guess, as of those that netfiles leave out.
 */
static void forget_unlinked(const struct db_reader *reader)
{
	for (size_t i = 0; i < reader->n_nodes; i++) {
		const struct db_node *node = &reader->nodes[i];

		for (unsigned number = 1; number <= node->n_ports; number++)
			if (hd_builder_port(reader->builder, node->id, number)->peer == HD_NONE)
				hd_builder_reset_port(reader->builder, node->id, number);
	}
}

static void set_enhanced(const struct db_reader *reader)
{
	if (hd_csv_passed(&reader->csv, "SWITCHES"))
		return;
	for (size_t i = 0; i < reader->n_nodes; i++)
		if (reader->nodes[i].is_enhanced)
			hd_builder_set_enhanced_port0(reader->builder, reader->nodes[i].id);
}

static int begin(struct db_reader *reader, const char *name, const struct hd_reading *how,
		 struct hd_error *err)
{
	*reader = (struct db_reader){
		.csv = { .sections = sections,
			 .n_sections = sizeof(sections) / sizeof(sections[0]),
			 .reader = reader },
		.builder = hd_builder_new(),
	};
	hd_csv_begin(&reader->csv, name, how);
	return reader->builder ? 0 : hd_error_nomem(err);
}

static int end(struct db_reader *reader, int ret, struct hd_fabric **fabric, struct hd_error *err)
{
	struct hd_error clash = { 0 };

	*fabric = NULL;
	if (!ret)
		ret = hd_csv_end(&reader->csv, err);
	if (!ret) {
		forget_unlinked(reader);
		set_enhanced(reader);
		ret = hd_builder_finish(reader->builder, fabric, &clash);
		reader->builder = NULL;
		if (ret)
			ret = at_line(reader, clash.line, ret, &clash, err);
	}
	hd_builder_free(reader->builder);
	free(reader->nodes);
	free(reader->has_row);
	return ret;
}

int hd_db_csv_parse(const char *name, const char *data, size_t size, const struct hd_reading *how,
		    struct hd_fabric **fabric, struct hd_error *err)
{
	struct db_reader reader;
	int ret = begin(&reader, name, how, err);

	if (!ret)
		ret = hd_csv_feed(&reader.csv, data, size, err);
	return end(&reader, ret, fabric, err);
}

int hd_db_csv_read(const char *path, const struct hd_reading *how, struct hd_fabric **fabric,
		   struct hd_error *err)
{
	struct db_reader reader;
	int ret = begin(&reader, path, how, err);

	if (!ret)
		ret = hd_text_stream(path, HD_DB_CSV_MOST, &reader.csv.lines, hd_csv_feed,
				     &reader.csv, err);
	return end(&reader, ret, fabric, err);
}

bool hd_db_csv_is_file(const char *path)
{
	const char *name = strrchr(path, '/');
	char first[4096];

	return strstr(name ? name : path, ".db_csv") ||
	       hd_csv_is(first, hd_text_peek(path, first, sizeof(first)));
}
