// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/fuzz/dump_target.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tests/unit/tables_case.h"

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void compare(const struct hd_dump_format *format, const struct hd_fabric *fabric,
		    const struct hd_tables *tables)
{
	struct hd_error err = { 0 };
	struct hd_tables *again = NULL;
	size_t size, size_again;
	char *text, *text_again;

	text = tables_case_write(format, tables, &size);
	require(text && hd_tables_new(fabric, &again, NULL) == 0);
	require(format->parse(again, "again", text, size, &err) == 0);
	text_again = tables_case_write(format, again, &size_again);
	require(text_again && size == size_again && memcmp(text, text_again, size) == 0);
	free(text_again);
	hd_tables_free(again);

	/* the short form says the same */
	text_again = tables_case_write_short(format, tables, &size_again);
	again = NULL;
	require(text_again && hd_tables_new(fabric, &again, NULL) == 0);
	require(format->parse(again, "short", text_again, size_again, &err) == 0);
	free(text_again);
	text_again = tables_case_write(format, again, &size_again);
	require(text_again && size == size_again && memcmp(text, text_again, size) == 0);
	free(text);
	free(text_again);
	hd_tables_free(again);
}

void dump_target_run(const struct hd_dump_format *format, const uint8_t *data, size_t size)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_error err = { 0 };
	struct hd_tables *tables = NULL;
	int ret;

	require(fabric && hd_tables_new(fabric, &tables, NULL) == 0);
	ret = format->parse(tables, "fuzz", (const char *)data, size, &err);
	if (ret == 0)
		compare(format, fabric, tables);
	else
		/* an error has a place and fits a line */
		require(ret == HD_EPARSE && err.code == ret && err.text[0]);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}
