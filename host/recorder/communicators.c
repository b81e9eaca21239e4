// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Communicators have numbers that their tasks agree upon: what a new one's first task has counted,
 * which it tells the others. A communicator keeps its number as an attribute.
 */
#include <stdlib.h>

#include "host/recorder/recorder.h"

static struct {
	int key;
	uint64_t n_made; /* by this task */
	struct hd_communicator *all;
} communicators = { .key = MPI_KEYVAL_INVALID };

/* The ranks in MPI_COMM_WORLD of the tasks of @comm. */
static bool find_world(MPI_Comm comm, struct hd_communicator *c)
{
	int *ranks = malloc((c->size + (size_t)1) * 2 * sizeof(*ranks)), *world;
	MPI_Group group, all;

	if (!ranks)
		return false;
	world = ranks + c->size;
	for (uint32_t i = 0; i < c->size; i++)
		ranks[i] = (int)i;
	PMPI_Comm_group(comm, &group);
	PMPI_Comm_group(MPI_COMM_WORLD, &all);
	PMPI_Group_translate_ranks(group, (int)c->size, ranks, all, world);
	PMPI_Group_free(&group);
	PMPI_Group_free(&all);
	for (uint32_t i = 0; i < c->size; i++) {
		c->world[i] = (uint32_t)world[i];
		if (world[i] == MPI_UNDEFINED)
			hd_recorder_refuse("tasks that were spawned are not recorded");
	}
	free(ranks);
	return true;
}

static struct hd_communicator *make(MPI_Comm comm)
{
	struct hd_communicator *c = calloc(1, sizeof(*c));
	int rank, size;

	if (!c)
		return NULL;
	PMPI_Comm_rank(comm, &rank);
	PMPI_Comm_size(comm, &size);
	c->rank = (uint32_t)rank;
	c->size = (uint32_t)size;
	c->world = calloc(c->size + (size_t)1, sizeof(*c->world));
	c->blocks = calloc(c->size + (size_t)1, sizeof(*c->blocks));
	c->next = communicators.all;
	communicators.all = c;
	return c->world && c->blocks && find_world(comm, c) &&
			       PMPI_Comm_set_attr(comm, communicators.key, c) == MPI_SUCCESS
		       ? c
		       : NULL;
}

bool hd_communicators_begin(void)
{
	struct hd_communicator *own;
	int rank;

	PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &communicators.key,
				NULL);
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (!make(MPI_COMM_WORLD)) /* its number is 0 */
		return false;
	own = make(MPI_COMM_SELF);
	if (!own)
		return false;
	own->id = (uint64_t)rank << 32 | 1;
	communicators.n_made = 2;
	return true;
}

void hd_communicators_end(void)
{
	while (communicators.all) {
		struct hd_communicator *c = communicators.all;

		communicators.all = c->next;
		free(c->world);
		free(c->blocks);
		free(c);
	}
}

struct hd_communicator *hd_communicator_of(MPI_Comm comm)
{
	struct hd_communicator *c = NULL;
	int found = 0;

	if (comm != MPI_COMM_NULL)
		PMPI_Comm_get_attr(comm, communicators.key, &c, &found);
	if (found)
		return c;
	hd_recorder_refuse("messages in an intercommunicator, or in a communicator that came from "
			   "a function of other than MPI 3.1, are not recorded");
	return NULL;
}

/*
 * A new communicator, or none for this task. Its tasks agree on a number, also those that record
 * nothing any more.
 */
static void begin(MPI_Comm comm)
{
	struct hd_communicator *c;
	uint64_t id;
	int is_inter;

	if (comm == MPI_COMM_NULL)
		return;
	PMPI_Comm_test_inter(comm, &is_inter);
	if (is_inter)
		return;
	c = make(comm);
	id = c ? (uint64_t)c->world[c->rank] << 32 | communicators.n_made++ : 0;
	PMPI_Bcast(&id, 1, MPI_UINT64_T, 0, comm);
	if (c)
		c->id = id;
	else
		hd_recorder_refuse("there is no memory for a communicator");
}

/* A function that makes a communicator, @new. */
#define MAKES(name, parameters, arguments, new)                    \
	HD_MPI_FUNCTION int MPI_##name parameters                  \
	{                                                          \
		const bool on = hd_recorder_enter();               \
		const int ret = PMPI_##name arguments;             \
                                                                   \
		if (hd_recorder_has_begun() && ret == MPI_SUCCESS) \
			begin(*(new));                             \
		hd_recorder_leave(on);                             \
		return ret;                                        \
	}

MAKES(Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made), made)
MAKES(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made), (comm, info, made), made)
MAKES(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), (comm, group, made), made)
MAKES(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made),
      (comm, group, tag, made), made)
MAKES(Comm_split, (MPI_Comm comm, int colour, int key, MPI_Comm *made), (comm, colour, key, made),
      made)
MAKES(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
      (comm, type, key, info, made), made)
MAKES(Cart_create,
      (MPI_Comm comm, int n, const int sizes[], const int wraps[], int reorder, MPI_Comm *made),
      (comm, n, sizes, wraps, reorder, made), made)
MAKES(Cart_sub, (MPI_Comm comm, const int keeps[], MPI_Comm *made), (comm, keeps, made), made)
MAKES(Graph_create,
      (MPI_Comm comm, int n, const int index[], const int edges[], int reorder, MPI_Comm *made),
      (comm, n, index, edges, reorder, made), made)
MAKES(Dist_graph_create,
      (MPI_Comm comm, int n, const int nodes[], const int degrees[], const int targets[],
       const int weights[], MPI_Info info, int reorder, MPI_Comm *made),
      (comm, n, nodes, degrees, targets, weights, info, reorder, made), made)
MAKES(Dist_graph_create_adjacent,
      (MPI_Comm comm, int n_in, const int in[], const int in_weights[], int n_out, const int out[],
       const int out_weights[], MPI_Info info, int reorder, MPI_Comm *made),
      (comm, n_in, in, in_weights, n_out, out, out_weights, info, reorder, made), made)
MAKES(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *made), (comm, high, made), made)
