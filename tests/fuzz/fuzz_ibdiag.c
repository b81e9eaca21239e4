// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * ibdiagnet's files. A fabric that is read is written as a netfile and read again as the same one;
 * LFTs and VL arbitration that are read are written as dumps and read again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/db_csv.h"
#include "fabric/netfile.h"
#include "fabric/reading.h"
#include "support/error.h"
#include "tests/unit/same_fabric.h"
#include "tests/unit/tables_case.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what, const struct hd_error *err)
{
	char text[1100];

	fprintf(stderr, "%s: %s\n", what, hd_error_format(err, text, sizeof(text)));
	abort();
}

static struct hd_tables *new_tables(const struct hd_fabric *fabric)
{
	struct hd_tables *tables;

	if (hd_tables_new(fabric, &tables, NULL))
		abort();
	return tables;
}

/* What @format writes of @tables says the same. */
static void run_again(const struct hd_dump_format *format, const struct hd_tables *tables)
{
	struct hd_tables *again = new_tables(tables->fabric);
	struct hd_error err = { 0 };
	size_t size, size_again;
	char *text = tables_case_write(format, tables, &size), *text_again;

	if (!text || format->parse(again, "again", text, size, &err))
		fail("reading tables again", &err);
	text_again = tables_case_write(format, again, &size_again);
	if (!text_again || size != size_again || memcmp(text, text_again, size) != 0)
		fail("tables come back as others", &err);
	free(text);
	free(text_again);
	hd_tables_free(again);
}

static void run_fabric(const struct hd_fabric *fabric)
{
	struct hd_fabric *again;
	struct hd_error err = { 0 };
	char *text = NULL;
	size_t length = 0;
	FILE *stream = open_memstream(&text, &length);
	const char *difference;

	if (!stream || hd_netfile_write(fabric, stream, &err) || fclose(stream))
		fail("writing", &err);
	if (hd_netfile_parse("again", text, length, NULL, &again, &err))
		fail("reading again", &err);
	difference = fabric_difference(fabric, again);
	if (difference)
		fail(difference, &err);
	hd_fabric_free(again);
	free(text);
}

static void run_csv(const char *data, size_t size, bool strict)
{
	struct hd_reading how = { .strict = strict };
	struct hd_error err = { 0 };
	struct hd_fabric *fabric;
	struct hd_tables *tables;
	int ret = hd_db_csv_parse("fuzz", data, size, &how, &fabric, &err);

	if (ret) {
		if (ret != HD_EPARSE || err.code != ret || !err.text[0] || fabric)
			fail("a failure without a reason", &err);
		return;
	}
	run_fabric(fabric);
	tables = new_tables(fabric);
	if (hd_vlarb_parse_csv(tables, "fuzz", data, size, &how, &err) == 0 && tables->has_vlarb)
		run_again(&hd_dump_vlarb, tables);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void run_fdbs(const char *data, size_t size, bool strict)
{
	struct hd_reading how = { .strict = strict };
	struct hd_error err = { 0 };
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *tables;
	int ret;

	if (!fabric)
		abort();
	tables = new_tables(fabric);
	ret = hd_fdbs_parse(tables, "fuzz", data, size, &how, &err);
	if (ret == 0 && !tables->n_lft_unknown)
		run_again(&hd_dump_lfts, tables);
	else if (ret && (ret != HD_EPARSE || err.code != ret || !err.text[0]))
		fail("a failure without a reason", &err);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void run_far(const char *data, size_t size, bool strict)
{
	struct hd_reading how = { .strict = strict };
	struct hd_error err = { 0 };
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *tables = fabric ? tables_case_tables(fabric) : NULL;
	int ret;

	if (!tables)
		abort();
	ret = hd_far_parse(tables, "fuzz", data, size, &how, &err);
	if (ret && (tables->ar || err.code != ret || !err.text[0]))
		fail("a failure without a reason", &err);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (int strict = 0; strict < 2; strict++) {
		run_csv((const char *)data, size, strict);
		run_fdbs((const char *)data, size, strict);
		run_far((const char *)data, size, strict);
	}
	return 0;
}
