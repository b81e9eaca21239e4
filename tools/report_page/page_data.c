// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What the script of a page knows, as JSON within an HTML element: no '<' ends the element. Rows
 * are arrays, because a fabric has tens of thousands of them; page.js names their members.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/link_rate.h"
#include "tools/report_page/page_writer.h"
#include "tools/report_page/sections.h"

static void put_string(FILE *stream, const char *text)
{
	fputc('"', stream);
	for (; *text; text++)
		if (strchr("\"\\<>&", *text) || (unsigned char)*text < ' ')
			fprintf(stream, "\\u%04x", (unsigned)(unsigned char)*text);
		else
			fputc(*text, stream);
	fputc('"', stream);
}

static void put_label(FILE *stream, const struct hd_fabric *fabric, uint32_t node)
{
	char label[HD_LABEL_SIZE];

	put_string(stream, hd_node_label(fabric, node, label, sizeof(label)));
}

/* A rate as one number: 16 * speed + width; the script has the names. */
static unsigned rate_of(const struct hd_port *port)
{
	return 16u * port->speed + port->width;
}

static void put_speeds(FILE *stream)
{
	fputs("\"speeds\":[", stream);
	for (unsigned speed = 0; speed <= HD_XDR; speed++) {
		fputs(speed ? "," : "", stream);
		put_string(stream, hd_speed_names[speed] ? hd_speed_names[speed] : "");
	}
	fputs("]", stream);
}

/* How many times the flows of a link of each rate count. */
static void put_weights(const struct hd_report_facts *facts, FILE *stream)
{
	bool is_known[16 * (HD_XDR + 1)] = { false };
	const char *comma = "";

	fputs(",\n\"weights\":{", stream);
	for (uint32_t i = 0; facts->rates_differ && i < facts->n_links; i++) {
		const unsigned rate = rate_of(&facts->fabric->ports[facts->links[i]]);
		const double mbps = hd_port_mbps(facts->fabric, facts->links[i], facts->fastest);

		if (rate >= sizeof(is_known) || is_known[rate])
			continue;
		is_known[rate] = true;
		fprintf(stream, "%s\"%u\":%.6g", comma, rate, facts->fastest / mbps);
		comma = ",";
	}
	fputs("}", stream);
}

/* [name, GUID, LID, ports] */
static void put_switches(const struct hd_fabric *fabric, FILE *stream)
{
	fputs(",\n\"switches\":[", stream);
	hd_for_each_switch(s, fabric) {
		fputs(s ? ",\n[" : "\n[", stream);
		put_label(stream, fabric, s);
		fprintf(stream, ",\"%016" PRIx64 "\",%u,%u]", fabric->nodes[s].guid,
			fabric->ports[hd_port_index(fabric, s, 0)].lid, fabric->nodes[s].n_ports);
	}
	fputs("]", stream);
}

/* [name, GUID]: in the order of the circles behind those of switches */
static void put_ends(const struct hd_fabric *fabric, FILE *stream)
{
	fputs(",\n\"ends\":[", stream);
	hd_for_each_end_node(node, fabric) {
		fputs(node > fabric->n_switches ? ",\n[" : "\n[", stream);
		put_label(stream, fabric, node);
		fprintf(stream, ",\"%016" PRIx64 "\"]", fabric->nodes[node].guid);
	}
	fputs("]", stream);
}

/* [switch, port, end node, port, LID, rate, flows to it, flows from it, slow] */
static void put_end_links(const struct hd_report_facts *facts, FILE *stream)
{
	const struct hd_fabric *fabric = facts->fabric;
	const char *comma = "\n";

	fputs(",\n\"endLinks\":[", stream);
	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p], *peer;

		if (port->peer == HD_NONE || !hd_is_switch(fabric, port->node) ||
		    hd_is_switch_link(fabric, p))
			continue;
		peer = &fabric->ports[port->peer];
		fprintf(stream,
			"%s[%" PRIu32 ",%u,%" PRIu32 ",%u,%u,%u,%" PRIu32 ",%" PRIu32 ",%d]", comma,
			port->node, port->number, peer->node - fabric->n_switches, peer->number,
			peer->lid, rate_of(port), facts->flows[p], facts->flows[port->peer],
			facts->is_slow[p]);
		comma = ",\n";
	}
	fputs("]", stream);
}

/*
 * [switch, port, switch, port, rate, flows there, flows back, slow, end nodes cut off] and, with an
 * older snapshot, [..., change, flows there before, flows back before]; -1: no such link
 */
static void put_links(const struct hd_report_facts *facts, FILE *stream)
{
	const struct hd_fabric *fabric = facts->fabric;

	fputs(",\n\"links\":[", stream);
	for (uint32_t i = 0; i < facts->n_links; i++) {
		uint32_t p = facts->links[i];
		const struct hd_port *port = &fabric->ports[p], *peer = &fabric->ports[port->peer];

		fprintf(stream,
			"%s[%" PRIu32 ",%u,%" PRIu32 ",%u,%u,%" PRIu32 ",%" PRIu32 ",%d,%" PRIu32,
			i ? ",\n" : "\n", port->node, port->number, peer->node, peer->number,
			rate_of(port), facts->flows[p], facts->flows[port->peer], facts->is_slow[p],
			facts->cut[p]);
		if (facts->since.snapshot)
			fprintf(stream, ",%u,%" PRId64 ",%" PRId64, facts->since.change[p],
				facts->since.flows[p] == HD_NONE ? -1
								 : (int64_t)facts->since.flows[p],
				facts->since.flows[port->peer] == HD_NONE
					? -1
					: (int64_t)facts->since.flows[port->peer]);
		fputs("]", stream);
	}
	fputs("]", stream);
}

/* What the failure of a link does, by the number of the link. */
static void put_failures(const struct hd_report_facts *facts, FILE *stream)
{
	const char *comma = "\n";
	char text[160];

	fputs(",\n\"failures\":{", stream);
	for (uint32_t i = 0; i < facts->n_links; i++) {
		hd_report_failure(facts, facts->links[i], text, sizeof(text));
		if (!text[0])
			continue;
		fprintf(stream, "%s\"%" PRIu32 "\":", comma, i);
		put_string(stream, text);
		comma = ",\n";
	}
	fputs("}", stream);
}

/* LFT entries that changed, by the number of the switch. */
static void put_changed_switches(const struct hd_report_facts *facts, FILE *stream)
{
	const struct hd_diff *diff = &facts->since.diff;
	const char *comma = "\n";

	fputs(",\n\"changedSwitches\":{", stream);
	for (size_t i = 0; facts->since.has_diff && i < diff->n_switches; i++) {
		uint32_t s = hd_fabric_find_node(facts->fabric, diff->switches[i].guid);

		if (s == HD_NONE)
			continue;
		fprintf(stream, "%s\"%" PRIu32 "\":%" PRIu32, comma, s,
			diff->switches[i].lft_entries);
		comma = ",\n";
	}
	fputs("}", stream);
}

/* The channels of a credit loop: [switch, port] */
static void put_cycle(const struct hd_report_facts *facts, FILE *stream)
{
	const struct hd_check_result *hosts = &facts->results[HD_CHECK_HOSTS];
	const struct hd_check_result *result =
		hosts->n_witness ? hosts : &facts->results[HD_CHECK_ALL];

	fputs(",\n\"cycle\":[", stream);
	for (size_t i = 0; i < result->n_witness; i++) {
		const struct hd_port *port = &facts->fabric->ports[result->witness[i].port];

		fprintf(stream, "%s[%" PRIu32 ",%u]", i ? "," : "", port->node, port->number);
	}
	fputs("]", stream);
}

/* Cables of the picture that are absent. */
static uint32_t n_absent(const struct hd_gaps *gaps)
{
	return gaps->differences.n_planned;
}

void hd_report_put_data(const struct hd_report_facts *facts, FILE *stream)
{
	fputs("{", stream);
	put_speeds(stream);
	put_weights(facts, stream);
	fprintf(stream,
		",\n\"most\":%" PRIu64
		",\"mean\":%.3f,\"hasLoad\":%s,\"hasOldLoad\":%s,\"hasSince\":%s,"
		"\"gone\":%" PRIu32 ",\"absent\":%" PRIu32,
		facts->most, facts->mean, facts->has_load ? "true" : "false",
		facts->has_load && facts->since.has_load ? "true" : "false",
		facts->since.snapshot ? "true" : "false", facts->since.n_gone,
		n_absent(&facts->gaps));
	put_switches(facts->fabric, stream);
	put_ends(facts->fabric, stream);
	put_end_links(facts, stream);
	put_links(facts, stream);
	put_failures(facts, stream);
	put_changed_switches(facts, stream);
	put_cycle(facts, stream);
	fputs("}\n", stream);
}
