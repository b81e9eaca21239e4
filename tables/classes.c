// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/classes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/divisor.h"
#include "support/error.h"

uint32_t hd_class_of_sl(const struct hd_classes *classes, unsigned sl)
{
	for (unsigned c = 0; c < classes->n; c++) {
		const unsigned first = classes->list[c].first_sl;

		if (first != HD_NO_SL && sl >= first && sl < first + classes->n_sls)
			return c;
	}
	return HD_NONE;
}

/* The first of @n free SLs; HD_NO_SL: there are not so many in one place. */
static unsigned find_free(uint32_t taken, unsigned n)
{
	for (unsigned first = 0; first + n <= HD_MAX_SLS; first++)
		if (!(taken >> first & ((1u << n) - 1)))
			return first;
	return HD_NO_SL;
}

static int claim(struct hd_classes *classes, unsigned c, uint32_t *taken, struct hd_error *err)
{
	const unsigned first = classes->list[c].first_sl, n = classes->n_sls;

	if (first + n > HD_MAX_SLS)
		return hd_error_set(err, HD_EREFUSED,
				    "class %s needs %u SLs from %u on, and the last SL is %d",
				    classes->list[c].name, n, first, HD_MAX_SLS - 1);
	for (unsigned other = 0; other < c; other++) {
		const unsigned begin = classes->list[other].first_sl;

		if (begin != HD_NO_SL && begin < first + n && first < begin + n)
			return hd_error_set(err, HD_EREFUSED,
					    "classes %s and %s have SLs from %u and from %u on, "
					    "and need %u each",
					    classes->list[other].name, classes->list[c].name, begin,
					    first, n);
	}
	*taken |= ((1u << n) - 1) << first;
	return 0;
}

int hd_classes_assign(struct hd_classes *classes, unsigned n_sls, struct hd_error *err)
{
	uint32_t taken = 0;

	classes->n_sls = n_sls;
	for (unsigned c = 0; c < classes->n; c++) {
		int ret =
			classes->list[c].first_sl == HD_NO_SL ? 0 : claim(classes, c, &taken, err);

		if (ret)
			return ret;
	}
	/* the fallback before all others */
	for (unsigned i = 0; i <= classes->n; i++) {
		struct hd_class *class = &classes->list[i ? i - 1 : classes->fallback];

		if (class->first_sl != HD_NO_SL)
			continue;
		class->first_sl = (uint8_t)find_free(taken, n_sls);
		if (class->first_sl == HD_NO_SL)
			return hd_error_set(err, HD_EREFUSED,
					    "there are no %u SLs in one place left for class %s",
					    n_sls, class->name);
		taken |= ((1u << n_sls) - 1) << class->first_sl;
	}
	return 0;
}

unsigned hd_classes_sls(const struct hd_classes *classes, unsigned sls)
{
	const unsigned own = sls;

	if (!classes)
		return sls;
	for (unsigned sl = classes->list[classes->fallback].first_sl, n = 0;
	     n < classes->n_sls && sl < HD_MAX_SLS; sl++, n++)
		for (unsigned c = 0; c < classes->n; c++)
			if (own >> sl & 1)
				sls |= 1u << hd_class_sl(classes, c, sl);
	return sls;
}

/* The VLs that @row gives to the SLs of @class. */
static unsigned row_vls(const struct hd_classes *classes, unsigned class, hd_sl2vl_row row)
{
	const unsigned first = classes->list[class].first_sl;
	unsigned vls = 0;

	for (unsigned sl = first; sl < first + classes->n_sls && sl < HD_MAX_SLS; sl++)
		vls |= 1u << hd_row_vl(row, sl);
	return vls & ~(1u << HD_VL_DROP);
}

unsigned hd_class_vls(const struct hd_tables *tables, unsigned class)
{
	const struct hd_fabric *fabric = tables->fabric;
	unsigned vls = 0;

	hd_for_each_port(p, fabric) {
		const struct hd_port *out = &fabric->ports[p];

		if (out->peer == HD_NONE)
			continue;
		if (!hd_is_switch(fabric, out->node)) {
			vls |= row_vls(
				tables->classes, class,
				tables->sl2vl[hd_sl2vl_host_index(tables, out->node, out->number)]);
			continue;
		}
		hd_for_each_number(in, fabric, out->node)
			if (in != out->number && hd_peer_node(fabric, out->node, in) != HD_NONE)
				vls |= row_vls(tables->classes, class,
					       tables->sl2vl[hd_sl2vl_index(tables, out->node, in,
									    out->number)]);
	}
	return vls;
}

unsigned hd_class_common_packet(unsigned one, unsigned other)
{
	const uint64_t common = one ? hd_multiple(one, other) : other;

	return common > UINT8_MAX ? 0 : (unsigned)common;
}

uint64_t hd_classes_parts(const struct hd_classes *classes, uint64_t parts[HD_MAX_CLASSES])
{
	uint64_t common = 1;

	for (unsigned c = 0; c < classes->n; c++)
		common = hd_multiple(common, classes->list[c].of);
	for (unsigned c = 0; c < classes->n; c++)
		parts[c] = common / classes->list[c].of * classes->list[c].share;
	return common;
}

const struct hd_class *hd_class_find(const struct hd_classes *classes, const char *name)
{
	for (unsigned c = 0; classes && c < classes->n; c++)
		if (strcmp(classes->list[c].name, name) == 0)
			return &classes->list[c];
	return NULL;
}

static bool is_known(const struct hd_fabric *fabric, uint32_t lid)
{
	return lid <= fabric->top_lid && fabric->lids[lid].port != HD_NONE;
}

struct hd_path_answer hd_path_answer(const struct hd_tables *tables, uint32_t source,
				     uint32_t destination, uint8_t hint)
{
	const struct hd_fabric *fabric = tables->fabric;
	struct hd_path_answer answer = { .sl = hint };
	uint32_t class;
	unsigned sl;

	if (!is_known(fabric, source) || !is_known(fabric, destination))
		return answer;
	sl = hd_path_sl(tables, fabric->lids[source].port, destination);
	if (sl == HD_NO_SL)
		return answer;
	answer.sl = (uint8_t)sl;
	if (!tables->classes)
		return answer;
	class = hd_class_of_sl(tables->classes, hint);
	answer.has_no_class = class == HD_NONE;
	if (answer.has_no_class)
		class = tables->classes->fallback;
	answer.sl = (uint8_t)hd_class_sl(tables->classes, class, sl);
	return answer;
}

const struct hd_class *hd_classes_find_largest(const struct hd_classes *classes)
{
	const struct hd_class *largest = NULL;

	for (unsigned c = 0; classes && c < classes->n; c++)
		if (classes->list[c].has_packet &&
		    (!largest || classes->list[c].packet > largest->packet))
			largest = &classes->list[c];
	return largest;
}

static bool is_fallback(const struct hd_classes *classes, const struct hd_class *class)
{
	return class == &classes->list[classes->fallback];
}

static bool are_alike(const struct hd_class *a, const struct hd_class *b)
{
	return strcmp(a->name, b->name) == 0 && a->lanes == b->lanes && a->share == b->share &&
	       a->of == b->of && a->packet == b->packet && a->high == b->high &&
	       strcmp(a->queues, b->queues) == 0;
}

bool hd_classes_are_alike(const struct hd_classes *one, const struct hd_classes *other)
{
	if (!one || !other)
		return one == other;
	if (one->n != other->n || one->n_lanes != other->n_lanes ||
	    one->fallback != other->fallback || one->limit != other->limit)
		return false;
	for (unsigned c = 0; c < one->n; c++)
		if (!are_alike(&one->list[c], &other->list[c]))
			return false;
	return true;
}

bool hd_classes_have_same_sls(const struct hd_classes *one, const struct hd_classes *other)
{
	if (!hd_classes_are_alike(one, other) || (one && one->n_sls != other->n_sls))
		return false;
	for (unsigned c = 0; one && c < one->n; c++)
		if (one->list[c].first_sl != other->list[c].first_sl)
			return false;
	return true;
}

unsigned hd_classes_count_changes(const struct hd_classes *one, const struct hd_classes *other)
{
	unsigned n = 0;

	for (unsigned c = 0; one && c < one->n; c++) {
		const struct hd_class *a = &one->list[c], *b = hd_class_find(other, a->name);

		n += !b || a->share != b->share || a->of != b->of || a->packet != b->packet ||
		     a->lanes != b->lanes || strcmp(a->queues, b->queues) != 0 ||
		     a->high != b->high || (a->high && one->limit != other->limit) ||
		     a->first_sl != b->first_sl || one->n_sls != other->n_sls ||
		     is_fallback(one, a) != is_fallback(other, b);
	}
	for (unsigned c = 0; other && c < other->n; c++)
		n += !hd_class_find(one, other->list[c].name);
	return n;
}

int hd_tables_set_classes(struct hd_tables *tables, const struct hd_classes *classes,
			  struct hd_error *err)
{
	struct hd_classes *copy = NULL;

	if (classes) {
		copy = malloc(sizeof(*copy));
		if (!copy)
			return hd_error_nomem(err);
		*copy = *classes;
	}
	free(tables->classes);
	tables->classes = copy;
	return 0;
}

int hd_classes_write(const struct hd_classes *classes, FILE *stream, struct hd_error *err)
{
	fprintf(stream, "; Service classes as heddle route --classes reads them, with their SLs\n");
	for (unsigned c = 0; c < classes->n; c++) {
		const struct hd_class *class = &classes->list[c];

		fprintf(stream, "\n[class %s]\nshare = %" PRIu32 "/%" PRIu32 "\n", class->name,
			class->share, class->of);
		if (class->has_packet)
			fprintf(stream, "packet = %u\n", class->packet * 64u);
		fprintf(stream, "lanes = %s\n", class->shares);
		if (class->queues[0])
			fprintf(stream, "queues = %s\n", class->queues);
		if (class->wait)
			fprintf(stream, "wait = %" PRIu64 "ns\n", class->wait);
		if (class->distance)
			fprintf(stream, "distance = %u\n", class->distance);
		if (class->high)
			fprintf(stream, "priority = high\n");
		if (class->high && classes->limit != HD_CLASS_NO_LIMIT)
			fprintf(stream, "limit = %u\n", classes->limit);
		if (c == classes->fallback)
			fprintf(stream, "default = yes\n");
		if (classes->n_sls)
			fprintf(stream, "sl = %u-%u\n", class->first_sl,
				class->first_sl + classes->n_sls - 1);
	}
	return ferror(stream) ? hd_error_set(err, HD_EIO, "cannot write") : 0;
}
