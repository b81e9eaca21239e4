// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/link_list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/builder.h"
#include "fabric/reading.h"
#include "fabric/symbols.h"
#include "support/error.h"
#include "support/text.h"

/* Lines of other text that may stand before a list. */
#define MAX_FOREIGN 100

#define LINES_PER_NODE ((size_t)4 * (HD_MAX_PORTS + 1))

struct listed {
	struct hd_listed_link link;
	uint32_t node[2]; /* symbols, which are the builder's numbers */
	unsigned line;
};

struct list_node {
	const struct hd_link_end *end; /* the first that told of it */
	unsigned line;
	uint8_t n_ports;
	uint8_t first_port; /* the lowest number that has a line */
	uint64_t first_guid;
};

struct list {
	struct hd_lines lines;
	struct hd_oddities oddities;
	const struct hd_link_list_format *format;
	struct listed *links;
	size_t n_links, capacity;
	struct hd_symbols ids;
	struct list_node *nodes;
	struct hd_builder *builder;
};

static bool is_passed_over(const struct hd_lines *lines)
{
	const char *at = lines->begin;

	hd_scan_blanks(&at, lines->end);
	/* "DR path slid 0; ...": what ibnetdiscover -s says of its ways */
	return at == lines->end || *at == '#' || hd_scan_word(&at, lines->end, "DR path ");
}

const struct hd_link_list_format *hd_link_list_find(const char *data, size_t size)
{
	static const struct hd_link_list_format *const formats[] = { &hd_link_list_ports,
								     &hd_link_list_subnet };
	struct hd_lines lines;
	unsigned n_foreign = 0;

	hd_lines_begin(&lines, "", data, size);
	hd_scan_word(&lines.next, lines.limit, "\xEF\xBB\xBF");
	while (n_foreign < MAX_FOREIGN && hd_lines_next(&lines)) {
		if (is_passed_over(&lines))
			continue;
		for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
			if (formats[i]->is_line(&lines))
				return formats[i];
		n_foreign++;
	}
	return NULL;
}

/*
 * What tells nodes apart: their GUID. Of an adapter whose GUID is not told, the ports whose GUIDs
 * differ as their numbers do are one, as makers count them.
 */
static int intern(struct list *list, const struct hd_link_end *end, uint32_t *node,
		  struct hd_error *err)
{
	struct {
		uint64_t guid;
		uint64_t is_guess;
	} key = { end->node_guid, 0 };

	if (!key.guid) {
		key.guid = end->port_guid - end->number;
		key.is_guess = 1;
	}
	*node = hd_symbols_intern(&list->ids, (const char *)&key, sizeof(key));
	return *node == UINT32_MAX ? hd_error_nomem(err) : 0;
}

static int add(struct list *list, const struct hd_listed_link *link, struct hd_error *err)
{
	struct listed *listed;
	int ret = 0;

	if (list->n_links == list->capacity) {
		size_t wanted = list->capacity ? 2 * list->capacity : 256;
		struct listed *grown = realloc(list->links, wanted * sizeof(*grown));

		if (!grown)
			return hd_error_nomem(err);
		list->links = grown;
		list->capacity = wanted;
	}
	listed = &list->links[list->n_links++];
	*listed = (struct listed){ .link = *link, .line = list->lines.number };
	for (int end = 0; !ret && end <= link->has_peer; end++)
		ret = intern(list, &listed->link.ends[end], &listed->node[end], err);
	if (!ret && list->ids.n_symbols > HD_MAX_NODES)
		return hd_error_at(err, HD_EPARSE, list->lines.file, list->lines.number,
				   "more than %u nodes: InfiniBand has %u unicast LIDs",
				   HD_MAX_NODES, HD_MAX_LID);
	/* a port's line may come again, but not for ever */
	if (!ret && list->n_links > LINES_PER_NODE * list->ids.n_symbols)
		return hd_error_at(err, HD_EPARSE, list->lines.file, list->lines.number,
				   "more lines than the nodes before have ports");
	return ret;
}

static int read_lines(struct list *list, struct hd_error *err)
{
	int ret = 0;

	if (hd_scan_word(&list->lines.next, list->lines.limit, "\xEF\xBB\xBF"))
		ret = hd_odd(&list->oddities, 1, "passed over", err, "a byte order mark");
	while (!ret && hd_lines_next(&list->lines)) {
		struct hd_listed_link link = { 0 };

		if (is_passed_over(&list->lines))
			continue;
		if (!list->n_links && !list->format->is_line(&list->lines)) {
			ret = hd_odd(&list->oddities, list->lines.number, "passed over", err,
				     "not a line of %s", list->format->what);
			continue;
		}
		ret = list->format->parse(&list->lines, &link, err);
		if (!ret)
			ret = add(list, &link, err);
	}
	return ret;
}

static int meet(struct list *list, const struct listed *listed, int which, struct hd_error *err)
{
	const struct hd_link_end *end = &listed->link.ends[which];
	struct list_node *node = &list->nodes[listed->node[which]];

	if (!node->end) {
		node->end = end;
		node->line = listed->line;
		node->first_port = UINT8_MAX;
	}
	if (node->end->type != end->type)
		return hd_error_at(err, HD_EPARSE, list->lines.file, listed->line,
				   "0x%016" PRIx64 " is of another type on line %u", end->node_guid,
				   node->line);
	if (end->n_ports && end->number > end->n_ports)
		return hd_error_at(err, HD_EPARSE, list->lines.file, listed->line,
				   "port %u of a node with %u ports", end->number, end->n_ports);
	if (end->n_ports > node->n_ports)
		node->n_ports = end->n_ports;
	if (end->number > node->n_ports)
		node->n_ports = end->number;
	if (end->number < node->first_port) {
		node->first_port = end->number;
		node->first_guid = end->port_guid;
	}
	return 0;
}

static int add_node(struct list *list, const struct list_node *node, struct hd_error *err)
{
	const struct hd_link_end *end = node->end;
	char name[HD_MAX_NAME + 1];
	struct hd_node_spec spec = {
		.type = end->type,
		.n_ports = node->n_ports,
		.line = node->line,
		.guid = end->node_guid ? end->node_guid : node->first_guid,
		.sysimg_guid = end->sysimg_guid,
		.vendor_id = end->vendor_id,
		.device_id = end->device_id,
		.name = name,
	};
	size_t length = (size_t)(end->name.end - end->name.begin);
	uint32_t id;

	if (length > HD_MAX_NAME)
		return hd_error_at(err, HD_EPARSE, list->lines.file, node->line,
				   "a name longer than 255 bytes");
	if (length)
		memcpy(name, end->name.begin, length);
	name[length] = '\0';
	return hd_builder_add(list->builder, &spec, &id, err);
}

/* Tells the builder what is known of an end, and of the switch that it is on. */
static void set_port(struct list *list, const struct listed *listed, int which)
{
	const struct hd_link_end *end = &listed->link.ends[which];
	struct hd_port *port = hd_builder_port(list->builder, listed->node[which], end->number);
	struct hd_port *endport = port;

	/* what is known of a port without a link is lost when the fabric is written */
	if (listed->link.has_peer) {
		port->width = listed->link.width;
		port->speed = listed->link.speed;
	} else if (end->type != HD_SWITCH) {
		return;
	}
	if (end->type == HD_SWITCH)
		endport = hd_builder_port(list->builder, listed->node[which], 0);
	if (!endport->lid)
		endport->lid = end->lid;
	if (end->port_guid)
		endport->guid = end->port_guid;
}

static int join(struct list *list, const struct listed *listed, struct hd_error *err)
{
	const struct hd_link_end *ends = listed->link.ends;
	struct hd_error inner = { 0 };
	int ret;

	for (int end = 0; end < (listed->link.has_peer ? 2 : 1); end++)
		set_port(list, listed, end);
	if (!listed->link.has_peer)
		return 0;
	ret = hd_builder_link(list->builder, listed->node[0], ends[0].number, listed->node[1],
			      ends[1].number, &inner);
	return ret ? hd_error_at(err, HD_EPARSE, list->lines.file, listed->line, "%s", inner.text)
		   : 0;
}

static int build(struct list *list, struct hd_error *err)
{
	size_t n_nodes = list->ids.n_symbols;
	int ret = 0;

	list->builder = hd_builder_new();
	list->nodes = calloc(n_nodes + 1, sizeof(*list->nodes));
	if (!list->builder || !list->nodes)
		return hd_error_nomem(err);
	for (size_t i = 0; !ret && i < list->n_links; i++)
		for (int end = 0; !ret && end < (list->links[i].link.has_peer ? 2 : 1); end++)
			ret = meet(list, &list->links[i], end, err);
	/* symbols are numbered as they come, as the builder's nodes are */
	for (size_t n = 0; !ret && n < n_nodes; n++)
		ret = add_node(list, &list->nodes[n], err);
	for (size_t i = 0; !ret && i < list->n_links; i++)
		ret = join(list, &list->links[i], err);
	return ret;
}

int hd_link_list_parse(const struct hd_link_list_format *format, const char *name, const char *data,
		       size_t size, const struct hd_reading *how, struct hd_fabric **fabric,
		       struct hd_error *err)
{
	struct list list = { .oddities = { how, name, 0 }, .format = format };
	struct hd_error clash;
	int ret;

	*fabric = NULL;
	hd_lines_begin(&list.lines, name, data, size);
	ret = read_lines(&list, err);
	if (!ret)
		ret = build(&list, err);
	if (!ret) {
		ret = hd_builder_finish(list.builder, fabric, &clash);
		list.builder = NULL;
		if (ret == HD_ENOMEM)
			ret = hd_error_nomem(err);
		else if (ret)
			ret = hd_error_at(err, HD_EPARSE, name, clash.line, "%s", clash.text);
	}
	if (!ret)
		hd_oddities_end(&list.oddities);
	hd_builder_free(list.builder);
	hd_symbols_free(&list.ids);
	free(list.links);
	free(list.nodes);
	return ret;
}
