/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Things that users choose by name. Each kind has a struct that begins with a struct hd_policy;
 * each file exports one const object of such a struct, and a registry lists all of a kind.
 */
#ifndef HD_SUPPORT_POLICY_H
#define HD_SUPPORT_POLICY_H

#include "support/options.h"

struct hd_policy {
	const char *name;
	const char *summary;             /* one line */
	const char *reference;           /* paper and section; NULL: none */
	const struct hd_option *options; /* NULL: none */
	unsigned n_bare;                 /* the first n_bare options may be given as values alone,
					    in order: "torus:8x8" */
	bool is_text; /* there is one option, and all that follows the name is its value */
};

struct hd_registry {
	const char *singular;                    /* "arbiter" */
	const char *plural;                      /* as `heddle list` has it; NULL: not listed */
	const struct hd_policy *const *policies; /* by name, ended by NULL */
};

/* The policy @name; NULL: there is none. */
const struct hd_policy *hd_policy_find(const struct hd_registry *registry, const char *name);

/* The policy that @spec, "NAME" or "NAME:...", names; NULL: there is none. */
const struct hd_policy *hd_policy_of_spec(const struct hd_registry *registry, const char *spec);

/*
 * Reads @spec, "NAME" or "NAME:value,key=value"; commas within parentheses do not separate. @params
 * gets the options, which the caller frees; NULL: they are checked only. HD_EINVAL: no such policy
 * (*@policy is NULL, @err lists the policies), or no such option; HD_ENOMEM.
 */
int hd_policy_parse(const struct hd_registry *registry, const char *spec,
		    const struct hd_policy **policy, struct hd_params **params,
		    struct hd_error *err);

#endif
