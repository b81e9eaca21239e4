// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/unit.h"

#include "check/check.h"
#include "check/load.h"
#include "check/walk.h"
#include "fabric/builder.h"
#include "support/random.h"
#include "tests/unit/check_oracle.h"

/* Random small fabrics with all sorts of tables, against walking every flow. */
static void test_oracle(void **state)
{
	unsigned n_by_failure[HD_CHECK_CREDIT_LOOP + 1] = { 0 };

	for (unsigned seed = 0; seed < 3000; seed++) {
		struct hd_random random;
		struct check_case c;
		struct hd_check_result result;
		uint8_t data[4096];
		char buffer[1024];

		hd_random_init(&random, 1, seed);
		for (size_t i = 0; i < sizeof(data); i++)
			data[i] = (uint8_t)hd_random_u32(&random);
		if (make_check_case((struct bytes){ data, sizeof(data), 0 }, &c)) {
			const char *wrong = compare_with_oracle(c.tables, &c.options, buffer,
								sizeof(buffer));

			if (wrong)
				fail_msg("seed %u: %s", seed, wrong);
			if (hd_check(c.tables, &c.options, &result, NULL) == 0)
				n_by_failure[result.failure]++;
			hd_check_clear(&result);
		}
		clear_check_case(&c);
	}
	/* all outcomes were there to compare */
	for (int failure = 0; failure <= HD_CHECK_CREDIT_LOOP; failure++)
		assert_true(n_by_failure[failure] >= 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_oracle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
