// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle report: one page, or one text, about a fabric and its tables. */
#include <stdio.h>
#include <string.h>

#include "support/error.h"
#include "support/output.h"
#include "tools/command.h"
#include "tools/progress.h"
#include "tools/report_page/page_writer.h"
#include "tools/report_page/sections.h"

enum {
	KEY_FABRIC = HD_KEY_OWN,
	KEY_SINCE,
	KEY_TEXT,
	KEY_FAILURES,
	KEY_SEED,
};

struct arguments {
	struct hd_common common;
	struct hd_report_request request;
	const char *output;
	bool text;
};

static const struct argp_option options[] = {
	{ "output", 'o', "FILE", 0, "Write the page, or the text, to FILE (-: standard output)",
	  0 },
	{ "since", KEY_SINCE, "DIR", 0, "Also say what changed since this older snapshot", 0 },
	{ "text", KEY_TEXT, NULL, 0,
	  "Write plain text of 80 columns instead of a page, for terminals and mail", 0 },
	{ "failures", KEY_FAILURES, "N", 0,
	  "Let N links between switches fail, each by itself, chosen at random if there are more "
	  "(default: up to 50, as many as take about a second; 0: none)",
	  0 },
	{ "seed", KEY_SEED, "S", 0, "Seed of that choice (default 1)", 0 },
	{ "fabric", KEY_FABRIC, "NETFILE", 0,
	  "The fabric, for a dump directory of OpenSM (default fabric.net in DIR)", 0 },
	{ 0 }
};

static error_t check_output(const struct arguments *arguments, struct argp_state *state)
{
	if (!arguments->output && !arguments->text)
		return hd_usage_error(state, "no file given: -o page.html, or --text");
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	error_t status;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &arguments->common);
		return 0;
	case 'o':
		arguments->output = arg;
		return 0;
	case KEY_SINCE:
		arguments->request.since = arg;
		return 0;
	case KEY_TEXT:
		arguments->text = true;
		return 0;
	case KEY_FAILURES:
		return hd_usage_number(state, "--failures", arg, 0, HD_FAULT_SETS_MAX,
				       &arguments->request.n_failures);
	case KEY_SEED:
		return hd_usage_number(state, "--seed", arg, 0, UINT64_MAX,
				       &arguments->request.seed);
	case KEY_FABRIC:
		arguments->request.netfile = arg;
		return 0;
	case ARGP_KEY_ARG:
	case ARGP_KEY_END:
		status = hd_usage_argument(state, key, "FABRIC", arg, &arguments->request.given);
		return status || key == ARGP_KEY_ARG ? status : check_output(arguments, state);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &hd_common_argp }, { 0 } };

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "FABRIC|DIR",
	.doc = "Writes a report about FABRIC or the snapshot DIR: what is wrong and what is good, "
	       "the topology, the engine and why, lanes, load, the verdict, failures, what "
	       "changed. "
	       "The page is one file that needs no network; its picture can be searched, zoomed "
	       "and asked. A FABRIC is routed with engine heddle. Exit status: 0 the tables are "
	       "sound, 1 they are not or no engine serves the fabric, 2 unusable input.\v"
	       "Examples:\n"
	       "  heddle report snapshot -o page.html\n"
	       "  heddle report now --since last-week -o page.html\n"
	       "  heddle report cluster.net --text",
	.children = children,
};

static int write_report(const struct arguments *arguments, const struct hd_report_facts *facts,
			struct hd_error *err)
{
	struct hd_output output;
	int ret = hd_output_open(&output, arguments->output ? arguments->output : "-", err);

	if (ret)
		return ret;
	ret = arguments->text ? hd_report_write_text(facts, output.stream, err)
			      : hd_report_write_page(facts, output.stream, err);
	if (!ret)
		return hd_output_commit(&output, err);
	hd_output_abort(&output);
	return ret;
}

static bool is_sound(const struct hd_report_facts *facts)
{
	return facts->is_proved && facts->results[HD_CHECK_ALL].failure == HD_CHECK_SOUND &&
	       facts->results[HD_CHECK_HOSTS].failure == HD_CHECK_SOUND;
}

static int run(int argc, char **argv)
{
	struct arguments arguments = { .request = { .seed = 1,
						    .n_failures = HD_REPORT_USUAL_FAILURES } };
	struct hd_report_facts facts = { 0 };
	struct hd_progress progress;
	struct hd_error err;
	int status, ret;

	if (hd_command_parse(&argp, argc, argv, &arguments))
		return HD_EXIT_UNUSABLE;
	hd_progress_begin(&progress, &arguments.common, "looking");
	ret = hd_report_gather(&arguments.request, &arguments.common, &facts, &err);
	hd_note_verbose(&arguments.common, "looked in %.3f s", hd_progress_end(&progress));
	if (!ret)
		ret = write_report(&arguments, &facts, &err);
	status = is_sound(&facts) ? HD_EXIT_YES : HD_EXIT_NO;
	hd_report_facts_clear(&facts);
	return ret ? hd_command_fail(&err) : status;
}

const struct hd_command hd_command_report = {
	.name = "report",
	.summary = "write a page, or a text, about a fabric and its tables",
	.run = run,
};
