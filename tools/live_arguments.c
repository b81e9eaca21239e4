// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/live_arguments.h"

#include "fabric/fabric.h"

enum {
	KEY_ADAPTER = HD_KEY_OWN,
	KEY_PORT,
	KEY_M_KEY,
	KEY_TIMEOUT,
	KEY_TRIES,
	KEY_WINDOW,
	KEY_NO_PATH_SLS,
};

static const struct argp_option options[] = {
	{ "adapter", KEY_ADAPTER, "NAME", 0,
	  "Adapter to ask through (default: the first that is up)", 0 },
	{ "port", KEY_PORT, "N", 0, "Its port (default: the first that is up)", 0 },
	{ "m-key", KEY_M_KEY, "KEY", 0, "M_Key of the subnet (default 0)", 0 },
	{ "timeout", KEY_TIMEOUT, "MS", 0, "Time for one answer (default 1000)", 0 },
	{ "tries", KEY_TRIES, "N", 0, "How often to ask (default 3)", 0 },
	{ "window", KEY_WINDOW, "N", 0, "Questions under way at once, 1-64 (default 16)", 0 },
	{ "no-path-sls", KEY_NO_PATH_SLS, NULL, 0,
	  "Do not ask the subnet administration for path SLs", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct hd_live_arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		*arguments =
			(struct hd_live_arguments){ .timeout = 1000, .tries = 3, .window = 16 };
		return 0;
	case KEY_ADAPTER:
		arguments->adapter = arg;
		return 0;
	case KEY_PORT:
		return hd_usage_number(state, "--port", arg, 1, HD_MAX_PORTS, &arguments->port);
	case KEY_M_KEY:
		return hd_usage_number(state, "--m-key", arg, 0, UINT64_MAX, &arguments->m_key);
	case KEY_TIMEOUT:
		return hd_usage_number(state, "--timeout", arg, 1, 100000, &arguments->timeout);
	case KEY_TRIES:
		return hd_usage_number(state, "--tries", arg, 1, 100, &arguments->tries);
	case KEY_WINDOW:
		return hd_usage_number(state, "--window", arg, 1, HD_MADS_MAX_WINDOW,
				       &arguments->window);
	case KEY_NO_PATH_SLS:
		arguments->no_path_sls = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp hd_live_argp = { .options = options, .parser = parse };

struct hd_live_options hd_live_options_of(const struct hd_live_arguments *arguments)
{
	return (struct hd_live_options){
		.mads = { .adapter = arguments->adapter,
			  .port = (int)arguments->port,
			  .m_key = arguments->m_key,
			  .timeout_ms = (unsigned)arguments->timeout,
			  .tries = (unsigned)arguments->tries,
			  .window = (unsigned)arguments->window },
		.path_sls = !arguments->no_path_sls,
	};
}
