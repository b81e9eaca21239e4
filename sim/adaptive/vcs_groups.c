// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * VCs in groups: a queue rule says which group a packet has; vc_groups.h says the rest.
 */
#include <stdio.h>
#include <string.h>

#include "sim/adaptive/vc_groups.h"
#include "support/error.h"
#include "support/text.h"

static const struct hd_option options[] = {
	{ "groups", NULL, "",
	  "FUNCTION,G: a queue rule (heddle list queues) and a number of groups; vcs=V, VCs of all "
	  "groups (default G, one each); escape: behind them the tables' VLs, entered where "
	  "nothing "
	  "else has room, and left again; escape=stay: not left; hop=3/2 (dragonflies): every "
	  "group has the "
	  "VCs of that sequence, by default the routing's where that is not minimal" },
	{ 0 },
};

static int refuse(const char *spec, struct hd_error *err)
{
	return hd_error_set(
		err, HD_EINVAL,
		"'%.64s' is no VC rule: groups:FUNCTION,G with a queue rule and a number "
		"of groups, then vcs=V, escape, escape=stay or hop=L/G",
		spec);
}

/* The queue rule of @name and its number of queues. */
static int read_queues(const char *name, const char *number, struct hd_queues *queues,
		       const char *spec, struct hd_error *err)
{
	uint64_t n = 1;
	const char *end = number ? number + strlen(number) : NULL;

	queues->rule = (const struct hd_queue_rule *)hd_policy_find(&hd_queue_rules, name);
	if (!queues->rule)
		return hd_error_set(err, HD_EINVAL, "there is no queue rule '%.32s'", name);
	if (!number || !hd_scan_number(&number, end, 10, 1000, &n) || *number || !n)
		return refuse(spec, err);
	if (queues->rule->power_of_two && n & (n - 1))
		return hd_error_set(err, HD_EINVAL,
				    "%d groups: %s needs a power of two, as 2^%d = %d", (int)n,
				    name, 31 - __builtin_clz((unsigned)n),
				    1 << (31 - __builtin_clz((unsigned)n)));
	if (strcmp(name, "single") == 0 && n != 1)
		return hd_error_set(err, HD_EINVAL, "%d groups: single is one", (int)n);
	if (n > HD_MAX_VCS)
		return hd_error_set(err, HD_EINVAL, "%d groups: a port may have %u VCs", (int)n,
				    HD_MAX_VCS);
	queues->n_queues = (unsigned)n;
	return 0;
}

/* "vcs=8", "escape", "escape=stay", "hop=3/2" */
static int read_word(const char *word, struct hd_vcs *vcs, const char *spec, struct hd_error *err)
{
	struct hd_vc_groups *groups = &vcs->groups;
	uint64_t n;

	if (strncmp(word, "hop=", 4) == 0) {
		groups->by_hop = true;
		if (!vcs->n_places && hd_vcs_add_known(vcs, word + 4))
			return 0;
		return refuse(spec, err);
	}

	if (strcmp(word, "escape") == 0 || strcmp(word, "escape=stay") == 0) {
		groups->has_escape = true;
		groups->stays = word[strlen("escape")] == '=';
		return 0;
	}
	if (strncmp(word, "vcs=", 4) != 0)
		return refuse(spec, err);
	word += 4;
	if (!hd_scan_number(&word, word + strlen(word), 10, 1000, &n) || *word || !n)
		return refuse(spec, err);
	groups->n_vcs = (unsigned)n;
	return 0;
}

/* VCs are as many in each group. */
static int check_vcs(const struct hd_vc_groups *groups, struct hd_error *err)
{
	unsigned g = groups->queues.n_queues, v = groups->n_vcs;

	if (v > HD_MAX_VCS)
		return hd_error_set(err, HD_EINVAL, "%u VCs: a port may have %u", v, HD_MAX_VCS);
	if (v % g)
		return hd_error_set(
			err, HD_EINVAL,
			"%u VCs in %u groups: %u = %u x %u + %u, and groups have as many "
			"VCs each",
			v, g, v, g, v / g, v % g);
	return 0;
}

static int init(struct hd_vcs *vcs, const struct hd_params *params, const char *spec,
		struct hd_error *err)
{
	const char *text = hd_params_get(params, "groups");
	struct hd_vc_groups *groups = &vcs->groups;
	char words[96], *save = NULL, *name, *number;
	int ret;

	if (!text || strlen(text) >= sizeof(words))
		return refuse(spec, err);
	strcpy(words, text);
	name = strtok_r(words, ", ", &save);
	number = strtok_r(NULL, ", ", &save);
	ret = name ? read_queues(name, number, &groups->queues, spec, err) : refuse(spec, err);
	for (char *word; !ret && (word = strtok_r(NULL, ", ", &save));)
		ret = read_word(word, vcs, spec, err);
	if (ret)
		return ret;
	if (!groups->n_vcs)
		groups->n_vcs = groups->queues.n_queues;
	if (groups->by_hop && groups->has_escape)
		return hd_error_set(err, HD_EINVAL, "'%.64s': the VCs of a sequence need no escape",
				    spec);
	snprintf(vcs->text, sizeof(vcs->text), "groups:%s,%u vcs=%u%s",
		 groups->queues.rule->policy.name, groups->queues.n_queues, groups->n_vcs,
		 groups->stays        ? " escape=stay"
		 : groups->has_escape ? " escape"
				      : "");
	return check_vcs(groups, err);
}

const struct hd_vc_rule hd_vcs_groups = {
	.policy.name = "groups",
	.policy.summary = "the VCs of a group by a queue rule, and an escape behind them",
	.policy.reference = "Penaranda et al., XORDET and XORADAP (2017), sections 3 and 4",
	.policy.options = options,
	.policy.is_text = true,
	.init = init,
	.prepare = hd_groups_new,
};
