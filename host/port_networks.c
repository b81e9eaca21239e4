// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "host/port_networks.h"

#include "support/error.h"

#define VL_DROP 15

static int check_port(const struct hd_own_port *port, struct hd_error *err)
{
	if (!port->lid || !port->is_active)
		return hd_error_set(err, HD_EINVAL,
				    "the port is not active, or has no LID: no subnet manager");
	if (!port->lmc)
		return hd_error_set(err, HD_EINVAL,
				    "the port has one LID (LMC 0): there is nothing to choose");
	return 0;
}

static int check_sls(const struct hd_own_port *port, const struct hd_own_sls *sls,
		     struct hd_error *err)
{
	if (!sls->has_source)
		return hd_error_set(err, HD_EINVAL, "no path SLs of this port");
	if (!sls->has_ports)
		return hd_error_set(
			err, HD_EINVAL,
			"path SLs without lines '# port': of LMC 0, or older than them");
	if (!sls->lid)
		return hd_error_set(err, HD_EINVAL, "path SLs without the LIDs of this port");
	if (sls->lid != port->lid)
		return hd_error_set(err, HD_EINVAL,
				    "path SLs of other LIDs: the port had %u, and has %u now",
				    sls->lid, port->lid);
	if (sls->lmc[sls->lid] != port->lmc)
		return hd_error_set(err, HD_EINVAL,
				    "path SLs of another LMC: %u, and the port has %u",
				    sls->lmc[sls->lid], port->lmc);
	return 0;
}

/* Adds what packets to @lid take, unless the tables drop them. */
static void add_lid(struct hd_lanes *lanes, const struct hd_own_port *port,
		    const struct hd_own_sls *sls, unsigned lid, unsigned network)
{
	unsigned sl = sls->sl[lid], vl;

	if (sl == HD_OWN_NO_SL)
		return;
	vl = port->sl2vl >> (4 * sl) & 15;
	if (vl == VL_DROP)
		return;
	lanes->vls[network] |= (uint16_t)(1u << vl);
	lanes->sls[network] |= (uint16_t)(1u << sl);
}

int hd_lanes_find(struct hd_lanes *lanes, const struct hd_own_port *port,
		  const struct hd_own_sls *sls, struct hd_error *err)
{
	uint16_t taken = 0;
	int ret = check_port(port, err);

	if (!ret)
		ret = check_sls(port, sls, err);
	if (ret)
		return ret;
	*lanes = (struct hd_lanes){ .n = 1u << port->lmc };
	for (unsigned lid = 1; lid < HD_OWN_LIDS; lid++) {
		unsigned base = hd_own_sls_base(sls, lid);

		/* other ports may have another LMC; to itself a host sends nothing */
		if (base && base != port->lid && sls->lmc[lid] == port->lmc)
			add_lid(lanes, port, sls, lid, lid - base);
	}
	for (unsigned i = 0; i < lanes->n; i++) {
		lanes->are_shared = lanes->are_shared || (taken & lanes->vls[i]);
		taken |= lanes->vls[i];
	}
	return 0;
}
