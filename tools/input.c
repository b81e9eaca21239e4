// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/lids.h"
#include "support/error.h"
#include "support/text.h"
#include "tables/open.h"

int hd_input_assign_lids(struct hd_fabric **fabric, const char *sm, unsigned lmc,
			 struct hd_error *err)
{
	struct hd_fabric *assigned;
	uint32_t port = HD_NONE;
	int ret;

	if (sm) {
		ret = hd_input_endport(*fabric, sm, &port, NULL, err);
		if (ret)
			return ret;
	}
	ret = hd_fabric_assign_lids(*fabric, port, lmc, &assigned, err);
	if (ret)
		return ret;
	hd_fabric_free(*fabric);
	*fabric = assigned;
	return 0;
}

void hd_input_notes(const struct hd_common *common, char *notes)
{
	char *rest = notes;

	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
		if (*line)
			hd_note(common, "%s", line);
}

int hd_input_fabric(const char *what, const struct hd_common *common, struct hd_fabric **fabric,
		    struct hd_error *err)
{
	struct hd_reading how = { .strict = common->strict };
	char *text = NULL;
	size_t size;
	int ret;

	*fabric = NULL;
	how.notes = open_memstream(&text, &size);
	if (!how.notes)
		return hd_error_nomem(err);
	ret = hd_fabric_open(what, &how, fabric, err);
	if (fclose(how.notes) && !ret) {
		hd_fabric_free(*fabric);
		*fabric = NULL;
		ret = hd_error_nomem(err);
	}
	/* an error stands alone */
	if (!ret)
		hd_input_notes(common, text);
	free(text);
	return ret;
}

int hd_input_snapshot(const char *directory, const char *netfile, const struct hd_common *common,
		      struct hd_snapshot **snapshot, struct hd_error *err)
{
	struct hd_reading how = { .strict = common->strict };
	char *text = NULL;
	size_t size;
	int ret;

	*snapshot = NULL;
	if (!hd_snapshot_is_directory(directory))
		return hd_error_at(err, HD_EINVAL, directory, 0, "not a snapshot directory");
	how.notes = open_memstream(&text, &size);
	if (!how.notes)
		return hd_error_nomem(err);
	ret = hd_snapshot_read(directory, netfile, &how, snapshot, err);
	if (fclose(how.notes) && !ret) {
		hd_snapshot_free(*snapshot);
		*snapshot = NULL;
		ret = hd_error_nomem(err);
	}
	if (!ret)
		hd_input_notes(common, text);
	free(text);
	return ret;
}

/* The first end port of @node that has a LID or a link; HD_NONE: there is none. */
static uint32_t first_endport(const struct hd_fabric *fabric, uint32_t node)
{
	if (hd_is_switch(fabric, node))
		return hd_port_index(fabric, node, 0);
	hd_for_each_number(number, fabric, node) {
		uint32_t port = hd_port_index(fabric, node, number);

		if (fabric->ports[port].peer != HD_NONE)
			return port;
	}
	return HD_NONE;
}

int hd_input_endport(const struct hd_fabric *fabric, const char *what, uint32_t *port,
		     uint32_t *lid, struct hd_error *err)
{
	uint64_t number;
	uint32_t node;
	int ret = hd_fabric_find(fabric, what, &node, err);

	if (ret)
		return ret;
	/* a name means the node, a LID or a port's GUID means one port of it */
	*port = HD_NONE;
	if (strcmp(hd_node_name(fabric, node), what) != 0 &&
	    hd_parse_number(what, "node", 0, UINT64_MAX, &number, NULL) == 0) {
		if (number <= HD_MAX_LID) {
			*port = fabric->lids[number].port;
			if (lid)
				*lid = (uint32_t)number;
			return 0;
		}
		*port = hd_fabric_find_port(fabric, number);
	}
	if (*port == HD_NONE)
		*port = first_endport(fabric, node);
	if (*port == HD_NONE)
		return hd_error_set(err, HD_ENOTFOUND, "'%s' has no port with a link", what);
	if (lid)
		*lid = fabric->ports[*port].lid;
	return 0;
}

int hd_input_switch(const struct hd_fabric *fabric, const char *what, uint32_t *node,
		    struct hd_error *err)
{
	int ret = hd_fabric_find(fabric, what, node, err);

	if (!ret && !hd_is_switch(fabric, *node))
		return hd_error_set(err, HD_ENOTFOUND, "'%s' is not a switch", what);
	return ret;
}

int hd_input_port_number(const struct hd_fabric *fabric, uint32_t node, const char *what,
			 unsigned *number, struct hd_error *err)
{
	uint64_t value;
	int ret = hd_parse_number(what, "port", 0, fabric->nodes[node].n_ports, &value, err);

	if (!ret)
		*number = (unsigned)value;
	return ret;
}
