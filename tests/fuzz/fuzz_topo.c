// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A description of a system and a topology file that uses it, a line "%" between them: whatever
 * they say, there is a fabric, which can be written and read again, or an error with a file.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/ibnl.h"
#include "fabric/netfile.h"
#include "fabric/topo_file.h"
#include "support/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look(const struct hd_fabric *fabric)
{
	struct hd_fabric *again;
	struct hd_error err;
	char *text = NULL;
	size_t length = 0;
	FILE *stream = open_memstream(&text, &length);

	if (!stream || hd_netfile_write(fabric, stream, &err) || fclose(stream))
		abort();
	if (fabric->n_nodes && hd_netfile_parse("again", text, length, NULL, &again, &err))
		abort();
	if (fabric->n_nodes && again->n_nodes != fabric->n_nodes)
		abort();
	if (fabric->n_nodes)
		hd_fabric_free(again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *middle = memmem(text, size, "\n%\n", 3);
	size_t n = middle ? (size_t)(middle - text) + 1 : size;
	struct hd_error err = { 0 };
	struct hd_fabric *fabric;
	struct hd_ibnl *ibnl;

	if (hd_ibnl_parse("system", text, n, &ibnl, &err)) {
		if (!err.code || !err.text[0] || !err.file[0])
			abort();
		return 0;
	}
	if (middle && !memchr(text, '\0', size)) {
		hd_topo_file_is(middle + 3, size - n - 2);
		if (!hd_topo_file_parse_with("cables", middle + 3, size - n - 2, &ibnl, 1, &fabric,
					     &err)) {
			look(fabric);
			hd_fabric_free(fabric);
		} else if (!err.code || !err.text[0] || !err.file[0]) {
			abort();
		}
	}
	hd_ibnl_free(ibnl);
	return 0;
}
