// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/error_counters.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/csv_sections.h"
#include "fabric/db_csv.h"
#include "fabric/fabric.h"
#include "support/error.h"
#include "support/text_stream.h"

const char *const hd_error_counter_words[HD_ERROR_COUNTERS] = {
	[HD_SYMBOL_ERRORS] = "symbol errors",   [HD_LINK_RECOVERIES] = "link recoveries",
	[HD_LINK_DOWNS] = "link downs",         [HD_RECEIVE_ERRORS] = "receive errors",
	[HD_REMOTE_ERRORS] = "errors remotely", [HD_DISCARDS] = "discards",
};

const char *const hd_error_counter_names[HD_ERROR_COUNTERS] = {
	[HD_SYMBOL_ERRORS] = "SymbolErrorCounter",
	[HD_LINK_RECOVERIES] = "LinkErrorRecoveryCounter",
	[HD_LINK_DOWNS] = "LinkDownedCounter",
	[HD_RECEIVE_ERRORS] = "PortRcvErrors",
	[HD_REMOTE_ERRORS] = "PortRcvRemotePhysicalErrors",
	[HD_DISCARDS] = "PortXmitDiscards",
};

enum { NODE, NUMBER, COUNTERS, WIDE_COUNTERS = COUNTERS + HD_ERROR_COUNTERS };

struct counters_reader {
	struct hd_csv csv;
	const struct hd_fabric *fabric;
	struct hd_port_counts *ports; /* [port] */
	bool has_rows;
	bool is_delta; /* the rows are of PM_DELTA */
};

uint64_t hd_port_counts_sum(const struct hd_port_counts *counts)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < HD_ERROR_COUNTERS; i++)
		sum += counts->of[i] < UINT32_MAX ? counts->of[i] : UINT32_MAX;
	return sum;
}

static void set_counts(struct hd_port_counts *counts, const struct hd_span *values)
{
	for (unsigned i = 0; i < HD_ERROR_COUNTERS; i++) {
		uint64_t narrow = 0, wide = 0;

		/* -1, 0xfffffffffffffffe: some releases write this where a port does not tell */
		hd_csv_scan_number(&values[COUNTERS + i], INT64_MAX, &narrow);
		hd_csv_scan_number(&values[WIDE_COUNTERS + i], INT64_MAX, &wide);
		counts->of[i] = wide > narrow ? wide : narrow;
	}
}

/* Rows of PM_DELTA replace those of PM_INFO. */
static int read_row(struct counters_reader *reader, bool is_delta, const struct hd_span *values,
		    struct hd_error *err)
{
	uint32_t port;
	int ret = hd_csv_find_port(&reader->csv, reader->fabric, values, &port, err);

	if (ret)
		return ret;
	if (is_delta && !reader->is_delta)
		memset(reader->ports, 0, reader->fabric->n_ports * sizeof(*reader->ports));
	reader->has_rows = true;
	reader->is_delta = is_delta;
	if (port != HD_NONE)
		set_counts(&reader->ports[port], values);
	return 0;
}

static int read_info(void *of, const struct hd_span *values, struct hd_error *err)
{
	struct counters_reader *reader = of;

	return reader->is_delta ? 0 : read_row(reader, false, values, err);
}

static int read_delta(void *of, const struct hd_span *values, struct hd_error *err)
{
	return read_row(of, true, values, err);
}

/* Releases write the wide counters under either name. */
#define COLUMNS                                                                                    \
	{                                                                                          \
		"NodeGUID", "PortNumber", "SymbolErrorCounter", "LinkErrorRecoveryCounter",        \
			"LinkDownedCounter", "PortRcvErrors", "PortRcvRemotePhysicalErrors",       \
			"PortXmitDiscards", "SymbolErrorCounterExt",                               \
			"LinkErrorRecoveryCounterExt", "LinkDownedCounterExt", "PortRcvErrorsExt", \
			"PortRcvRemotePhysicalErrorsExt", "PortXmitDiscardsExt"                    \
	}

static const struct hd_csv_section sections[] = {
	{ .name = "PM_INFO",
	  .may_differ = true,
	  .columns = COLUMNS,
	  .n_required = COUNTERS,
	  .row = read_info },
	{ .name = "PM_DELTA",
	  .may_differ = true,
	  .columns = COLUMNS,
	  .n_required = COUNTERS,
	  .row = read_delta },
};

/* Whether the section that counts was read to its end. */
static bool is_whole(const struct counters_reader *reader)
{
	return reader->has_rows && !reader->csv.section &&
	       !hd_csv_passed(&reader->csv, reader->is_delta ? "PM_DELTA" : "PM_INFO");
}

int hd_error_counters_read(const char *path, const struct hd_fabric *fabric,
			   const struct hd_reading *how, struct hd_error_counters *counters,
			   struct hd_error *err)
{
	struct counters_reader reader = {
		.csv = { .sections = sections,
			 .n_sections = sizeof(sections) / sizeof(sections[0]),
			 .reader = &reader },
		.fabric = fabric,
		.ports = calloc(fabric->n_ports + (size_t)1, sizeof(*reader.ports)),
	};
	int ret = reader.ports ? 0 : hd_error_nomem(err);

	*counters = (struct hd_error_counters){ 0 };
	hd_csv_begin(&reader.csv, path, how);
	if (!ret)
		ret = hd_text_stream(path, HD_DB_CSV_MOST, &reader.csv.lines, hd_csv_feed,
				     &reader.csv, err);
	if (!ret && is_whole(&reader))
		*counters = (struct hd_error_counters){ .ports = reader.ports,
							.is_delta = reader.is_delta };
	else
		free(reader.ports);
	return ret;
}

void hd_error_counters_clear(struct hd_error_counters *counters)
{
	free(counters->ports);
	counters->ports = NULL;
}
