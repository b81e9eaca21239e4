// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* simfabric: the emulated fabric as a program. */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fabric/reading.h"
#include "simfabric/arguments.h"
#include "simfabric/child.h"
#include "simfabric/console_stream.h"
#include "simfabric/emulator/history_writer.h"
#include "simfabric/emulator/ring.h"
#include "simfabric/emulator/stock.h"
#include "simfabric/traffic/carried.h"
#include "simfabric/script.h"
#include "simfabric/server.h"
#include "support/error.h"
#include "support/printable.h"
#include "tables/open.h"

#define GRACE_SECONDS 10 /* seconds between asking COMMAND to end and killing it */

struct program {
	struct hd_arguments arguments;
	char name[64]; /* of the sockets */
	char host[32]; /* SIM_HOST of COMMAND */
	unsigned verbose;

	struct hd_fabric *fabric;
	struct hd_server *server;
	struct hd_access access;
	struct hd_stock *stock;
	struct hd_ring_server *rings;
	struct hd_carried *carried;
	struct hd_history *history;
	struct hd_console console;
	struct hd_streams *streams;
	struct hd_script *script;

	struct hd_child child;
	bool running; /* COMMAND is running */
	int status;
	struct rlimit files; /* the limit of open files before it was raised */
	double used_before;  /* CPU seconds until the fabric was ready */
};

static void __attribute__((format(printf, 1, 2))) say(const char *format, ...)
{
	char text[2048];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(stderr, "simfabric: %s\n", hd_make_printable(text));
}

static int fail(const struct hd_error *err)
{
	char text[1100];

	say("%s", hd_error_format(err, text, sizeof(text)));
	return HD_SIMFABRIC_UNUSABLE;
}

static double cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void say_client(void *context, const char *line)
{
	const struct program *program = context;

	if (program->verbose)
		say("%s", line);
}

static void say_event(void *context, const char *line, bool failed)
{
	const struct program *program = context;

	if (failed || program->verbose > 1)
		say("%s", line);
}

static void quit(void *context)
{
	struct program *program = context;

	if (program->running)
		kill(program->child.pid, SIGTERM);
	else
		hd_server_stop(program->server);
}

static void reap_child(struct program *program)
{
	int status;

	if (!program->running || waitpid(program->child.pid, &status, WNOHANG) <= 0)
		return;
	program->running = false;
	program->status = hd_child_exit_status(status);
	hd_server_stop(program->server);
}

/*
 * Asks COMMAND to end, and gives it some time; the fabric stays, since COMMAND may need it for
 * that.
 */
static void end_child(struct program *program, const struct signalfd_siginfo *info)
{
	/* a signal of the terminal goes to COMMAND, too */
	if (info->ssi_code <= 0)
		kill(program->child.pid, (int)info->ssi_signo);
	alarm(GRACE_SECONDS);
}

static void caught(void *context, const struct signalfd_siginfo *info)
{
	struct program *program = context;

	switch (info->ssi_signo) {
	case SIGCHLD:
		reap_child(program);
		break;
	case SIGALRM:
		if (program->running)
			kill(program->child.pid, SIGKILL);
		break;
	default:
		if (program->running)
			end_child(program, info);
		else
			hd_server_stop(program->server);
	}
}

static int catch_signals(struct program *program, struct hd_error *err)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGALRM };
	sigset_t mask;

	sigemptyset(&mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaddset(&mask, signals[i]);
	return hd_server_catch(program->server, &mask, caught, program, err);
}

static int serve_clients(struct program *program, struct hd_error *err)
{
	int ret;
	const struct hd_arguments *arguments = &program->arguments;
	struct hd_stock_options options = {
		.name = program->name,
		.inet = arguments->inet,
		.listen = arguments->listen,
		.access = &program->access,
		.say = say_client,
		.context = program,
	};

	if (arguments->name && strlen(arguments->name) >= sizeof(program->name))
		return hd_error_set(err, HD_EINVAL, "a socket name has at most %zu bytes",
				    sizeof(program->name) - 1);
	if (arguments->name)
		snprintf(program->name, sizeof(program->name), "%s", arguments->name);
	else if (arguments->command)
		snprintf(program->name, sizeof(program->name), "simfabric-%d", (int)getpid());
	else
		snprintf(program->name, sizeof(program->name), "sim");
	ret = hd_stock_new(hd_server_emulator(program->server), hd_server_clients(program->server),
			   hd_server_loop(program->server), &options, &program->stock, err);
	if (ret)
		return ret;
	/* clients of the own umad library: libsimfabric-umad */
	return hd_ring_server_new(hd_server_emulator(program->server),
				  hd_server_clients(program->server), &program->access,
				  hd_server_loop(program->server), program->name, &program->rings,
				  err);
}

/* Finds the host by the GUID of its port, since names may be long, or belong to several nodes. */
static int find_host(struct program *program, struct hd_error *err)
{
	const struct hd_arguments *arguments = &program->arguments;
	uint32_t port;
	int ret = hd_clients_find_port(program->fabric, arguments->host ? arguments->host : "",
				       &port, err);

	if (!ret)
		snprintf(program->host, sizeof(program->host), "0x%016" PRIx64,
			 program->fabric->ports[port].guid);
	return ret;
}

/* Reads the script, begins to catch signals, and opens the console's socket. */
static int open_console(struct program *program, struct hd_error *err)
{
	const struct hd_arguments *arguments = &program->arguments;
	int ret = 0;

	program->console = (struct hd_console){
		.emulator = hd_server_emulator(program->server),
		.clients = hd_server_clients(program->server),
		.carried = program->carried,
		.verbose = &program->verbose,
		.quit = quit,
		.context = program,
	};
	if (arguments->script)
		ret = hd_script_read(&program->console, arguments->script, &program->script, err);
	/* who sees the socket may send a signal at once, and the socket must not outlive it */
	if (!ret)
		ret = catch_signals(program, err);
	if (!ret && arguments->console)
		ret = hd_streams_new(hd_server_loop(program->server), &program->console,
				     &program->streams, err);
	if (!ret && arguments->console && strcmp(arguments->console, "-") != 0)
		ret = hd_streams_listen(program->streams, arguments->console, err);
	return ret;
}

/* Reads the fabric, and says on stderr what is odd about its file. */
static int open_fabric(struct program *program, struct hd_error *err)
{
	struct hd_reading how = { .strict = program->arguments.strict };
	char *text = NULL, *rest;
	size_t size;
	int ret;

	how.notes = open_memstream(&text, &size);
	if (!how.notes)
		return hd_error_nomem(err);
	ret = hd_fabric_open(program->arguments.fabric, &how, &program->fabric, err);
	if (fclose(how.notes) && !ret)
		ret = hd_error_nomem(err);
	rest = text;
	while (!ret && !program->arguments.quiet && rest && *rest)
		fprintf(stderr, "simfabric: %s\n", hd_make_printable(strsep(&rest, "\n")));
	free(text);
	return ret;
}

static int set_up(struct program *program, struct hd_error *err)
{
	int ret = open_fabric(program, err);

	if (!ret)
		ret = find_host(program, err);
	if (!ret)
		ret = hd_server_new(program->fabric, &program->arguments.options, &program->server,
				    err);
	if (!ret && program->arguments.history)
		ret = hd_history_start(hd_server_emulator(program->server),
				       program->arguments.history, &program->history, err);
	if (!ret) {
		program->carried = hd_carried_new(hd_server_emulator(program->server));
		ret = program->carried ? open_console(program, err) : hd_error_nomem(err);
	}
	return ret ? ret : serve_clients(program, err);
}

static void announce(const struct program *program)
{
	const struct hd_fabric *fabric = program->fabric;
	const struct hd_arguments *arguments = &program->arguments;
	FILE *stream = arguments->command ? stderr : stdout;

	if (arguments->quiet || (arguments->command && !program->verbose))
		return;
	fprintf(stream, "simfabric: ready, %u hosts, %u switches, socket %s",
		fabric->n_nodes - fabric->n_switches, fabric->n_switches, program->name);
	if (arguments->inet)
		fprintf(stream, ", UDP port %u", ntohs(arguments->listen.sin_port));
	fputc('\n', stream);
	fflush(stream);
}

/* Begins what needs the fabric to be ready: scripts, the console on standard input, COMMAND. */
static int begin(struct program *program, struct hd_error *err)
{
	const struct hd_arguments *arguments = &program->arguments;
	struct hd_child_options options = {
		.argv = arguments->command,
		.wrapper = arguments->wrapper,
		.name = program->name,
		.host = program->host,
		.files = program->files,
	};
	int ret = 0;

	if (program->script)
		ret = hd_script_start(program->script, say_event, program, err);
	announce(program);
	if (!ret && arguments->console && strcmp(arguments->console, "-") == 0)
		ret = hd_streams_add(program->streams, STDIN_FILENO, STDOUT_FILENO, err);
	if (!ret && arguments->command) {
		ret = hd_child_start(&options, &program->child, err);
		program->running = !ret;
	}
	return ret;
}

static void sum_up(const struct program *program)
{
	const struct hd_emulator *emulator = hd_server_emulator(program->server);
	double used = cpu_seconds() - program->used_before;

	if (!program->verbose || program->arguments.quiet)
		return;
	say("%" PRIu64 " MADs served, %" PRIu64 " answered by agents, %" PRIu64
	    " delivered to clients, %" PRIu64 " lost; %.3f CPU s, %.2f us per MAD",
	    emulator->mads_sent, emulator->mads_answered, emulator->mads_delivered,
	    emulator->mads_lost, used,
	    emulator->mads_sent ? 1e6 * used / (double)emulator->mads_sent : 0);
}

static int run(struct program *program, struct hd_error *err)
{
	int ret = set_up(program, err);

	if (ret)
		return ret;
	program->used_before = cpu_seconds();
	ret = begin(program, err);
	if (!ret)
		ret = hd_server_run(program->server, err);
	if (program->running) {
		kill(program->child.pid, SIGKILL);
		waitpid(program->child.pid, NULL, 0);
	}
	sum_up(program);
	return ret;
}

/*
 * Raises the limit of open files: a client takes a file or two. COMMAND gets the former limit back.
 */
static void raise_file_limit(struct program *program)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &program->files))
		return;
	limit = program->files;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void tear_down(struct program *program)
{
	struct hd_error err;

	hd_child_clean(&program->child);
	hd_streams_free(program->streams);
	hd_ring_server_free(program->rings);
	hd_stock_free(program->stock);
	hd_access_free(&program->access);
	hd_carried_free(program->carried);
	if (hd_history_end(program->history, &err))
		program->status = fail(&err);
	hd_server_free(program->server);
	hd_script_free(program->script);
	hd_fabric_free(program->fabric);
}

int main(int argc, char **argv)
{
	struct program program = { 0 };
	struct hd_error err;
	int ret;

	signal(SIGPIPE, SIG_IGN);
	if (hd_arguments_parse(argc, argv, &program.arguments))
		return HD_SIMFABRIC_UNUSABLE;
	program.access = program.arguments.access;
	raise_file_limit(&program);
	program.verbose = program.arguments.quiet ? 0 : program.arguments.verbose;
	ret = run(&program, &err);
	if (ret)
		program.status = fail(&err);
	tear_down(&program);
	return program.status;
}
