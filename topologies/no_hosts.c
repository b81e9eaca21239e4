// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/no_hosts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "support/error.h"
#include "support/text.h"

/* The aggregation nodes of Mellanox' switches, whatever they are called. */
#define MELLANOX           0x2C9
#define AGGREGATION_DEVICE 0xCF09

bool hd_names_aggregation_node(const char *name)
{
	static const char words[] = "aggregation node";
	const size_t n = sizeof(words) - 1;

	/* strcasestr() would prepare the words anew for each name */
	for (size_t left = strlen(name); left >= n; left--, name++)
		if ((*name | 0x20) == *words && !strncasecmp(name, words, n))
			return true;
	return false;
}

bool hd_is_aggregation_node(const struct hd_fabric *fabric, uint32_t node)
{
	const struct hd_node *n = &fabric->nodes[node];

	if (n->type == HD_SWITCH)
		return false;
	return (n->vendor_id == MELLANOX && n->device_id == AGGREGATION_DEVICE) ||
	       hd_names_aggregation_node(hd_node_name(fabric, node));
}

static int read_line(const struct hd_lines *lines, const struct hd_fabric *fabric, bool *no_host,
		     struct hd_error *err)
{
	const char *at = lines->begin;
	uint32_t node, port;
	uint64_t guid;

	hd_scan_blanks(&at, lines->end);
	if (at == lines->end || *at == '#')
		return 0;
	if (!hd_scan_word(&at, lines->end, "0x"))
		hd_scan_word(&at, lines->end, "0X");
	if (!hd_scan_number(&at, lines->end, 16, UINT64_MAX, &guid) ||
	    (at < lines->end && *at != ' ' && *at != '\t' && *at != '#'))
		return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
				   "expected a GUID, as in 0x0002c90300a1b2c3");
	node = hd_fabric_find_node(fabric, guid);
	port = node == HD_NONE ? hd_fabric_find_port(fabric, guid) : HD_NONE;
	if (port != HD_NONE)
		node = fabric->ports[port].node;
	/* nodes come and go, and the list stays */
	if (node == HD_NONE)
		return 0;
	if (hd_is_switch(fabric, node))
		return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
				   "0x%016" PRIx64 " is a switch, and no end node", guid);
	no_host[node] = true;
	return 0;
}

static int read_file(const struct hd_fabric *fabric, const char *path, bool *no_host,
		     struct hd_error *err)
{
	struct hd_text text;
	struct hd_lines lines;
	int ret = hd_text_read_file(path, HD_TEXT_FILE_MAX, &text, err);

	if (ret)
		return ret;
	hd_lines_begin(&lines, path, text.data, text.size);
	while (!ret && hd_lines_next(&lines))
		ret = read_line(&lines, fabric, no_host, err);
	hd_text_free(&text);
	return ret;
}

int hd_no_hosts_find(const struct hd_fabric *fabric, const char *path, bool **result,
		     struct hd_error *err)
{
	bool *no_host = calloc(fabric->n_nodes + (size_t)1, sizeof(*no_host));
	int ret = 0;

	*result = NULL;
	if (!no_host)
		return hd_error_nomem(err);
	for (uint32_t node = fabric->n_switches; node < fabric->n_nodes; node++)
		no_host[node] = hd_is_aggregation_node(fabric, node);
	if (path && *path)
		ret = read_file(fabric, path, no_host, err);
	if (ret)
		free(no_host);
	else
		*result = no_host;
	return ret;
}
