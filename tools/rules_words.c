// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sentences about rules, for text, JSON and SARIF alike. */
#include <inttypes.h>
#include <stdio.h>

#include "check/walk.h"
#include "tools/check_rules.h"
#include "tools/report.h"

static const char *const judged_names[] = {
	[HD_JUDGED_PATHS] = "paths",
	[HD_JUDGED_PAIRS] = "pairs of ports",
	[HD_JUDGED_SOURCES] = "ports",
	[HD_JUDGED_LINKS] = "loaded links",
};

static const char *plural(uint32_t n)
{
	return n == 1 ? "" : "s";
}

static const char *set_name(const struct hd_judged_rules *judged, const struct hd_demand *demand)
{
	return judged->rules->sets[demand->set].name;
}

static const char *failure_of(unsigned parts)
{
	static const char *const names[] = { "", " after the failure of a link",
					     " after the failure of a switch",
					     " after the failure of a link or a switch" };

	return names[parts];
}

static void redundancy(const struct hd_demand *demand, char *buffer, size_t size)
{
	if (demand->number)
		snprintf(buffer, size, "use fewer than %" PRIu32 " spine%s%s", demand->number,
			 plural(demand->number), failure_of(demand->parts));
	else
		snprintf(buffer, size, "have no path%s", failure_of(demand->parts));
}

/* What those do that violate @demand. */
static void predicate(const struct hd_judged_rules *judged, const struct hd_demand *demand,
		      double mean, char *buffer, size_t size)
{
	char sls[80];

	switch (demand->kind) {
	case HD_DEMAND_REACHABLE:
		snprintf(buffer, size, "do not arrive");
		return;
	case HD_DEMAND_ISOLATED:
		snprintf(buffer, size, "arrive, and must not");
		return;
	case HD_DEMAND_MAX_HOPS:
		snprintf(buffer, size, "have more than %" PRIu32 " hop%s", demand->number,
			 plural(demand->number));
		return;
	case HD_DEMAND_MIN_HOPS:
		snprintf(buffer, size, "have fewer than %" PRIu32 " hop%s", demand->number,
			 plural(demand->number));
		return;
	case HD_DEMAND_AVOID:
		snprintf(buffer, size, "pass a switch of set %s", set_name(judged, demand));
		return;
	case HD_DEMAND_VIA:
		snprintf(buffer, size, "pass no switch of set %s", set_name(judged, demand));
		return;
	case HD_DEMAND_STAY_IN_RAIL:
		snprintf(buffer, size, "leave their rail");
		return;
	case HD_DEMAND_STAY_IN_GROUP:
		snprintf(buffer, size, "leave their group");
		return;
	case HD_DEMAND_STAY_IN_SET:
		snprintf(buffer, size, "leave set %s", set_name(judged, demand));
		return;
	case HD_DEMAND_SLS:
		snprintf(buffer, size, "have an SL other than %s",
			 hd_report_bits(demand->number, sls, sizeof(sls)));
		return;
	case HD_DEMAND_DISJOINT:
		snprintf(buffer, size, "have LIDs whose paths share a %s, or one LID",
			 demand->parts & HD_PART_SWITCHES ? "switch or link" : "link");
		return;
	case HD_DEMAND_REDUNDANT:
		redundancy(demand, buffer, size);
		return;
	case HD_DEMAND_MAX_LOAD:
		snprintf(buffer, size, "carry more than %g times the mean, %.1f flows",
			 demand->factor, mean);
		return;
	default:
		snprintf(buffer, size, "carry more than %" PRIu32 " flow%s", demand->number,
			 plural(demand->number));
	}
}

const char *hd_rules_sentence(const struct hd_judged_rules *judged, uint32_t d, char *buffer,
			      size_t size)
{
	const struct hd_demand *demand = &judged->rules->demands[d];
	const struct hd_demand_verdict *verdict = &judged->verdict->demands[d];
	char text[HD_SENTENCE_SIZE / 2];

	predicate(judged, demand, verdict->mean, text, sizeof(text));
	snprintf(buffer, size, "rule %s: %" PRIu64 " of %" PRIu64 " %s %s",
		 judged->rules->rules[demand->rule].name, verdict->n_bad, verdict->n,
		 judged_names[verdict->judged], text);
	return buffer;
}

const char *hd_rules_set_sentence(const struct hd_judged_rules *judged, uint32_t s, char *buffer,
				  size_t size)
{
	const struct hd_rule_set *set = &judged->rules->sets[s];
	const uint32_t n = judged->verdict->nodes[s];

	snprintf(buffer, size,
		 "set %s has %" PRIu32 " node%s, and should have %" PRIu32 " at least", set->name,
		 n, plural(n), set->at_least);
	return buffer;
}

bool hd_rules_set_is_small(const struct hd_judged_rules *judged, uint32_t set)
{
	return judged->verdict->nodes[set] < judged->rules->sets[set].at_least;
}

/* "S1[3] to S2[4]" of a link, "S1" of port 0 of a switch. */
static const char *part_name(const struct hd_fabric *fabric, uint32_t port, char *buffer,
			     size_t size)
{
	char one[HD_LABEL_SIZE], other[HD_LABEL_SIZE];

	if (!fabric->ports[port].number)
		return hd_node_label(fabric, fabric->ports[port].node, buffer, size);
	snprintf(buffer, size, "%s to %s", hd_port_label(fabric, port, one, sizeof(one)),
		 hd_port_label(fabric, fabric->ports[port].peer, other, sizeof(other)));
	return buffer;
}

/* What an example has instead of what is asked: " passes S1". */
static void tell_reason(const struct hd_judged_rules *judged, const struct hd_demand *demand,
			const struct hd_violation *violation, char *buffer, size_t size)
{
	const struct hd_fabric *fabric = judged->tables->fabric;
	char part[2 * HD_LABEL_SIZE + 8] = "";
	const uint32_t number = violation->number;

	*buffer = '\0';
	if (violation->port != HD_NONE)
		part_name(fabric, violation->port, part, sizeof(part));
	switch (demand->kind) {
	case HD_DEMAND_MAX_HOPS:
	case HD_DEMAND_MIN_HOPS:
		snprintf(buffer, size, ": %" PRIu32 " hop%s", number, plural(number));
		return;
	case HD_DEMAND_SLS:
		if (number < HD_MAX_SLS)
			snprintf(buffer, size, ": SL %" PRIu32, number);
		else
			snprintf(buffer, size, ": no SL");
		return;
	case HD_DEMAND_DISJOINT:
		snprintf(buffer, size, *part ? ": shares %s" : ": one LID", part);
		return;
	case HD_DEMAND_REDUNDANT:
		snprintf(buffer, size,
			 *part ? ": without %s, %" PRIu32 " %s%s left" : "%s: %" PRIu32 " %s%s",
			 part, number, demand->number ? "spine" : "path", plural(number));
		return;
	default:
		if (*part)
			snprintf(buffer, size, ": passes %s", part);
	}
}

const char *hd_rules_example(const struct hd_judged_rules *judged, uint32_t d,
			     const struct hd_violation *violation, char *buffer, size_t size)
{
	const struct hd_fabric *fabric = judged->tables->fabric;
	const struct hd_demand *demand = &judged->rules->demands[d];
	char source[HD_LABEL_SIZE], to[2 * HD_LABEL_SIZE + 8], reason[2 * HD_LABEL_SIZE + 64];

	if (violation->source == HD_NONE) {
		snprintf(buffer, size, "%s: %" PRIu32 " flows",
			 part_name(fabric, violation->port, to, sizeof(to)), violation->number);
		return buffer;
	}
	reason[0] = '\0';
	tell_reason(judged, demand, violation, reason, sizeof(reason));
	hd_report_endport(fabric, violation->source, source, sizeof(source));
	if (!violation->lid) {
		snprintf(buffer, size, "%s to %s%s", source,
			 judged->rules->sets[judged->rules->rules[demand->rule].to].name, reason);
		return buffer;
	}
	snprintf(buffer, size, "%s to %s (LID %u)%s", source,
		 hd_report_lid(fabric, violation->lid, to, sizeof(to)), violation->lid, reason);
	return buffer;
}

size_t hd_rules_path(const struct hd_judged_rules *judged, const struct hd_violation *violation)
{
	const struct hd_walk_options options = { .routes_only = true };
	const struct hd_flow flow = { .source = violation->source, .lid = violation->lid };
	const size_t capacity = judged->tables->fabric->n_switches + (size_t)2;
	size_t n;

	if (violation->source == HD_NONE || !violation->lid)
		return 0;
	hd_walk_with(judged->tables, &flow, &options, judged->hops, capacity, &n);
	return n;
}
