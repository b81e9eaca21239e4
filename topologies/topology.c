// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/topology.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/options.h"

extern const struct hd_topology hd_topology_dragonfly;
extern const struct hd_topology hd_topology_hyperx;
extern const struct hd_topology hd_topology_kns;
extern const struct hd_topology hd_topology_mesh;
extern const struct hd_topology hd_topology_torus;
extern const struct hd_topology hd_topology_tree;

const struct hd_registry hd_topologies = {
	.singular = "topology",
	.plural = "topologies",
	.policies =
		(const struct hd_policy *const[]){
			&hd_topology_dragonfly.policy,
			&hd_topology_hyperx.policy,
			&hd_topology_kns.policy,
			&hd_topology_mesh.policy,
			&hd_topology_torus.policy,
			&hd_topology_tree.policy,
			NULL,
		},
};

bool hd_topology_is_spec(const char *text)
{
	return hd_policy_of_spec(&hd_topologies, text) != NULL;
}

/*
 * The end of the item that begins at @item: the next comma that no parenthesis encloses, or the end
 * of the text. NULL when parentheses do not match.
 */
static char *item_end(char *item)
{
	unsigned depth = 0;

	for (; *item; item++) {
		if (*item == '(')
			depth++;
		else if (*item == ')' && depth-- == 0)
			return NULL;
		else if (*item == ',' && depth == 0)
			break;
	}
	return depth ? NULL : item;
}

/* Sets what @items ("8x8,p=1") says; writes on @items. */
static int set_params(const struct hd_topology *topology, struct hd_params *params, char *items,
		      struct hd_error *err)
{
	char *item = items;

	for (;;) {
		char *end = item_end(item);
		bool last;
		int ret;

		if (!end)
			return hd_error_set(err, HD_EINVAL, "%s: parentheses do not match in '%s'",
					    topology->policy.name, item);
		last = *end == '\0';
		*end = '\0';
		if (!*item)
			return hd_error_set(err, HD_EINVAL, "%s: an option is empty",
					    topology->policy.name);
		if (item == items && topology->positional && !strchr(item, '='))
			ret = hd_params_set(params, topology->policy.name, topology->positional,
					    item, err);
		else
			ret = hd_params_set_pair(params, topology->policy.name, item, err);
		if (ret || last)
			return ret;
		item = end + 1;
	}
}

/* Puts the topology's name before a message that lacks it. */
static void name_in_error(const struct hd_topology *topology, int ret, struct hd_error *err)
{
	char text[sizeof(err->text)];

	if (!err || ret == HD_ENOMEM ||
	    strncmp(err->text, topology->policy.name, strlen(topology->policy.name)) == 0)
		return;
	memcpy(text, err->text, sizeof(text));
	hd_error_set(err, ret, "%s: %s", topology->policy.name, text);
}

int hd_topology_build(const char *spec, struct hd_fabric **fabric, struct hd_error *err)
{
	size_t length = strcspn(spec, ":");
	const struct hd_topology *topology =
		(const struct hd_topology *)hd_policy_of_spec(&hd_topologies, spec);
	struct hd_params *params;
	char *items;
	int ret = 0;

	*fabric = NULL;
	for (const char *at = spec; *at; at++) /* messages quote the spec, and are one line */
		if (iscntrl((unsigned char)*at))
			return hd_error_set(err, HD_EINVAL, "a control character in a topology");
	if (!topology)
		return hd_error_set(err, HD_EINVAL, "there is no topology '%.*s'",
				    length > 64 ? 64 : (int)length, spec);
	params = hd_params_new(topology->policy.options);
	items = strdup(spec[length] ? spec + length + 1 : "");
	if (!params || !items)
		ret = hd_error_nomem(err);
	if (!ret && *items)
		ret = set_params(topology, params, items, err);
	if (!ret)
		ret = topology->build(params, fabric, err);
	if (ret)
		name_in_error(topology, ret, err);
	free(items);
	hd_params_free(params);
	return ret;
}
