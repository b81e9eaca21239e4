// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * path-sl.dump as one host reads it, against the reader that has a fabric: what that takes, this
 * takes alike.
 */
#include <stdlib.h>
#include <string.h>

#include "host/port_networks.h"
#include "support/error.h"
#include "tables/dumps.h"
#include "tests/unit/tables_case.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

/*
 * SLs of @port, as both readers have them; without lines of its own, one says SL 0, the other none.
 */
static void compare(const struct hd_tables *tables, uint32_t p, const struct hd_own_sls *sls)
{
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_lid(lid, fabric) {
		unsigned sl = hd_path_sl(tables, p, lid);

		if (fabric->lids[lid].port == HD_NONE)
			continue;
		require(sls->has_source ? sls->sl[lid] == (uint8_t)sl : sl == 0);
	}
}

static void find_lanes(const struct hd_own_sls *sls)
{
	const struct hd_own_port port = { .lid = sls->lid,
					  .lmc = sls->lid ? sls->lmc[sls->lid] : 1,
					  .is_active = true,
					  .sl2vl = 0xFEDCBA9876543210 };
	struct hd_lanes lanes;
	struct hd_error err;

	if (hd_lanes_find(&lanes, &port, sls, &err) == 0)
		require(lanes.n == 1u << port.lmc);
	else
		require(err.text[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct hd_own_sls sls;
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_error err = { 0 };
	struct hd_tables *tables = NULL;
	bool whole;

	require(fabric && hd_tables_new(fabric, &tables, NULL) == 0);
	whole = hd_dump_path_sl.parse(tables, "fuzz", (const char *)data, size, &err) == 0;
	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		uint32_t p = fabric->endports[i];
		int ret = hd_own_sls_parse(&sls, "fuzz", (const char *)data, size,
					   fabric->nodes[fabric->ports[p].node].guid,
					   fabric->ports[p].guid, &err);

		if (ret) {
			require(ret == HD_EPARSE && err.code == ret && err.text[0]);
			continue;
		}
		find_lanes(&sls);
		if (whole)
			compare(tables, p, &sls);
	}
	hd_tables_free(tables);
	hd_fabric_free(fabric);
	return 0;
}
