// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Traffic against the formulas that define it. */
#include "tests/unit/unit.h"

#include <math.h>

#include "simfabric/traffic/deviate.h"
#include "simfabric/traffic/traffic.h"

#define UNIT_TICKS 10

static struct hd_traffic *make(uint32_t hosts, const char *pattern, const char *arrival,
			       double load, uint32_t size)
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

static void assert_near(double value, double wanted, double tolerance)
{
	if (!(fabs(value - wanted) <= tolerance))
		fail_msg("%g is not within %g of %g", value, tolerance, wanted);
}

/* Every process offers what the load says. */
static void test_rates(void **state)
{
	static const char *const arrivals[] = { "poisson", "deterministic" };
	static const double loads[] = { 0.013, 0.1, 0.3, 0.7, 1 };

	(void)state;
	for (size_t i = 0; i < sizeof(arrivals) / sizeof(arrivals[0]); i++)
		for (size_t l = 0; l < sizeof(loads) / sizeof(loads[0]); l++) {
			struct hd_traffic *t = make(64, "uniform", arrivals[i], loads[l], 3);
			struct hd_message m;
			double rate = 0;

			for (uint32_t host = 0; host < 64; host++) {
				for (unsigned n = 0; n < 10000; n++)
					assert_true(hd_traffic_next(t, host, &m));
				rate += 3.0 * 10000 * UNIT_TICKS / (double)m.time;
			}
			assert_near(rate / 64 / loads[l], 1, 0.005);
			hd_traffic_free(t);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rates),
	};

	return cmocka_run_group_tests_name("traffic", tests, NULL, NULL);
}
