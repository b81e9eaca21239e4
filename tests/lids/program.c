// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * program LID [SL]: connects four times to LID, sends it four datagrams in two chains, and two by
 * the functions of an extended queue pair. It aborts where what it gave has changed. With
 * PROGRAM_PAGE, a file that takes the place of HEDDLE_NETWORKS after the first four, it connects
 * four times more once that can have been seen; with PROGRAM_CUT it shortens HEDDLE_NETWORKS to so
 * many bytes, and connects four times at once and four times later. With PROGRAM_THREADS, so many
 * threads do all of the above at the same time.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/verbs.h>

static void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "program: %s\n", what);
	exit(1);
}

static void connect_to(struct ibv_pd *pd, const struct ibv_ah_attr *to)
{
	struct ibv_qp_init_attr init = { .qp_type = IBV_QPT_RC };
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTR, .ah_attr = *to };
	struct ibv_qp *qp = ibv_create_qp(pd, &init);
	struct ibv_send_wr wr = { .wr_id = 7 }, *bad;

	require(!ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_AV), "no connection");
	require(memcmp(&attr.ah_attr, to, sizeof(*to)) == 0, "attributes have changed");
	attr.qp_state = IBV_QPS_RTS;
	require(!ibv_modify_qp(qp, &attr, IBV_QP_STATE), "not ready to send");
	require(!ibv_post_send(qp, &wr, &bad), "not sent");
	ibv_destroy_qp(qp);
}

static void send_to(struct ibv_pd *pd, struct ibv_ah *ah)
{
	struct ibv_qp_init_attr init = { .qp_type = IBV_QPT_UD };
	struct ibv_qp *qp = ibv_create_qp(pd, &init);
	struct ibv_send_wr wr[2] = { { .wr_id = 1, .next = &wr[1] }, { .wr_id = 2 } }, *bad = NULL;

	wr[0].wr.ud.ah = wr[1].wr.ud.ah = ah;
	require(!ibv_post_send(qp, wr, &bad), "not sent");
	require(!ibv_post_send(qp, wr, &bad), "not sent again");
	wr[1].wr_id = 99;
	require(ibv_post_send(qp, wr, &bad) == 12 && bad == &wr[1], "the request that failed");
	require(wr[0].wr.ud.ah == ah && wr[1].wr.ud.ah == ah, "requests have changed");
	ibv_destroy_qp(qp);
}

static void send_extended(struct ibv_context *context, struct ibv_pd *pd, struct ibv_ah *ah)
{
	struct ibv_qp_init_attr_ex init = {
		.qp_type = IBV_QPT_UD,
		.pd = pd,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.send_ops_flags = IBV_QP_EX_WITH_SEND,
	};
	struct ibv_qp *qp = ibv_create_qp_ex(context, &init);

	require(qp != NULL, "no extended queue pair");
	ibv_wr_set_ud_addr(ibv_qp_to_qp_ex(qp), ah, 3, 0);
	ibv_wr_set_ud_addr(ibv_qp_to_qp_ex(qp), ah, 4, 0);
	ibv_destroy_qp(qp);
}

/* The library looks for another page each second, while none prefers a network. */
static void replace_page(void)
{
	const char *next = getenv("PROGRAM_PAGE"), *path = getenv("HEDDLE_NETWORKS");

	require(next && path && !rename(next, path), "no other page");
	sleep(2);
}

/*
 * Somebody shortens the page: nothing happens to who reads it, now or when it has been looked at
 * again.
 */
static void cut_page(struct ibv_pd *pd, const struct ibv_ah_attr *to)
{
	const char *size = getenv("PROGRAM_CUT"), *path = getenv("HEDDLE_NETWORKS");

	require(size && path && !truncate(path, atoi(size)), "the page cannot be cut");
	for (unsigned i = 0; i < 8; i++) {
		if (i == 4)
			sleep(2);
		connect_to(pd, to);
	}
}

struct program {
	struct ibv_context *context;
	struct ibv_ah_attr to;
};

/* All that a program does with an adapter, in a protection domain of its own. */
static void use(const struct program *program)
{
	struct ibv_pd *pd = ibv_alloc_pd(program->context);
	struct ibv_ah_attr to = program->to;
	struct ibv_ah *ah;

	for (unsigned i = 0; i < 4; i++)
		connect_to(pd, &to);
	if (getenv("PROGRAM_PAGE")) {
		replace_page();
		for (unsigned i = 0; i < 4; i++)
			connect_to(pd, &to);
	}
	if (getenv("PROGRAM_CUT"))
		cut_page(pd, &to);
	ah = ibv_create_ah(pd, &to);
	require(ah != NULL, "no address handle");
	send_to(pd, ah);
	send_extended(program->context, pd, ah);
	require(!ibv_destroy_ah(ah), "the handle stays");
	ibv_dealloc_pd(pd);
}

static void *use_in_thread(void *program)
{
	use(program);
	return NULL;
}

static void use_at_once(struct program *program, unsigned n)
{
	pthread_t threads[64];

	require(n <= 64, "too many threads");
	for (unsigned i = 0; i < n; i++)
		require(!pthread_create(&threads[i], NULL, use_in_thread, program), "no thread");
	for (unsigned i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct program program = { .context = ibv_open_device(list[0]), .to = { .port_num = 1 } };
	const char *threads = getenv("PROGRAM_THREADS");

	require(argc > 1, "no LID");
	program.to.dlid = (uint16_t)atoi(argv[1]);
	program.to.sl = (uint8_t)(argc > 2 ? atoi(argv[2]) : 0);
	if (threads)
		use_at_once(&program, (unsigned)atoi(threads));
	else
		use(&program);
	ibv_close_device(program.context);
	ibv_free_device_list(list);
	return 0;
}
