// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Writes a snapshot as the directory that ibdiagnet would write of that fabric:
 *
 *	ibdiagnet_tool SNAPSHOT DIRECTORY [OPTION...]
 *
 * reverse: columns of the CSV in the other order; openfdbs: opensm.fdbs instead of ibdiagnet's
 * files; sections: SL2VL tables as OpenSM dumps them; plft, hash, sub-groups: AR tables with
 * private LFTs, with HBF entries, with a second sub-group. Ports' LIDs, rates and VLs come from the
 * snapshot, values that it does not know are those of a recorded file.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fabric/link_rate.h"
#include "support/error.h"
#include "tables/ar.h"
#include "tables/dumps.h"
#include "tables/snapshot.h"

struct writer {
	const struct hd_snapshot *snapshot;
	const struct hd_fabric *fabric;
	const char *directory;
	bool reverse, openfdbs, sections, plft, hash, sub_groups;
	FILE *csv;
	char cells[64][320];
	unsigned n_cells;
};

static FILE *open_file(const struct writer *writer, const char *name)
{
	char path[4096];
	FILE *stream;

	snprintf(path, sizeof(path), "%s/%s", writer->directory, name);
	stream = fopen(path, "w");
	if (!stream) {
		perror(path);
		exit(2);
	}
	return stream;
}

static void close_file(FILE *stream)
{
	if (ferror(stream) || fclose(stream)) {
		perror("writing");
		exit(2);
	}
}

/* One cell of a row; end_row() writes them, in either order. */
__attribute__((format(printf, 2, 3))) static void cell(struct writer *writer, const char *format,
						       ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(writer->cells[writer->n_cells++], sizeof(writer->cells[0]), format, args);
	va_end(args);
}

static void end_row(struct writer *writer)
{
	const unsigned n = writer->n_cells;

	for (unsigned i = 0; i < n; i++)
		fprintf(writer->csv, "%s%s", i ? "," : "",
			writer->cells[writer->reverse ? n - 1 - i : i]);
	fputc('\n', writer->csv);
	writer->n_cells = 0;
}

/* The heading: words of @columns, between commas. */
static void begin_section(struct writer *writer, const char *name, const char *columns)
{
	fprintf(writer->csv, "START_%s\n", name);
	while (*columns) {
		const size_t length = strcspn(columns, ",");

		cell(writer, "%.*s", (int)length, columns);
		columns += length + (columns[length] == ',');
	}
	end_row(writer);
}

static void end_section(const struct writer *writer, const char *name)
{
	fprintf(writer->csv, "END_%s\n\n\n", name);
}

static void guid(struct writer *writer, uint64_t value)
{
	cell(writer, "0x%016" PRIx64, value);
}

static void zeros(struct writer *writer, unsigned n)
{
	while (n--)
		cell(writer, "0");
}

static void write_nodes(struct writer *writer)
{
	static const unsigned types[] = { [HD_SWITCH] = 2, [HD_CA] = 1, [HD_ROUTER] = 3 };

	begin_section(
		writer, "NODES",
		"NodeDesc,NumPorts,NodeType,ClassVersion,BaseVersion,SystemImageGUID,NodeGUID,"
		"PortGUID,DeviceID,PartitionCap,revision,VendorID,LocalPortNum");
	hd_for_each_node(n, writer->fabric) {
		const struct hd_node *node = &writer->fabric->nodes[n];
		const bool is_switch = node->type == HD_SWITCH;

		cell(writer, "\"%s\"", hd_node_name(writer->fabric, n));
		cell(writer, "%u", node->n_ports);
		cell(writer, "%u", types[node->type]);
		cell(writer, "1");
		cell(writer, "1");
		guid(writer, node->sysimg_guid);
		guid(writer, node->guid);
		guid(writer, writer->fabric->ports[node->first_port + !is_switch].guid);
		cell(writer, "%u", node->device_id);
		cell(writer, "128");
		cell(writer, "0");
		cell(writer, "%u", node->vendor_id);
		cell(writer, "1");
		end_row(writer);
	}
	end_section(writer, "NODES");
}

static unsigned width_code(unsigned width)
{
	for (unsigned code = 1; code <= 16; code *= 2)
		if (hd_width_of_code(code) == width)
			return code;
	return 0;
}

static unsigned long speed_code(unsigned speed)
{
	static const unsigned long codes[] = { 0,     1,     2,     4,     1 << 16,
					       0x104, 0x204, 0x404, 0x804, 1 << 24 };

	return codes[speed];
}

static unsigned high_limit(const struct writer *writer, uint32_t p)
{
	const struct hd_tables *tables = writer->snapshot->tables;
	const uint32_t which = tables->vlarb_of_port ? tables->vlarb_of_port[p] : HD_NONE;

	return which == HD_NONE ? 0 : tables->vlarbs[which].high_limit;
}

static void write_port(struct writer *writer, uint32_t p)
{
	const struct hd_port *port = &writer->fabric->ports[p];
	const struct hd_node *node = &writer->fabric->nodes[port->node];
	const bool is_end = (port->number == 0) == (node->type == HD_SWITCH);
	const unsigned vls = hd_vlcap_code(port->vls);

	guid(writer, node->guid);
	guid(writer, port->guid ? port->guid : node->guid);
	cell(writer, "%u", port->number);
	guid(writer, 0);
	guid(writer, 0xfe80000000000000);
	cell(writer, "1");
	cell(writer, "%u", is_end ? port->lid : 0);
	zeros(writer, 3);
	cell(writer, "%u", width_code(port->width));
	cell(writer, "19");
	cell(writer, "19");
	cell(writer, "1");
	cell(writer, "3845");
	cell(writer, "%lu", speed_code(port->speed));
	cell(writer, "%u", is_end ? port->lmc : 0);
	cell(writer, "%u", high_limit(writer, p));
	cell(writer, "4");
	cell(writer, "%u", vls);
	cell(writer, "N/A");
	cell(writer, "N/A");
	end_row(writer);
}

static void write_ports(struct writer *writer)
{
	begin_section(writer, "PORTS",
		      "NodeGuid,PortGuid,PortNum,MKey,GIDPrfx,MSMLID,LID,CapMsk,M_KeyLeasePeriod,"
		      "DiagCode,LinkWidthActv,LinkWidthSup,LinkWidthEn,LocalPortNum,LinkSpeedEn,"
		      "LinkSpeedActv,LMC,VLHighLimit,VLCap,OpVLs,CapMsk2,FECActv");
	hd_for_each_port(p, writer->fabric) {
		const struct hd_port *port = &writer->fabric->ports[p];

		if (port->number || hd_is_switch(writer->fabric, port->node))
			write_port(writer, p);
	}
	end_section(writer, "PORTS");
}

static void write_links(struct writer *writer)
{
	begin_section(writer, "LINKS", "NodeGuid1,PortNum1,NodeGuid2,PortNum2");
	hd_for_each_port(p, writer->fabric) {
		const struct hd_port *port = &writer->fabric->ports[p], *peer;

		if (port->peer == HD_NONE || port->peer < p)
			continue;
		peer = &writer->fabric->ports[port->peer];
		guid(writer, writer->fabric->nodes[port->node].guid);
		cell(writer, "%u", port->number);
		guid(writer, writer->fabric->nodes[peer->node].guid);
		cell(writer, "%u", peer->number);
		end_row(writer);
	}
	end_section(writer, "LINKS");
}

static void write_switches(struct writer *writer)
{
	begin_section(
		writer, "SWITCHES",
		"NodeGUID,LinearFDBCap,RandomFDBCap,MCastFDBCap,LinearFDBTop,OptimizedSLVLMapping,"
		"ENP0,MCastFDBTop");
	hd_for_each_switch(s, writer->fabric) {
		const struct hd_node *node = &writer->fabric->nodes[s];

		guid(writer, node->guid);
		cell(writer, "49152");
		cell(writer, "0");
		cell(writer, "8192");
		cell(writer, "%" PRIu32, writer->fabric->top_lid);
		cell(writer, "3");
		cell(writer, "%d", node->enhanced_port0);
		cell(writer, "49183");
		end_row(writer);
	}
	end_section(writer, "SWITCHES");
}

static void write_entries(struct writer *writer, uint32_t p, const char *priority,
			  const struct hd_vlarb_entry *entries, unsigned n)
{
	const struct hd_port *port = &writer->fabric->ports[p];

	for (unsigned i = 0; i < n; i++) {
		guid(writer, writer->fabric->nodes[port->node].guid);
		guid(writer, port->guid);
		cell(writer, "%u", port->number);
		cell(writer, "%s", priority);
		cell(writer, "%u", entries[i].vl);
		cell(writer, "%u", entries[i].weight);
		end_row(writer);
	}
}

static void write_vlarb(struct writer *writer)
{
	const struct hd_tables *tables = writer->snapshot->tables;

	if (!tables->has_vlarb)
		return;
	begin_section(writer, "VL_ARBITRATION_TABLE",
		      "NodeGUID,PortGUID,PortNum,Priority,VL,Weight");
	hd_for_each_port(p, writer->fabric) {
		const struct hd_vlarb *vlarb;

		if (tables->vlarb_of_port[p] == HD_NONE)
			continue;
		vlarb = &tables->vlarbs[tables->vlarb_of_port[p]];
		write_entries(writer, p, "High", vlarb->high, vlarb->n_high);
		write_entries(writer, p, "Low", vlarb->low, vlarb->n_low);
	}
	end_section(writer, "VL_ARBITRATION_TABLE");
}

/* What a reader of the fabric passes over: sections and columns that are none of its. */
static void write_others(struct writer *writer)
{
	begin_section(writer, "PM_INFO",
		      "NodeGUID,PortGUID,PortNumber,LinkDownedCounter,PortXmitWaitExt");
	hd_for_each_port(p, writer->fabric) {
		const struct hd_port *port = &writer->fabric->ports[p];

		if (port->peer == HD_NONE)
			continue;
		guid(writer, writer->fabric->nodes[port->node].guid);
		guid(writer, port->guid);
		cell(writer, "%u", port->number);
		cell(writer, "0");
		cell(writer, "0x%016x", p);
		end_row(writer);
	}
	end_section(writer, "PM_INFO");
}

static void write_csv(struct writer *writer)
{
	writer->csv = open_file(writer, "ibdiagnet2.db_csv");
	fputs("# Running version   : \"IBDIAGNET 2.13.0\"\n# Timestamp         : 2024-01-01\n\n",
	      writer->csv);
	begin_section(writer, "INDEX_TABLE", "Name,Offset,Line,Rows");
	end_section(writer, "INDEX_TABLE");
	write_nodes(writer);
	write_ports(writer);
	write_switches(writer);
	write_links(writer);
	write_vlarb(writer);
	write_others(writer);
	close_file(writer->csv);
}

static void write_fdbs(const struct writer *writer)
{
	FILE *stream = open_file(writer, writer->openfdbs ? "opensm.fdbs" : "ibdiagnet2.fdbs");
	const char *prefix = writer->openfdbs ? "" : "osm_ucast_mgr_";

	hd_for_each_switch(s, writer->fabric) {
		const uint8_t *lft = hd_lft(writer->snapshot->tables, s);

		if (!hd_lft_is_known(writer->snapshot->tables, s))
			continue;
		fprintf(stream, "%sdump_ucast_routes: Switch 0x%016" PRIx64 "\n", prefix,
			writer->fabric->nodes[s].guid);
		fputs("LID    : Port : Hops : Optimal\n", stream);
		hd_for_each_lid(lid, writer->fabric) {
			if (lft[lid] == HD_NO_PATH)
				fprintf(stream, "0x%04x : UNREACHABLE\n", lid);
			else
				fprintf(stream, "0x%04x : %03u  : 00   : yes\n", lid, lft[lid]);
		}
		fputc('\n', stream);
	}
	close_file(stream);
}

static void write_row(FILE *stream, uint64_t node_guid, unsigned in, unsigned out, hd_sl2vl_row row)
{
	fprintf(stream, "0x%016" PRIx64 " %u %u", node_guid, in, out);
	for (unsigned sl = 0; sl < HD_MAX_SLS; sl += 2)
		fprintf(stream, " 0x%x%x", hd_row_vl(row, sl), hd_row_vl(row, sl + 1));
	fputc('\n', stream);
}

static void write_slvl(const struct writer *writer)
{
	const struct hd_fabric *fabric = writer->fabric;
	const struct hd_tables *tables = writer->snapshot->tables;
	FILE *stream;

	if (!tables->has_sl2vl)
		return;
	stream = open_file(writer, "ibdiagnet2.slvl");
	if (writer->sections)
		hd_dump_sl2vl.write(tables, stream, NULL);
	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p];
		const struct hd_node *node = &fabric->nodes[port->node];

		if (port->peer == HD_NONE || writer->sections)
			continue;
		if (!hd_is_switch(fabric, port->node))
			write_row(stream, node->guid, 0, port->number,
				  tables->sl2vl[hd_sl2vl_host_index(tables, port->node,
								    port->number)]);
		else
			for (unsigned in = 0; in <= node->n_ports; in++)
				write_row(stream, node->guid, in, port->number,
					  tables->sl2vl[hd_sl2vl_index(tables, port->node, in,
								       port->number)]);
	}
	close_file(stream);
}

static void write_mcfdbs(const struct writer *writer)
{
	FILE *stream;

	if (!writer->snapshot->tables->n_mft)
		return;
	stream = open_file(writer, "ibdiagnet2.mcfdbs");
	fputs("# This file has comments\n", stream);
	hd_dump_mcfdbs.write(writer->snapshot->tables, stream, NULL);
	close_file(stream);
}

/* The lowest port that is not in @first, as the second sub-group of group 0. */
static void write_sub_group(FILE *stream, const struct hd_port_set *first)
{
	unsigned port = 1;

	while (hd_port_set_has(first, port))
		port++;
	fprintf(stream, "0       1           0      %u,\n", port);
}

static void write_groups(const struct writer *writer, FILE *stream, uint32_t s)
{
	const struct hd_ar_groups *groups = &writer->snapshot->tables->ar->groups[s];

	fputs("Groups Definition:\nGroup   Sub Group   WHBF   Ports\n", stream);
	fputs("-----------------------------------------\n", stream);
	for (uint32_t i = 0; i < groups->n; i++) {
		fprintf(stream, "%-8" PRIu32 "0           0      ", i);
		hd_for_each_in_set(port, &groups->sets[i])
			fprintf(stream, "%u, ", port);
		fputc('\n', stream);
		if (writer->sub_groups && !i)
			write_sub_group(stream, &groups->sets[i]);
	}
}

static void write_ar_lft(const struct writer *writer, FILE *stream, uint32_t s, unsigned plft)
{
	static const char *const states[] = {
		[HD_AR_STATIC] = "Static", [HD_AR_BOUNDED] = "Bounded", [HD_AR_FREE] = "Free"
	};
	const struct hd_tables *tables = writer->snapshot->tables;
	const struct hd_ar *ar = tables->ar;

	fprintf(stream, "PLFT_NUM: %u, top: 0x%04x\n", plft, writer->fabric->top_lid);
	fputs("LID     Static Port   Lid State   Group\n", stream);
	fputs("-----------------------------------------\n", stream);
	hd_for_each_lid(lid, writer->fabric) {
		const size_t entry = s * tables->lft_stride + lid;
		const bool is_static = ar->group[entry] == HD_AR_NO_GROUP;

		if (tables->lft[entry] != HD_NO_PATH)
			fprintf(stream, "0x%04x  %-14u%-12s%u\n", lid, (unsigned)tables->lft[entry],
				writer->hash && !is_static ? "HBF" : states[ar->state[entry]],
				is_static ? 0u : (unsigned)ar->group[entry]);
	}
}

static void write_far(const struct writer *writer)
{
	FILE *stream;

	if (!writer->snapshot->tables->ar)
		return;
	stream = open_file(writer, "ibdiagnet2.far");
	fputs("# This file has comments\nFile version: 2\n\n", stream);
	hd_for_each_switch(s, writer->fabric) {
		fprintf(stream, "\nSwitch 0x%016" PRIx64 " - %s, en_sl: 0xffff\n",
			writer->fabric->nodes[s].guid, hd_node_name(writer->fabric, s));
		write_groups(writer, stream, s);
		fputs("\nLFT Definition:\n", stream);
		write_ar_lft(writer, stream, s, 0);
		if (writer->plft)
			write_ar_lft(writer, stream, s, 1);
	}
	close_file(stream);
}

static int usage(void)
{
	fputs("usage: ibdiagnet_tool SNAPSHOT DIRECTORY [reverse] [openfdbs] [sections] [plft]"
	      " [hash] [sub-groups]\n",
	      stderr);
	return 2;
}

/* False: there is no such option. */
static bool set_option(struct writer *writer, const char *option)
{
	const struct {
		const char *name;
		bool *is_set;
	} options[] = {
		{ "reverse", &writer->reverse },   { "openfdbs", &writer->openfdbs },
		{ "sections", &writer->sections }, { "plft", &writer->plft },
		{ "hash", &writer->hash },         { "sub-groups", &writer->sub_groups },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (strcmp(option, options[i].name) == 0)
			return *options[i].is_set = true;
	return false;
}

int main(int argc, char **argv)
{
	struct writer writer = { 0 };
	struct hd_snapshot *snapshot;
	struct hd_reading how = { 0 };
	struct hd_error err = { 0 };
	char text[1100];

	if (argc < 3)
		return usage();
	for (int i = 3; i < argc; i++)
		if (!set_option(&writer, argv[i]))
			return usage();
	if (hd_snapshot_read(argv[1], NULL, &how, &snapshot, &err)) {
		fprintf(stderr, "ibdiagnet_tool: %s\n", hd_error_format(&err, text, sizeof(text)));
		return 2;
	}
	writer.snapshot = snapshot;
	writer.fabric = snapshot->fabric;
	writer.directory = argv[2];
	mkdir(argv[2], 0777);
	write_fdbs(&writer);
	if (!writer.openfdbs) {
		write_csv(&writer);
		write_slvl(&writer);
		write_mcfdbs(&writer);
		write_far(&writer);
	}
	hd_snapshot_free(snapshot);
	return 0;
}
