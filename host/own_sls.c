// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "host/own_sls.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/text.h"

#define MAX_SL  15
#define MAX_LMC 7

/* How the port got its row: lines of the port's GUID go before those of its node's. */
enum { UNSEEN, SEEN_AS_NODE, SEEN_AS_PORT };

struct reader {
	struct hd_own_sls *sls;
	struct hd_lines lines;
	uint64_t node_guid, port_guid;
	uint64_t guid;            /* of the current source */
	bool has_row;             /* `row` is the row of some source */
	uint8_t seen;             /* how the port got its row */
	uint8_t row[HD_OWN_LIDS]; /* of the current source */
	uint16_t changed
		[HD_OWN_LIDS]; /* LIDs that have an SL in `row`, so that it is cleared fast */
	unsigned n_changed;
};

#define fail(reader, err, ...) \
	hd_error_at((err), HD_EPARSE, (reader)->lines.file, (reader)->lines.number, __VA_ARGS__)

static bool scan_guid(const char **at, const char *end, uint64_t *guid)
{
	return hd_scan_word(at, end, "0x") && hd_scan_number(at, end, 16, UINT64_MAX, guid);
}

/* Takes the current row if it is that of the source @guid, and @guid is ours. */
static void take(struct reader *reader, uint64_t guid)
{
	const uint8_t how = guid == reader->port_guid   ? SEEN_AS_PORT
			    : guid == reader->node_guid ? SEEN_AS_NODE
							: UNSEEN;

	if (how <= reader->seen)
		return;
	reader->seen = how;
	memcpy(reader->sls->sl, reader->row, sizeof(reader->row));
}

static void close_source(struct reader *reader)
{
	if (reader->has_row)
		take(reader, reader->guid);
}

static void open_source(struct reader *reader, uint64_t guid)
{
	close_source(reader);
	for (unsigned i = 0; i < reader->n_changed; i++)
		reader->row[reader->changed[i]] = HD_OWN_NO_SL;
	reader->n_changed = 0;
	reader->guid = guid;
	reader->has_row = true;
}

/* "= 0xGUID": a source with the SLs of the one before */
static int read_like(struct reader *reader, const char *at, struct hd_error *err)
{
	uint64_t guid;

	hd_scan_blanks(&at, reader->lines.end);
	if (!scan_guid(&at, reader->lines.end, &guid) || at != reader->lines.end)
		return fail(reader, err, "expected '= 0xGUID'");
	if (!reader->has_row)
		return fail(reader, err, "'=' before any source's SLs");
	take(reader, guid);
	return 0;
}

/* "# port 0xGUID lid N lmc M": a port of an end node; other comments say nothing */
static int read_port(struct reader *reader, const char *at, struct hd_error *err)
{
	struct hd_own_sls *sls = reader->sls;
	const char *end = reader->lines.end;
	uint64_t guid, lid, lmc;

	if (!hd_scan_word(&at, end, "# port "))
		return 0;
	if (!scan_guid(&at, end, &guid) || !hd_scan_word(&at, end, " lid ") ||
	    !hd_scan_number(&at, end, 10, UINT16_MAX, &lid) || !hd_scan_word(&at, end, " lmc ") ||
	    !hd_scan_number(&at, end, 10, UINT8_MAX, &lmc) || at != end)
		return fail(reader, err, "expected '# port 0xGUID lid N lmc M'");
	if (lmc > MAX_LMC || !lid || lid + (UINT64_C(1) << lmc) > HD_OWN_LIDS ||
	    lid & ((UINT64_C(1) << lmc) - 1))
		return fail(reader, err, "no port can have LID %" PRIu64 " with LMC %" PRIu64, lid,
			    lmc);
	for (unsigned i = 0; i < 1u << lmc; i++) {
		if (sls->lmc[lid + i] != HD_OWN_NO_LMC)
			return fail(reader, err, "LID %" PRIu64 " has two ports", lid + i);
		sls->lmc[lid + i] = (uint8_t)lmc;
	}
	sls->has_ports = true;
	if (guid == reader->port_guid)
		sls->lid = (uint16_t)lid;
	return 0;
}

static int read_line(struct reader *reader, struct hd_error *err)
{
	const char *at = reader->lines.begin, *end = reader->lines.end;
	uint64_t guid, lid, sl;

	if (at != end && *at == '#')
		return read_port(reader, at, err);
	if (at != end && *at == '=')
		return read_like(reader, at + 1, err);
	if (!scan_guid(&at, end, &guid) || !hd_scan_word(&at, end, " ") ||
	    !hd_scan_number(&at, end, 10, UINT16_MAX, &lid) || !hd_scan_word(&at, end, " ") ||
	    !hd_scan_number(&at, end, 10, UINT8_MAX, &sl) || at != end) {
		at = reader->lines.begin;
		hd_scan_blanks(&at, end);
		return at == end ? 0 : fail(reader, err, "expected '0xGUID LID SL'");
	}
	if (!lid || lid >= HD_OWN_LIDS)
		return fail(reader, err, "LID %" PRIu64 " is no unicast LID", lid);
	if (sl > MAX_SL)
		return fail(reader, err, "SL %" PRIu64 " is not in 0..15", sl);
	if (!reader->has_row || guid != reader->guid)
		open_source(reader, guid);
	if (reader->row[lid] == HD_OWN_NO_SL)
		reader->changed[reader->n_changed++] = (uint16_t)lid;
	reader->row[lid] = (uint8_t)sl;
	return 0;
}

static int read_all(struct reader *reader, struct hd_error *err)
{
	int ret = 0;

	while (!ret && hd_lines_next(&reader->lines))
		ret = read_line(reader, err);
	if (ret)
		return ret;
	close_source(reader);
	reader->sls->has_source = reader->seen != UNSEEN;
	return 0;
}

int hd_own_sls_parse(struct hd_own_sls *sls, const char *name, const char *data, size_t size,
		     uint64_t node_guid, uint64_t port_guid, struct hd_error *err)
{
	struct reader *reader = calloc(1, sizeof(*reader));
	int ret;

	if (!reader)
		return hd_error_nomem(err);
	reader->sls = sls;
	reader->node_guid = node_guid;
	reader->port_guid = port_guid;
	memset(sls, 0, sizeof(*sls));
	memset(sls->sl, HD_OWN_NO_SL, sizeof(sls->sl));
	memset(sls->lmc, HD_OWN_NO_LMC, sizeof(sls->lmc));
	memset(reader->row, HD_OWN_NO_SL, sizeof(reader->row));
	hd_lines_begin(&reader->lines, name, data, size);
	ret = read_all(reader, err);
	free(reader);
	return ret;
}
