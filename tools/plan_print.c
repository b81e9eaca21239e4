// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fabric/link_rate.h"
#include "tools/cmd_plan.h"
#include "tools/report.h"

const char *hd_finding_node(const struct hd_comparison *comparison,
			    const struct hd_finding *finding, char *buffer)
{
	*buffer = '\0';
	if (finding->node != HD_NONE)
		hd_node_label(finding->kind == HD_ABSENT ? comparison->plan->fabric
							 : comparison->now,
			      finding->node, buffer, HD_LABEL_SIZE);
	return buffer;
}

static const char *place(const struct hd_comparison *comparison, const struct hd_place *place,
			 char *buffer)
{
	return hd_place_label(comparison->plan, comparison->now, place, buffer);
}

/* The end of a cable that is missing, with the ports that it may have. */
static const char *end(const struct hd_comparison *comparison, const struct hd_place ends[2],
		       unsigned i, char *buffer)
{
	return hd_end_label(&comparison->ports, ends, i, buffer);
}

static void put_missing(const struct hd_comparison *comparison, const struct hd_place_pair *pair)
{
	char one[HD_END_LABEL_SIZE], other[HD_END_LABEL_SIZE];

	printf("%s - %s", end(comparison, pair->ends, 0, one),
	       end(comparison, pair->ends, 1, other));
}

static void put_pairs(const struct hd_comparison *comparison, const struct hd_place_pair *pairs,
		      uint32_t n)
{
	char one[HD_LABEL_SIZE], other[HD_LABEL_SIZE];

	for (uint32_t i = 0; i < n; i++)
		printf("%s%s - %s", i ? ", " : "", place(comparison, &pairs[i].ends[0], one),
		       place(comparison, &pairs[i].ends[1], other));
}

static void put_node(const struct hd_comparison *comparison, const struct hd_finding *finding)
{
	const struct hd_differences *differences = &comparison->differences;
	const struct hd_place_pair *pairs = finding->n_planned
						    ? &differences->planned[finding->first_planned]
						    : &differences->present[finding->first_present];
	uint32_t n = finding->n_planned + finding->n_present;
	char label[HD_LABEL_SIZE];

	printf("%s: ", hd_finding_node(comparison, finding, label));
	if (n > 2)
		printf("%" PRIu32 " cables", n);
	else
		put_pairs(comparison, pairs, n);
}

static void put_finding(const struct hd_comparison *comparison, const struct hd_finding *finding)
{
	const struct hd_differences *differences = &comparison->differences;
	const struct hd_place_pair *present = &differences->present[finding->first_present];
	char rate[16], other[16];

	printf("  %-10s ", hd_finding_names[finding->kind]);
	if (finding->node != HD_NONE) {
		put_node(comparison, finding);
	} else if (finding->kind == HD_MISSING) {
		put_missing(comparison, &differences->planned[finding->first_planned]);
	} else {
		put_pairs(comparison, &differences->planned[finding->first_planned],
			  finding->n_planned);
		if (finding->n_planned && finding->n_present)
			fputs(finding->n_present > 1 ? "; these are " : "; it is ", stdout);
		put_pairs(comparison, present, finding->n_present);
	}
	if (finding->kind == HD_SLOW || finding->kind == HD_NARROW)
		printf(": %s, not %s",
		       hd_rate_text(present->width, present->speed, rate, sizeof(rate)),
		       hd_rate_text(finding->width, finding->speed, other, sizeof(other)));
	putchar('\n');
}

static void print_findings(const struct hd_comparison *comparison)
{
	const struct hd_differences *differences = &comparison->differences;
	uint32_t before = 0;
	char label[HD_LABEL_SIZE];

	for (uint32_t i = 0; i < differences->n_findings; i++) {
		uint32_t node = differences->findings[i].at;

		if (!i || node != before)
			printf("\n%s\n", node == HD_NONE ? "not in the fabric"
							 : hd_node_label(comparison->now, node,
									 label, sizeof(label)));
		before = node;
		put_finding(comparison, &differences->findings[i]);
	}
}

static void print_moves(const struct hd_comparison *comparison)
{
	static const char *const forms[] = {
		[HD_CONNECT] = "connect %s and %s\n",
		[HD_REMOVE] = "remove the cable between %s and %s\n",
		[HD_EXCHANGE] = "exchange the plugs in %s and %s\n",
		[HD_MOVE] = "move the plug in %s to %s\n",
	};
	char one[HD_END_LABEL_SIZE], other[HD_END_LABEL_SIZE];

	if (comparison->differences.n_moves)
		puts("\nmoves, in this order");
	for (uint32_t i = 0; i < comparison->differences.n_moves; i++) {
		const struct hd_move *move = &comparison->differences.moves[i];

		printf("  %4" PRIu32 "  ", i + 1);
		for (unsigned e = 0; e < 2; e++) {
			if (move->kind == HD_CONNECT)
				end(comparison, move->places, e, e ? other : one);
			else
				place(comparison, &move->places[e], e ? other : one);
		}
		printf(forms[move->kind], one, other);
	}
}

static void print_load(const char *what, const struct hd_routed_load *load)
{
	if (load->engine)
		printf("  %8" PRIu64 "  %s, with engine %s\n", load->busiest, what, load->engine);
	else
		printf("  %8s  %s\n", "unknown", what);
}

/* The findings whose mends matter most, by the first of their moves. */
static void print_loads(const struct hd_comparison *comparison)
{
	const struct hd_loads_after_moves *loads = &comparison->loads;
	char text[64];

	if (!loads->is_known)
		return;
	puts("\nflows of the busiest link");
	print_load("now", &loads->now);
	for (unsigned i = 0; i < loads->n; i++) {
		const struct hd_finding *finding =
			&comparison->differences.findings[loads->mends[i].finding];

		if (finding->n_moves == 1)
			snprintf(text, sizeof(text), "%s, after move %" PRIu32,
				 hd_finding_names[finding->kind], finding->first_move + 1);
		else
			snprintf(text, sizeof(text), "%s, after moves %" PRIu32 " to %" PRIu32,
				 hd_finding_names[finding->kind], finding->first_move + 1,
				 finding->first_move + finding->n_moves);
		print_load(text, &loads->mends[i]);
	}
	if (comparison->differences.n_moves)
		print_load("after all moves", &loads->all);
}

/* "4 by name, 2 by GUID" */
static void print_matched(const struct hd_comparison *comparison)
{
	static const char *const by[] = {
		[HD_BY_NAME] = "by name",
		[HD_BY_GUID] = "by GUID",
		[HD_BY_STRUCTURE] = "by structure",
	};
	const struct hd_plan_match *match = &comparison->match;
	char text[128] = "";
	size_t length = 0;

	if (!match->to_now)
		return;
	for (unsigned how = HD_BY_NAME; how < HD_N_MATCHED_BY; how++)
		if (match->n_by[how])
			length += (size_t)snprintf(text + length, sizeof(text) - length,
						   "%s%" PRIu32 " %s", length ? ", " : "",
						   match->n_by[how], by[how]);
	hd_report_field("nodes", "%s", text);
}

static void print_counts(const struct hd_differences *differences)
{
	char text[256] = "none";
	size_t length = 0;

	for (unsigned kind = 0; kind < HD_N_FINDINGS; kind++)
		if (differences->n_of[kind])
			length += (size_t)snprintf(text + length, sizeof(text) - length,
						   "%s%" PRIu32 " %s", length ? ", " : "",
						   differences->n_of[kind], hd_finding_names[kind]);
	hd_report_field("differences", "%s", text);
	hd_report_field("moves", "%" PRIu32, differences->n_moves);
}

void hd_plan_print(const struct hd_comparison *comparison)
{
	const struct hd_differences *differences = &comparison->differences;

	hd_report_field("plan", "%s",
			comparison->plan_name ? comparison->plan_name : comparison->shape);
	hd_report_field("cables", "%" PRIu32 " planned, %" PRIu32 " of them as planned",
			differences->n_planned_cables, differences->n_as_planned);
	print_matched(comparison);
	if (differences->no_ends && comparison->plan_name)
		hd_report_field("not compared", "cables to end nodes: the plan has none");
	if (differences->no_trunks)
		hd_report_field("not compared", "cables between switches: the plan has none");
	if (!differences->by_ports && comparison->plan_name)
		hd_report_field("not compared", "ports: the plan has other numbers");
	if (comparison->plan->n_absent)
		hd_report_field("absent", "%" PRIu32 " switches of the topology",
				comparison->plan->n_absent);
	print_counts(differences);
	print_findings(comparison);
	print_moves(comparison);
	print_loads(comparison);
}
