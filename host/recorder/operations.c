// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Collective operations, which become messages (collectives.h). One that does not block goes on
 * beside the task until the task waits for it.
 */
#include "host/recorder/recorder.h"

struct operation {
	struct hd_communicator *communicator; /* NULL: not recorded */
	struct hd_collective_call call;
};

static uint64_t bytes_of(int count, MPI_Datatype type)
{
	int size = 0;

	PMPI_Type_size(type, &size);
	return count > 0 ? (uint64_t)count * (uint64_t)size : 0;
}

static struct operation begin(enum hd_collective kind, MPI_Comm comm, int root)
{
	struct operation o = { .communicator = hd_communicator_of(comm) };

	if (o.communicator)
		o.call = (struct hd_collective_call){ .kind = kind,
						      .rank = o.communicator->rank,
						      .size = o.communicator->size,
						      .root = (uint32_t)root };
	return o;
}

/* The blocks of @counts elements of @type, or of @types. */
static void set_blocks(struct operation *o, const int *counts, MPI_Datatype type,
		       const MPI_Datatype *types)
{
	for (uint32_t i = 0; o->communicator && i < o->communicator->size; i++)
		o->communicator->blocks[i] = bytes_of(counts[i], types ? types[i] : type);
	if (o->communicator)
		o->call.blocks = o->communicator->blocks;
}

static void add_step(void *context, bool sends, uint32_t peer, uint64_t bytes)
{
	const struct hd_communicator *c = context;

	hd_recorder_add(&(struct hd_step){ .kind = sends ? HD_STEP_SEND : HD_STEP_RECEIVE,
					   .collective = true,
					   .communicator = c->id,
					   .peer = c->world[peer],
					   .tag = c->collectives,
					   .bytes = bytes });
}

static void add(const struct operation *o)
{
	struct hd_communicator *c = o->communicator;

	if (!c)
		return;
	if (!c->id)
		hd_recorder_add(&(struct hd_step){ .kind = HD_STEP_COLLECTIVE,
						   .tag = o->call.kind,
						   .serial = c->collectives });
	hd_collective_steps(&o->call, add_step, c);
	c->collectives++;
}

static struct operation barrier(MPI_Comm comm)
{
	return begin(HD_BARRIER, comm, 0);
}

/* All blocks alike. */
static struct operation uniform(enum hd_collective kind, MPI_Comm comm, int root, int count,
				MPI_Datatype type)
{
	struct operation o = begin(kind, comm, root);

	o.call.bytes = bytes_of(count, type);
	return o;
}

/* To or from the root: only one of the counts has a meaning in each task. */
static struct operation rooted(enum hd_collective kind, MPI_Comm comm, int root, int root_count,
			       MPI_Datatype root_type, int count, MPI_Datatype type)
{
	struct operation o = begin(kind, comm, root);

	if (o.communicator)
		o.call.bytes = o.call.rank == o.call.root ? bytes_of(root_count, root_type)
							  : bytes_of(count, type);
	return o;
}

static struct operation gatherv(MPI_Comm comm, int root, int count, MPI_Datatype type)
{
	struct operation o = begin(HD_GATHERV, comm, root);

	if (o.communicator && o.call.rank != o.call.root)
		o.call.bytes = bytes_of(count, type);
	return o;
}

static struct operation scatterv(MPI_Comm comm, int root, const int *counts, MPI_Datatype type)
{
	struct operation o = begin(HD_SCATTERV, comm, root);

	if (o.communicator && o.call.rank == o.call.root)
		set_blocks(&o, counts, type, NULL);
	return o;
}

static struct operation blocks(enum hd_collective kind, MPI_Comm comm, const int *counts,
			       MPI_Datatype type, const MPI_Datatype *types)
{
	struct operation o = begin(kind, comm, 0);

	set_blocks(&o, counts, type, types);
	return o;
}

#define UNPACK(...) __VA_ARGS__

/* An operation in both forms: what blocks, and what goes on beside the task. */
#define OPERATION(blocking, immediate, parameters, arguments, recorded)                     \
	HD_MPI_FUNCTION int MPI_##blocking(UNPACK parameters)                               \
	{                                                                                   \
		const bool on = hd_recorder_enter();                                        \
		int ret;                                                                    \
                                                                                            \
		if (on) {                                                                   \
			const struct operation o = recorded;                                \
                                                                                            \
			add(&o);                                                            \
		}                                                                           \
		ret = PMPI_##blocking(UNPACK arguments);                                    \
		hd_recorder_leave(on);                                                      \
		return ret;                                                                 \
	}                                                                                   \
	HD_MPI_FUNCTION int MPI_##immediate(UNPACK parameters, MPI_Request *request)        \
	{                                                                                   \
		const bool on = hd_recorder_enter();                                        \
		const uint64_t fork = on ? hd_recorder_serial() : 0;                        \
		int ret;                                                                    \
                                                                                            \
		if (on) {                                                                   \
			const struct operation o = recorded;                                \
                                                                                            \
			hd_recorder_add(                                                    \
				&(struct hd_step){ .kind = HD_STEP_FORK, .serial = fork }); \
			add(&o);                                                            \
			hd_recorder_add(&(struct hd_step){ .kind = HD_STEP_FORK_END });     \
		}                                                                           \
		ret = PMPI_##immediate(UNPACK arguments, request);                          \
		if (on && ret == MPI_SUCCESS)                                               \
			hd_request_goes_on(*request, fork);                                 \
		hd_recorder_leave(on);                                                      \
		return ret;                                                                 \
	}

OPERATION(Barrier, Ibarrier, (MPI_Comm comm), (comm), barrier(comm))
OPERATION(Bcast, Ibcast, (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
	  (buffer, count, type, root, comm), uniform(HD_BCAST, comm, root, count, type))
OPERATION(Reduce, Ireduce,
	  (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, int root,
	   MPI_Comm comm),
	  (out, in, count, type, op, root, comm), uniform(HD_REDUCE, comm, root, count, type))
OPERATION(Allreduce, Iallreduce,
	  (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
	  (out, in, count, type, op, comm), uniform(HD_ALLREDUCE, comm, 0, count, type))
OPERATION(Scan, Iscan,
	  (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
	  (out, in, count, type, op, comm), uniform(HD_SCAN, comm, 0, count, type))
OPERATION(Exscan, Iexscan,
	  (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
	  (out, in, count, type, op, comm), uniform(HD_SCAN, comm, 0, count, type))
OPERATION(Gather, Igather,
	  (const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count,
	   MPI_Datatype in_type, int root, MPI_Comm comm),
	  (out, out_count, out_type, in, in_count, in_type, root, comm),
	  rooted(HD_GATHER, comm, root, in_count, in_type, out_count, out_type))
OPERATION(Gatherv, Igatherv,
	  (const void *out, int out_count, MPI_Datatype out_type, void *in, const int in_counts[],
	   const int places[], MPI_Datatype in_type, int root, MPI_Comm comm),
	  (out, out_count, out_type, in, in_counts, places, in_type, root, comm),
	  gatherv(comm, root, out_count, out_type))
OPERATION(Scatter, Iscatter,
	  (const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count,
	   MPI_Datatype in_type, int root, MPI_Comm comm),
	  (out, out_count, out_type, in, in_count, in_type, root, comm),
	  rooted(HD_SCATTER, comm, root, out_count, out_type, in_count, in_type))
OPERATION(Scatterv, Iscatterv,
	  (const void *out, const int out_counts[], const int places[], MPI_Datatype out_type,
	   void *in, int in_count, MPI_Datatype in_type, int root, MPI_Comm comm),
	  (out, out_counts, places, out_type, in, in_count, in_type, root, comm),
	  scatterv(comm, root, out_counts, out_type))
OPERATION(Allgather, Iallgather,
	  (const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count,
	   MPI_Datatype in_type, MPI_Comm comm),
	  (out, out_count, out_type, in, in_count, in_type, comm),
	  uniform(HD_ALLGATHER, comm, 0, in_count, in_type))
OPERATION(Allgatherv, Iallgatherv,
	  (const void *out, int out_count, MPI_Datatype out_type, void *in, const int in_counts[],
	   const int places[], MPI_Datatype in_type, MPI_Comm comm),
	  (out, out_count, out_type, in, in_counts, places, in_type, comm),
	  blocks(HD_ALLGATHER, comm, in_counts, in_type, NULL))
OPERATION(Alltoall, Ialltoall,
	  (const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count,
	   MPI_Datatype in_type, MPI_Comm comm),
	  (out, out_count, out_type, in, in_count, in_type, comm),
	  uniform(HD_ALLTOALL, comm, 0, in_count, in_type))
OPERATION(Alltoallv, Ialltoallv,
	  (const void *out, const int out_counts[], const int out_places[], MPI_Datatype out_type,
	   void *in, const int in_counts[], const int in_places[], MPI_Datatype in_type,
	   MPI_Comm comm),
	  (out, out_counts, out_places, out_type, in, in_counts, in_places, in_type, comm),
	  out == MPI_IN_PLACE ? blocks(HD_ALLTOALL, comm, in_counts, in_type, NULL)
			      : blocks(HD_ALLTOALL, comm, out_counts, out_type, NULL))
OPERATION(Alltoallw, Ialltoallw,
	  (const void *out, const int out_counts[], const int out_places[],
	   const MPI_Datatype out_types[], void *in, const int in_counts[], const int in_places[],
	   const MPI_Datatype in_types[], MPI_Comm comm),
	  (out, out_counts, out_places, out_types, in, in_counts, in_places, in_types, comm),
	  out == MPI_IN_PLACE ? blocks(HD_ALLTOALL, comm, in_counts, MPI_DATATYPE_NULL, in_types)
			      : blocks(HD_ALLTOALL, comm, out_counts, MPI_DATATYPE_NULL, out_types))
OPERATION(Reduce_scatter, Ireduce_scatter,
	  (const void *out, void *in, const int counts[], MPI_Datatype type, MPI_Op op,
	   MPI_Comm comm),
	  (out, in, counts, type, op, comm), blocks(HD_REDUCE_SCATTER, comm, counts, type, NULL))
OPERATION(Reduce_scatter_block, Ireduce_scatter_block,
	  (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
	  (out, in, count, type, op, comm), uniform(HD_REDUCE_SCATTER, comm, 0, count, type))
