// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What ibnetdiscover -p prints, a port a line, from both of its ends:
 *
 *	CA 44  1 0x78e7d10300215995 4x QDR - SW 142 32 0x0008f10500108c9e ( 'h6 HCA-1' - 'leaf 1' )
 *	SW 142 35 0x0008f10500108c9e 4x ???                                    'leaf 1'
 *
 * with LID, port and GUID: of an adapter the port's, of a switch its port 0's, which is the node's.
 */
#include <string.h>

#include "fabric/link_list.h"
#include "fabric/link_rate.h"
#include "support/error.h"
#include "support/text.h"

static bool scan_end(const char **at, const char *end, struct hd_link_end *port)
{
	static const struct {
		const char *word;
		enum hd_node_type type;
	} types[] = { { "SW", HD_SWITCH }, { "CA", HD_CA }, { "RT", HD_ROUTER } };
	uint64_t lid, number;
	bool found = false;

	hd_scan_blanks(at, end);
	for (size_t i = 0; !found && i < sizeof(types) / sizeof(types[0]); i++) {
		found = hd_scan_word(at, end, types[i].word);
		port->type = (uint8_t)types[i].type;
	}
	if (!found || !hd_scan_word(at, end, " "))
		return false;
	hd_scan_blanks(at, end);
	if (!hd_scan_number(at, end, 10, UINT16_MAX, &lid) || !hd_scan_word(at, end, " "))
		return false;
	hd_scan_blanks(at, end);
	if (!hd_scan_number(at, end, 10, HD_MAX_PORTS, &number) || !hd_scan_word(at, end, " 0x") ||
	    !hd_scan_number(at, end, 16, UINT64_MAX, &port->port_guid))
		return false;
	port->lid = lid > HD_MAX_LID ? 0 : (uint16_t)lid;
	port->number = (uint8_t)number;
	port->node_guid = port->type == HD_SWITCH ? port->port_guid : 0;
	return true;
}

static bool is_line(const struct hd_lines *lines)
{
	struct hd_link_end port;
	const char *at = lines->begin;

	return scan_end(&at, lines->end, &port);
}

/* Where "' - '" stands between two names. */
static const char *find_middle(const char *at, const char *end)
{
	for (; at + 5 <= end; at++)
		if (memcmp(at, "' - '", 5) == 0)
			return at;
	return NULL;
}

static void scan_rate(const char **at, const char *end, struct hd_listed_link *link)
{
	uint64_t lanes;

	hd_scan_blanks(at, end);
	if (hd_scan_number(at, end, 10, UINT8_MAX, &lanes) && hd_is_width(lanes))
		link->width = (uint8_t)lanes;
	while (*at < end && **at != ' ')
		++*at;
	hd_scan_blanks(at, end);
	for (unsigned speed = HD_SDR; speed <= HD_XDR; speed++) {
		const char *after = *at;

		if (hd_scan_word(&after, end, hd_speed_names[speed]) &&
		    (after == end || *after == ' '))
			link->speed = (uint8_t)speed;
	}
}

static int parse(const struct hd_lines *lines, struct hd_listed_link *link, struct hd_error *err)
{
	const char *at = lines->begin, *end = lines->end, *middle;
	struct hd_link_end *ends = link->ends;
	const char *open;

	if (!scan_end(&at, end, &ends[0]) || !ends[0].number || !ends[0].port_guid)
		return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
				   "not a port as ibnetdiscover -p prints it: "
				   "'TYPE LID PORT 0xGUID WIDTH SPEED'");
	scan_rate(&at, end, link);
	while (end > at && end[-1] == ' ')
		end--;
	/* "- SW 142 32 0x... (", or the name of a port without a link */
	while (at < end && *at != '-' && *at != '\'')
		at++;
	if (at < end && *at == '\'') {
		if (end - at < 2 || end[-1] != '\'')
			return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
					   "the quote of a name is not closed");
		ends[0].name = (struct hd_span){ at + 1, end - 1 };
		return 0;
	}
	link->has_peer = true;
	if (!hd_scan_word(&at, end, "- ") || !scan_end(&at, end, &ends[1]) || !ends[1].number ||
	    !ends[1].port_guid)
		return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
				   "expected '- TYPE LID PORT 0xGUID' or a name after the port");
	hd_scan_blanks(&at, end);
	open = at;
	middle = find_middle(open, end);
	if (!hd_scan_word(&open, end, "( '") || !middle || middle < open ||
	    end - (middle + 5) < 3 || memcmp(end - 3, "' )", 3) != 0)
		return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
				   "expected \"( 'NAME' - 'NAME' )\" after the ports");
	ends[0].name = (struct hd_span){ open, middle };
	ends[1].name = (struct hd_span){ middle + 5, end - 3 };
	return 0;
}

const struct hd_link_list_format hd_link_list_ports = {
	.what = "the output of ibnetdiscover -p",
	.is_line = is_line,
	.parse = parse,
};
