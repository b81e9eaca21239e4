// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * opensm-subnet.lst, which ibdiagnet and ibdmchk write and read, too: links, a line each,
 *
 *	{ CA-SM Ports:01 SystemGUID:GUID NodeGUID:GUID PortGUID:GUID VenID:N DevID:N Rev:N {NAME}
 *	LID:0001 PN:01 } { SW Ports:05 ... {NAME} LID:0003 PN:01 } PHY=4x LOG=ACT SPD=2.5
 *
 * with all numbers in hexadecimal; old ones have no SPD.
 */
#include <string.h>

#include "fabric/link_list.h"
#include "fabric/link_rate.h"
#include "support/error.h"
#include "support/text.h"

/* "Ports:05 " and the like. */
static bool scan_member(const char **at, const char *end, const char *key, uint64_t max,
			uint64_t *value)
{
	hd_scan_blanks(at, end);
	return hd_scan_word(at, end, key) && hd_scan_number(at, end, 16, max, value);
}

static bool scan_type(const char **at, const char *end, uint8_t *type)
{
	static const struct {
		const char *word;
		enum hd_node_type type;
	} types[] = { { "SW", HD_SWITCH }, { "CA", HD_CA }, { "Rt", HD_ROUTER } };

	hd_scan_blanks(at, end);
	if (!hd_scan_word(at, end, "{"))
		return false;
	hd_scan_blanks(at, end);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (!hd_scan_word(at, end, types[i].word))
			continue;
		*type = (uint8_t)types[i].type;
		hd_scan_word(at, end, "-SM");
		return true;
	}
	return false;
}

static bool scan_name(const char **at, const char *end, struct hd_span *name)
{
	hd_scan_blanks(at, end);
	if (!hd_scan_word(at, end, "{"))
		return false;
	name->begin = *at;
	for (; *at < end; ++*at) {
		const char *after = *at;

		if (!hd_scan_word(&after, end, "} LID:"))
			continue;
		name->end = *at;
		++*at;
		return true;
	}
	return false;
}

static bool scan_end(const char **at, const char *end, struct hd_link_end *port)
{
	uint64_t n_ports, vendor, device, revision, lid, number;

	if (!scan_type(at, end, &port->type) ||
	    !scan_member(at, end, "Ports:", HD_MAX_PORTS, &n_ports) ||
	    !scan_member(at, end, "SystemGUID:", UINT64_MAX, &port->sysimg_guid) ||
	    !scan_member(at, end, "NodeGUID:", UINT64_MAX, &port->node_guid) ||
	    !scan_member(at, end, "PortGUID:", UINT64_MAX, &port->port_guid) ||
	    !scan_member(at, end, "VenID:", UINT32_MAX, &vendor) ||
	    !scan_member(at, end, "DevID:", UINT32_MAX, &device) ||
	    !scan_member(at, end, "Rev:", UINT32_MAX, &revision) ||
	    !scan_name(at, end, &port->name) || !scan_member(at, end, "LID:", UINT16_MAX, &lid) ||
	    !scan_member(at, end, "PN:", HD_MAX_PORTS, &number))
		return false;
	hd_scan_blanks(at, end);
	port->n_ports = (uint8_t)n_ports;
	port->vendor_id = (uint32_t)vendor;
	/* some writers print it with its bytes in the order of a file */
	port->device_id = device > UINT16_MAX ? 0 : (uint32_t)device;
	port->lid = lid > HD_MAX_LID ? 0 : (uint16_t)lid;
	port->number = (uint8_t)number;
	return hd_scan_word(at, end, "}") && port->node_guid && port->number;
}

static bool is_line(const struct hd_lines *lines)
{
	const char *at = lines->begin;
	uint8_t type;

	return scan_type(&at, lines->end, &type) && hd_scan_word(&at, lines->end, " Ports:");
}

/* "PHY=4x", "SPD=2.5", in any order, among others. */
static void scan_rate(const char *at, const char *end, struct hd_listed_link *link)
{
	static const struct {
		const char *word;
		enum hd_speed speed;
	} speeds[] = { { "SPD=2.5", HD_SDR },     { "SPD=5", HD_DDR },   { "SPD=10", HD_QDR },
		       { "SPD=FDR10", HD_FDR10 }, { "SPD=14", HD_FDR },  { "SPD=25", HD_EDR },
		       { "SPD=50", HD_HDR },      { "SPD=100", HD_NDR }, { "SPD=200", HD_XDR } };

	while (at < end) {
		const char *word = at, *word_end;
		uint64_t lanes;

		while (at < end && *at != ' ')
			at++;
		word_end = at;
		hd_scan_blanks(&at, end);
		for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++)
			if (strlen(speeds[i].word) == (size_t)(word_end - word) &&
			    memcmp(speeds[i].word, word, strlen(speeds[i].word)) == 0)
				link->speed = (uint8_t)speeds[i].speed;
		if (hd_scan_word(&word, word_end, "PHY=") &&
		    hd_scan_number(&word, word_end, 10, UINT8_MAX, &lanes) && hd_is_width(lanes))
			link->width = (uint8_t)lanes;
	}
}

static int parse(const struct hd_lines *lines, struct hd_listed_link *link, struct hd_error *err)
{
	const char *at = lines->begin;

	link->has_peer = true;
	if (!scan_end(&at, lines->end, &link->ends[0]) ||
	    !scan_end(&at, lines->end, &link->ends[1]))
		return hd_error_at(
			err, HD_EPARSE, lines->file, lines->number,
			"not a link as opensm-subnet.lst has it: '{ TYPE Ports:N "
			"SystemGUID:N NodeGUID:N PortGUID:N VenID:N DevID:N Rev:N {NAME} "
			"LID:N PN:N }', twice");
	hd_scan_blanks(&at, lines->end);
	scan_rate(at, lines->end, link);
	return 0;
}

const struct hd_link_list_format hd_link_list_subnet = {
	.what = "opensm-subnet.lst",
	.is_line = is_line,
	.parse = parse,
};
