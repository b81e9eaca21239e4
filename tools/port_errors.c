// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/port_errors.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fabric/db_csv.h"
#include "fabric/reading.h"
#include "support/error.h"
#include "tables/snapshot.h"
#include "tables/snapshot_files.h"
#include "tools/report.h"

int hd_port_errors_find(const char *what, const struct hd_fabric *fabric,
			const struct hd_reading *how, struct hd_error_counters *counters,
			struct hd_error *err)
{
	struct hd_reading again = *how;
	char *path = NULL;
	int ret = 0;

	/* what is odd elsewhere in the file was noted when the fabric was read */
	again.is_again = true;
	*counters = (struct hd_error_counters){ 0 };
	if (hd_snapshot_is_directory(what)) {
		path = hd_snapshot_find(what, HD_DB_CSV);
		if (!path)
			return hd_error_nomem(err);
		what = path;
	}
	if (strcmp(what, "-") != 0 && access(what, F_OK) == 0 && hd_db_csv_is_file(what))
		ret = hd_error_counters_read(what, fabric, &again, counters, err);
	free(path);
	return ret;
}

/* The port that counted the most; @n: ports that counted any. */
static uint32_t find_most(const struct hd_fabric *fabric, const struct hd_error_counters *counters,
			  uint32_t *n)
{
	uint32_t most = HD_NONE;
	uint64_t sum = 0;

	*n = 0;
	hd_for_each_port(p, fabric) {
		const uint64_t own = hd_port_counts_sum(&counters->ports[p]);

		*n += own > 0;
		if (own <= sum)
			continue;
		sum = own;
		most = p;
	}
	return most;
}

void hd_port_errors_print(const struct hd_fabric *fabric, const struct hd_error_counters *counters)
{
	char label[HD_LABEL_SIZE], counts[256];
	int length = 0;
	uint32_t n, most;

	if (!counters->ports)
		return;
	most = find_most(fabric, counters, &n);
	if (most == HD_NONE)
		return;
	for (unsigned i = 0; i < HD_ERROR_COUNTERS; i++)
		if (counters->ports[most].of[i])
			length += snprintf(counts + length, sizeof(counts) - (size_t)length,
					   "%s%" PRIu64 " %s", length ? ", " : "",
					   counters->ports[most].of[i], hd_error_counter_words[i]);
	hd_report_field("errors", "%" PRIu32 " port%s%s, %s%s: %s", n, n == 1 ? "" : "s",
			counters->is_delta ? " while ibdiagnet ran" : "", n == 1 ? "" : "most at ",
			hd_port_label(fabric, most, label, sizeof(label)), counts);
}

void hd_port_errors_json(const struct hd_fabric *fabric, const struct hd_error_counters *counters,
			 json_t *root)
{
	json_t *list = json_array();

	for (uint32_t p = 0; counters->ports && p < fabric->n_ports; p++) {
		json_t *port;

		if (!hd_port_counts_sum(&counters->ports[p]))
			continue;
		port = hd_json_node(fabric, fabric->ports[p].node);
		json_object_set_new(port, "port", json_integer(fabric->ports[p].number));
		for (unsigned i = 0; i < HD_ERROR_COUNTERS; i++)
			if (counters->ports[p].of[i])
				json_object_set_new(
					port, hd_error_counter_names[i],
					json_integer((json_int_t)counters->ports[p].of[i]));
		json_array_append_new(list, port);
	}
	json_object_set_new(root, "port_errors", list);
}
