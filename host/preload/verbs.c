// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The functions of libibverbs that programs find here first. */
#include <errno.h>
#include <string.h>

#include "host/preload/preload.h"

#define EXPORT __attribute__((visibility("default")))

/* Finds the function of @type that comes after ours, and returns @failed where there is none. */
#define NEXT(function, name, failed)   \
	function = hd_lids_next(name); \
	if (!function) {               \
		errno = ENOSYS;        \
		return failed;         \
	}

EXPORT struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	struct ibv_context *(*next)(struct ibv_device *);
	struct ibv_context *context;

	NEXT(next, "ibv_open_device", NULL)
	context = next(device);
	if (context)
		hd_posts_replace(context);
	return context;
}

EXPORT struct ibv_context *ibv_import_device(int cmd_fd)
{
	struct ibv_context *(*next)(int);
	struct ibv_context *context;

	NEXT(next, "ibv_import_device", NULL)
	context = next(cmd_fd);
	if (context)
		hd_posts_replace(context);
	return context;
}

EXPORT int ibv_close_device(struct ibv_context *context)
{
	int (*next)(struct ibv_context *);

	NEXT(next, "ibv_close_device", -1)
	hd_posts_forget(context);
	return next(context);
}

/* Connections: a queue pair that is made ready to receive gets its destination then. */
EXPORT int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	int (*next)(struct ibv_qp *, struct ibv_qp_attr *, int);
	const bool connects =
		mask & IBV_QP_STATE && mask & IBV_QP_AV && attr->qp_state == IBV_QPS_RTR;
	struct ibv_ah_attr given;
	struct hd_ways ways = { .n = 0 };
	unsigned i;
	int ret;

	NEXT(next, "ibv_modify_qp", ENOSYS)
	if (connects)
		hd_ways_find(&ways, qp->context, &attr->ah_attr);
	if (ways.n < 2)
		return next(qp, attr, mask);
	/* in place, since the attributes of other releases may be longer, and back again */
	given = attr->ah_attr;
	i = hd_ways_choose(ways.network, ways.n);
	attr->ah_attr.dlid = (uint16_t)(ways.base + ways.network[i]);
	attr->ah_attr.sl = ways.sl[i];
	hd_lids_say("connection to LID %u, SL %u: LID %u, SL %u", given.dlid, given.sl,
		    attr->ah_attr.dlid, attr->ah_attr.sl);
	ret = next(qp, attr, mask);
	attr->ah_attr = given;
	return ret;
}

typedef struct ibv_ah *(*create_function)(struct ibv_pd *pd, struct ibv_ah_attr *attr);
typedef int (*destroy_function)(struct ibv_ah *ah);

/* Handles to all of @ways; false: one cannot be had, and none is left. */
static bool create_all(create_function next, struct ibv_pd *pd, struct ibv_ah_attr *attr,
		       const struct hd_ways *ways, struct ibv_ah **handles)
{
	destroy_function destroy = hd_lids_next("ibv_destroy_ah");
	unsigned n;

	for (n = 0; destroy && n < ways->n; n++) {
		struct ibv_ah_attr one = *attr;

		one.dlid = (uint16_t)(ways->base + ways->network[n]);
		one.sl = ways->sl[n];
		handles[n] = next(pd, &one);
		if (!handles[n])
			break;
	}
	if (n == ways->n && hd_family_add(handles[0], handles, ways->network, n))
		return true;
	while (n)
		destroy(handles[--n]);
	return false;
}

/* Datagrams: a handle for each LID; which of them a datagram takes is decided when it is sent. */
EXPORT struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	struct ibv_ah *handles[HD_LIDS_MAX];
	struct hd_ways ways;
	create_function next;

	NEXT(next, "ibv_create_ah", NULL)
	hd_ways_find(&ways, pd->context, attr);
	if (ways.n < 2 || !create_all(next, pd, attr, &ways, handles))
		return next(pd, attr);
	hd_lids_say("datagrams to LID %u, SL %u: %u LIDs from %u on", attr->dlid, attr->sl, ways.n,
		    ways.base);
	return handles[0];
}

EXPORT int ibv_destroy_ah(struct ibv_ah *ah)
{
	struct ibv_ah *others[HD_LIDS_MAX];
	destroy_function next;
	unsigned n;

	NEXT(next, "ibv_destroy_ah", ENOSYS)
	n = hd_family_remove(ah, others);
	while (n)
		next(others[--n]);
	return next(ah);
}

EXPORT int ibv_destroy_qp(struct ibv_qp *qp)
{
	int (*next)(struct ibv_qp *);

	NEXT(next, "ibv_destroy_qp", ENOSYS)
	hd_posts_forget_qp(qp);
	return next(qp);
}
