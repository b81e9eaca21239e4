// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/proof.h"

#include "support/error.h"
#include "tests/unit/unit.h"

static struct hd_check_result check(const struct hd_tables *tables,
				    const struct hd_check_options *options)
{
	struct hd_check_result result;
	struct hd_error err;

	assert_hd_ok(hd_check(tables, options, &result, &err), err);
	return result;
}

struct hd_check_result assert_sound_by(const struct hd_tables *tables,
				       const struct hd_check_options *options, const char *what)
{
	struct hd_check_result result = check(tables, options);
	char text[512];

	if (result.failure != HD_CHECK_SOUND)
		fail_msg("%s: %s", what ? what : "tables",
			 hd_check_summary(&result, tables->fabric, text, sizeof(text)));
	hd_check_clear(&result);
	return result;
}

struct hd_check_result assert_sound(const struct hd_tables *tables, const char *what)
{
	return assert_sound_by(tables, NULL, what);
}

bool is_sound(const struct hd_tables *tables)
{
	struct hd_check_result result = check(tables, NULL);
	const bool sound = result.failure == HD_CHECK_SOUND;

	hd_check_clear(&result);
	return sound;
}
