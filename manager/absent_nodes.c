// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/absent_nodes.h"

#include <string.h>

/* Forgets the tables number @i, counted from the newest. */
static void forget(struct hd_absent_nodes *absent, size_t i)
{
	hd_tables_free((struct hd_tables *)absent->tables[i]);
	hd_fabric_free(absent->fabrics[i]);
	absent->n--;
	memmove(absent->tables + i, absent->tables + i + 1,
		(absent->n - i) * sizeof(absent->tables[0]));
	memmove(absent->fabrics + i, absent->fabrics + i + 1,
		(absent->n - i) * sizeof(absent->fabrics[0]));
}

void hd_absent_nodes_forget(struct hd_absent_nodes *absent)
{
	while (absent->n)
		forget(absent, absent->n - 1);
}

/* Whether some end port of @fabric is in none of the @n @others. */
static bool has_more(const struct hd_fabric *fabric, const struct hd_fabric *const *others,
		     size_t n)
{
	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		const struct hd_port *port = &fabric->ports[fabric->endports[i]];
		bool is_there = !port->lid;

		for (size_t j = 0; !is_there && j < n; j++)
			is_there = hd_fabric_find_port(others[j], port->guid) != HD_NONE;
		if (!is_there)
			return true;
	}
	return false;
}

/* Forgets tables all of whose nodes are in @now or in newer ones. */
static void forget_returned(struct hd_absent_nodes *absent, const struct hd_fabric *now)
{
	const struct hd_fabric *newer[1 + HD_MOST_OLDER] = { now };
	size_t n = 1;

	for (size_t i = 0; i < absent->n;) {
		if (has_more(absent->fabrics[i], newer, n)) {
			newer[n++] = absent->fabrics[i++];
			continue;
		}
		forget(absent, i);
	}
}

static void keep(struct hd_absent_nodes *absent, struct hd_tables *tables, struct hd_fabric *fabric)
{
	if (absent->n == HD_MOST_OLDER)
		forget(absent, HD_MOST_OLDER - 1);
	memmove(absent->tables + 1, absent->tables, absent->n * sizeof(absent->tables[0]));
	memmove(absent->fabrics + 1, absent->fabrics, absent->n * sizeof(absent->fabrics[0]));
	hd_tables_keep_sls(tables);
	absent->tables[0] = tables;
	absent->fabrics[0] = fabric;
	absent->n++;
}

bool hd_absent_nodes_take(struct hd_absent_nodes *absent, struct hd_tables *tables,
			  struct hd_fabric *fabric, const struct hd_fabric *now)
{
	const bool is_kept = tables && has_more(fabric, &now, 1);

	if (is_kept)
		keep(absent, tables, fabric);
	forget_returned(absent, now);
	return is_kept;
}
