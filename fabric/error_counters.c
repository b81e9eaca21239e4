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
	struct hd_port_counts *info, *delta; /* [port] */
};

uint64_t hd_port_counts_sum(const struct hd_port_counts *counts)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < HD_ERROR_COUNTERS; i++)
		sum += counts->of[i] < UINT32_MAX ? counts->of[i] : UINT32_MAX;
	return sum;
}

static int read_counts(struct counters_reader *reader, struct hd_port_counts *ports,
		       const struct hd_span *values, struct hd_error *err)
{
	const struct hd_fabric *fabric = reader->fabric;
	uint64_t guid = 0, number = 0;
	int ret = hd_csv_number(&reader->csv, values, NODE, UINT64_MAX, &guid, err);
	uint32_t node;

	if (!ret)
		ret = hd_csv_number(&reader->csv, values, NUMBER, UINT8_MAX, &number, err);
	if (ret)
		return ret;
	node = hd_fabric_find_node(fabric, guid);
	if (node == HD_NONE || number > fabric->nodes[node].n_ports)
		return 0;
	for (unsigned i = 0; i < HD_ERROR_COUNTERS; i++) {
		uint64_t *count = &ports[hd_port_index(fabric, node, (unsigned)number)].of[i];
		uint64_t narrow = 0, wide = 0;

		/* some releases write -1 where a port does not tell */
		hd_csv_number(&reader->csv, values, COUNTERS + i, UINT64_MAX, &narrow, NULL);
		hd_csv_number(&reader->csv, values, WIDE_COUNTERS + i, UINT64_MAX, &wide, NULL);
		*count = wide > narrow ? wide : narrow;
	}
	return 0;
}

static int read_info(void *of, const struct hd_span *values, struct hd_error *err)
{
	struct counters_reader *reader = of;

	return read_counts(reader, reader->info, values, err);
}

static int read_delta(void *of, const struct hd_span *values, struct hd_error *err)
{
	struct counters_reader *reader = of;

	return read_counts(reader, reader->delta, values, err);
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

int hd_error_counters_read(const char *path, const struct hd_fabric *fabric,
			   const struct hd_reading *how, struct hd_error_counters *counters,
			   struct hd_error *err)
{
	const size_t n = fabric->n_ports + (size_t)1;
	struct counters_reader reader = {
		.csv = { .sections = sections,
			 .n_sections = sizeof(sections) / sizeof(sections[0]),
			 .reader = &reader },
		.fabric = fabric,
		.info = calloc(n, sizeof(*reader.info)),
		.delta = calloc(n, sizeof(*reader.delta)),
	};
	int ret = reader.info && reader.delta ? 0 : hd_error_nomem(err);

	*counters = (struct hd_error_counters){ 0 };
	hd_csv_begin(&reader.csv, path, how);
	if (!ret)
		ret = hd_text_stream(path, HD_DB_CSV_MOST, &reader.csv.lines, hd_csv_feed,
				     &reader.csv, err);
	if (!ret && (reader.csv.seen[0] || reader.csv.seen[1])) {
		counters->is_delta = reader.csv.seen[1] != 0;
		counters->ports = counters->is_delta ? reader.delta : reader.info;
	}
	if (counters->ports != reader.info)
		free(reader.info);
	if (counters->ports != reader.delta)
		free(reader.delta);
	return ret;
}

void hd_error_counters_clear(struct hd_error_counters *counters)
{
	free(counters->ports);
	counters->ports = NULL;
}
