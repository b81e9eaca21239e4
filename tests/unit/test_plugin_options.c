// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Words of event_plugin_options. */
#include "tests/unit/unit.h"

#include "manager/plugin_options.h"
#include "support/random.h"

/* What was complained about: how often, and the last text. */
struct complaints {
	unsigned n;
	char last[1024];
};

static void complain(void *context, const char *text)
{
	struct complaints *complaints = context;

	complaints->n++;
	snprintf(complaints->last, sizeof(complaints->last), "%s", text);
}

static struct complaints parse(const char *text, bool strict, struct hd_plugin_options *options)
{
	struct complaints complaints = { 0 };
	struct hd_error err;

	assert_hd_ok(hd_plugin_options_parse(text, strict, options, complain, &complaints, &err),
		     err);
	return complaints;
}

static const struct hd_engine_settings *settings_of(const struct hd_plugin_options *options,
						    const char *name)
{
	for (size_t i = 0; i < options->n_engines; i++)
		if (!strcmp(hd_engine_at(i)->policy.name, name))
			return &options->engines[i];
	fail_msg("no engine %s", name);
	return NULL;
}

static void nothing_is_the_defaults(void **state)
{
	struct hd_plugin_options options;

	(void)state;
	assert_int_equal(parse(NULL, true, &options).n, 0);
	assert_int_equal(options.transition, HD_TRANSITION_ROUNDS);
	assert_int_equal(options.pause_ms, 10);
	assert_int_equal(options.threads, 1);
	assert_false(options.reroute_fresh);
	assert_true(hd_plugin_options_are_strict(&options));
	assert_null(options.classes);
	assert_null(settings_of(&options, "dla")->queues);
	hd_plugin_options_clear(&options);
}

static void words_are_for_all_or_for_one(void **state)
{
	struct hd_plugin_options options;

	(void)state;
	assert_int_equal(parse(" max_vls=4\tdla.queues=xordet:2  transition=drop pause=0 "
			       "reroute=fresh strict=off threads=3 classes=/c status=/s ",
			       true, &options)
				 .n,
			 0);
	assert_int_equal(settings_of(&options, "dla")->max_vls, 4);
	assert_int_equal(settings_of(&options, "dmodc")->max_vls, 4);
	assert_string_equal(settings_of(&options, "dla")->queues, "xordet:2");
	assert_null(settings_of(&options, "dmodc")->queues);
	assert_int_equal(options.transition, HD_TRANSITION_DROP);
	assert_int_equal(options.pause_ms, 0);
	assert_int_equal(options.threads, 3);
	assert_true(options.reroute_fresh);
	assert_false(hd_plugin_options_are_strict(&options));
	assert_string_equal(options.classes, "/c");
	assert_string_equal(options.status, "/s");
	hd_plugin_options_clear(&options);
}

/* A word that makes no sense is told and left out; the others count. */
static void bad_words_are_told(void **state)
{
	static const struct {
		const char *text, *complaint;
		bool is_misread;
	} cases[] = {
		{ "transition=slowly", "transition is rounds, drop or off, not 'slowly'", false },
		{ "transition=off transition=off", "transition is given twice", false },
		{ "pause=60001", "pause", false },
		{ "nonsense", "'nonsense' is not key=value", false },
		{ "dla.nonsense=1", "engine dla has no option 'nonsense'", false },
		{ "nonsense=1", "no engine has an option 'nonsense'", false },
		{ "check=on dla.check=off", "check is given twice for engine dla", false },
		{ "pause=1 pause=2", "pause is given twice", false },
		{ "layers=none", "no engine has a layer rule 'none'", true },
		{ "nobody.queues=xordet:2", "'nobody.queues': there is no engine 'nobody'", true },
		{ "max_vls=0", "max_vls", true },
		{ "dla.max_vls=4 dla.max_vls=2", "max_vls is given twice for engine dla", true },
		{ "dla.queues=dbbm:2 dla.queues=dbbm:4", "queues is given twice for engine dla",
		  true },
		{ "dla.vlarb=nobody", "nobody", true },
		{ "queues=", "'queues=' is not key=value", true },
		{ "classes=a classes=b", "classes is given twice", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_plugin_options options;
		char text[200];
		struct complaints complaints;

		snprintf(text, sizeof(text), "%s threads=7", cases[i].text);
		complaints = parse(text, true, &options);
		assert_int_equal(complaints.n, 1);
		if (!strstr(complaints.last, cases[i].complaint))
			fail_msg("'%s' says '%s'", cases[i].text, complaints.last);
		assert_int_equal(options.misread[0] != '\0', cases[i].is_misread);
		assert_int_equal(options.threads, 7);
		hd_plugin_options_clear(&options);
	}
}

/*
 * Other plug-ins read the same text: their words are no complaint, but those about lanes are ours.
 */
static void words_of_others_are_theirs(void **state)
{
	struct hd_plugin_options options;

	(void)state;
	assert_int_equal(parse("port=80 verbose other.key=1", false, &options).n, 0);
	hd_plugin_options_clear(&options);
	assert_int_equal(parse("vlarb=", false, &options).n, 1);
	assert_string_not_equal(options.misread, "");
	hd_plugin_options_clear(&options);
}

/* Whatever is written, parsing ends, and what was taken makes sense. */
static void random_words_do_no_harm(void **state)
{
	static const char *const parts[] = {
		"dla",     "dmodc",   ".",          "=",      "queues", "layers",   "check",
		"on",      "off",     "transition", "rounds", "pause",  "60000",    "-1",
		"max_vls", "15",      "16",         " ",      "\t",     "xordet:2", "threads",
		"classes", "reroute", "strict",     "\x01"
	};
	const unsigned n_parts = sizeof(parts) / sizeof(parts[0]);
	struct hd_random random;

	(void)state;
	hd_random_init(&random, 7, 0);
	for (unsigned i = 0; i < 20000; i++) {
		const unsigned n = 1 + hd_random_below(&random, 12);
		struct hd_plugin_options options;
		char text[400] = "";

		for (unsigned j = 0; j < n; j++)
			strcat(text, parts[hd_random_below(&random, n_parts)]);
		parse(text, hd_random_below(&random, 2), &options);
		assert_in_range(options.pause_ms, 0, 60000);
		assert_in_range(options.transition, HD_TRANSITION_ROUNDS, HD_TRANSITION_OFF);
		assert_in_range(settings_of(&options, "dla")->max_vls, 0, HD_MAX_VLS);
		hd_plugin_options_clear(&options);
	}
}

static void engines_are_listed_by_whole_names(void **state)
{
	(void)state;
	assert_false(hd_engine_is_listed(NULL, "dla"));
	assert_false(hd_engine_is_listed("", "dla"));
	assert_true(hd_engine_is_listed("dla", "dla"));
	assert_true(hd_engine_is_listed("minhop, dla,no_fallback", "dla"));
	assert_false(hd_engine_is_listed("dla2,adla", "dla"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_the_defaults),
		cmocka_unit_test(words_are_for_all_or_for_one),
		cmocka_unit_test(bad_words_are_told),
		cmocka_unit_test(words_of_others_are_theirs),
		cmocka_unit_test(random_words_do_no_harm),
		cmocka_unit_test(engines_are_listed_by_whole_names),
	};

	return cmocka_run_group_tests_name("plugin options", tests, NULL, NULL);
}
