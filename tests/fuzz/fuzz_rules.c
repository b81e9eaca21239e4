// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Rule files, and what they say of the tables of two fabrics: a rule file that is read has a
 * verdict, or asks for what the fabric does not have.
 */
#include <stdlib.h>

#include "fabric/lids.h"
#include "intent/judge.h"
#include "support/error.h"
#include "topologies/topology.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* Tables by whichever way is the first: every LID by the lowest port that leads nearer. */
static struct hd_tables *make_tables(const char *spec)
{
	struct hd_fabric *bare, *fabric;
	struct hd_tables *tables;
	struct hd_error err;

	require(!hd_topology_build(spec, &bare, &err));
	require(!hd_fabric_assign_lids(bare, HD_NONE, 1, &fabric, &err));
	hd_fabric_free(bare);
	require(!hd_tables_new(fabric, &tables, &err));
	hd_for_each_lid(lid, fabric)
		hd_for_each_switch(s, fabric) {
			const struct hd_lid *at = &fabric->lids[lid];

			if (at->via_switch == s)
				hd_lft(tables, s)[lid] = at->via_port;
			else
				hd_lft(tables, s)[lid] =
					(uint8_t)(1 + (lid + s) % fabric->nodes[s].n_ports);
		}
	return tables;
}

static void judge(const struct hd_rules *rules, const struct hd_tables *tables)
{
	struct hd_rules_verdict verdict;
	struct hd_error err;
	const int ret = hd_rules_judge(rules, tables, NULL, &verdict, &err);

	require(!ret || (ret == HD_EPARSE && err.line));
	for (uint32_t d = 0; !ret && d < rules->n_demands; d++)
		require(verdict.demands[d].n_bad <= verdict.demands[d].n &&
			(verdict.demands[d].n_bad != 0) == (verdict.demands[d].n_examples != 0));
	hd_rules_verdict_clear(&verdict);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct hd_tables *tree, *dragonfly; /* made once */
	struct hd_rules *rules;
	struct hd_error err;

	if (!tree) {
		tree = make_tables("tree:k=2,n=2");
		dragonfly = make_tables("dragonfly:a=2,p=1,h=1");
	}
	if (hd_rules_parse("fuzz", (const char *)data, size, &rules, &err))
		return 0;
	/* each rule costs time */
	if (rules->n_rules <= 50 && rules->n_sets <= 200) {
		judge(rules, tree);
		judge(rules, dragonfly);
	}
	hd_rules_free(rules);
	return 0;
}
