// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Virtual output queues at switches (Dally and Towles, 2004, section 18; Penaranda et al., XORDET,
 * 2017, section 3): on a link, the queue is the out-port that a packet will take at the next
 * switch, as its rank among the out-ports in use there, modulo the number of queues.
 *
 * SL2VL tables know the out-port and the SL, not the destination, so that the SL must give the
 * out-port at every next switch. Two destinations may have the same SL only if they leave every
 * switch by ports of the same queue. The rule finds such sets: it divides destinations switch by
 * switch until the sets agree with all switches. One switch needs as many SLs as queues; few larger
 * shapes fit 16 SLs, and the rule refuses the others rather than mix queues.
 */
#include <stdlib.h>
#include <string.h>

#include "sl2vl/rules.h"
#include "support/error.h"

#define MAX_PATTERNS 256

/* The queue of each out-port of @s: its rank among those in use, modulo the number of queues. */
static void rank_ports(const struct hd_queue_input *input, uint32_t s, uint8_t *queue)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	const uint8_t *lft = hd_lft(input->tables, s);
	bool used[HD_NO_PATH + 1] = { false };
	unsigned rank = 0;

	hd_for_each_lid(lid, fabric)
		used[lft[lid]] = true;
	used[0] = false; /* packets for the switch itself are not forwarded */
	memset(queue, 0, HD_NO_PATH + 1);
	for (unsigned port = 0; port < HD_NO_PATH; port++)
		if (used[port])
			queue[port] = (uint8_t)(rank++ % input->n_queues);
}

/*
 * Divides the classes so far by the queue at @s. LIDs that nobody has, or to which @s has no route,
 * do not count.
 */
static int divide(const struct hd_queue_input *input, uint32_t s, const uint8_t *queue,
		  struct hd_queueing *queueing, struct hd_error *err)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	const uint8_t *lft = hd_lft(input->tables, s);
	uint8_t number[HD_MAX_SLS][HD_MAX_SLS];
	unsigned n = 0;

	memset(number, 0xFF, sizeof(number));
	hd_for_each_lid(lid, fabric) {
		uint8_t *at = &number[queueing->class_of[lid]][queue[lft[lid]]];

		if (fabric->lids[lid].port == HD_NONE)
			continue;
		if (*at == 0xFF) {
			if (n == HD_MAX_SLS)
				return hd_error_set(
					err, HD_EREFUSED,
					"the next out-ports modulo %u (voqsw) tell apart more than "
					"%u sets of destinations, and there are %u SLs",
					input->n_queues, HD_MAX_SLS, HD_MAX_SLS);
			*at = (uint8_t)n++;
		}
		queueing->class_of[lid] = *at;
	}
	queueing->n_classes = n ? n : 1;
	return 0;
}

/* The number of a pattern equal to @wanted, which may be a new one; MAX_PATTERNS: too many. */
static unsigned find_pattern(struct hd_queueing *queueing, const uint8_t *wanted)
{
	unsigned at = 0;

	while (at < queueing->n_patterns && memcmp(queueing->patterns[at], wanted, HD_MAX_SLS) != 0)
		at++;
	if (at == queueing->n_patterns && at < MAX_PATTERNS)
		memcpy(queueing->patterns[queueing->n_patterns++], wanted, HD_MAX_SLS);
	return at;
}

/* Sets the queue of each class at the ports that lead to @s. */
static int fill_pattern(const struct hd_queue_input *input, uint32_t s, const uint8_t *queue,
			struct hd_queueing *queueing, struct hd_error *err)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	const uint8_t *lft = hd_lft(input->tables, s);
	uint8_t wanted[HD_MAX_SLS] = { 0 };
	unsigned pattern;

	hd_for_each_lid(lid, fabric)
		if (fabric->lids[lid].port != HD_NONE)
			wanted[queueing->class_of[lid]] = queue[lft[lid]];
	pattern = find_pattern(queueing, wanted);
	if (pattern == MAX_PATTERNS)
		return hd_error_set(err, HD_EREFUSED,
				    "the next out-ports (voqsw) take more than %d patterns",
				    MAX_PATTERNS);
	hd_for_each_number(port, fabric, s) {
		uint32_t peer = fabric->ports[hd_port_index(fabric, s, port)].peer;

		if (peer != HD_NONE)
			queueing->pattern[peer] = (uint8_t)pattern;
	}
	return 0;
}

static int build(const struct hd_queue_input *input, struct hd_queueing *queueing,
		 struct hd_error *err)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	uint8_t queue[HD_NO_PATH + 1];
	int ret = 0;

	queueing->patterns = calloc(MAX_PATTERNS, sizeof(*queueing->patterns));
	queueing->pattern = calloc(fabric->n_ports + (size_t)1, 1);
	queueing->class_of = calloc(1, input->tables->lft_stride);
	if (!queueing->patterns || !queueing->pattern || !queueing->class_of)
		return hd_error_nomem(err);
	queueing->n_classes = 1;
	for (uint32_t s = 0; s < fabric->n_switches && !ret; s++) {
		rank_ports(input, s, queue);
		ret = divide(input, s, queue, queueing, err);
	}
	/* behind links to end nodes there are no out-ports: classes share the queues evenly */
	for (unsigned class = 0; class < queueing->n_classes; class ++)
		queueing->patterns[0][class] = (uint8_t)(class % input->n_queues);
	queueing->n_patterns = 1;
	for (uint32_t s = 0; s < fabric->n_switches && !ret; s++) {
		rank_ports(input, s, queue);
		ret = fill_pattern(input, s, queue, queueing, err);
	}
	return ret;
}

/* A row for each next switch. Behind links to end nodes there are no out-ports: queue 0. */
static int map(const struct hd_queue_input *input, struct hd_queue_map *map, struct hd_error *err)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	int ret = hd_queue_map_rows(input, fabric->n_switches + 1, map, err);

	if (ret)
		return ret;
	for (uint32_t s = 0; s < fabric->n_switches; s++) {
		const uint8_t *lft = hd_lft(input->tables, s);
		uint8_t queue[HD_NO_PATH + 1];

		rank_ports(input, s, queue);
		hd_for_each_lid(lid, fabric)
			map->queue[s * map->stride + lid] = queue[lft[lid]];
	}
	hd_for_each_port(p, fabric) {
		uint32_t peer = fabric->ports[p].peer;
		uint32_t next = peer == HD_NONE ? HD_NONE : fabric->ports[peer].node;

		if (map->row)
			map->row[p] = next != HD_NONE && hd_is_switch(fabric, next)
					      ? next
					      : fabric->n_switches;
	}
	return 0;
}

const struct hd_queue_rule hd_queue_voqsw = {
	.policy.name = "voqsw",
	.policy.summary = "the out-port at the next switch, where 16 SLs can tell it",
	.policy.reference = "Penaranda et al., XORDET (2017), section 3",
	.build = build,
	.map = map,
};
