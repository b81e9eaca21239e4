// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A test double of libibverbs: one adapter, whose GUIDs, LID and LMC the environment gives
 * (STUB_NODE, STUB_PORT, STUB_LID, STUB_LMC), and which prints what it is asked for. It sends
 * nothing.
 */
#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/verbs.h>

#undef ibv_query_port
#define EXPORT __attribute__((visibility("default")))

struct stub_ah {
	struct ibv_ah ah;
	unsigned dlid, sl;
};

static struct ibv_device device = { .name = "stub0" };

static uint64_t number(const char *name)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : 0;
}

static const struct stub_ah *of(struct ibv_ah *ah)
{
	return (const struct stub_ah *)(const void *)ah;
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	for (; wr; wr = wr->next) {
		if (qp->qp_type != IBV_QPT_UD)
			printf("post %" PRIu64 "\n", wr->wr_id);
		else
			printf("post %" PRIu64 " dlid %u sl %u\n", wr->wr_id,
			       of(wr->wr.ud.ah)->dlid, of(wr->wr.ud.ah)->sl);
		if (wr->wr_id == 99) {
			*bad = wr;
			return 12;
		}
	}
	return 0;
}

static void set_ud_addr(struct ibv_qp_ex *qp, struct ibv_ah *ah, uint32_t qpn, uint32_t qkey)
{
	(void)qp;
	(void)qkey;
	printf("wr %u dlid %u sl %u\n", qpn, of(ah)->dlid, of(ah)->sl);
}

static struct ibv_qp *create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	struct ibv_qp_ex *qp = calloc(1, sizeof(*qp));

	qp->qp_base.context = context;
	qp->qp_base.qp_type = attr->qp_type;
	qp->wr_set_ud_addr = set_ud_addr;
	return &qp->qp_base;
}

static int query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr,
		      size_t size)
{
	(void)context;
	if (port != 1)
		return 22;
	memset(attr, 0, size);
	attr->lid = (uint16_t)number("STUB_LID");
	attr->lmc = (uint8_t)number("STUB_LMC");
	attr->link_layer = (uint8_t)(number("STUB_ETHERNET") ? IBV_LINK_LAYER_ETHERNET
							     : IBV_LINK_LAYER_INFINIBAND);
	return 0;
}

EXPORT struct ibv_device **ibv_get_device_list(int *n)
{
	struct ibv_device **list = calloc(2, sizeof(*list));

	list[0] = &device;
	if (n)
		*n = 1;
	return list;
}

EXPORT void ibv_free_device_list(struct ibv_device **list)
{
	free(list);
}

EXPORT __be64 ibv_get_device_guid(struct ibv_device *of_device)
{
	(void)of_device;
	return htobe64(number("STUB_NODE"));
}

EXPORT struct ibv_context *ibv_open_device(struct ibv_device *of_device)
{
	struct verbs_context *verbs = calloc(1, sizeof(*verbs));

	verbs->sz = sizeof(*verbs);
	verbs->query_port = query_port;
	verbs->create_qp_ex = create_qp_ex;
	verbs->context.device = of_device;
	verbs->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
	verbs->context.ops.post_send = post_send;
	return &verbs->context;
}

EXPORT int ibv_close_device(struct ibv_context *context)
{
	free(verbs_get_ctx(context));
	return 0;
}

EXPORT int ibv_query_port(struct ibv_context *context, uint8_t port,
			  struct _compat_ibv_port_attr *attr)
{
	(void)context;
	(void)port;
	(void)attr;
	return 22;
}

EXPORT int ibv_query_gid(struct ibv_context *context, uint8_t port, int index, union ibv_gid *gid)
{
	(void)context;
	(void)port;
	(void)index;
	memset(gid, 0, sizeof(*gid));
	gid->global.interface_id = htobe64(number("STUB_PORT"));
	return 0;
}

EXPORT struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct ibv_pd *pd = calloc(1, sizeof(*pd));

	pd->context = context;
	return pd;
}

EXPORT int ibv_dealloc_pd(struct ibv_pd *pd)
{
	free(pd);
	return 0;
}

EXPORT struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	struct stub_ah *ah = calloc(1, sizeof(*ah));

	ah->ah.context = pd->context;
	ah->dlid = attr->dlid;
	ah->sl = attr->sl;
	printf("ah dlid %u sl %u\n", ah->dlid, ah->sl);
	return &ah->ah;
}

EXPORT int ibv_destroy_ah(struct ibv_ah *ah)
{
	printf("gone dlid %u\n", of(ah)->dlid);
	free(ah);
	return 0;
}

EXPORT struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct ibv_qp *qp = calloc(1, sizeof(*qp));

	qp->context = pd->context;
	qp->qp_type = attr->qp_type;
	return qp;
}

EXPORT struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp)
{
	return (struct ibv_qp_ex *)(void *)qp;
}

EXPORT int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	(void)qp;
	if (mask & IBV_QP_AV)
		printf("rtr dlid %u sl %u\n", attr->ah_attr.dlid, attr->ah_attr.sl);
	else
		printf("modify\n");
	return 0;
}

EXPORT int ibv_destroy_qp(struct ibv_qp *qp)
{
	free(qp);
	return 0;
}
