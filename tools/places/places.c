// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/places/places.h"

#include <inttypes.h>
#include <stdlib.h>

#include "support/error.h"
#include "topologies/no_hosts.h"

static int find(const struct hd_fabric *fabric, const char *groups, const char *no_hosts,
		struct hd_locality *locality, struct hd_error *err)
{
	uint64_t *group_of_switch = NULL;
	bool *no_host = NULL;
	int ret = 0;

	*locality = (struct hd_locality){ 0 };
	if (groups)
		ret = hd_dragonfly_read_groups(groups, fabric, &group_of_switch, err);
	if (!ret && no_hosts)
		ret = hd_no_hosts_find(fabric, no_hosts, &no_host, err);
	if (!ret)
		ret = hd_locality_find(fabric, group_of_switch, no_host, locality, err);
	free(group_of_switch);
	free(no_host);
	return ret;
}

static int refuse_nothing(const struct hd_locality *locality, struct hd_error *err)
{
	if (locality->n_machines)
		return 0;
	if (!locality->n_nameless)
		return hd_error_set(err, HD_EINVAL, "no host is linked to a switch");
	return hd_error_set(err, HD_EINVAL,
			    "no host: %" PRIu32 " adapters do not have the name of a host "
			    "(--node-name-map gives names)",
			    locality->n_nameless);
}

static void note(const struct hd_locality *locality, enum hd_place_form form,
		 const struct hd_common *common)
{
	uint32_t n_elsewhere = 0;

	if (locality->n_nameless)
		hd_note(common,
			"%" PRIu32 " adapters do not have the name of a host, and are left out",
			locality->n_nameless);
	if (locality->n_planes < 2 || form == HD_PLACES_YAML)
		return;
	for (uint32_t i = 0; i < locality->n_machines; i++)
		n_elsewhere += locality->place_of[i] == HD_NONE;
	hd_note(common,
		"the fabric has %" PRIu32 " planes: this is the first, and %" PRIu32
		" hosts are in others alone (--slurm yaml has all)",
		locality->n_planes, n_elsewhere);
}

int hd_places_print(const struct hd_fabric *fabric, enum hd_place_form form, const char *groups,
		    const char *no_hosts, const struct hd_common *common, struct hd_error *err)
{
	struct hd_locality locality;
	int ret = find(fabric, groups, no_hosts, &locality, err);

	if (!ret)
		ret = refuse_nothing(&locality, err);
	if (!ret)
		note(&locality, form, common);
	if (!ret && form == HD_PLACES_K8S)
		ret = hd_k8s_print(stdout, fabric, &locality, err);
	else if (!ret)
		ret = hd_slurm_print(stdout, fabric, &locality, form, err);
	hd_locality_clear(&locality);
	return ret;
}
