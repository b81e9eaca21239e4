// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle setup: an opensm.conf for a fabric, after questions about what must not change. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/check.h"
#include "engines/engine.h"
#include "fabric/lids.h"
#include "support/error.h"
#include "support/output.h"
#include "support/text.h"
#include "tools/command.h"
#include "tools/open_input.h"
#include "tools/opensm_conf.h"
#include "tools/progress.h"
#include "tools/report.h"

enum {
	KEY_CONF = HD_KEY_OWN,
	KEY_KEEP,
	KEY_YES,
};

struct arguments {
	struct hd_common common;
	const char *fabric;
	const char *conf; /* NULL: none */
	const char *output;
	bool keeps_qos, keeps_fallback;
	bool yes;
};

static const struct argp_option options[] = {
	{ "conf", KEY_CONF, "OPENSM.CONF", 0,
	  "OpenSM's configuration as it is: all of it stays but what must change", 0 },
	{ "keep", KEY_KEEP, "qos|fallback", 0,
	  "What must not change; may be repeated. qos: the site's own SLs, SL2VL tables and VL "
	  "arbitration (engines with one VL only). fallback: OpenSM's own minhop where no engine "
	  "serves the fabric, with its credit loops",
	  0 },
	{ "output", 'o', "FILE", 0, "Write the configuration to FILE (default: standard output)",
	  0 },
	{ "yes", KEY_YES, NULL, 0, "Ask nothing: what --keep does not name may change", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	error_t status;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &arguments->common);
		return 0;
	case KEY_CONF:
		arguments->conf = arg;
		return 0;
	case KEY_KEEP:
		if (strcmp(arg, "qos") && strcmp(arg, "fallback"))
			return hd_usage_error(state, "--keep: '%s' is neither qos nor fallback",
					      arg);
		arguments->keeps_qos |= *arg == 'q';
		arguments->keeps_fallback |= *arg == 'f';
		return 0;
	case 'o':
		arguments->output = arg;
		return 0;
	case KEY_YES:
		arguments->yes = true;
		return 0;
	case ARGP_KEY_ARG:
	case ARGP_KEY_END:
		status = hd_usage_argument(state, key, "FABRIC", arg, &arguments->fabric);
		if (status || key == ARGP_KEY_ARG)
			return status;
		if (arguments->conf && !strcmp(arguments->conf, "-") &&
		    !strcmp(arguments->fabric, "-"))
			return hd_usage_error(state, "FABRIC and --conf both want standard input");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &hd_common_argp }, { 0 } };

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "FABRIC",
	.doc = "Writes an opensm.conf for FABRIC: loads heddle's plug-in, with engine heddle, and "
	       "QoS "
	       "if the engine that it takes needs lanes. On a terminal, asks first what must not "
	       "change. Proves the tables that OpenSM will then have.\v"
	       "Example:\n"
	       "  heddle setup cluster.net --conf /etc/opensm/opensm.conf -o opensm.conf",
	.children = children,
};

struct setup {
	struct hd_text conf;
	struct hd_fabric *fabric;
	const struct hd_engine *engine; /* that engine heddle takes */
	struct hd_check_result result;
};

/* Asks a question with the answers y and n, of which no answer is n. */
static bool ask(const char *question)
{
	char answer[16];

	fprintf(stderr, "%s [y/N] ", question);
	return fgets(answer, sizeof(answer), stdin) && (*answer == 'y' || *answer == 'Y');
}

/* Whether the configuration gives @key a value; "(null)" is none. */
static bool is_set(const struct setup *setup, const char *key)
{
	char *value =
		hd_conf_value(setup->conf.data ? setup->conf.data : "", setup->conf.size, key);
	const bool is = value && *value && strcmp(value, "(null)") != 0;

	free(value);
	return is;
}

/* The first of the site's own settings of QoS; NULL: there is none. */
static const char *site_qos(const struct setup *setup)
{
	static const char *const keys[] = { "qos_sl2vl",         "qos_vlarb_high",
					    "qos_vlarb_low",     "qos_ca_sl2vl",
					    "qos_ca_vlarb_high", "qos_ca_vlarb_low",
					    "qos_swe_sl2vl",     "qos_swe_vlarb_high",
					    "qos_swe_vlarb_low" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (is_set(setup, keys[i]))
			return keys[i];
	return NULL;
}

static void ask_all(struct arguments *arguments, const struct setup *setup)
{
	const char *own = site_qos(setup);

	if (arguments->yes || !isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return;
	if (own)
		fprintf(stderr, "%s sets %s.\n", arguments->conf, own);
	if (!arguments->keeps_qos)
		arguments->keeps_qos =
			ask("Must the site's own SLs, SL2VL tables and VL arbitration "
			    "stay? (Then only engines with one VL serve.)");
	if (!arguments->keeps_fallback)
		arguments->keeps_fallback = ask(
			"Must OpenSM fall back to its own minhop where no engine serves? (It has "
			"credit loops on most fabrics with cycles.)");
}

/* The engine that engine heddle takes, and the proof of its tables. */
static int prove(const struct arguments *arguments, struct setup *setup, struct hd_error *err)
{
	const struct hd_route_request request = { .max_vls = arguments->keeps_qos ? 1 : 0,
						  .chosen = &setup->engine };
	struct hd_tables *tables = NULL;
	struct hd_progress progress;
	int ret = 0;

	if (!setup->fabric->top_lid)
		ret = hd_input_assign_lids(&setup->fabric, NULL, 0, err);
	if (!ret)
		ret = hd_input_keep_subnet(&setup->fabric, &arguments->common, "", err);
	hd_progress_begin(&progress, &arguments->common, "routing");
	if (!ret)
		ret = hd_route(hd_engine_find("heddle"), setup->fabric, &request, &tables, err);
	hd_progress_end(&progress);
	hd_progress_begin(&progress, &arguments->common, "proving");
	if (!ret)
		ret = hd_check(tables, NULL, &setup->result, err);
	hd_progress_end(&progress);
	hd_tables_free(tables);
	return ret;
}

/*
 * The plug-ins that OpenSM loads: those that it loads now, which blanks separate, and heddle's.
 * From malloc(); NULL when out of memory.
 */
static char *plugins(const struct setup *setup)
{
	char *old = is_set(setup, "event_plugin_name")
			    ? hd_conf_value(setup->conf.data, setup->conf.size, "event_plugin_name")
			    : strdup("");
	char *all = NULL;
	bool has_heddle = false;
	size_t length;

	for (const char *at = old; at && *at; at += length + strspn(at + length, " \t")) {
		length = strcspn(at, " \t");
		has_heddle |= length == strlen("osmheddle") && !memcmp(at, "osmheddle", length);
	}
	if (!old || has_heddle)
		return old;
	if (asprintf(&all, "%s%sosmheddle", old, *old ? " " : "") < 0)
		all = NULL;
	free(old);
	return all;
}

static int write_conf(const struct arguments *arguments, const struct setup *setup,
		      struct hd_error *err)
{
	const bool lanes = setup->result.vls > 1;
	char why[256], *names = plugins(setup);
	struct hd_output output;
	const struct hd_conf_setting settings[] = {
		{ "event_plugin_name", names, "heddle's plug-in: osmheddle(8)" },
		{ "routing_engine", arguments->keeps_fallback ? "heddle" : "heddle,no_fallback",
		  why },
		{ "qos", "TRUE", "SL2VL tables, which OpenSM writes only with QoS" },
	};
	/* where one VL is enough, QoS stays as it is: the site's */
	const size_t n = lanes ? 3 : 2;
	int ret;

	snprintf(why, sizeof(why),
		 "heddle takes %s on this fabric: %u SL%s, %u VL%s, longest path %u hops%s",
		 setup->engine->policy.name, setup->result.sls, setup->result.sls == 1 ? "" : "s",
		 setup->result.vls, setup->result.vls == 1 ? "" : "s", setup->result.max_hops,
		 arguments->keeps_fallback ? ""
					   : "\nno_fallback: never minhop, which has credit loops");
	ret = names ? hd_output_open(&output, arguments->output ? arguments->output : "-", err)
		    : hd_error_nomem(err);
	if (ret) {
		free(names);
		return ret;
	}
	hd_conf_print(output.stream, setup->conf.data ? setup->conf.data : "", setup->conf.size,
		      settings, n);
	ret = hd_output_commit(&output, err);
	for (size_t i = 0; !ret && arguments->conf && i < n; i++) {
		char *old = hd_conf_value(setup->conf.data, setup->conf.size, settings[i].key);

		if (!old || strcmp(old, settings[i].value) != 0)
			hd_note(&arguments->common, "%s: %s -> %s", settings[i].key,
				old ? old : "(not set)", settings[i].value);
		free(old);
	}
	free(names);
	return ret;
}

static int set_up(struct arguments *arguments, struct setup *setup, struct hd_error *err)
{
	int ret = hd_input_fabric(arguments->fabric, &arguments->common, &setup->fabric, err);

	if (!ret && arguments->conf)
		ret = hd_text_read(arguments->conf, &setup->conf, err);
	if (ret)
		return ret;
	ask_all(arguments, setup);
	ret = prove(arguments, setup, err);
	if (ret)
		return ret;
	if (setup->result.failure != HD_CHECK_SOUND) {
		char reason[256];

		hd_check_summary(&setup->result, setup->fabric, reason, sizeof(reason));
		return hd_error_set(err, HD_EREFUSED, "engine %s: %s", setup->engine->policy.name,
				    reason);
	}
	if (site_qos(setup) && setup->result.vls > 1)
		hd_note(&arguments->common,
			"%s of %s has no effect with engine %s, whose lanes replace it (--keep qos "
			"takes engines with one VL)",
			site_qos(setup), arguments->conf, setup->engine->policy.name);
	return write_conf(arguments, setup, err);
}

static int run(int argc, char **argv)
{
	struct arguments arguments = { 0 };
	struct setup setup = { 0 };
	int status = HD_EXIT_UNUSABLE;
	struct hd_error err;

	if (hd_command_parse(&argp, argc, argv, &arguments) == 0)
		status = set_up(&arguments, &setup, &err) ? hd_command_fail(&err) : HD_EXIT_YES;
	hd_check_clear(&setup.result);
	hd_text_free(&setup.conf);
	hd_fabric_free(setup.fabric);
	return status;
}

const struct hd_command hd_command_setup = {
	.name = "setup",
	.summary = "write an opensm.conf for a fabric",
	.run = run,
};
