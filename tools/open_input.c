// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/open_input.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fabric/fabric_parts.h"
#include "fabric/lids.h"
#include "fabric/names.h"
#include "fabric/reading.h"
#include "support/error.h"
#include "support/text.h"
#include "tables/open.h"
#include "tools/port_errors.h"

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

int hd_input_keep_subnet(struct hd_fabric **fabric, const struct hd_common *common,
			 const char *hint, struct hd_error *err)
{
	uint32_t n_parts, n_switches;
	char line[256];
	int ret = hd_fabric_keep_subnet(fabric, &n_parts, &n_switches, err);

	if (!ret && n_parts)
		hd_note(common, "%s",
			hd_parts_left_out(n_parts, n_switches, hint, line, sizeof(line)));
	return ret;
}

void hd_input_notes(const struct hd_common *common, char *notes)
{
	char *rest = notes;

	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
		if (*line)
			hd_note(common, "%s", line);
}

/* What is read, and notes on it, which are told where reading succeeds: an error stands alone. */
struct reading {
	struct hd_reading how;
	char *text;
	size_t size;
};

static int begin_reading(struct reading *reading, const struct hd_common *common,
			 struct hd_error *err)
{
	*reading = (struct reading){ .how = { .strict = common->strict,
					      .name_map = common->name_map } };
	reading->how.notes = open_memstream(&reading->text, &reading->size);
	return reading->how.notes ? 0 : hd_error_nomem(err);
}

/* Returns @ret, that of the reader, or HD_ENOMEM where the notes are not whole. */
static int end_reading(struct reading *reading, const struct hd_common *common, int ret,
		       struct hd_error *err)
{
	if (fclose(reading->how.notes) && !ret)
		ret = hd_error_nomem(err);
	if (!ret)
		hd_input_notes(common, reading->text);
	free(reading->text);
	return ret;
}

int hd_input_fabric(const char *what, const struct hd_common *common, struct hd_fabric **fabric,
		    struct hd_error *err)
{
	struct reading reading;
	int ret = begin_reading(&reading, common, err);

	*fabric = NULL;
	if (ret)
		return ret;
	ret = end_reading(&reading, common, hd_fabric_open(what, &reading.how, fabric, err), err);
	if (ret) {
		hd_fabric_free(*fabric);
		*fabric = NULL;
	}
	return ret;
}

int hd_input_port_errors(const char *what, const struct hd_fabric *fabric,
			 const struct hd_common *common, struct hd_error_counters *counters,
			 struct hd_error *err)
{
	struct reading reading;
	int ret = begin_reading(&reading, common, err);

	*counters = (struct hd_error_counters){ 0 };
	if (ret)
		return ret;
	ret = hd_port_errors_find(what, fabric, &reading.how, counters, err);
	return end_reading(&reading, common, ret, err);
}

int hd_input_plan(const char *what, const struct hd_common *common, struct hd_cable_plan **plan,
		  struct hd_error *err)
{
	struct reading reading;
	int ret = begin_reading(&reading, common, err);

	*plan = NULL;
	return ret ? ret
		   : end_reading(&reading, common,
				 hd_cable_plan_open(what, &reading.how, plan, err), err);
}

int hd_input_snapshot(const char *directory, const char *netfile, const struct hd_common *common,
		      struct hd_snapshot **snapshot, struct hd_error *err)
{
	struct reading reading;
	int ret;

	*snapshot = NULL;
	if (!hd_snapshot_is_directory(directory))
		return hd_error_at(err, HD_EINVAL, directory, 0, "not a snapshot directory%s",
				   access(directory, F_OK)
					   ? ""
					   : ": a file has no tables (heddle route FILE -e ENGINE "
					     "-o SNAPSHOT makes them)");
	ret = begin_reading(&reading, common, err);
	if (ret)
		return ret;
	ret = hd_snapshot_read(directory, netfile, &reading.how, snapshot, err);
	ret = end_reading(&reading, common, ret, err);
	if (ret) {
		hd_snapshot_free(*snapshot);
		*snapshot = NULL;
	}
	return ret;
}

int hd_input_both(const struct hd_tables *old, const char *name, const struct hd_tables *now,
		  const struct hd_common *common, struct hd_both_tables *both, struct hd_error *err)
{
	const int ret = hd_both_tables_init(both, now, old, err);

	if (!ret && both->n_new)
		hd_note(common,
			"%" PRIu32 " switch%s not in %s: taken to hold no LFT entry, and SL2VL "
			"rows as at a start",
			both->n_new, both->n_new == 1 ? " is" : "es are", name);
	return ret;
}

int hd_input_name(struct hd_fabric *fabric, const struct hd_common *common, struct hd_error *err)
{
	struct reading reading;
	int ret;

	if (!common->name_map)
		return 0;
	ret = begin_reading(&reading, common, err);
	if (ret)
		return ret;
	ret = hd_fabric_read_names(fabric, common->name_map, &reading.how, err);
	return end_reading(&reading, common, ret, err);
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
