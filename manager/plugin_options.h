/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * event_plugin_options of opensm.conf: blank-separated "key=value" for every engine that knows the
 * key, "ENGINE.key=value" for one. docs/opensm.md lists the keys.
 */
#ifndef HD_MANAGER_PLUGIN_OPTIONS_H
#define HD_MANAGER_PLUGIN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "engines/engine.h"

struct hd_error;

/* The settings of one engine. Zero and NULL: not given. */
struct hd_engine_settings {
	char *layers; /* layer rule */
	char *queues; /* queue rule, "xordet:4" */
	char *vlarb;  /* VL arbitration, "flows" */
	unsigned max_vls;
	bool unchecked; /* check=off */
	bool check_given;
	struct hd_params *params; /* of engine->policy.options; NULL when it has none */
};

/* How new tables get into a fabric in use (change/rollout.h). */
enum hd_transition_mode { HD_TRANSITION_ROUNDS, HD_TRANSITION_DROP, HD_TRANSITION_OFF };

struct hd_plugin_options {
	bool transition_given;
	enum hd_transition_mode transition;
	bool pause_given;
	unsigned pause_ms; /* between rounds: packets of the one before leave the fabric */
	bool reroute_given;
	bool reroute_fresh; /* lanes are made anew at every change (engines/stable_lanes.h) */
	bool threads_given;
	unsigned threads; /* for routes and proofs; 0: as many as OpenMP takes */
	char *classes;    /* the class file; NULL: none */
	char *status;     /* the status file (manager/status_file.h); NULL: none */
	bool strict_given;
	bool is_lenient;   /* strict=off */
	char misread[256]; /* what is wrong with the first word about lanes or shares; "": none */
	size_t n_engines;
	struct hd_engine_settings *engines; /* in the order of hd_engines */
};

/*
 * Whether @names, the value of event_plugin_name (NULL: none), names one plug-in at most. All
 * plug-ins read the same option string: unknown keys may belong to another one.
 */
bool hd_plugin_is_alone(const char *names);

/* Gets what is wrong with a word, in one line. */
typedef void (*hd_options_complain_fn)(void *context, const char *text);

/*
 * Parses @text (NULL: nothing given). A word that makes no sense - an unknown key, a value that is
 * none, a key given twice for an engine - is told to @complain, with @context, and left out: a typo
 * is no reason to hand the subnet to OpenSM's minhop. What is wrong with a word about lanes or
 * shares is in @options->misread, too: without that word, tables are not those that the site wants.
 * Unless @strict, words that no engine knows are nothing to complain about: other plug-ins read the
 * same text. Clear @options with hd_plugin_options_clear() whatever the outcome. HD_ENOMEM.
 */
int hd_plugin_options_parse(const char *text, bool strict, struct hd_plugin_options *options,
			    hd_options_complain_fn complain, void *context, struct hd_error *err);

/*
 * Whether engines refuse where what the site says of lanes and shares cannot be had, in place of
 * routing without it: unless it says strict=off.
 */
bool hd_plugin_options_are_strict(const struct hd_plugin_options *options);

/* Whether @list, the words of routing_engine or NULL, has @name. */
bool hd_engine_is_listed(const char *list, const char *name);

void hd_plugin_options_clear(struct hd_plugin_options *options);

#endif
