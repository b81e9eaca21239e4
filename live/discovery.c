// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What libibnetdisc discovered, as a fabric. */
#include <stdlib.h>
#include <string.h>

#include <infiniband/ibnetdisc.h>

#include "fabric/builder.h"
#include "fabric/link_rate.h"
#include "live/live.h"
#include "support/error.h"

struct found {
	const ibnd_node_t *node;
	uint32_t id; /* in the builder */
};

/* Nodes by GUID. */
struct discovery {
	ibnd_fabric_t *net;
	struct hd_builder *builder;
	struct found *found;
	size_t n;
};

static int compare(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return x->node->guid < y->node->guid ? -1 : x->node->guid > y->node->guid;
}

static const struct found *find(const struct discovery *d, const ibnd_node_t *node)
{
	const struct found key = { .node = node };

	return bsearch(&key, d->found, d->n, sizeof(key), compare);
}

static enum hd_node_type type_of(const ibnd_node_t *node)
{
	switch (node->type) {
	case IB_NODE_SWITCH:
		return HD_SWITCH;
	case IB_NODE_ROUTER:
		return HD_ROUTER;
	default:
		return HD_CA;
	}
}

static uint32_t field(const ibnd_port_t *port, enum MAD_FIELDS name)
{
	return mad_get_field((void *)port->info, 0, name);
}

static uint8_t speed_of(const ibnd_port_t *port)
{
	if (hd_is_xdr(port->info[56]))
		return HD_XDR;
	return hd_speed_of_codes(
		field(port, IB_PORT_LINK_SPEED_EXT_ACTIVE_F),
		mad_get_field((void *)port->ext_info, 0, IB_MLNX_EXT_PORT_LINK_SPEED_ACTIVE_F) & 1,
		field(port, IB_PORT_LINK_SPEED_ACTIVE_F));
}

static void set_port(struct hd_port *port, const ibnd_port_t *from, bool is_end)
{
	unsigned vls = hd_vlcap_vls(field(from, IB_PORT_OPER_VLS_F));

	if (!vls)
		vls = hd_vlcap_vls(field(from, IB_PORT_VL_CAP_F));
	if (vls)
		port->vls = (uint8_t)vls;
	port->width = hd_width_of_code(field(from, IB_PORT_LINK_WIDTH_ACTIVE_F));
	port->speed = speed_of(from);
	if (!is_end)
		return;
	port->guid = from->guid;
	port->lid = from->base_lid;
	port->lmc = from->lmc;
}

static int add_node(struct discovery *d, const ibnd_node_t *node, struct hd_error *err)
{
	bool is_switch = node->type == IB_NODE_SWITCH;
	char name[sizeof(node->nodedesc) + 1];
	struct hd_node_spec spec = {
		.type = type_of(node),
		.guid = node->guid,
		.sysimg_guid = mad_get_field64((void *)node->info, 0, IB_NODE_SYSTEM_GUID_F),
		.vendor_id = mad_get_field((void *)node->info, 0, IB_NODE_VENDORID_F),
		.device_id = mad_get_field((void *)node->info, 0, IB_NODE_DEVID_F),
		.n_ports = (unsigned)node->numports,
		.enhanced_port0 = is_switch && node->smaenhsp0,
		.name = name,
	};
	uint32_t id;
	int ret;

	memcpy(name, node->nodedesc, sizeof(node->nodedesc));
	name[sizeof(node->nodedesc)] = '\0';
	ret = hd_builder_add(d->builder, &spec, &id, err);
	if (ret)
		return ret;
	for (int number = 0; number <= node->numports; number++)
		if (node->ports[number] && (is_switch || number))
			set_port(hd_builder_port(d->builder, id, (unsigned)number),
				 node->ports[number], !is_switch || !number);
	if (is_switch) {
		hd_builder_port(d->builder, id, 0)->lid = node->smalid;
		hd_builder_port(d->builder, id, 0)->lmc = node->smalmc;
	}
	d->found[d->n++] = (struct found){ .node = node, .id = id };
	return 0;
}

static int add_links(struct discovery *d, struct hd_error *err)
{
	for (size_t i = 0; i < d->n; i++) {
		const ibnd_node_t *node = d->found[i].node;

		for (int number = 1; number <= node->numports; number++) {
			const ibnd_port_t *far =
				node->ports[number] ? node->ports[number]->remoteport : NULL;
			const struct found *peer = far ? find(d, far->node) : NULL;
			int ret;

			if (!peer)
				continue;
			ret = hd_builder_link(d->builder, d->found[i].id, (unsigned)number,
					      peer->id, (unsigned)far->portnum, err);
			if (ret)
				return ret;
		}
	}
	return 0;
}

static int convert(struct discovery *d, struct hd_fabric **fabric, struct hd_error *err)
{
	size_t n = 0;
	int ret = 0;

	for (const ibnd_node_t *node = d->net->nodes; node; node = node->next)
		n++;
	d->found = calloc(n + 1, sizeof(*d->found));
	d->builder = hd_builder_new();
	if (!d->found || !d->builder)
		ret = hd_error_nomem(err);
	for (const ibnd_node_t *node = d->net->nodes; !ret && node; node = node->next)
		ret = add_node(d, node, err);
	if (!ret) {
		qsort(d->found, d->n, sizeof(*d->found), compare);
		ret = add_links(d, err);
	}
	if (!ret)
		return hd_builder_finish(d->builder, fabric, err);
	hd_builder_free(d->builder);
	return ret;
}

int hd_live_fabric(const struct hd_live_options *options, struct hd_fabric **fabric,
		   struct hd_error *err)
{
	struct ibnd_config config = {
		.max_smps = options->mads.window,
		.timeout_ms = options->mads.timeout_ms,
		.retries = options->mads.tries - 1,
		.mkey = options->mads.m_key,
	};
	struct discovery d = { 0 };
	int ret;

	*fabric = NULL;
	d.net = ibnd_discover_fabric((char *)options->mads.adapter, options->mads.port, NULL,
				     &config);
	if (!d.net)
		return hd_error_set(err, HD_EIO,
				    "libibnetdisc discovers nothing: no InfiniBand port, "
				    "or no permission");
	ret = convert(&d, fabric, err);
	free(d.found);
	ibnd_destroy_fabric(d.net);
	return ret;
}
