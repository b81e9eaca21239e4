/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Every unit test includes this: cmocka with the headers that it needs, and assertions for heddle.
 */
#ifndef HD_TESTS_UNIT_H
#define HD_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/error.h"

/* Checks that @call returns 0; otherwise shows its error. */
#define assert_hd_ok(call, err)                                                               \
	do {                                                                                  \
		if ((call) != 0)                                                              \
			fail_msg("%s: %s:%u: %s", #call, (err).file, (err).line, (err).text); \
	} while (0)

/* Checks that the text of @err contains @words. */
#define assert_hd_says(err, words)                                               \
	do {                                                                     \
		if (!strstr((err).text, (words)))                                \
			fail_msg("'%s' does not say '%s'", (err).text, (words)); \
	} while (0)

/* Sanitizers take five times as long: tests that are only about size run in other builds. */
#if defined(__SANITIZE_ADDRESS__)
#define HD_IS_SLOW true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HD_IS_SLOW true
#endif
#endif
#ifndef HD_IS_SLOW
#define HD_IS_SLOW false
#endif

#endif
