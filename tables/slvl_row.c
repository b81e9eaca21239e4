// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/slvl_row.h"

#include <inttypes.h>

#include "support/error.h"
#include "tables/dump_text.h"

static bool scan_port(const char **at, const char *end, uint64_t *port)
{
	hd_scan_blanks(at, end);
	return hd_scan_number(at, end, 10, UINT8_MAX, port);
}

/* Eight times "0xAB", each after blanks: the VLs of two SLs. */
static bool scan_vls(const char *at, const char *end, hd_sl2vl_row *row)
{
	*row = 0;
	for (unsigned sl = 0; sl < HD_MAX_SLS; sl += 2) {
		while (at < end && (*at == ' ' || *at == '\t'))
			at++;
		if (end - at < 4 || at[0] != '0' || at[1] != 'x')
			return false;
		at += 2;
		for (unsigned i = 0; i < 2; i++) {
			const uint8_t digit = hd_digit_value[(unsigned char)*at++];

			if (!(digit & HD_IS_DIGIT))
				return false;
			*row |= (hd_sl2vl_row)(digit & 15) << (4 * (sl + i));
		}
		if (at < end && *at != ' ' && *at != '\t')
			return false;
	}
	hd_scan_blanks(&at, end);
	return at == end;
}

static int find_node(const struct hd_fabric *fabric, const struct hd_lines *lines, uint64_t guid,
		     struct hd_slvl_node *last, struct hd_error *err)
{
	if (guid && guid == last->guid)
		return 0;
	last->node = hd_fabric_find_node(fabric, guid);
	if (last->node == HD_NONE)
		return hd_lines_error(lines, err, "the fabric has no node 0x%016" PRIx64, guid);
	last->guid = guid;
	return 0;
}

int hd_slvl_read_row(struct hd_tables *tables, const struct hd_lines *lines,
		     struct hd_slvl_node *last, uint32_t *endport, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	const char *at = lines->begin;
	uint64_t guid, in, out;
	hd_sl2vl_row row;
	unsigned n_ports;
	int ret;

	if (!hd_scan_hex(&at, lines->end, UINT64_MAX, &guid) || !scan_port(&at, lines->end, &in) ||
	    !scan_port(&at, lines->end, &out) || !scan_vls(at, lines->end, &row))
		return hd_lines_error(
			lines, err,
			"expected '0xGUID IN-PORT OUT-PORT' and 8 times '0xAB', the VLs "
			"of 16 SLs");
	ret = find_node(fabric, lines, guid, last, err);
	if (ret)
		return ret;
	n_ports = fabric->nodes[last->node].n_ports;
	if (in > n_ports || out > n_ports || (!hd_is_switch(fabric, last->node) && (in || !out)))
		return hd_lines_error(lines, err,
				      "in-port %" PRIu64 ", out-port %" PRIu64
				      ": the node has no such ports",
				      in, out);
	if (hd_is_switch(fabric, last->node)) {
		*endport = hd_port_index(fabric, last->node, 0);
		tables->sl2vl[hd_sl2vl_index(tables, last->node, (unsigned)in, (unsigned)out)] =
			row;
	} else {
		*endport = hd_port_index(fabric, last->node, (unsigned)out);
		tables->sl2vl[hd_sl2vl_host_index(tables, last->node, (unsigned)out)] = row;
	}
	return 0;
}
