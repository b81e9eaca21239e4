// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle watch: the live fabric, proved and compared again and again. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "support/duration.h"
#include "support/error.h"
#include "support/output.h"
#include "tables/snapshot.h"
#include "tools/command.h"
#include "tools/live_arguments.h"
#include "tools/open_input.h"
#include "tools/watch/serve.h"
#include "tools/watch/watch_state.h"

#define NS_PER_S UINT64_C(1000000000)

#define SHORTEST_INTERVAL UINT64_C(10000000) /* ns */
#define LONGEST_INTERVAL  (UINT64_C(24) * 3600 * NS_PER_S)
#define USUAL_INTERVAL    (UINT64_C(60) * NS_PER_S)

enum {
	KEY_INTERVAL = HD_KEY_OWN_LIVE,
	KEY_ONCE,
	KEY_ROUNDS,
	KEY_PLAN,
	KEY_STATUS,
	KEY_PROMETHEUS,
	KEY_LISTEN,
	KEY_SAVE,
	KEY_SCOPE,
	KEY_JSON,
};

struct arguments {
	struct hd_watch_options watch;
	struct hd_live_arguments live;
	bool once;
};

static const struct argp_option options[] = {
	{ "interval", KEY_INTERVAL, "TIME", 0,
	  "Time from one round to the next, 10ms-24h, such as 1min", 0 },
	{ "once", KEY_ONCE, NULL, 0, "One round, and end", 0 },
	{ "rounds", KEY_ROUNDS, "N", 0, "End after N rounds", 0 },
	{ "plan", KEY_PLAN, "PLAN", 0,
	  "Compare cables with PLAN (heddle plan); SIGHUP reads PLAN again", 0 },
	{ "status", KEY_STATUS, "FILE", 0,
	  "The status file of the plug-in, for the engine in force and the change under way", 0 },
	{ "prometheus", KEY_PROMETHEUS, "FILE", 0,
	  "Write metrics to FILE after each round, for the textfile collector of Prometheus' node "
	  "exporter (-: standard output, and nothing else there)",
	  0 },
	{ "listen", KEY_LISTEN, "ADDR:PORT", 0,
	  "Give metrics to whoever asks there for /metrics, such as Prometheus", 0 },
	{ "save", KEY_SAVE, "DIR", 0,
	  "Keep the newest snapshot in DIR; the first round is compared with what is there", 0 },
	{ "scope", KEY_SCOPE, "SCOPE", 0,
	  "Whose verdict counts: packets between hosts, or all (default), as of heddle check", 0 },
	{ "json", KEY_JSON, NULL, 0, "Print a line of JSON for every round", 0 },
	{ 0 }
};

static error_t parse_interval(const struct argp_state *state, const char *text, uint64_t *ns)
{
	struct hd_error err;

	if (hd_parse_duration(text, "--interval", ns, &err))
		return hd_usage_error(state, "%s", err.text);
	if (*ns < SHORTEST_INTERVAL || *ns > LONGEST_INTERVAL)
		return hd_usage_error(state, "--interval: %s is not in 10ms..24h", text);
	return 0;
}

static error_t parse_scope(const struct argp_state *state, const char *text,
			   enum hd_check_scope *scope)
{
	for (int i = 0; i < HD_WATCH_N_SCOPES; i++)
		if (strcmp(text, hd_watch_scope_names[i]) == 0) {
			*scope = i;
			return 0;
		}
	return hd_usage_error(state, "--scope: '%s' is neither hosts nor all", text);
}

/* What goes with what. */
static error_t check_options(const struct argp_state *state, struct arguments *arguments)
{
	struct hd_watch_options *watch = &arguments->watch;
	const bool is_stdout = watch->prometheus && strcmp(watch->prometheus, "-") == 0;

	if (!watch->interval && !arguments->once)
		return hd_usage_error(state, "no --interval TIME given, nor --once");
	if (arguments->once && watch->n_rounds > 1)
		return hd_usage_error(state, "--once and --rounds do not go together");
	if (watch->plan && strcmp(watch->plan, "-") == 0)
		return hd_usage_error(state, "--plan: standard input cannot be read again");
	if (is_stdout && watch->json)
		return hd_usage_error(state,
				      "--json and '--prometheus -' both want standard output");
	if (!watch->interval)
		watch->interval = USUAL_INTERVAL;
	if (arguments->once)
		watch->n_rounds = 1;
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const char *const names[] = { NULL };
	struct arguments *arguments = state->input;
	struct hd_watch_options *watch = &arguments->watch;
	error_t status;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &watch->common);
		state->child_inputs[1] = &arguments->live;
		return 0;
	case KEY_INTERVAL:
		return parse_interval(state, arg, &watch->interval);
	case KEY_ONCE:
		arguments->once = true;
		return 0;
	case KEY_ROUNDS:
		return hd_usage_number(state, "--rounds", arg, 1, UINT32_MAX, &watch->n_rounds);
	case KEY_PLAN:
		watch->plan = arg;
		return 0;
	case KEY_STATUS:
		watch->status = arg;
		return 0;
	case KEY_PROMETHEUS:
		watch->prometheus = arg;
		return 0;
	case KEY_LISTEN:
		watch->listen = arg;
		return 0;
	case KEY_SAVE:
		watch->save = arg;
		return 0;
	case KEY_SCOPE:
		return parse_scope(state, arg, &watch->scope);
	case KEY_JSON:
		watch->json = true;
		return 0;
	case ARGP_KEY_ARG:
	case ARGP_KEY_END:
		status = hd_usage_arguments(state, key, names, 0, arg, NULL);
		return status || key == ARGP_KEY_ARG ? status : check_options(state, arguments);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &hd_common_argp },
					      { .argp = &hd_live_argp },
					      { 0 } };

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.doc = "Reads the live fabric that this machine is on again and again, proves its tables, "
	       "and compares it with a plan and with the round before. Prints a line where "
	       "something changed, and gives metrics to Prometheus. A round that fails is told, "
	       "and the next one comes. Changes nothing in the fabric. Exit status after --once "
	       "or --rounds, by the last round: 0 sound and as planned, 1 not, 2 not known.\v"
	       "Examples:\n"
	       "  heddle watch --interval 1min --plan plan.net --listen 127.0.0.1:9861\n"
	       "  heddle watch --once --prometheus heddle.prom",
	.children = children,
};

/* Errors of a round's outputs, which do not end the rounds. */
static void note_failure(struct hd_watch *watch, const struct hd_error *err)
{
	hd_command_fail(err);
	watch->is_unwritten = true;
}

/* The textfile collector is another user: the file is readable to all, whatever the umask is. */
static int write_file(const char *path, const char *page, size_t size, struct hd_error *err)
{
	struct hd_output output;
	int ret = hd_output_open(&output, path, err);

	if (ret)
		return ret;
	fwrite(page, 1, size, output.stream);
	if (output.temporary.path)
		fchmod(fileno(output.stream), 0644);
	return hd_output_commit(&output, err);
}

/* Whether the file can be written, before the first round: bad usage is told at once. */
static int try_file(const char *path, struct hd_error *err)
{
	struct hd_output output;
	int ret = hd_output_open(&output, path, err);

	if (!ret)
		hd_output_abort(&output);
	return ret;
}

static void give_metrics(struct hd_watch *watch, struct hd_watch_server *server)
{
	const char *path = watch->options->prometheus;
	struct hd_error err;
	char *page;
	size_t size;
	int ret;

	if (!path && !server)
		return;
	ret = hd_watch_page(watch, &page, &size, &err);
	if (ret) {
		note_failure(watch, &err);
		return;
	}
	if (path && write_file(path, page, size, &err))
		note_failure(watch, &err);
	if (server)
		hd_watch_serve_page(server, page, size);
	else
		free(page);
}

static void save(struct hd_watch *watch)
{
	const struct hd_provenance provenance = { .source = (char *)"a live fabric" };
	struct hd_error err;

	if (watch->options->save && watch->step >= HD_WATCH_COMPARISON &&
	    hd_snapshot_write(watch->options->save, watch->last.tables, &provenance, &err))
		note_failure(watch, &err);
}

/* The snapshot of an earlier watch is what the first round is compared with. */
static int read_saved(struct hd_watch *watch, struct hd_error *err)
{
	const struct hd_watch_options *given = watch->options;
	struct hd_snapshot *snapshot;
	int ret;

	if (!given->save || !hd_snapshot_is_directory(given->save))
		return 0;
	ret = hd_input_snapshot(given->save, NULL, &given->common, &snapshot, err);
	if (ret)
		return ret;
	watch->last.fabric = snapshot->fabric;
	watch->last.tables = snapshot->tables;
	snapshot->fabric = NULL;
	snapshot->tables = NULL;
	hd_snapshot_free(snapshot);
	return 0;
}

/* A plan that cannot be read again leaves the old one. */
static void read_plan_again(struct hd_watch *watch)
{
	const struct hd_watch_options *given = watch->options;
	struct hd_cable_plan *plan;
	struct hd_error err;

	if (!given->plan)
		return;
	if (hd_input_plan(given->plan, &given->common, &plan, &err)) {
		hd_command_fail(&err);
		return;
	}
	hd_cable_plan_free(watch->plan);
	watch->plan = plan;
}

/* Waits until @next, by CLOCK_MONOTONIC; true: a signal ends the rounds. */
static bool wait_for(struct hd_watch *watch, const sigset_t *signals, uint64_t next)
{
	for (;;) {
		struct timespec now, time;
		uint64_t ns;
		int number;

		clock_gettime(CLOCK_MONOTONIC, &now);
		ns = (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
		ns = ns < next ? next - ns : 0;
		time.tv_sec = (time_t)(ns / NS_PER_S);
		time.tv_nsec = (long)(ns % NS_PER_S);
		number = sigtimedwait(signals, NULL, &time);
		if (number == SIGHUP)
			read_plan_again(watch);
		else if (number > 0)
			return true;
		else if (!ns)
			return false;
	}
}

static uint64_t monotonic(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* Rounds at whole intervals from the beginning; those that a slow one misses are left out. */
static int keep_watching(struct hd_watch *watch, struct hd_watch_server *server,
			 const sigset_t *signals, struct hd_error *err)
{
	const struct hd_watch_options *given = watch->options;
	uint64_t next = monotonic();

	for (;;) {
		uint64_t now;
		int ret;

		watch->is_unwritten = false;
		if (!hd_watch_round(watch))
			return 0;
		give_metrics(watch, server);
		save(watch);
		ret = hd_watch_tell(watch, err);
		if (ret)
			return ret;
		if (given->n_rounds && watch->totals.rounds == given->n_rounds)
			return 0;
		now = monotonic();
		do
			next += given->interval;
		while (next <= now);
		if (wait_for(watch, signals, next))
			return 0;
	}
}

static int begin(struct hd_watch *watch, struct hd_watch_server **server, struct hd_error *err)
{
	const struct hd_watch_options *given = watch->options;
	char bound[160];
	int ret = 0;

	if (given->plan)
		ret = hd_input_plan(given->plan, &given->common, &watch->plan, err);
	if (!ret && given->prometheus)
		ret = try_file(given->prometheus, err);
	if (!ret)
		ret = read_saved(watch, err);
	if (!ret && given->listen) {
		ret = hd_watch_serve(given->listen, server, bound, sizeof(bound), err);
		if (!ret)
			hd_note(&given->common, "metrics at http://%s/metrics", bound);
	}
	if (!ret && *server) {
		char *page;
		size_t size;

		watch->guard = (struct hd_fork_guard){ hd_watch_serve_hold, hd_watch_serve_release,
						       *server };
		ret = hd_watch_page(watch, &page, &size, err);
		if (!ret)
			hd_watch_serve_page(*server, page, size);
	}
	return ret;
}

static int run_watch(const struct hd_watch_options *given)
{
	struct hd_watch watch = { .options = given, .step = HD_WATCH_N_STEPS };
	struct hd_watch_server *server = NULL;
	sigset_t ends, signals;
	struct hd_error err;
	int ret, status;

	/* blocked, so that outputs are finished first, and in all threads */
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	signals = ends;
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	/* a limit on the size of files (RLIMIT_FSIZE) is an error of theirs, and ends nothing */
	signal(SIGXFSZ, SIG_IGN);
	watch.ends = &ends;
	ret = begin(&watch, &server, &err);
	if (!ret)
		ret = keep_watching(&watch, server, &signals, &err);
	hd_watch_serve_end(server);
	if (ret)
		status = hd_command_fail(&err);
	else if (!given->n_rounds || watch.totals.rounds < given->n_rounds)
		/* a signal */
		status = given->n_rounds ? HD_EXIT_UNUSABLE : HD_EXIT_YES;
	else
		status = watch.is_unwritten ? HD_EXIT_UNUSABLE : hd_watch_verdict(&watch);
	hd_watch_clear(&watch);
	return status;
}

static int run(int argc, char **argv)
{
	struct arguments arguments = { 0 };

	if (hd_command_parse(&argp, argc, argv, &arguments))
		return HD_EXIT_UNUSABLE;
	arguments.watch.live = hd_live_options_of(&arguments.live);
	return run_watch(&arguments.watch);
}

const struct hd_command hd_command_watch = {
	.name = "watch",
	.summary = "prove and compare the live fabric again and again, give metrics",
	.run = run,
};
