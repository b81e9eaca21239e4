// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/topology.h"

#include <string.h>

#include "support/error.h"
#include "support/options.h"

const struct hd_registry hd_topologies = {
	.singular = "topology",
	.plural = "topologies",
	.policies =
		(const struct hd_policy *const[]){
			&hd_topology_director.policy,
			&hd_topology_dragonfly.policy,
			&hd_topology_dragonflyplus.policy,
			&hd_topology_hyperx.policy,
			&hd_topology_jellyfish.policy,
			&hd_topology_kns.policy,
			&hd_topology_mesh.policy,
			&hd_topology_multiplane.policy,
			&hd_topology_oft.policy,
			&hd_topology_pgft.policy,
			&hd_topology_polarfly.policy,
			&hd_topology_slimfly.policy,
			&hd_topology_torus.policy,
			&hd_topology_tree.policy,
			NULL,
		},
};

bool hd_topology_is_spec(const char *text)
{
	return hd_policy_of_spec(&hd_topologies, text) != NULL;
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
	const struct hd_policy *policy;
	const struct hd_topology *topology;
	struct hd_params *params;
	int ret = hd_policy_parse(&hd_topologies, spec, &policy, &params, err);

	*fabric = NULL;
	if (!policy)
		return ret;
	topology = (const struct hd_topology *)policy;
	if (!ret)
		ret = topology->build(params, fabric, err);
	if (ret)
		name_in_error(topology, ret, err);
	hd_params_free(params);
	return ret;
}
