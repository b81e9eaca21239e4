/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Subcommands of heddle: each is one file that exports a const struct hd_command, listed in
 * tools/main.c and nowhere else; and what they all share: options, exit codes, messages.
 */
#ifndef HD_TOOLS_COMMAND_H
#define HD_TOOLS_COMMAND_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

struct hd_error;

enum hd_exit {
	HD_EXIT_YES = 0,      /* done; sound; the same */
	HD_EXIT_NO = 1,       /* unsound; different; an engine refuses */
	HD_EXIT_UNUSABLE = 2, /* bad usage or input, output that cannot be written */
};

struct hd_command {
	const char *name;
	const char *summary; /* one line */
	/* @argv[0] is "heddle NAME". Returns an enum hd_exit. */
	int (*run)(int argc, char **argv);
};

extern const struct hd_command hd_command_agent;
extern const struct hd_command hd_command_check;
extern const struct hd_command hd_command_convert;
extern const struct hd_command hd_command_diff;
extern const struct hd_command hd_command_dump;
extern const struct hd_command hd_command_faults;
extern const struct hd_command hd_command_list;
extern const struct hd_command hd_command_plan;
extern const struct hd_command hd_command_qos;
extern const struct hd_command hd_command_report;
extern const struct hd_command hd_command_route;
extern const struct hd_command hd_command_setup;
extern const struct hd_command hd_command_show;
extern const struct hd_command hd_command_sim;
extern const struct hd_command hd_command_topo;
extern const struct hd_command hd_command_watch;

/*
 * -v, --quiet, --strict, --node-name-map: hd_common_argp is the child of every subcommand's argp,
 * with this as its input.
 */
struct hd_common {
	bool verbose;
	bool quiet;
	bool strict;
	const char *name_map; /* NULL: none */
};

extern const struct argp hd_common_argp;

/* Keys of options without a letter. */
enum {
	HD_KEY_QUIET = 0x1000, /* hd_common_argp has this one and the next three */
	HD_KEY_NAME_MAP,
	HD_KEY_STRICT,
	HD_KEY_VERSION,
	HD_KEY_OWN, /* the first of a subcommand's own */
};

/* What @argp's parser must do with ARGP_KEY_INIT when hd_common_argp is its only child. */
static inline void hd_command_init(struct argp_state *state, struct hd_common *common)
{
	state->child_inputs[0] = common;
}

/* Parses; on bad usage, one line has been written to stderr. Returns 0 or HD_EXIT_UNUSABLE. */
int hd_command_parse(const struct argp *argp, int argc, char **argv, void *input);

/* Writes one line about bad usage; returns what an argp parser returns then. */
error_t hd_usage_error(const struct argp_state *state, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* @text, the argument of option @what, as a number in @min .. @max; or hd_usage_error(). */
error_t hd_usage_number(const struct argp_state *state, const char *what, const char *text,
			uint64_t min, uint64_t max, uint64_t *value);

/*
 * What the parser of a subcommand does with ARGP_KEY_ARG and ARGP_KEY_END. @names, ended by NULL,
 * are the arguments in its usage; the next of @values becomes @arg. hd_usage_error() when there are
 * more than @names, or fewer than @least at the end.
 */
error_t hd_usage_arguments(const struct argp_state *state, int key, const char *const *names,
			   unsigned least, const char *arg, const char **values);

/* The same where there is one argument, @name, and it must be given. */
error_t hd_usage_argument(const struct argp_state *state, int key, const char *name,
			  const char *arg, const char **value);

/* Writes @err as one line; returns HD_EXIT_NO for a refusal, otherwise HD_EXIT_UNUSABLE. */
int hd_command_fail(const struct hd_error *err);

/* Whether stderr is a terminal that can clear a line, and not --quiet. */
bool hd_shows_progress(const struct hd_common *common);

/* One line on stderr, unless --quiet. */
void hd_note(const struct hd_common *common, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The same, with --verbose only. */
void hd_note_verbose(const struct hd_common *common, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
