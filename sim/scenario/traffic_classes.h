/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Traffic classes, which hosts send at the same time: "voice share=10% packet=128B then bulk
 * share=90%". That is the value of traffic.classes, and sections [traffic NAME] become such a
 * value.
 */
#ifndef HD_SCENARIO_TRAFFIC_CLASSES_H
#define HD_SCENARIO_TRAFFIC_CLASSES_H

#include "sim/scenario/scenario.h"
#include "sim/traffic/traffic.h"

struct hd_error;
struct hd_setup;

#define HD_TRAFFIC_CLASSES_MAX 16

/* Members that are NULL or 0 are as in the phase of traffic. */
struct hd_traffic_class {
	const char *name;
	const char *service; /* the service class of its packets; NULL: the one of the same name, or
				that of packets without a class */
	const char *pattern, *arrival;
	double share;  /* of the load */
	bool has_load; /* its load is `load`, not that of the phase */
	double load;
	uint32_t size;

	/* Of a job, which has hosts of its own (jobs.h). */
	const char *hosts; /* how many, or a list; NULL: it is no job */
	const char *place; /* NULL: in blocks */
	const char *start; /* NULL: at once */
	const char *ratio; /* of computing and communicating; NULL: as the pattern says */
};

/*
 * Cuts @text into words in place; @classes, with room for HD_TRAFFIC_CLASSES_MAX, refer to them.
 * Classes without share and load get equal parts of what the shares of others leave. HD_EINVAL:
 * malformed, a class twice, shares that do not sum to 100%.
 */
int hd_traffic_classes_parse(char *text, enum hd_clock clock, struct hd_traffic_class *classes,
			     unsigned *n, struct hd_error *err);

/*
 * Gives @setup, whose phases are made, the classes of @point: those of traffic.classes; if that is
 * empty, the service classes of routing.classes or of the snapshot, each with its share and
 * packets. HD_EINVAL and what hd_classes_read() returns, with the place in the scenario or in the
 * file.
 */
int hd_traffic_classes_make(const struct hd_scenario *scenario, size_t point,
			    struct hd_setup *setup, struct hd_error *err);

/* Makes phases [HD_PHASES_MAX] those of @class in @setup, which has classes. */
void hd_traffic_class_phases(const struct hd_setup *setup, unsigned class,
			     struct hd_traffic_phase *phases);

/* The units of the longest and of the shortest packets of all phases and classes. */
void hd_traffic_sizes(const struct hd_setup *setup, uint32_t *shortest, uint32_t *longest);

#endif
