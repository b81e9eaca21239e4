/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Traffic of one phase, and what to compare it with. */
#ifndef HD_TESTS_TRAFFIC_CASE_H
#define HD_TESTS_TRAFFIC_CASE_H

#include "tests/unit/unit.h"

#include <math.h>

#include "sim/traffic/traffic.h"

#define UNIT_TICKS 10

static inline struct hd_traffic *make_traffic(uint32_t hosts, const char *pattern,
					      const char *arrival, double load, uint32_t size)
{
	const struct hd_traffic_setting setting = { .n_hosts = hosts,
						    .unit_ticks = UNIT_TICKS,
						    .seed = 7 };
	const struct hd_traffic_phase phase = { .pattern = pattern,
						.arrival = arrival,
						.load = load,
						.size = size,
						.until = UINT64_MAX };
	struct hd_traffic *traffic;
	struct hd_error err = { 0 };

	assert_hd_ok(hd_traffic_new(&setting, &phase, 1, &traffic, &err), err);
	return traffic;
}

/* Where @host's next message goes. */
static inline uint32_t next_to(struct hd_traffic *traffic, uint32_t host)
{
	struct hd_message message;

	assert_true(hd_traffic_next(traffic, host, &message));
	assert_int_equal(message.from, host);
	return message.to;
}

static inline void assert_near(double value, double wanted, double tolerance)
{
	if (!(fabs(value - wanted) <= tolerance))
		fail_msg("%g is not within %g of %g", value, tolerance, wanted);
}

/* Chi-square of @counts against equal shares: within 5 standard deviations of its mean. */
static inline void assert_uniform(const uint32_t *counts, uint32_t n, double total)
{
	double chi = 0, expected = total / n;

	for (uint32_t i = 0; i < n; i++)
		chi += (counts[i] - expected) * (counts[i] - expected) / expected;
	assert_near(chi, n - 1, 5 * sqrt(2.0 * (n - 1)));
}

#endif
