// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "vlarb/sbt_table.h"

#include "support/error.h"

/* What is cut off a weight, as a part of one; -1 where the weight has been raised. */
static double rest_of(const struct hd_sbt_class *class)
{
	const uint64_t all = (uint64_t)HD_SBT_TOTAL * class->share;

	return class->weight > all / class->of ? -1 : (double)(all % class->of) / (double)class->of;
}

int hd_sbt_make(struct hd_sbt_class *classes, unsigned n, struct hd_error *err)
{
	unsigned sum = 0;
	double units = 0;

	for (unsigned c = 0; c < n; c++) {
		classes[c].weight =
			(unsigned)((uint64_t)HD_SBT_TOTAL * classes[c].share / classes[c].of);
		sum += classes[c].weight;
	}
	for (; sum < HD_SBT_TOTAL; sum++) {
		unsigned most = 0;

		for (unsigned c = 1; c < n; c++)
			if (rest_of(&classes[c]) > rest_of(&classes[most]))
				most = c;
		classes[most].weight++;
	}
	for (unsigned c = 0; c < n; c++) {
		if (!classes[c].weight)
			return hd_error_set(err, HD_EREFUSED,
					    "class %s: a share of %.5f is no packet of %d",
					    classes[c].name,
					    (double)classes[c].share / classes[c].of, HD_SBT_TOTAL);
		units += (double)classes[c].weight * classes[c].packet;
	}
	for (unsigned c = 0; c < n; c++) {
		classes[c].packets = (double)classes[c].weight / HD_SBT_TOTAL;
		classes[c].bytes = (double)classes[c].weight * classes[c].packet / units;
	}
	return 0;
}
