// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle agent: which network this host should prefer, by what the lanes of its port wait. */
#include "tools/cmd_agent.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/fabric.h"
#include "support/duration.h"
#include "support/error.h"

#define NS_PER_S UINT64_C(1000000000)

#define SHORTEST_INTERVAL UINT64_C(1000000) /* ns */
#define LONGEST_INTERVAL  (UINT64_C(3600) * NS_PER_S)
#define DEFAULT_INTERVAL  UINT64_C(100000000)
#define DEFAULT_MEMORY    16
#define MOST_MEMORY       1000

enum {
	KEY_ADAPTER = HD_KEY_OWN,
	KEY_PORT,
	KEY_M_KEY,
	KEY_INTERVAL,
	KEY_MEMORY,
	KEY_PAGE,
	KEY_TIMEOUT,
	KEY_ONCE,
	KEY_JSON,
};

struct arguments {
	struct hd_agent_options agent;
	const char *page;
	uint64_t port, m_key, timeout, memory;
};

static const struct argp_option options[] = {
	{ "interval", KEY_INTERVAL, "TIME", 0, "Time between two choices, 1ms-1h (default 100ms)",
	  0 },
	{ "page", KEY_PAGE, "FILE", 0,
	  "The page to keep (default " HD_NETWORKS_PATH "; with --once none)", 0 },
	{ "memory", KEY_MEMORY, "N", 0,
	  "At each interval, forget 1/N of the wait of an idle virtual network "
	  "(default 16; 0: all at once)",
	  0 },
	{ "once", KEY_ONCE, NULL, 0, "Print the choice of one interval, and end", 0 },
	{ "json", KEY_JSON, NULL, 0, "Print each interval as a line of JSON", 0 },
	{ "adapter", KEY_ADAPTER, "NAME", 0, "Adapter (default: the first that is up)", 0 },
	{ "port", KEY_PORT, "N", 0, "Its port (default: the first that is up)", 0 },
	{ "m-key", KEY_M_KEY, "KEY", 0, "M_Key of the subnet (default 0)", 0 },
	{ "timeout", KEY_TIMEOUT, "MS", 0, "Time for one answer (default 1000)", 0 },
	{ 0 }
};

static error_t parse_interval(const struct argp_state *state, const char *text, uint64_t *ns)
{
	struct hd_error err;

	if (hd_parse_duration(text, "--interval", ns, &err))
		return hd_usage_error(state, "%s", err.text);
	if (*ns < SHORTEST_INTERVAL || *ns > LONGEST_INTERVAL)
		return hd_usage_error(state, "--interval: %s is not in 1ms..1h", text);
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	struct hd_agent_options *agent = &arguments->agent;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &agent->common);
		return 0;
	case KEY_ADAPTER:
		agent->mads.adapter = arg;
		return 0;
	case KEY_PORT:
		return hd_usage_number(state, "--port", arg, 1, HD_MAX_PORTS, &arguments->port);
	case KEY_M_KEY:
		return hd_usage_number(state, "--m-key", arg, 0, UINT64_MAX, &arguments->m_key);
	case KEY_TIMEOUT:
		return hd_usage_number(state, "--timeout", arg, 1, 100000, &arguments->timeout);
	case KEY_MEMORY:
		return hd_usage_number(state, "--memory", arg, 0, MOST_MEMORY, &arguments->memory);
	case KEY_INTERVAL:
		return parse_interval(state, arg, &agent->interval);
	case KEY_PAGE:
		arguments->page = arg;
		return 0;
	case KEY_ONCE:
		agent->once = true;
		return 0;
	case KEY_JSON:
		agent->json = true;
		return 0;
	case ARGP_KEY_ARG:
	case ARGP_KEY_END:
		return hd_usage_argument(state, key, "SNAPSHOT|PATH-SL", arg, &agent->path_sls);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &hd_common_argp }, { 0 } };

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "SNAPSHOT|PATH-SL",
	.doc = "Chooses the virtual network for the packets of this host, and writes the choice to "
	       "a page that programs read: the virtual network whose lanes waited less for credits "
	       "at this host's port in the last interval. A snapshot or a path-sl.dump says which "
	       "LIDs and SLs belong to which virtual network.\v"
	       "Example:\n"
	       "  heddle agent /etc/heddle/path-sl.dump --once --json",
	.children = children,
};

/* Waits for @ns, or a signal that ends the agent; true: there was one. */
static bool wait_for_signal(const sigset_t *ends, uint64_t ns)
{
	const struct timespec time = { .tv_sec = (time_t)(ns / NS_PER_S),
				       .tv_nsec = (long)(ns % NS_PER_S) };

	return sigtimedwait(ends, NULL, &time) > 0;
}

/* Steps at whole intervals from the beginning; those that a slow port misses are left out. */
static void keep(struct hd_agent *agent, const sigset_t *ends)
{
	const uint64_t interval = agent->options->interval;
	uint64_t next = hd_networks_now();
	bool is_first = true;

	for (;;) {
		uint64_t now;

		hd_agent_step(agent);
		if (!is_first && (agent->options->once || agent->options->json))
			hd_agent_print(agent);
		if (!is_first && agent->options->once)
			return;
		is_first = false;
		now = hd_networks_now();
		do
			next += interval;
		while (next <= now);
		if (wait_for_signal(ends, next - now))
			return;
	}
}

static int run_agent(const struct hd_agent_options *agent_options)
{
	struct hd_agent agent;
	struct hd_error err;
	sigset_t ends;
	int ret;

	/* blocked, so that each interval and the page are finished first */
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	/*
	 * a limit on the size of files (RLIMIT_FSIZE) is an error of the page's, and ends nothing
	 */
	signal(SIGXFSZ, SIG_IGN);
	ret = hd_agent_open(&agent, agent_options, &err);
	if (!ret)
		keep(&agent, &ends);
	hd_agent_close(&agent);
	if (ret)
		return hd_command_fail(&err);
	return agent_options->once && agent.chosen == HD_NETWORKS_ANY ? HD_EXIT_NO : HD_EXIT_YES;
}

static int run(int argc, char **argv)
{
	struct arguments arguments = {
		.agent.interval = DEFAULT_INTERVAL,
		.timeout = 1000,
		.memory = DEFAULT_MEMORY,
	};
	struct hd_agent_options *agent = &arguments.agent;

	if (hd_command_parse(&argp, argc, argv, &arguments))
		return HD_EXIT_UNUSABLE;
	agent->page = arguments.page ? arguments.page : agent->once ? NULL : HD_NETWORKS_PATH;
	agent->memory = (unsigned)arguments.memory;
	agent->mads.port = (int)arguments.port;
	agent->mads.m_key = arguments.m_key;
	agent->mads.timeout_ms = (unsigned)arguments.timeout;
	agent->mads.tries = 1;
	agent->mads.window = 1;
	return run_agent(agent);
}

const struct hd_command hd_command_agent = {
	.name = "agent",
	.summary = "tell programs which virtual network this host should prefer",
	.run = run,
};
