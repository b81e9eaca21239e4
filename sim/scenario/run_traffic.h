/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The traffic of a run, and the service classes of its packets. */
#ifndef HD_SCENARIO_RUN_TRAFFIC_H
#define HD_SCENARIO_RUN_TRAFFIC_H

#include "sim/scenario/run_network.h"
#include "sim/traffic/concurrent.h"

struct hd_error;

/* The traffic of a run; all zero before hd_run_traffic_prepare(). */
struct hd_run_traffic {
	struct hd_concurrent *concurrent;
	uint8_t *class_of_tag; /* for struct hd_model_options; NULL: no service classes */
	uint32_t class_packets[HD_MAX_SLS];
};

/*
 * Prepares what the model needs before the traffic of @setup on @network is made. HD_EINVAL: a
 * service class that the tables do not have; HD_ENOMEM. Free with hd_run_traffic_clear(), also
 * after an error.
 */
int hd_run_traffic_prepare(const struct hd_network *network, const struct hd_setup *setup,
			   struct hd_run_traffic *traffic, struct hd_model_options *model,
			   struct hd_error *err);

/* The traffic; errors are those of hd_concurrent_new(). */
int hd_run_traffic_make(const struct hd_traffic_setting *setting, const struct hd_network *network,
			const struct hd_setup *setup, struct hd_run_traffic *traffic,
			struct hd_error *err);
void hd_run_traffic_clear(struct hd_run_traffic *traffic);

/* Whether @is says so of the pattern of some traffic of @setup, in some phase. */
bool hd_run_traffic_any(const struct hd_setup *setup, bool (*is)(const char *pattern));

/* The key that an error in a run's traffic is about. */
enum hd_key hd_run_traffic_culprit(const struct hd_setup *setup);

#endif
