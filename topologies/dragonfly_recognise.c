// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/dragonfly.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/text.h"
#include "topologies/dragonfly_groups.h"
#include "topologies/dragonfly_patterns.h"
#include "topologies/switch_levels.h"

void hd_dragonfly_free(struct hd_dragonfly *dragonfly)
{
	if (!dragonfly)
		return;
	free(dragonfly->group);
	free(dragonfly->position);
	free(dragonfly->first);
	free(dragonfly->switches);
	free(dragonfly->port_class);
	free(dragonfly);
}

struct labelled {
	uint64_t label;
	uint32_t index;
};

static int compare_labels(const void *a, const void *b)
{
	const struct labelled *x = a, *y = b;

	if (x->label != y->label)
		return x->label < y->label ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Turns arbitrary labels of switches into 0, 1, ... */
static int number_labels(const uint64_t *labels, uint32_t n, uint32_t *group, struct hd_error *err)
{
	struct labelled *sorted = malloc((n + (size_t)1) * sizeof(*sorted));

	if (!sorted)
		return hd_error_nomem(err);
	for (uint32_t s = 0; s < n; s++)
		sorted[s] = (struct labelled){ labels[s], s };
	qsort(sorted, n, sizeof(*sorted), compare_labels);
	for (uint32_t i = 0, number = 0; i < n; i++) {
		if (i && sorted[i].label != sorted[i - 1].label)
			number++;
		group[sorted[i].index] = number;
	}
	free(sorted);
	return 0;
}

/* Numbers groups by their lowest switch and lists their switches. @group: any numbers below n. */
static void number_groups(struct hd_dragonfly *dragonfly, uint32_t n, const uint32_t *group,
			  uint32_t *number)
{
	uint32_t n_groups = 0;

	memset(number, 0xFF, n * sizeof(*number));
	memset(dragonfly->first, 0, (n + (size_t)1) * sizeof(*dragonfly->first));
	for (uint32_t s = 0; s < n; s++) {
		uint32_t *mine = &number[group[s]];

		if (*mine == HD_NONE)
			*mine = n_groups++;
		dragonfly->group[s] = *mine;
		dragonfly->position[s] = dragonfly->first[*mine + 1]++;
		if (dragonfly->position[s] >= dragonfly->a)
			dragonfly->a = dragonfly->position[s] + 1;
	}
	dragonfly->n_groups = n_groups;
	for (uint32_t g = 0; g < n_groups; g++)
		dragonfly->first[g + 1] += dragonfly->first[g];
	for (uint32_t s = 0; s < n; s++)
		dragonfly
			->switches[dragonfly->first[dragonfly->group[s]] + dragonfly->position[s]] =
			s;
	dragonfly->n_missing_switches = n_groups * dragonfly->a - n;
}

static void classify_ports(struct hd_dragonfly *dragonfly, const struct hd_fabric *fabric)
{
	hd_for_each_switch(s, fabric) {
		uint8_t *class = dragonfly->port_class + fabric->nodes[s].first_port;
		uint32_t n_terminal = 0, n_global = 0;

		class[0] = HD_PORT_TERMINAL;
		hd_for_each_number(port, fabric, s) {
			uint32_t peer = hd_peer_node(fabric, s, port);

			if (peer == HD_NONE) {
				class[port] = HD_PORT_UNUSED;
			} else if (!hd_is_switch(fabric, peer)) {
				class[port] = HD_PORT_TERMINAL;
				n_terminal++;
			} else if (dragonfly->group[peer] == dragonfly->group[s]) {
				class[port] = HD_PORT_LOCAL;
			} else {
				class[port] = HD_PORT_GLOBAL;
				n_global++;
			}
		}
		if (n_terminal > dragonfly->p)
			dragonfly->p = n_terminal;
		if (n_global > dragonfly->h)
			dragonfly->h = n_global;
	}
}

/* Counts pairs of switches of one group without a link. @mark is [n]. */
static void count_missing_local(struct hd_dragonfly *dragonfly, const struct hd_switch_graph *graph,
				uint32_t *mark)
{
	uint64_t twice = 0; /* every pair is seen from both ends */

	dragonfly->missing_local[0] = dragonfly->missing_local[1] = HD_NONE;
	memset(mark, 0xFF, graph->n * sizeof(*mark));
	for (uint32_t i = 0; i < graph->n; i++) {
		uint32_t s = dragonfly->switches[i], group = dragonfly->group[s], n_mates = 0;
		uint32_t begin = dragonfly->first[group], end = dragonfly->first[group + 1];

		for (uint32_t k = graph->first[s]; k < graph->first[s + 1]; k++) {
			mark[graph->neighbour[k]] = s;
			n_mates += dragonfly->group[graph->neighbour[k]] == group;
		}
		twice += end - begin - 1 - n_mates;
		if (dragonfly->missing_local[0] != HD_NONE || n_mates == end - begin - 1)
			continue;
		/* at the first switch with a missing mate, that mate comes after it */
		while (dragonfly->switches[begin] == s || mark[dragonfly->switches[begin]] == s)
			begin++;
		dragonfly->missing_local[0] = s;
		dragonfly->missing_local[1] = dragonfly->switches[begin];
	}
	twice /= 2;
	dragonfly->n_missing_local = twice < UINT32_MAX ? (uint32_t)twice : UINT32_MAX;
}

/* Counts the links inside groups, and those of the group that has most. @scratch is [n]. */
static void count_pattern(struct hd_dragonfly *dragonfly, const struct hd_switch_graph *graph,
			  uint32_t *scratch)
{
	const uint64_t n_pairs = graph->n * (dragonfly->a - UINT64_C(1)) / 2;

	dragonfly->is_full = dragonfly->n_missing_local <= n_pairs / 8;
	for (uint32_t group = 0; group < dragonfly->n_groups; group++) {
		scratch[group] = 0;
		for (uint32_t i = dragonfly->first[group]; i < dragonfly->first[group + 1]; i++) {
			uint32_t s = dragonfly->switches[i];

			for (uint32_t k = graph->first[s]; k < graph->first[s + 1]; k++)
				scratch[group] += graph->neighbour[k] > s &&
						  dragonfly->group[graph->neighbour[k]] == group;
		}
		if (scratch[group] > dragonfly->n_pattern_links)
			dragonfly->n_pattern_links = scratch[group];
	}
	for (uint32_t group = 0; group < dragonfly->n_groups; group++)
		if (dragonfly->first[group + 1] - dragonfly->first[group] == dragonfly->a)
			dragonfly->n_missing_pattern += dragonfly->n_pattern_links - scratch[group];
}

/* Counts pairs of groups without a link. @mark is [n]. */
static void count_missing_global(struct hd_dragonfly *dragonfly,
				 const struct hd_switch_graph *graph, uint32_t *mark)
{
	uint32_t n_groups = dragonfly->n_groups;
	uint64_t n_missing = 0;

	dragonfly->missing_global[0] = dragonfly->missing_global[1] = HD_NONE;
	memset(mark, 0xFF, graph->n * sizeof(*mark));
	for (uint32_t group = 0; group < n_groups; group++) {
		uint32_t n_linked = 0, other = group + 1;

		for (uint32_t i = dragonfly->first[group]; i < dragonfly->first[group + 1]; i++) {
			uint32_t s = dragonfly->switches[i];

			for (uint32_t k = graph->first[s]; k < graph->first[s + 1]; k++) {
				uint32_t peer = dragonfly->group[graph->neighbour[k]];

				if (peer > group && mark[peer] != group) {
					mark[peer] = group;
					n_linked++;
				}
			}
		}
		n_missing += n_groups - 1 - group - n_linked;
		if (dragonfly->missing_global[0] != HD_NONE || n_linked == n_groups - 1 - group)
			continue;
		while (mark[other] == group)
			other++;
		dragonfly->missing_global[0] = group;
		dragonfly->missing_global[1] = other;
	}
	dragonfly->n_missing_global = n_missing < UINT32_MAX ? (uint32_t)n_missing : UINT32_MAX;
}

static struct hd_dragonfly *new_dragonfly(const struct hd_fabric *fabric)
{
	struct hd_dragonfly *dragonfly = calloc(1, sizeof(*dragonfly));
	size_t n = fabric->n_switches + (size_t)1;

	if (!dragonfly)
		return NULL;
	dragonfly->group = malloc(n * sizeof(*dragonfly->group));
	dragonfly->position = malloc(n * sizeof(*dragonfly->position));
	dragonfly->first = malloc(n * sizeof(*dragonfly->first));
	dragonfly->switches = malloc(n * sizeof(*dragonfly->switches));
	dragonfly->port_class = calloc(fabric->n_ports + (size_t)1, 1);
	if (dragonfly->group && dragonfly->position && dragonfly->first && dragonfly->switches &&
	    dragonfly->port_class)
		return dragonfly;
	hd_dragonfly_free(dragonfly);
	return NULL;
}

/*
 * Refuses trees. A tree of two levels can be a dragonfly by definition: a switch with hosts and one
 * without are a group, and every group is linked with every other. Then routes of dragonflies use
 * half of the upper switches that could carry a flow.
 */
static int refuse_tree(const struct hd_fabric *fabric, struct hd_error *err)
{
	struct hd_switch_levels levels;
	int ret = hd_switch_levels_find(fabric, &levels, err);

	if (!ret && hd_switch_levels_are_of_tree(&levels))
		ret = hd_error_set(
			err, HD_EREFUSED,
			"not a dragonfly: switches without hosts are what joins the others, in "
			"levels as of a tree: %u of %u switches, with %u of %u links from level "
			"to level",
			(unsigned)(fabric->n_switches - levels.n_leaves),
			(unsigned)fabric->n_switches, (unsigned)levels.n_across,
			(unsigned)levels.n_links);
	hd_switch_levels_clear(&levels);
	return ret;
}

/* The GUIDs of the group of @s, in the form of a file of groups. */
static const char *list_group(const struct hd_fabric *fabric, const uint32_t *group, uint32_t s,
			      char *buffer, size_t size)
{
	const unsigned most = 6;
	unsigned n = 0;
	size_t length = 0;

	buffer[0] = '\0';
	for (uint32_t mate = 0; mate < fabric->n_switches && length < size; mate++) {
		if (mate == s || group[mate] != group[s] || ++n > most)
			continue;
		length += (size_t)snprintf(buffer + length, size - length, "%s0x%016" PRIx64,
					   n > 1 ? ", " : "", fabric->nodes[mate].guid);
	}
	if (n > most && length < size)
		snprintf(buffer + length, size - length, ", ...");
	return buffer;
}

/* Names a switch whose group is not the same in both partitions. */
static int refuse_ambiguous(const struct hd_fabric *fabric, const uint32_t *group,
			    const uint32_t *other, struct hd_error *err)
{
	char one[160], another[160];

	hd_for_each_switch(s, fabric)
		hd_for_each_switch(mate, fabric)
			if ((group[mate] == group[s]) != (other[mate] == other[s]))
				return hd_error_set(
					err, HD_EREFUSED,
					"no dragonfly found: groups are ambiguous: switch "
					"0x%016" PRIx64 " '%.64s' may be in one with %s or with "
					"%s: give them by a file (groups)",
					fabric->nodes[s].guid, hd_node_name(fabric, s),
					list_group(fabric, group, s, one, sizeof(one)),
					list_group(fabric, other, s, another, sizeof(another)));
	return 0;
}

/* Finds fully connected groups; if there are none, groups of any pattern. @other is [n]. */
static int find_groups(const struct hd_fabric *fabric, const struct hd_switch_graph *graph,
		       uint32_t *group, uint32_t *other, struct hd_error *err)
{
	enum hd_dragonfly_patterns outcome = HD_PATTERNS_NONE;
	struct hd_error no_memory;
	size_t length;
	int ret = hd_dragonfly_find_groups(graph, group, err);

	if (ret != HD_EREFUSED)
		return ret;
	if (hd_dragonfly_find_patterns(graph, group, other, &outcome, &no_memory)) {
		*err = no_memory;
		return HD_ENOMEM;
	}
	length = strlen(err->text);
	switch (outcome) {
	case HD_PATTERNS_FOUND:
		return 0;
	case HD_PATTERNS_AMBIGUOUS:
		return refuse_ambiguous(fabric, group, other, err);
	case HD_PATTERNS_GIVEN_UP:
		snprintf(err->text + length, sizeof(err->text) - length,
			 "; the search for groups of another pattern was given up");
		break;
	case HD_PATTERNS_NONE:
		break;
	}
	return ret;
}

int hd_dragonfly_recognise(const struct hd_fabric *fabric, const struct hd_dragonfly_hints *hints,
			   struct hd_dragonfly **result, struct hd_error *err)
{
	struct hd_switch_graph graph = { 0 };
	struct hd_dragonfly *dragonfly = NULL;
	uint32_t *group = NULL, *scratch = NULL;
	uint32_t n = fabric->n_switches;
	int ret = 0;

	*result = NULL;
	if (n == 0)
		return hd_error_set(err, HD_EREFUSED,
				    "not a dragonfly: the fabric has no switches");
	if (!hints || !hints->group_of_switch)
		ret = refuse_tree(fabric, err);
	if (!ret)
		ret = hd_switch_graph_new(fabric, &graph, err);
	if (ret)
		return ret;
	group = malloc(n * sizeof(*group));
	scratch = malloc((n + (size_t)1) * sizeof(*scratch));
	dragonfly = new_dragonfly(fabric);
	if (!group || !scratch || !dragonfly)
		ret = hd_error_nomem(err);
	else if (hints && hints->group_of_switch)
		ret = number_labels(hints->group_of_switch, n, group, err);
	else
		ret = find_groups(fabric, &graph, group, scratch, err);
	if (!ret) {
		number_groups(dragonfly, n, group, scratch);
		classify_ports(dragonfly, fabric);
		count_missing_local(dragonfly, &graph, scratch);
		count_pattern(dragonfly, &graph, scratch);
		count_missing_global(dragonfly, &graph, scratch);
		*result = dragonfly;
		dragonfly = NULL;
	}
	hd_dragonfly_free(dragonfly);
	free(group);
	free(scratch);
	hd_switch_graph_clear(&graph);
	return ret;
}

/* Reads "GUID GROUP" from the current line; *@node is HD_NONE on a line without content. */
static int read_group_line(const struct hd_lines *lines, const struct hd_fabric *fabric,
			   uint32_t *node, uint64_t *group, struct hd_error *err)
{
	const char *at = lines->begin, *end = lines->end;
	const char *comment = memchr(at, '#', (size_t)(end - at));
	uint64_t guid;

	*node = HD_NONE;
	if (comment)
		end = comment;
	hd_scan_blanks(&at, end);
	if (at == end)
		return 0;
	if (!hd_scan_word(&at, end, "0x"))
		hd_scan_word(&at, end, "0X");
	if (!hd_scan_number(&at, end, 16, UINT64_MAX, &guid) ||
	    (at < end && *at != ' ' && *at != '\t'))
		return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
				   "a line is 'GUID GROUP', such as '0x0002c90200400120 3'");
	hd_scan_blanks(&at, end);
	if (!hd_scan_number(&at, end, 10, UINT64_MAX, group))
		return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
				   "the group of 0x%016" PRIx64 " is not a number", guid);
	hd_scan_blanks(&at, end);
	if (at != end)
		return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
				   "unexpected text after the group");
	*node = hd_fabric_find_node(fabric, guid);
	if (*node == HD_NONE || !hd_is_switch(fabric, *node))
		return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
				   "0x%016" PRIx64 " is no switch of this fabric", guid);
	return 0;
}

static int parse_groups(const char *path, const struct hd_text *text,
			const struct hd_fabric *fabric, uint64_t *labels, unsigned *seen,
			struct hd_error *err)
{
	struct hd_lines lines;

	hd_lines_begin(&lines, path, text->data, text->size);
	while (hd_lines_next(&lines)) {
		uint64_t label = 0;
		uint32_t node;
		int ret = read_group_line(&lines, fabric, &node, &label, err);

		if (ret)
			return ret;
		if (node == HD_NONE)
			continue;
		if (seen[node])
			return hd_error_at(err, HD_EPARSE, path, lines.number,
					   "switch 0x%016" PRIx64 " was named in line %u",
					   fabric->nodes[node].guid, seen[node]);
		seen[node] = lines.number;
		labels[node] = label;
	}
	hd_for_each_switch(s, fabric)
		if (!seen[s])
			return hd_error_at(err, HD_EPARSE, path, 0,
					   "switch 0x%016" PRIx64 " '%s' has no group",
					   fabric->nodes[s].guid, hd_node_name(fabric, s));
	return 0;
}

int hd_dragonfly_read_groups(const char *path, const struct hd_fabric *fabric,
			     uint64_t **group_of_switch, struct hd_error *err)
{
	size_t n = fabric->n_switches + (size_t)1;
	struct hd_text text;
	uint64_t *labels;
	unsigned *seen;
	int ret;

	*group_of_switch = NULL;
	ret = hd_text_read_file(path, HD_TEXT_FILE_MAX, &text, err);
	if (ret)
		return ret;
	labels = malloc(n * sizeof(*labels));
	seen = calloc(n, sizeof(*seen));
	if (labels && seen)
		ret = parse_groups(path, &text, fabric, labels, seen, err);
	else
		ret = hd_error_nomem(err);
	if (!ret) {
		*group_of_switch = labels;
		labels = NULL;
	}
	free(labels);
	free(seen);
	hd_text_free(&text);
	return ret;
}
