// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Datagrams. ibv_post_send() and ibv_wr_set_ud_addr() are inline: they call what the device's
 * context or the queue pair has, so that is replaced where contexts are opened and queue pairs
 * made.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "host/preload/preload.h"

#define CONTEXTS 64 /* open at once; those beyond keep their calls */

typedef int (*post_function)(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad);
typedef struct ibv_qp *(*create_function)(struct ibv_context *context,
					  struct ibv_qp_init_attr_ex *attr);
typedef void (*address_function)(struct ibv_qp_ex *qp, struct ibv_ah *ah, uint32_t qpn,
				 uint32_t qkey);

/* What contexts had; looked through without a lock, and nearly always the first one fits. */
static struct place {
	_Atomic(struct ibv_context *) context;
	post_function post;
	create_function create;
} places[CONTEXTS];

/* What extended queue pairs for datagrams had. */
struct extended {
	struct ibv_qp_ex *qp; /* key */
	address_function address;
	UT_hash_handle hh;
};

static struct extended *all;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t places_lock = PTHREAD_MUTEX_INITIALIZER;

static const struct place *find(struct ibv_context *context)
{
	for (unsigned i = 0; i < CONTEXTS; i++)
		if (atomic_load_explicit(&places[i].context, memory_order_acquire) == context)
			return &places[i];
	abort(); /* only contexts with a place have our functions */
}

static int post(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	const struct place *place = find(qp->context);
	int ret;

	if (qp->qp_type != IBV_QPT_UD)
		return place->post(qp, wr, bad);
	/* requests are the program's, which may use them again: they are as they were afterwards */
	for (struct ibv_send_wr *at = wr; at; at = at->next)
		at->wr.ud.ah = hd_family_choose(at->wr.ud.ah);
	ret = place->post(qp, wr, bad);
	for (struct ibv_send_wr *at = wr; at; at = at->next)
		at->wr.ud.ah = hd_family_known(at->wr.ud.ah);
	return ret;
}

static void set_address(struct ibv_qp_ex *qp, struct ibv_ah *ah, uint32_t qpn, uint32_t qkey)
{
	address_function address = NULL;
	struct extended *extended;

	pthread_rwlock_rdlock(&lock);
	HASH_FIND_PTR(all, &qp, extended);
	if (extended)
		address = extended->address;
	pthread_rwlock_unlock(&lock);
	if (address)
		address(qp, hd_family_choose(ah), qpn, qkey);
}

/* @qp has functions for work requests of its own, and sends datagrams. */
static void replace_address(struct ibv_qp *qp)
{
	struct ibv_qp_ex *(*extend)(struct ibv_qp * qp) = hd_lids_next("ibv_qp_to_qp_ex");
	struct extended *extended = calloc(1, sizeof(*extended)), *found;

	if (extend && extended)
		extended->qp = extend(qp);
	if (!extended || !extended->qp || !extended->qp->wr_set_ud_addr) {
		free(extended);
		return;
	}
	extended->address = extended->qp->wr_set_ud_addr;
	pthread_rwlock_wrlock(&lock);
	HASH_ADD_PTR(all, qp, extended);
	HASH_FIND_PTR(all, &extended->qp, found);
	if (found)
		extended->qp->wr_set_ud_addr = set_address;
	pthread_rwlock_unlock(&lock);
	if (!found)
		free(extended);
}

static struct ibv_qp *create(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	struct ibv_qp *qp = find(context)->create(context, attr);

	if (qp && attr->qp_type == IBV_QPT_UD && attr->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS)
		replace_address(qp);
	return qp;
}

void hd_posts_forget_qp(struct ibv_qp *qp)
{
	/* an extended queue pair begins with the plain one */
	struct ibv_qp_ex *key = (struct ibv_qp_ex *)qp;
	struct extended *extended;

	pthread_rwlock_wrlock(&lock);
	HASH_FIND_PTR(all, &key, extended);
	if (extended)
		HASH_DEL(all, extended);
	pthread_rwlock_unlock(&lock);
	free(extended);
}

void hd_posts_replace(struct ibv_context *context)
{
	struct verbs_context *verbs = verbs_get_ctx_op(context, create_qp_ex);

	pthread_mutex_lock(&places_lock);
	for (unsigned i = 0; i < CONTEXTS; i++) {
		struct place *place = &places[i];

		if (atomic_load_explicit(&place->context, memory_order_relaxed))
			continue;
		place->post = context->ops.post_send;
		place->create = verbs ? verbs->create_qp_ex : NULL;
		atomic_store_explicit(&place->context, context, memory_order_release);
		context->ops.post_send = post;
		if (verbs)
			verbs->create_qp_ex = create;
		break;
	}
	pthread_mutex_unlock(&places_lock);
}

void hd_posts_forget(struct ibv_context *context)
{
	struct verbs_context *verbs = verbs_get_ctx_op(context, create_qp_ex);

	pthread_mutex_lock(&places_lock);
	for (unsigned i = 0; i < CONTEXTS; i++) {
		struct place *place = &places[i];

		if (atomic_load_explicit(&place->context, memory_order_relaxed) != context)
			continue;
		/* a device that cannot be closed goes on without us */
		context->ops.post_send = place->post;
		if (verbs)
			verbs->create_qp_ex = place->create;
		atomic_store_explicit(&place->context, NULL, memory_order_release);
	}
	pthread_mutex_unlock(&places_lock);
}
