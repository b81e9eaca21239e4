// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle SUBCOMMAND: finds the subcommand, and sees that nothing written to stdout is lost. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "support/ended.h"
#include "tools/command.h"

static const struct hd_command *const commands[] = {
	&hd_command_topo, &hd_command_plan,    &hd_command_route,  &hd_command_check,
	&hd_command_show, &hd_command_diff,    &hd_command_faults, &hd_command_sim,
	&hd_command_qos,  &hd_command_convert, &hd_command_setup,  &hd_command_report,
#ifdef HAVE_IBNETDISC
	&hd_command_dump, &hd_command_watch,   &hd_command_agent,
#endif
	&hd_command_list,
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

/* The command line up to the subcommand. */
struct arguments {
	struct hd_common common;
	const struct hd_command *command;
	int index; /* of the subcommand in argv */
};

static const struct hd_command *find_command(const char *name)
{
	for (size_t i = 0; i < N_COMMANDS; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &arguments->common);
		return 0;
	case ARGP_KEY_ARG:
		arguments->command = find_command(arg);
		if (!arguments->command)
			return hd_usage_error(state, "no subcommand '%s' (see heddle --help)", arg);
		arguments->index = state->next - 1;
		state->next = state->argc; /* the subcommand parses the rest */
		return 0;
	case ARGP_KEY_NO_ARGS:
		return hd_usage_error(state, "no subcommand given (see heddle --help)");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/*
 * Lists the subcommands with their summaries, in the place of a marker in the text behind the
 * options.
 */
static char *list_commands(int key, const char *text, void *input)
{
	char *filled;
	size_t size;
	FILE *stream;

	(void)input;
	if (key != ARGP_KEY_HELP_POST_DOC)
		return (char *)text;
	stream = open_memstream(&filled, &size);
	if (!stream)
		return NULL;
	fputs("Subcommands:\n", stream);
	for (size_t i = 0; i < N_COMMANDS; i++)
		fprintf(stream, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
	fputs(text, stream);
	return fclose(stream) == 0 ? filled : NULL;
}

static const struct argp_child children[] = { { .argp = &hd_common_argp }, { 0 } };

static const struct argp argp = {
	.parser = parse,
	.args_doc = "SUBCOMMAND [ARGUMENT...]",
	.doc = "Routes and lanes for InfiniBand fabrics: computes tables, proves that they have no "
	       "credit loop, reads, compares and simulates them.\v"
	       "\n"
	       "`heddle SUBCOMMAND --help' says more; so does the manual page heddle(1).\n"
	       "\n"
	       "Example:\n"
	       "  heddle route dragonfly:a=4,p=2,h=2 -e dla -o snapshot\n"
	       "  heddle check snapshot",
	.children = children,
	.help_filter = list_commands,
};

/*
 * Opens those of the first three descriptors that the caller left closed, so that no other file
 * becomes stdout by accident. They are opened in the wrong direction, so that using them fails.
 */
static void occupy_standard_streams(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
			exit(HD_EXIT_UNUSABLE);
}

static void complain_of_stdout(void)
{
	if (errno)
		fprintf(stderr, PACKAGE_NAME ": <stdout>: cannot write: %s\n", strerror(errno));
	else
		fputs(PACKAGE_NAME ": <stdout>: cannot write\n", stderr);
}

/* Flushes stdout, whose text may not fit the disk, or have no reader. False: that was told. */
static bool flush_stdout(void)
{
	bool failed = ferror(stdout);

	errno = 0;
	failed |= fflush(stdout) != 0;
	if (!failed)
		return true;
	complain_of_stdout();
	clearerr(stdout);
	__fpurge(stdout);
	return false;
}

/* --help and --version exit by themselves: this checks their output, too. */
static void close_stdout(void)
{
	bool whole = flush_stdout();

	errno = 0;
	if (fclose(stdout) && whole) {
		complain_of_stdout();
		whole = false;
	}
	if (!whole)
		_exit(HD_EXIT_UNUSABLE);
}

int main(int argc, char **argv)
{
	static char program[] = PACKAGE_NAME;
	struct arguments arguments = { 0 };
	char name[64];
	int ret;

	occupy_standard_streams();
	hd_ended_remove_temporary();
	signal(SIGPIPE, SIG_IGN); /* a write that fails is reported instead */
	if (atexit(close_stdout))
		return HD_EXIT_UNUSABLE;
	if (argc > 0)
		argv[0] = program;
	ret = argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &arguments);
	if (ret)
		return HD_EXIT_UNUSABLE;
	snprintf(name, sizeof(name), PACKAGE_NAME " %s", arguments.command->name);
	argv[arguments.index] = name;
	ret = arguments.command->run(argc - arguments.index, argv + arguments.index);
	return flush_stdout() ? ret : HD_EXIT_UNUSABLE;
}
