// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sl2vl/class_queues.h"

#include <stdlib.h>
#include <string.h>

#include "support/divisor.h"
#include "support/error.h"

static bool is_same(const struct hd_queues *a, const struct hd_queues *b)
{
	return a->rule == b->rule && a->n_queues == b->n_queues;
}

/* The index of @queues in the list, to which they are added if they are new. */
static unsigned add(struct hd_class_queues *rules, const struct hd_queues *queues)
{
	unsigned i = 0;

	while (i < rules->n && !is_same(&rules->list[i], queues))
		i++;
	if (i == rules->n)
		rules->list[rules->n++] = *queues;
	return i;
}

int hd_class_queues_parse(const char *text, const struct hd_classes *classes,
			  struct hd_class_queues *rules, struct hd_error *err)
{
	struct hd_queues queues;
	struct hd_error cause;
	bool is_used = !classes;
	int ret;

	*rules = (struct hd_class_queues){ .n = 1 };
	ret = hd_queues_parse(text, &rules->list[0], err);
	for (unsigned c = 0; !ret && classes && c < classes->n; c++) {
		const struct hd_class *class = &classes->list[c];

		if (!class->queues[0]) {
			is_used = true;
			continue;
		}
		if (hd_queues_parse(class->queues, &queues, &cause))
			return hd_error_set(err, HD_EINVAL, "class %s (line %u): %s", class->name,
					    class->line, cause.text);
		rules->of_lanes[class->lanes] = (uint8_t)add(rules, &queues);
		is_used |= !rules->of_lanes[class->lanes];
	}
	/* it would take queue classes for nobody */
	if (!ret && !is_used)
		rules->list[0] = rules->list[1];
	return ret;
}

unsigned hd_class_queues_guess(const struct hd_class_queues *rules)
{
	uint64_t all = 1;

	for (unsigned i = 0; i < rules->n; i++) {
		uint64_t of_rule = rules->list[i].n_queues;
		bool is_first = true;

		/* those of one rule mostly are parts of one another's */
		for (unsigned k = 0; k < rules->n; k++) {
			if (rules->list[k].rule != rules->list[i].rule)
				continue;
			is_first &= k >= i;
			of_rule = hd_multiple(of_rule, rules->list[k].n_queues);
		}
		if (is_first)
			all *= of_rule;
		if (all > HD_MAX_SLS)
			return HD_MAX_SLS;
	}
	return (unsigned)all;
}

/* The rules' results, and what they have in common. */
struct joining {
	const struct hd_class_queues *rules;
	const struct hd_tables *tables;
	struct hd_queueing parts[HD_MAX_CLASSES + 1];

	/* by each rule, of what has been seen: of destinations; of out-ports */
	unsigned n_classes, n_patterns;
	uint8_t class_by[HD_MAX_SLS][HD_MAX_CLASSES + 1];
	uint8_t (*pattern_by)[HD_MAX_CLASSES + 1];
};

static int refuse(const struct joining *joining, struct hd_error *err)
{
	unsigned most = 0;

	for (unsigned i = 0; i < joining->rules->n; i++)
		if (joining->parts[i].n_classes > most)
			most = joining->parts[i].n_classes;
	return hd_error_set(err, HD_EREFUSED,
			    "the %u queue rules of the classes, which alone take up to %u SLs, "
			    "together take more than the %d that there are",
			    joining->rules->n, most, HD_MAX_SLS);
}

/* The queue class of @lid among those of all rules; HD_MAX_SLS: there would be more than 16. */
static unsigned join_class(struct joining *joining, uint32_t lid)
{
	const unsigned n = joining->rules->n;
	uint8_t by[HD_MAX_CLASSES + 1];
	unsigned class = 0;

	for (unsigned i = 0; i < n; i++)
		by[i] = joining->parts[i].class_of[lid];
	while (class < joining->n_classes && memcmp(joining->class_by[class], by, n) != 0)
		class ++;
	if (class == joining->n_classes && class < HD_MAX_SLS)
		memcpy(joining->class_by[joining->n_classes++], by, n);
	return class;
}

static int join_classes(struct joining *joining, struct hd_queueing *queueing, struct hd_error *err)
{
	const struct hd_fabric *fabric = joining->tables->fabric;

	queueing->class_of = calloc(1, joining->tables->lft_stride);
	if (!queueing->class_of)
		return hd_error_nomem(err);
	for (uint32_t lid = 1; lid <= fabric->top_lid; lid++) {
		unsigned class;

		if (fabric->lids[lid].port == HD_NONE)
			continue;
		class = join_class(joining, lid);
		if (class == HD_MAX_SLS)
			return refuse(joining, err);
		queueing->class_of[lid] = (uint8_t) class;
	}
	queueing->n_classes = joining->n_classes ? joining->n_classes : 1;
	return 0;
}

/* The pattern of out-port @port among those of all rules; 255 are more than rules have. */
static int join_pattern(struct joining *joining, uint32_t port, uint8_t *pattern,
			struct hd_error *err)
{
	const unsigned n = joining->rules->n;
	uint8_t by[HD_MAX_CLASSES + 1];
	unsigned found = 0;
	void *grown;

	for (unsigned i = 0; i < n; i++)
		by[i] = joining->parts[i].pattern ? joining->parts[i].pattern[port] : 0;
	while (found < joining->n_patterns && memcmp(joining->pattern_by[found], by, n) != 0)
		found++;
	*pattern = (uint8_t)found;
	if (found < joining->n_patterns)
		return 0;
	if (found == UINT8_MAX)
		return hd_error_set(err, HD_EREFUSED,
				    "the queue rules of the classes differ at too many ports");
	grown = realloc(joining->pattern_by, (found + 1) * sizeof(*joining->pattern_by));
	if (!grown)
		return hd_error_nomem(err);
	joining->pattern_by = grown;
	memcpy(joining->pattern_by[joining->n_patterns++], by, n);
	return 0;
}

static int join_patterns(struct joining *joining, struct hd_queueing *queueing,
			 struct hd_error *err)
{
	const struct hd_fabric *fabric = joining->tables->fabric;
	int ret = 0;

	queueing->pattern = calloc(1, fabric->n_ports + (size_t)1);
	if (!queueing->pattern)
		return hd_error_nomem(err);
	for (uint32_t p = 0; !ret && p < fabric->n_ports; p++)
		ret = join_pattern(joining, p, &queueing->pattern[p], err);
	if (ret)
		return ret;
	queueing->n_patterns = joining->n_patterns;
	queueing->patterns = calloc(joining->rules->n * (size_t)joining->n_patterns + 1,
				    sizeof(*queueing->patterns));
	if (!queueing->patterns)
		return hd_error_nomem(err);
	for (unsigned i = 0; i < joining->rules->n; i++)
		for (unsigned k = 0; k < joining->n_patterns; k++)
			for (unsigned class = 0; class < joining->n_classes; class ++)
				queueing->patterns[i * joining->n_patterns + k][class] =
					joining->parts[i].patterns[joining->pattern_by[k][i]]
								  [joining->class_by[class][i]];
	return 0;
}

int hd_class_queues_build(const struct hd_class_queues *rules, const struct hd_tables *tables,
			  const struct hd_structure *structure, struct hd_queueing *queueing,
			  struct hd_error *err)
{
	struct joining *joining;
	int ret = 0;

	if (rules->n == 1)
		return hd_queueing_build(&rules->list[0], tables, structure, queueing, err);
	joining = calloc(1, sizeof(*joining));
	if (!joining)
		return hd_error_nomem(err);
	joining->rules = rules;
	joining->tables = tables;
	for (unsigned i = 0; !ret && i < rules->n; i++)
		ret = hd_queueing_build(&rules->list[i], tables, structure, &joining->parts[i],
					err);
	if (!ret)
		ret = join_classes(joining, queueing, err);
	if (!ret)
		ret = join_patterns(joining, queueing, err);
	queueing->queues = &rules->list[0];
	queueing->rules = rules;
	for (unsigned i = 0; i < rules->n; i++)
		hd_queueing_clear(&joining->parts[i]);
	free(joining->pattern_by);
	free(joining);
	return ret;
}
