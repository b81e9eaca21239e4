// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/arguments.h"

#include <argp.h>
#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "support/duration.h"
#include "support/error.h"
#include "support/printable.h"
#include "support/text.h"

enum {
	KEY_LISTEN = 0x1000,
	KEY_ANY_USER,
	KEY_CLIENTS,
	KEY_CONSOLE,
	KEY_SCRIPT,
	KEY_HISTORY,
	KEY_HOST,
	KEY_WRAPPER,
	KEY_SWITCH_VLS,
	KEY_HOST_VLS,
	KEY_MTU,
	KEY_VLARB_CAP,
	KEY_TRAP_REPEAT,
	KEY_SEED,
	KEY_NO_OPTIONAL_COUNTERS,
	KEY_NO_OPTIMIZED_SL2VL,
	KEY_AR,
	KEY_STRICT,
	KEY_VERSION,
};

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "Clients:", 1 },
	{ "sockname", 's', "NAME", 0,
	  "Name of the sockets, IBSIM_SOCKNAME of clients (default sim; with COMMAND, a private "
	  "one)",
	  0 },
	{ "listen", KEY_LISTEN, "[ADDRESS:]PORT", 0,
	  "Serve clients over UDP too (ADDRESS defaults to 127.0.0.1)", 0 },
	{ "any-user", KEY_ANY_USER, NULL, 0,
	  "Serve other users' clients too (default: those of the same user and of root)", 0 },
	{ "clients-per-user", KEY_CLIENTS, "N", 0,
	  "Serve at most N clients of a user (default 4096)", 0 },
	{ "host", KEY_HOST, "NODE", 0,
	  "Where COMMAND runs: a name or GUID (default: first adapter)", 0 },
	{ "wrapper", KEY_WRAPPER, "own|stock|FILE", 0,
	  "Library that COMMAND preloads: libsimfabric-umad.so, libumad2sim.so of ibsim-utils "
	  "(default), or another",
	  0 },
	{ NULL, 0, NULL, 0, "What happens:", 2 },
	{ "console", KEY_CONSOLE, "PATH", 0,
	  "Take commands at this stream socket, or from standard input (-)", 0 },
	{ "script", KEY_SCRIPT, "FILE", 0, "Run commands at given times: lines `TIME COMMAND'", 0 },
	{ "history", KEY_HISTORY, "FILE", 0,
	  "Record there what happens to links, LIDs and tables (heddle check --history)", 0 },
	{ "seed", KEY_SEED, "S", 0, "Seed of random faults (default 1)", 0 },
	{ NULL, 0, NULL, 0, "Hardware:", 3 },
	{ "switch-vls", KEY_SWITCH_VLS, "N", 0,
	  "Data VLs of switch ports: 1, 2, 4, 8 or 15 (default: the fabric's)", 0 },
	{ "host-vls", KEY_HOST_VLS, "N", 0, "Data VLs of adapters", 0 },
	{ "mtu", KEY_MTU, "N", 0, "MTU of all ports: 256 .. 4096 bytes (default 2048)", 0 },
	{ "vlarb-cap", KEY_VLARB_CAP, "N", 0,
	  "Entries of each VL arbitration table: 1 .. 64 (default 8)", 0 },
	{ "trap-repeat", KEY_TRAP_REPEAT, "TIME", 0,
	  "Time between repetitions of a trap (default 1s; 0: none)", 0 },
	{ "no-optional-counters", KEY_NO_OPTIONAL_COUNTERS, NULL, 0,
	  "Nodes lack the optional performance counters", 0 },
	{ "no-optimized-sl2vl", KEY_NO_OPTIMIZED_SL2VL, NULL, 0,
	  "Switches do not take the wildcard form of SL2VL tables", 0 },
	{ "ar", KEY_AR, NULL, 0,
	  "Switches have the vendor's attributes of adaptive routing (default: they refuse them)",
	  0 },
	{ "strict", KEY_STRICT, NULL, 0,
	  "Refuse a netfile that is odd, rather than read what can be read of it", 0 },
	{ NULL, 0, NULL, 0, "Messages:", -1 },
	{ "quiet", 'q', NULL, 0, "Say nothing but errors", 0 },
	{ "verbose", 'v', NULL, 0,
	  "Say on stderr who comes and goes, and what a MAD cost; twice: scripts' answers too", 0 },
	{ "version", KEY_VERSION, NULL, 0, "Print the version and exit", 0 },
	{ 0 }
};

static error_t __attribute__((format(printf, 1, 2))) usage_error(const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(stderr, "simfabric: %s\n", hd_make_printable(text));
	return EINVAL;
}

static error_t parse_number(const char *what, const char *text, uint64_t min, uint64_t max,
			    uint64_t *value)
{
	struct hd_error err;

	return hd_parse_number(text, what, min, max, value, &err) ? usage_error("%s", err.text) : 0;
}

/* A number of the @n in @allowed. */
static error_t parse_one_of(const char *what, const char *text, const unsigned *allowed, size_t n,
			    unsigned *value)
{
	uint64_t number;

	if (parse_number(what, text, 0, UINT32_MAX, &number))
		return EINVAL;
	for (size_t i = 0; i < n; i++) {
		if (allowed[i] != number)
			continue;
		*value = allowed[i];
		return 0;
	}
	return usage_error("%s: %s is none of those that InfiniBand has (see --help)", what, text);
}

static error_t parse_vls(const char *what, const char *text, unsigned *value)
{
	static const unsigned allowed[] = { 1, 2, 4, 8, 15 };

	return parse_one_of(what, text, allowed, sizeof(allowed) / sizeof(*allowed), value);
}

static error_t parse_mtu(const char *text, struct hd_arguments *arguments)
{
	static const unsigned allowed[] = { 256, 512, 1024, 2048, 4096 };
	error_t ret = parse_one_of("--mtu", text, allowed, sizeof(allowed) / sizeof(*allowed),
				   &arguments->options.switches.mtu);

	arguments->options.adapters.mtu = arguments->options.switches.mtu;
	return ret;
}

static error_t parse_vlarb_cap(const char *text, struct hd_arguments *arguments)
{
	uint64_t number;

	if (parse_number("--vlarb-cap", text, 1, HD_VLARB_MAX, &number))
		return EINVAL;
	arguments->options.switches.vlarb_high = (unsigned)number;
	arguments->options.switches.vlarb_low = (unsigned)number;
	arguments->options.adapters.vlarb_high = (unsigned)number;
	arguments->options.adapters.vlarb_low = (unsigned)number;
	return 0;
}

static error_t parse_clients(const char *text, struct hd_arguments *arguments)
{
	uint64_t number;

	if (parse_number("--clients-per-user", text, 1, UINT32_MAX, &number))
		return EINVAL;
	arguments->access.per_user = (uint32_t)number;
	return 0;
}

static error_t parse_listen(const char *text, struct hd_arguments *arguments)
{
	const char *colon = strrchr(text, ':');
	char address[64] = "127.0.0.1";
	uint64_t port;

	if (colon)
		snprintf(address, sizeof(address), "%.*s", (int)(colon - text), text);
	arguments->inet = true;
	arguments->listen.sin_family = AF_INET;
	if (inet_pton(AF_INET, address, &arguments->listen.sin_addr) != 1)
		return usage_error("--listen: '%s' is no IPv4 address", address);
	if (parse_number("--listen", colon ? colon + 1 : text, 1, UINT16_MAX - 1, &port))
		return EINVAL;
	arguments->listen.sin_port = htons((uint16_t)port);
	return 0;
}

static error_t parse_hardware(int key, const char *arg, struct hd_arguments *arguments)
{
	struct hd_error err;

	switch (key) {
	case KEY_SWITCH_VLS:
		return parse_vls("--switch-vls", arg, &arguments->options.switches.vls);
	case KEY_HOST_VLS:
		return parse_vls("--host-vls", arg, &arguments->options.adapters.vls);
	case KEY_MTU:
		return parse_mtu(arg, arguments);
	case KEY_VLARB_CAP:
		return parse_vlarb_cap(arg, arguments);
	case KEY_TRAP_REPEAT:
		if (hd_parse_duration(arg, "--trap-repeat", &arguments->options.trap_repeat_ns,
				      &err))
			return usage_error("%s", err.text);
		return 0;
	case KEY_STRICT:
		arguments->strict = true;
		return 0;
	case KEY_NO_OPTIONAL_COUNTERS:
		arguments->options.no_optional_counters = true;
		return 0;
	case KEY_AR:
		arguments->options.ar = true;
		return 0;
	case KEY_NO_OPTIMIZED_SL2VL:
		arguments->options.optimized_sl2vl = false;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t check_all(const struct hd_arguments *arguments)
{
	bool console = arguments->console && strcmp(arguments->console, "-") == 0;
	bool script = arguments->script && strcmp(arguments->script, "-") == 0;
	bool fabric;

	if (!arguments->fabric)
		return usage_error("no FABRIC given (see simfabric --help)");
	fabric = strcmp(arguments->fabric, "-") == 0;
	if (fabric + console + script > 1)
		return usage_error("only one of FABRIC, --console and --script can be '-'");
	if (console && arguments->command)
		return usage_error("standard input is COMMAND's: give --console a PATH");
	if (!arguments->command && (arguments->host || arguments->wrapper))
		return usage_error("%s is about a COMMAND, and none is given",
				   arguments->host ? "--host" : "--wrapper");
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct hd_arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		/* without this, argp returns errors and adds no line to simfabric's own */
		state->err_stream = NULL;
		return 0;
	case 's':
		arguments->name = arg;
		return 0;
	case 'q':
		arguments->quiet = true;
		return 0;
	case 'v':
		arguments->verbose++;
		return 0;
	case KEY_LISTEN:
		return parse_listen(arg, arguments);
	case KEY_ANY_USER:
		arguments->access.any_user = true;
		return 0;
	case KEY_CLIENTS:
		return parse_clients(arg, arguments);
	case KEY_CONSOLE:
		arguments->console = arg;
		return 0;
	case KEY_SCRIPT:
		arguments->script = arg;
		return 0;
	case KEY_HOST:
		arguments->host = arg;
		return 0;
	case KEY_WRAPPER:
		arguments->wrapper = arg;
		return 0;
	case KEY_HISTORY:
		arguments->history = arg;
		return 0;
	case KEY_SEED:
		return parse_number("--seed", arg, 0, UINT64_MAX, &arguments->options.seed);
	case KEY_VERSION:
		puts("simfabric " PACKAGE_VERSION);
		exit(0);
	case ARGP_KEY_ARG:
		if (arguments->fabric)
			return usage_error("one FABRIC, not also '%s' (a COMMAND follows --)", arg);
		arguments->fabric = arg;
		return 0;
	case ARGP_KEY_END:
		return check_all(arguments);
	default:
		return parse_hardware(key, arg, arguments);
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "FABRIC [-- COMMAND [ARGUMENT...]]",
	.doc = "An emulated InfiniBand fabric, on which OpenSM, infiniband-diags and every other "
	       "program that uses libibumad run unchanged. FABRIC is a netfile (- for standard "
	       "input), a spec such as dragonfly:a=4,p=2,h=2, or a snapshot directory. With "
	       "COMMAND, "
	       "the fabric is there while COMMAND runs on it, and its exit status is passed on."
	       "\v"
	       "Examples:\n"
	       "  simfabric dragonfly:a=4,p=2,h=2 -- opensm -o\n"
	       "  simfabric dragonfly:a=4,p=2,h=2 --script faults -- opensm\n"
	       "  simfabric fabric.net -s lab --console -\n",
};

int hd_arguments_parse(int argc, char **argv, struct hd_arguments *arguments)
{
	static char program[] = "simfabric";
	int n = 1;

	*arguments = (struct hd_arguments){ 0 };
	hd_access_init(&arguments->access);
	hd_emulator_options_init(&arguments->options);
	if (argc > 0)
		argv[0] = program;
	/* argp would take COMMAND's options for options of simfabric */
	while (n < argc && strcmp(argv[n], "--") != 0)
		n++;
	if (n < argc) {
		if (n + 1 == argc) {
			usage_error("no COMMAND after --");
			return HD_SIMFABRIC_UNUSABLE;
		}
		arguments->command = argv + n + 1;
		argc = n;
	}
	return argp_parse(&argp, argc, argv, 0, NULL, arguments) ? HD_SIMFABRIC_UNUSABLE : 0;
}
