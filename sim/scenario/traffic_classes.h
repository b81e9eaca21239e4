/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Classes of traffic, which hosts send at once: "voice share=10% packet=128B then bulk share=90%", the
 * value of traffic.classes and what sections [traffic NAME] become.
 */
#ifndef HD_SCENARIO_TRAFFIC_CLASSES_H
#define HD_SCENARIO_TRAFFIC_CLASSES_H

#include "sim/scenario/scenario.h"
#include "sim/traffic/traffic.h"

struct hd_error;
struct hd_setup;

#define HD_TRAFFIC_CLASSES_MAX 16

/* What is NULL or 0 is as the phase of traffic has it. */
struct hd_traffic_class {
	const char *name;
	const char *service; /* the service class of its packets; NULL: the one of the same name, or
			        that of packets which have none */
	const char *pattern, *arrival;
	double share;  /* of the load */
	bool has_load; /* its load is `load`, whatever that of the phase */
	double load;
	uint32_t size;
};

/*
 * Cuts @text into words in place; @classes, with room for HD_TRAFFIC_CLASSES_MAX, refer to them.
 * Classes that give neither share nor load have equal parts of what the shares of others leave.
 * HD_EINVAL: malformed, a class twice, shares that do not sum to 100%.
 */
int hd_traffic_classes_parse(char *text, enum hd_clock clock, struct hd_traffic_class *classes,
			     unsigned *n, struct hd_error *err);

/*
 * Gives @setup, whose phases are made, the classes of @point: those of traffic.classes; where that is
 * empty, the service classes of routing.classes or of the snapshot, each with its share and packets.
 * HD_EINVAL and what hd_classes_read() returns, with the place in the scenario or in the file.
 */
int hd_traffic_classes_make(const struct hd_scenario *scenario, size_t point,
			    struct hd_setup *setup, struct hd_error *err);

/* Makes phases [HD_PHASES_MAX] those of @class in @setup, which has classes. */
void hd_traffic_class_phases(const struct hd_setup *setup, unsigned class,
			     struct hd_traffic_phase *phases);

/* The units of the longest and of the shortest packets of all phases and classes. */
void hd_traffic_sizes(const struct hd_setup *setup, uint32_t *shortest, uint32_t *longest);

#endif
