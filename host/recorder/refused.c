// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What moves data and is no message of the kinds that are recorded: there will be no trace, or, of
 * MPI-IO, none of that.
 */
#include "host/recorder/recorder.h"

#define REFUSED(name, parameters, arguments, what) \
	HD_MPI_FUNCTION int MPI_##name parameters  \
	{                                          \
		hd_recorder_refuse("%s", what);    \
		return PMPI_##name arguments;      \
	}

#define ONE_SIDED "one-sided communication (MPI_Win_...) is not recorded"
#define NEIGHBOUR "neighbourhood collective operations (MPI_Neighbor_...) are not recorded"
#define SPAWNED   "tasks that were spawned are not recorded"

REFUSED(Win_create,
	(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
	(base, size, unit, info, comm, win), ONE_SIDED)
REFUSED(Win_allocate,
	(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
	(size, unit, info, comm, base, win), ONE_SIDED)
REFUSED(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win), (info, comm, win),
	ONE_SIDED)
REFUSED(Win_allocate_shared,
	(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
	(size, unit, info, comm, base, win), ONE_SIDED)
REFUSED(Neighbor_allgather,
	(const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count,
	 MPI_Datatype in_type, MPI_Comm comm),
	(out, out_count, out_type, in, in_count, in_type, comm), NEIGHBOUR)
REFUSED(Neighbor_allgatherv,
	(const void *out, int out_count, MPI_Datatype out_type, void *in, const int in_counts[],
	 const int places[], MPI_Datatype in_type, MPI_Comm comm),
	(out, out_count, out_type, in, in_counts, places, in_type, comm), NEIGHBOUR)
REFUSED(Neighbor_alltoall,
	(const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count,
	 MPI_Datatype in_type, MPI_Comm comm),
	(out, out_count, out_type, in, in_count, in_type, comm), NEIGHBOUR)
REFUSED(Neighbor_alltoallv,
	(const void *out, const int out_counts[], const int out_places[], MPI_Datatype out_type,
	 void *in, const int in_counts[], const int in_places[], MPI_Datatype in_type,
	 MPI_Comm comm),
	(out, out_counts, out_places, out_type, in, in_counts, in_places, in_type, comm), NEIGHBOUR)
REFUSED(Neighbor_alltoallw,
	(const void *out, const int out_counts[], const MPI_Aint out_places[],
	 const MPI_Datatype out_types[], void *in, const int in_counts[],
	 const MPI_Aint in_places[], const MPI_Datatype in_types[], MPI_Comm comm),
	(out, out_counts, out_places, out_types, in, in_counts, in_places, in_types, comm),
	NEIGHBOUR)
REFUSED(Ineighbor_allgatherv,
	(const void *out, int out_count, MPI_Datatype out_type, void *in, const int in_counts[],
	 const int places[], MPI_Datatype in_type, MPI_Comm comm, MPI_Request *request),
	(out, out_count, out_type, in, in_counts, places, in_type, comm, request), NEIGHBOUR)
REFUSED(Ineighbor_alltoallv,
	(const void *out, const int out_counts[], const int out_places[], MPI_Datatype out_type,
	 void *in, const int in_counts[], const int in_places[], MPI_Datatype in_type,
	 MPI_Comm comm, MPI_Request *request),
	(out, out_counts, out_places, out_type, in, in_counts, in_places, in_type, comm, request),
	NEIGHBOUR)
REFUSED(Ineighbor_alltoallw,
	(const void *out, const int out_counts[], const MPI_Aint out_places[],
	 const MPI_Datatype out_types[], void *in, const int in_counts[],
	 const MPI_Aint in_places[], const MPI_Datatype in_types[], MPI_Comm comm,
	 MPI_Request *request),
	(out, out_counts, out_places, out_types, in, in_counts, in_places, in_types, comm, request),
	NEIGHBOUR)
REFUSED(Ineighbor_allgather,
	(const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count,
	 MPI_Datatype in_type, MPI_Comm comm, MPI_Request *request),
	(out, out_count, out_type, in, in_count, in_type, comm, request), NEIGHBOUR)
REFUSED(Ineighbor_alltoall,
	(const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count,
	 MPI_Datatype in_type, MPI_Comm comm, MPI_Request *request),
	(out, out_count, out_type, in, in_count, in_type, comm, request), NEIGHBOUR)
REFUSED(Comm_spawn,
	(const char *command, char *argv[], int n, MPI_Info info, int root, MPI_Comm comm,
	 MPI_Comm *inter, int codes[]),
	(command, argv, n, info, root, comm, inter, codes), SPAWNED)
REFUSED(Comm_spawn_multiple,
	(int n, char *commands[], char **argvs[], const int counts[], const MPI_Info infos[],
	 int root, MPI_Comm comm, MPI_Comm *inter, int codes[]),
	(n, commands, argvs, counts, infos, root, comm, inter, codes), SPAWNED)

HD_MPI_FUNCTION int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info,
				  MPI_File *file)
{
	hd_recorder_note_files();
	return PMPI_File_open(comm, name, mode, info, file);
}
