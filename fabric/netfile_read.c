// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The reader goes over the lines once, adds nodes as their headers come and keeps port lines for
 * later, because a link may name a node that comes further down. docs/netfile.md has the grammar.
 */
#include "fabric/netfile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/builder.h"
#include "fabric/csv_sections.h"
#include "fabric/db_csv.h"
#include "fabric/link_list.h"
#include "fabric/topo_file.h"
#include "fabric/names.h"
#include "fabric/netfile_line.h"
#include "fabric/netfile_whose.h"
#include "fabric/reading.h"
#include "fabric/symbols.h"
#include "support/error.h"
#include "support/text.h"

/* The GUIDs that ibsim counts from when a file gives none; there is no start for routers. */
#define FIRST_SWITCH_GUID 0x200000
#define FIRST_CA_GUID     0x100000

#define LINES_PER_PORT 4

/* What is known about a port, by reader::port_flags. */
#define HAS_LINE 1 /* the file has a line of this port; the line of its peer then only repeats it */
#define HAS_GUID 2

struct reader_node {
	uint32_t first_port; /* index in port_flags of port 0 */
	uint8_t n_ports;
	uint8_t type;
	unsigned line;
	uint64_t guid;
	uint64_t id_guid; /* the one in its id; 0: none */
};

struct reader_link {
	struct hd_netfile_port port;
	uint32_t node; /* in the builder */
	uint32_t peer; /* a symbol */
	unsigned line;
};

/* Lines that look like none of a netfile: a shell's prompt, what a tool says on stderr. */
struct foreign_text {
	unsigned n;
	unsigned line; /* of the first */
	struct hd_span text;
};

struct reader {
	struct hd_lines lines;
	struct hd_oddities oddities;
	struct foreign_text foreign;
	bool has_begun; /* a line of a netfile has come */
	bool has_mark;  /* a byte order mark, which is not told yet */
	struct hd_builder *builder;
	struct hd_symbols ids;
	uint32_t *node_of; /* by symbol, HD_NONE until its header comes */
	size_t node_of_capacity;
	struct reader_node *nodes;
	size_t n_nodes, nodes_capacity;
	struct reader_link *links;
	size_t n_links, links_capacity;
	uint32_t n_ports;
	/* what field lines say about the nodes that follow */
	uint64_t guid_base[HD_ROUTER + 1], next_guid[HD_ROUTER + 1];
	bool guid_given[HD_ROUTER + 1];
	uint64_t switch_port_guid; /* 0: as the node's */
	uint64_t sysimg_guid;
	uint32_t vendor_id, device_id;
	uint8_t width, speed;
	char prefix[HD_MAX_NAME + 1]; /* "MODULE#", or empty */
};

static int fail(const struct reader *reader, struct hd_error *err, const char *text)
{
	return hd_error_at(err, HD_EPARSE, reader->lines.file, reader->lines.number, "%s", text);
}

/* Gives an error of the builder its place in the file. */
static int at_line(const struct reader *reader, unsigned line, int code, struct hd_error *err)
{
	struct hd_error inner;

	if (code == HD_ENOMEM)
		return code;
	if (!err)
		return HD_EPARSE;
	inner = *err;
	return hd_error_at(err, HD_EPARSE, reader->lines.file, line, "%s", inner.text);
}

static bool grow(void *array, size_t size, size_t used, size_t *capacity)
{
	size_t wanted = *capacity ? *capacity * 2 : 256;
	void *grown;

	if (used < *capacity)
		return true;
	grown = realloc(*(void **)array, wanted * size);
	if (!grown)
		return false;
	*(void **)array = grown;
	*capacity = wanted;
	return true;
}

/* The symbol of a node id. As in ibsim, "module" puts its prefix before ids without one. */
static int intern_id(struct reader *reader, struct hd_span id, uint32_t *symbol,
		     struct hd_error *err)
{
	char buffer[HD_MAX_NAME];
	size_t length = (size_t)(id.end - id.begin), prefix = strlen(reader->prefix);
	size_t known = reader->ids.n_symbols;

	if (prefix && !memchr(id.begin, '#', length)) {
		if (prefix + length > sizeof(buffer))
			return fail(reader, err, "the node id with its module is too long");
		memcpy(buffer, reader->prefix, prefix);
		memcpy(buffer + prefix, id.begin, length);
		*symbol = hd_symbols_intern(&reader->ids, buffer, prefix + length);
	} else {
		*symbol = hd_symbols_intern(&reader->ids, id.begin, length);
	}
	if (*symbol == UINT32_MAX ||
	    !grow(&reader->node_of, sizeof(*reader->node_of), known, &reader->node_of_capacity))
		return hd_error_nomem(err);
	if (reader->ids.n_symbols > known)
		reader->node_of[*symbol] = HD_NONE;
	return 0;
}

static uint64_t guid_of_node(struct reader *reader, const struct hd_netfile_node *header)
{
	enum hd_node_type type = header->type;
	uint64_t guid = reader->next_guid[type];

	reader->next_guid[type] += type == HD_SWITCH ? 1 : header->n_ports + 1;
	if (!reader->guid_given[type] && header->id_guid)
		guid = header->id_guid;
	reader->guid_given[type] = false;
	return guid;
}

/* The name that a user sees: that of the comment, as in ibsim, else the id if it is no GUID. */
static void name_of_node(const struct reader *reader, const struct hd_netfile_node *header,
			 uint32_t symbol, char *name)
{
	size_t length = (size_t)(header->name.end - header->name.begin);
	const char *text = header->name.begin;

	if (length == 0 && !header->id_guid)
		text = hd_symbols_text(&reader->ids, symbol, &length);
	if (length)
		memcpy(name, text, length);
	name[length] = '\0';
}

static int add_node(struct reader *reader, const struct hd_netfile_node *header,
		    struct hd_error *err)
{
	char name[HD_MAX_NAME + 1];
	struct hd_node_spec spec = {
		.type = header->type,
		.n_ports = header->n_ports,
		.line = reader->lines.number,
		.sysimg_guid = reader->sysimg_guid,
		.vendor_id = reader->vendor_id,
		.device_id = reader->device_id,
		.enhanced_port0 = header->enhanced_port0,
		.name = name,
	};
	uint32_t symbol, id;
	int ret = intern_id(reader, header->id, &symbol, err);

	if (ret)
		return ret;
	name_of_node(reader, header, symbol, name);
	if (reader->node_of[symbol] != HD_NONE)
		return hd_error_at(err, HD_EPARSE, reader->lines.file, reader->lines.number,
				   "a second node \"%.*s\"",
				   (int)(header->id.end - header->id.begin), header->id.begin);
	spec.guid = guid_of_node(reader, header);
	if (spec.guid == 0)
		return fail(reader, err, "this node has no GUID");
	ret = hd_builder_add(reader->builder, &spec, &id, err);
	if (ret)
		return at_line(reader, reader->lines.number, ret, err);
	if (!grow(&reader->nodes, sizeof(*reader->nodes), reader->n_nodes, &reader->nodes_capacity))
		return hd_error_nomem(err);
	reader->nodes[reader->n_nodes++] = (struct reader_node){
		.first_port = reader->n_ports,
		.n_ports = (uint8_t)header->n_ports,
		.type = (uint8_t)header->type,
		.line = reader->lines.number,
		.guid = spec.guid,
		.id_guid = header->id_guid,
	};
	reader->n_ports += header->n_ports + 1;
	reader->node_of[symbol] = id;
	if (header->type == HD_SWITCH) {
		struct hd_port *port = hd_builder_port(reader->builder, id, 0);

		port->lid = header->lid;
		port->lmc = header->lmc;
		if (reader->switch_port_guid)
			port->guid = reader->switch_port_guid;
	}
	/* as in ibsim, a device id holds until the next one */
	reader->switch_port_guid = 0;
	reader->sysimg_guid = 0;
	reader->vendor_id = 0;
	return 0;
}

/* "[1](1)": labels of ports, as ibdiagnet writes them, are no GUIDs. */
static int drop_label(struct reader *reader, unsigned line, unsigned number, uint64_t *guid,
		      struct hd_error *err)
{
	if (*guid != number || hd_oddities_refused(&reader->oddities))
		return 0;
	*guid = 0;
	return hd_odd(&reader->oddities, line, "taken for a label, as ibdiagnet writes them", err,
		      "a port GUID that is the number of the port");
}

static int add_port(struct reader *reader, struct hd_netfile_port *line, struct hd_error *err)
{
	const struct reader_node *node;
	struct reader_link *link;
	struct hd_port *port;
	int ret;

	if (reader->n_nodes == 0)
		return fail(reader, err, "a port before the first node");
	node = &reader->nodes[reader->n_nodes - 1];
	if (line->number > node->n_ports)
		return hd_error_at(err, HD_EPARSE, reader->lines.file, reader->lines.number,
				   "port %u of a node with %u ports", line->number, node->n_ports);
	ret = node->type == HD_SWITCH
		      ? 0
		      : drop_label(reader, reader->lines.number, line->number, &line->guid, err);
	if (ret)
		return ret;
	/* a port's line may come again, but not for ever */
	if (reader->n_links >= LINES_PER_PORT * (size_t)reader->n_ports)
		return fail(reader, err, "more port lines than the nodes before have ports");
	if (!grow(&reader->links, sizeof(*reader->links), reader->n_links, &reader->links_capacity))
		return hd_error_nomem(err);
	link = &reader->links[reader->n_links];
	*link = (struct reader_link){
		.port = *line,
		.node = (uint32_t)reader->n_nodes - 1,
		.line = reader->lines.number,
	};
	ret = intern_id(reader, line->peer_id, &link->peer, err);
	if (ret)
		return ret;
	if (!link->port.width)
		link->port.width = reader->width;
	if (!link->port.speed)
		link->port.speed = reader->speed;
	reader->n_links++;

	port = hd_builder_port(reader->builder, link->node, line->number);
	port->width = link->port.width;
	port->speed = link->port.speed;
	if (line->vls)
		port->vls = line->vls;
	if (node->type != HD_SWITCH) {
		port->lid = line->lid;
		port->lmc = line->lmc;
		if (line->guid)
			port->guid = line->guid;
	}
	return 0;
}

/* What a port line tells about its other end counts where the other end has no line of its own. */
static int tell_peer(struct reader *reader, struct reader_link *link, uint32_t peer_id,
		     uint8_t *flags, struct hd_error *err)
{
	const struct reader_node *peer = &reader->nodes[peer_id];
	bool is_switch = peer->type == HD_SWITCH;
	struct hd_port *port = hd_builder_port(reader->builder, peer_id, link->port.peer_number);
	struct hd_port *endport = is_switch ? hd_builder_port(reader->builder, peer_id, 0) : port;
	uint8_t *known = &flags[peer->first_port + link->port.peer_number];

	int ret = is_switch ? 0
			    : drop_label(reader, link->line, link->port.peer_number,
					 &link->port.peer_guid, err);

	if (ret)
		return ret;
	if (!is_switch && link->port.peer_guid) {
		if (!(*known & HAS_GUID))
			port->guid = link->port.peer_guid;
		else if (port->guid != link->port.peer_guid)
			return hd_error_at(err, HD_EPARSE, reader->lines.file, link->line,
					   "the two ends of this link disagree on a port GUID");
		*known |= HAS_GUID;
	}
	if (!endport->lid)
		endport->lid = link->port.peer_lid;
	if (!(*known & HAS_LINE)) {
		port->width = link->port.width;
		port->speed = link->port.speed;
	}
	return 0;
}

static int join(struct reader *reader, struct reader_link *link, uint8_t *flags,
		struct hd_error *err)
{
	uint32_t peer = reader->node_of[link->peer];
	size_t length;
	const char *id = hd_symbols_text(&reader->ids, link->peer, &length);
	int ret;

	if (peer == HD_NONE)
		return hd_odd(&reader->oddities, link->line,
			      "the link is left out (ibnetdiscover writes both ends of every link)",
			      err, "port %u is linked to \"%.*s\", which is not in this file",
			      link->port.number, (int)length, id);
	if (link->port.peer_number > reader->nodes[peer].n_ports)
		return hd_error_at(err, HD_EPARSE, reader->lines.file, link->line,
				   "port %u is linked to port %u of \"%.*s\", which has %u ports",
				   link->port.number, link->port.peer_number, (int)length, id,
				   reader->nodes[peer].n_ports);
	ret = hd_builder_link(reader->builder, link->node, link->port.number, peer,
			      link->port.peer_number, err);
	if (ret)
		return at_line(reader, link->line, ret, err);
	return tell_peer(reader, link, peer, flags, err);
}

static int join_all(struct reader *reader, struct hd_error *err)
{
	uint8_t *flags = calloc(reader->n_ports + 1, 1);
	int ret = flags ? 0 : hd_error_nomem(err);

	for (size_t i = 0; !ret && i < reader->n_links; i++) {
		const struct reader_link *link = &reader->links[i];

		flags[reader->nodes[link->node].first_port + link->port.number] |=
			HAS_LINE | (link->port.guid ? HAS_GUID : 0);
	}
	for (size_t i = 0; !ret && i < reader->n_links; i++)
		ret = join(reader, &reader->links[i], flags, err);
	free(flags);
	return ret;
}

static int compare_guids(const void *a, const void *b)
{
	const struct reader_node *x = *(const struct reader_node *const *)a;
	const struct reader_node *y = *(const struct reader_node *const *)b;

	if (x->guid != y->guid)
		return x->guid < y->guid ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Switches by GUID, then line; their number goes to @n_switches. NULL when out of memory. */
static const struct reader_node **sort_switches(const struct reader *reader, size_t *n_switches)
{
	const struct reader_node **sorted = malloc((reader->n_nodes + 1) * sizeof(*sorted));

	*n_switches = 0;
	for (size_t n = 0; sorted && n < reader->n_nodes; n++)
		if (reader->nodes[n].type == HD_SWITCH)
			sorted[(*n_switches)++] = &reader->nodes[n];
	if (sorted)
		qsort(sorted, *n_switches, sizeof(*sorted), compare_guids);
	return sorted;
}

/*
 * ibdiagnet gives all switches of a chassis the GUID of the chassis, and their own in their ids. So
 * where two switches have one GUID, those in the ids count.
 */
static int part_chassis(struct reader *reader, struct hd_error *err)
{
	const struct reader_node **sorted, *shared = NULL;
	size_t n_switches;
	int ret;

	if (hd_oddities_refused(&reader->oddities))
		return 0;
	sorted = sort_switches(reader, &n_switches);
	if (!sorted)
		return hd_error_nomem(err);
	for (size_t i = 1; i < n_switches && !shared; i++)
		if (sorted[i]->guid == sorted[i - 1]->guid && sorted[i]->id_guid &&
		    sorted[i - 1]->id_guid && sorted[i]->id_guid != sorted[i - 1]->id_guid)
			shared = sorted[i];
	free(sorted);
	if (!shared)
		return 0;
	ret = hd_odd(&reader->oddities, shared->line, "the GUIDs in quotes are taken", err,
		     "several switches have the GUID 0x%016" PRIx64
		     ", as ibdiagnet writes that of a chassis",
		     shared->guid);
	for (size_t n = 0; !ret && n < reader->n_nodes; n++)
		if (reader->nodes[n].type == HD_SWITCH && reader->nodes[n].id_guid)
			hd_builder_set_switch_guid(reader->builder, (uint32_t)n,
						   reader->nodes[n].id_guid);
	return ret;
}

static void set_field(struct reader *reader, const struct hd_netfile_field *field)
{
	switch (field->key) {
	case HD_FIELD_VENDOR:
		reader->vendor_id = (uint32_t)field->value;
		break;
	case HD_FIELD_DEVICE:
		reader->device_id = (uint32_t)field->value;
		break;
	case HD_FIELD_SYSIMG:
		reader->sysimg_guid = field->value;
		break;
	case HD_FIELD_WIDTH:
		reader->width = (uint8_t)field->value;
		break;
	case HD_FIELD_SPEED:
		reader->speed = (uint8_t)field->value;
		break;
	case HD_FIELD_MODULE:
		memcpy(reader->prefix, field->text.begin,
		       (size_t)(field->text.end - field->text.begin));
		reader->prefix[field->text.end - field->text.begin] = '\0';
		if (reader->prefix[0])
			strcat(reader->prefix, "#");
		break;
	case HD_FIELD_GUID:
		if (!field->is_relative)
			reader->guid_base[field->type] = field->value;
		reader->next_guid[field->type] =
			reader->guid_base[field->type] + (field->is_relative ? field->value : 0);
		reader->guid_given[field->type] = true;
		if (field->type == HD_SWITCH)
			reader->switch_port_guid = field->port_guid;
		break;
	}
}

/*
 * A foreign line. It may stand before and after the netfile, which is known only when the next line
 * of it comes or none does.
 */
static int keep_foreign(struct reader *reader, int ret, struct hd_error *err)
{
	struct foreign_text *foreign = &reader->foreign;
	const struct hd_lines *lines = &reader->lines;

	if (hd_oddities_refused(&reader->oddities) ||
	    (reader->has_begun && memchr(lines->begin, '"', (size_t)(lines->end - lines->begin))))
		return ret;
	if (!foreign->n++) {
		foreign->line = lines->number;
		foreign->text = (struct hd_span){ lines->begin, lines->end };
	}
	return 0;
}

static int tell_foreign(struct reader *reader, const char *where, struct hd_error *err)
{
	const struct foreign_text *foreign = &reader->foreign;
	int length = (int)(foreign->text.end - foreign->text.begin);

	return hd_odd(&reader->oddities, foreign->line, "passed over", err,
		      "%u line%s of other text %s the netfile, '%.*s'%s", foreign->n,
		      foreign->n == 1 ? "" : "s", where, length < 60 ? length : 60,
		      foreign->text.begin, foreign->n == 1 ? "" : " the first");
}

/* The netfile goes on: the text before this line stood before all of it, or amid it. */
static int go_on(struct reader *reader, struct hd_error *err)
{
	int ret = 0;

	if (reader->foreign.n && reader->has_begun)
		return hd_error_at(err, HD_EPARSE, reader->lines.file, reader->foreign.line,
				   "not a line of a netfile");
	if (reader->foreign.n)
		ret = tell_foreign(reader, "before", err);
	else if (reader->has_mark)
		ret = hd_odd(&reader->oddities, 1, "passed over", err, "a byte order mark");
	reader->foreign.n = 0;
	reader->has_mark = false;
	reader->has_begun = true;
	return ret;
}

static int read_line(struct reader *reader, struct hd_error *err)
{
	const struct hd_lines *lines = &reader->lines;
	const char *whose = NULL;
	struct hd_netfile_line line;
	int ret;

	if (!reader->has_begun)
		whose = hd_netfile_whose(lines->begin, (size_t)(lines->end - lines->begin));
	if (whose)
		return fail(reader, err, whose);
	ret = hd_netfile_parse_line(lines, &line, err);
	if (line.kind == HD_LINE_FOREIGN)
		return keep_foreign(reader, ret, err);
	if (!ret && line.kind != HD_LINE_OTHER)
		ret = go_on(reader, err);
	if (!ret && line.odd)
		ret = hd_odd(&reader->oddities, lines->number, "taken for a port without a LID",
			     err, "%s", line.odd);
	if (ret)
		return ret;
	switch (line.kind) {
	case HD_LINE_NODE:
		return add_node(reader, &line.node, err);
	case HD_LINE_PORT:
		return add_port(reader, &line.port, err);
	case HD_LINE_FIELD:
		set_field(reader, &line.field);
		break;
	case HD_LINE_OTHER:
	case HD_LINE_FOREIGN:
		break;
	}
	return 0;
}

/* Names are C strings later on: a NUL would cut them short. */
static int refuse_nul(const char *name, const char *data, size_t size, struct hd_error *err)
{
	const char *nul = size ? memchr(data, '\0', size) : NULL;
	unsigned line = 1;

	if (!nul)
		return 0;
	for (const char *at = data; at < nul; at++)
		line += *at == '\n';
	if (size >= 2 && (memcmp(data, "\xFF\xFE", 2) == 0 || memcmp(data, "\xFE\xFF", 2) == 0))
		return hd_error_at(err, HD_EPARSE, name, 1,
				   "UTF-16, as Windows writes it: convert it with 'iconv -f UTF-16 "
				   "-t UTF-8'");
	return hd_error_at(err, HD_EPARSE, name, line, "a NUL byte: not a text file");
}

/* UTF-8's byte order mark, which editors of Windows put before a text. */
static int skip_byte_order_mark(struct reader *reader, struct hd_error *err)
{
	reader->has_mark = hd_scan_word(&reader->lines.next, reader->lines.limit, "\xEF\xBB\xBF");
	if (reader->has_mark && hd_oddities_refused(&reader->oddities))
		return hd_error_at(err, HD_EPARSE, reader->lines.file, 1,
				   "a byte order mark: not a line of a netfile");
	return 0;
}

/* The end of the file. */
static int end_lines(struct reader *reader, struct hd_error *err)
{
	const struct foreign_text *foreign = &reader->foreign;

	if (foreign->n && reader->n_nodes)
		return tell_foreign(reader, "after", err);
	if (foreign->n)
		return hd_error_at(err, HD_EPARSE, reader->lines.file, foreign->line,
				   "not a line of a netfile, and no node after it");
	if (reader->n_nodes == 0)
		return hd_error_at(err, HD_EPARSE, reader->lines.file, 0, "no node: not a netfile");
	return 0;
}

static int read_all(struct reader *reader, struct hd_error *err)
{
	int ret;

	reader->builder = hd_builder_new();
	if (!reader->builder)
		return hd_error_nomem(err);
	ret = skip_byte_order_mark(reader, err);
	while (!ret && hd_lines_next(&reader->lines))
		ret = read_line(reader, err);
	if (!ret)
		ret = end_lines(reader, err);
	if (!ret)
		ret = part_chassis(reader, err);
	return ret ? ret : join_all(reader, err);
}

int hd_netfile_parse(const char *name, const char *data, size_t size, const struct hd_reading *how,
		     struct hd_fabric **fabric, struct hd_error *err)
{
	struct reader reader = {
		.oddities = { how, name, 0 },
		.guid_base = { [HD_SWITCH] = FIRST_SWITCH_GUID, [HD_CA] = FIRST_CA_GUID },
		.next_guid = { [HD_SWITCH] = FIRST_SWITCH_GUID, [HD_CA] = FIRST_CA_GUID },
	};
	const struct hd_link_list_format *list;
	struct hd_error clash;
	int ret = refuse_nul(name, data, size, err);

	*fabric = NULL;
	if (ret)
		return ret;
	if (hd_csv_is(data, size))
		return hd_db_csv_parse(name, data, size, how, fabric, err);
	list = hd_link_list_find(data, size);
	if (list)
		return hd_link_list_parse(list, name, data, size, how, fabric, err);
	if (hd_topo_file_is(data, size)) {
		ret = hd_topo_file_parse(name, data, size, fabric, err);
		/* To our callers a type of system that no file describes is bad input. */
		return ret == HD_ENOTFOUND ? HD_EPARSE : ret;
	}
	hd_lines_begin(&reader.lines, name, data, size);
	ret = read_all(&reader, err);
	if (!ret) {
		ret = hd_builder_finish(reader.builder, fabric, &clash);
		reader.builder = NULL;
		if (ret == HD_ENOMEM)
			ret = hd_error_nomem(err);
		else if (ret)
			ret = hd_error_at(err, HD_EPARSE, name, clash.line, "%s", clash.text);
	}
	if (!ret)
		hd_oddities_end(&reader.oddities);
	hd_builder_free(reader.builder);
	hd_symbols_free(&reader.ids);
	free(reader.node_of);
	free(reader.nodes);
	free(reader.links);
	return ret;
}

static int read_whole(const char *path, const struct hd_reading *how, struct hd_fabric **fabric,
		      struct hd_error *err)
{
	struct hd_text text;
	int ret = hd_text_read(path, &text, err);

	if (ret)
		return ret;
	ret = hd_netfile_parse(strcmp(path, "-") == 0 ? "<stdin>" : path, text.data, text.size, how,
			       fabric, err);
	hd_text_free(&text);
	return ret;
}

int hd_netfile_read(const char *path, const struct hd_reading *how, struct hd_fabric **fabric,
		    struct hd_error *err)
{
	int ret;

	*fabric = NULL;
	if (strcmp(path, "-") != 0 && hd_db_csv_is_file(path))
		ret = hd_db_csv_read(path, how, fabric, err);
	else
		ret = read_whole(path, how, fabric, err);
	if (!ret && how && how->name_map)
		ret = hd_fabric_read_names(*fabric, how->name_map, how, err);
	if (ret) {
		hd_fabric_free(*fabric);
		*fabric = NULL;
	}
	return ret;
}
