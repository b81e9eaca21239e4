// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A small MPI program whose messages are known: each argument is a part, and every task prints what
 * it sends between two tasks as "source destination bytes", in order. Collective operations are for
 * the script to know.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 4096

static int rank, size;
static char out[MOST], in[64][MOST];

static void sends(int to, int bytes)
{
	printf("%d %d %d\n", rank, to, bytes);
}

static int next(int n)
{
	return (rank + n + size) % size;
}

/* Around the ring, by every kind of send. */
static void part_ring(void)
{
	MPI_Request request;
	MPI_Status status;

	sends(next(1), 100);
	if (rank % 2) {
		MPI_Recv(in, MOST, MPI_BYTE, next(-1), 1, MPI_COMM_WORLD, &status);
		MPI_Ssend(out, 100, MPI_BYTE, next(1), 1, MPI_COMM_WORLD);
	} else {
		MPI_Isend(out, 25, MPI_INT, next(1), 1, MPI_COMM_WORLD, &request);
		MPI_Recv(in, MOST, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	sends(next(1), 7);
	MPI_Sendrecv(out, 7, MPI_BYTE, next(1), 2, in, MOST, MPI_BYTE, next(-1), 2, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	sends(next(-1), 8);
	MPI_Sendrecv_replace(out, 1, MPI_DOUBLE, next(-1), 3, next(1), 3, MPI_COMM_WORLD, &status);
	/* off the end of a line: nobody */
	if (rank + 1 < size)
		sends(rank + 1, 0);
	MPI_Sendrecv(out, 0, MPI_BYTE, rank + 1 < size ? rank + 1 : MPI_PROC_NULL, 4, in, MOST,
		     MPI_BYTE, rank ? rank - 1 : MPI_PROC_NULL, 4, MPI_COMM_WORLD, &status);
}

/* Tags cross: what was sent first is received last; requests complete in any order. */
static void part_tags(void)
{
	MPI_Request requests[4];
	int index, n, indices[4], done = 0;

	for (int tag = 0; tag < 4; tag++) {
		sends(next(1), 10 + tag);
		MPI_Send(out, 10 + tag, MPI_BYTE, next(1), tag, MPI_COMM_WORLD);
	}
	for (int tag = 3; tag >= 0; tag--)
		MPI_Recv(in, MOST, MPI_BYTE, next(-1), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (int i = 0; i < 4; i++)
		MPI_Irecv(in[i], MOST, MPI_BYTE, next(1), 9, MPI_COMM_WORLD, &requests[i]);
	for (int i = 0; i < 4; i++) {
		sends(next(-1), 20 + i);
		MPI_Send(out, 20 + i, MPI_BYTE, next(-1), 9, MPI_COMM_WORLD);
	}
	MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
	MPI_Waitsome(4, requests, &n, indices, MPI_STATUSES_IGNORE);
	MPI_Testany(4, requests, &index, &done, MPI_STATUS_IGNORE);
	MPI_Testsome(4, requests, &n, indices, MPI_STATUSES_IGNORE);
	for (done = 0; !done;)
		MPI_Testall(4, requests, &done, MPI_STATUSES_IGNORE);
	/* more than a few */
	MPI_Request many[128];

	for (int i = 0; i < 64; i++)
		MPI_Irecv(in[i], MOST, MPI_BYTE, next(-1), i, MPI_COMM_WORLD, &many[i]);
	for (int i = 0; i < 64; i++) {
		sends(next(1), i);
		MPI_Isend(out, i, MPI_BYTE, next(1), 63 - i, MPI_COMM_WORLD, &many[64 + i]);
	}
	MPI_Waitall(128, many, MPI_STATUSES_IGNORE);
}

static void part_persistent(void)
{
	MPI_Request requests[2];

	MPI_Send_init(out, 33, MPI_BYTE, next(1), 5, MPI_COMM_WORLD, &requests[0]);
	MPI_Recv_init(in, MOST, MPI_BYTE, next(-1), 5, MPI_COMM_WORLD, &requests[1]);
	for (int i = 0; i < 3; i++) {
		sends(next(1), 33);
		MPI_Startall(2, requests);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	sends(next(1), 33);
	MPI_Start(&requests[1]);
	MPI_Start(&requests[0]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
}

static void part_probes(void)
{
	MPI_Request request;
	MPI_Message message;
	MPI_Status status;
	int found = 0, count;

	sends(next(1), 50);
	MPI_Isend(out, 50, MPI_BYTE, next(1), 6, MPI_COMM_WORLD, &request);
	MPI_Probe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &status);
	MPI_Get_count(&status, MPI_BYTE, &count);
	MPI_Recv(in, count, MPI_BYTE, status.MPI_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	sends(next(1), 51);
	MPI_Isend(out, 51, MPI_BYTE, next(1), 7, MPI_COMM_WORLD, &request);
	MPI_Mprobe(next(-1), 7, MPI_COMM_WORLD, &message, &status);
	MPI_Mrecv(in, MOST, MPI_BYTE, &message, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	sends(next(1), 52);
	MPI_Send(out, 52, MPI_BYTE, next(1), 8, MPI_COMM_WORLD);
	while (!found)
		MPI_Improbe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &found, &message, &status);
	MPI_Imrecv(in, MOST, MPI_BYTE, &message, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* a receive that nothing will come for */
	MPI_Irecv(in, MOST, MPI_BYTE, next(-1), 4711, MPI_COMM_WORLD, &request);
	MPI_Cancel(&request);
	MPI_Wait(&request, &status);
}

/* The same tags in several communicators, in which tasks have other ranks. */
static void part_communicators(void)
{
	MPI_Comm half, turned, grid, copy;
	const int sizes[] = { 2, size / 2 }, wraps[] = { 1, 1 };
	MPI_Request requests[2];
	int mine, n, from, to;

	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
	MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &turned);
	MPI_Comm_dup(turned, &copy);
	MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, wraps, 0, &grid);
	MPI_Comm_size(half, &n);
	MPI_Comm_rank(half, &mine);
	/* in `half`, rank r is task 2 r + rank % 2 */
	sends((mine + 1) % n * 2 + rank % 2, 60);
	MPI_Isend(out, 60, MPI_BYTE, (mine + 1) % n, 1, half, &requests[0]);
	MPI_Irecv(in, MOST, MPI_BYTE, (mine + n - 1) % n, 1, half, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	/* in `turned`, rank r is task size - 1 - r; of two copies, the later message first */
	MPI_Comm_rank(turned, &mine);
	sends((rank + size - 1) % size, 61);
	MPI_Send(out, 61, MPI_BYTE, (mine + 1) % size, 1, turned);
	sends((rank + size - 1) % size, 62);
	MPI_Send(out, 62, MPI_BYTE, (mine + 1) % size, 1, copy);
	MPI_Recv(in, MOST, MPI_BYTE, (mine + size - 1) % size, 1, copy, MPI_STATUS_IGNORE);
	MPI_Recv(in, MOST, MPI_BYTE, (mine + size - 1) % size, 1, turned, MPI_STATUS_IGNORE);
	MPI_Cart_shift(grid, 1, 1, &from, &to);
	sends(to, 63);
	MPI_Sendrecv(out, 63, MPI_BYTE, to, 1, in, MOST, MPI_BYTE, from, 1, grid,
		     MPI_STATUS_IGNORE);
	/* to itself */
	sends(rank, 64);
	MPI_Sendrecv(out, 64, MPI_BYTE, 0, 1, in, MOST, MPI_BYTE, 0, 1, MPI_COMM_SELF,
		     MPI_STATUS_IGNORE);
	MPI_Comm_free(&half);
	MPI_Comm_free(&copy);
	MPI_Comm_free(&turned);
	MPI_Comm_free(&grid);
}

static void part_collectives(void)
{
	int counts[64], places[64], one[64] = { 0 }, all[64 * 64];

	for (int i = 0; i < size; i++) {
		counts[i] = i + 1;
		places[i] = i * (i + 1) / 2;
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Bcast(one, 4, MPI_INT, 1, MPI_COMM_WORLD);
	MPI_Reduce(one, all, 4, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
	MPI_Allreduce(one, all, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Gather(one, 4, MPI_INT, all, 4, MPI_INT, 1, MPI_COMM_WORLD);
	MPI_Scatter(all, 4, MPI_INT, one, 4, MPI_INT, 1, MPI_COMM_WORLD);
	MPI_Gatherv(one, rank + 1, MPI_INT, all, counts, places, MPI_INT, 1, MPI_COMM_WORLD);
	MPI_Scatterv(all, counts, places, MPI_INT, one, rank + 1, MPI_INT, 1, MPI_COMM_WORLD);
	MPI_Allgather(one, 4, MPI_INT, all, 4, MPI_INT, MPI_COMM_WORLD);
	MPI_Allgatherv(one, rank + 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
	MPI_Alltoall(MPI_IN_PLACE, 4, MPI_INT, all, 4, MPI_INT, MPI_COMM_WORLD);
	MPI_Reduce_scatter(all, one, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Scan(one, all, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/*
 * Operations that go on beside the task: half of the tasks has a message behind its wait, which the
 * other half needs before it begins.
 */
static void part_beside(void)
{
	MPI_Request requests[2];
	int one = 1, sum;

	MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
	if (rank == 0) {
		sends(1, 5);
		MPI_Send(out, 5, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
	}
	MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
	if (rank == 1)
		MPI_Recv(in, MOST, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	if (rank == 0) {
		MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
		sends(1, 6);
		MPI_Send(out, 6, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
	}
	if (rank == 1)
		MPI_Recv(in, MOST, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank)
		MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

/* A tenth of a second of work in each task, one after the other. */
static void part_compute(void)
{
	const double begin = MPI_Wtime();

	if (rank)
		MPI_Recv(in, MOST, MPI_BYTE, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (const clock_t first = clock(); MPI_Wtime() - begin < 100;)
		if (clock() - first > CLOCKS_PER_SEC / 10)
			break;
	if (rank + 1 < size) {
		sends(rank + 1, 1);
		MPI_Send(out, 1, MPI_BYTE, rank + 1, 1, MPI_COMM_WORLD);
	}
}

static void part_neighbours(void)
{
	const int wraps = 1;
	int all[2];
	MPI_Comm line;

	MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &wraps, 0, &line);
	MPI_Neighbor_allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, line);
	MPI_Comm_free(&line);
}

static void part_shared(void)
{
	void *base;
	MPI_Win win;

	MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
	MPI_Win_free(&win);
}

static void part_ineighbours(void)
{
	const int wraps = 1, counts[] = { 1, 1 }, places[] = { 0, 1 };
	int all[2];
	MPI_Comm line;
	MPI_Request request;

	MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &wraps, 0, &line);
	MPI_Ineighbor_allgatherv(&rank, 1, MPI_INT, all, counts, places, MPI_INT, line, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_free(&line);
}

static void part_files(void)
{
	MPI_File file;

	MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
	MPI_File_close(&file);
}

static const struct {
	const char *name;
	void (*run)(void);
} parts[] = {
	{ "ring", part_ring },
	{ "tags", part_tags },
	{ "persistent", part_persistent },
	{ "probes", part_probes },
	{ "communicators", part_communicators },
	{ "collectives", part_collectives },
	{ "beside", part_beside },
	{ "compute", part_compute },
	{ "neighbours", part_neighbours },
	{ "shared", part_shared },
	{ "ineighbours", part_ineighbours },
	{ "files", part_files },
};

int main(int argc, char **argv)
{
	const int threads = argc > 1 && strcmp(argv[1], "threads") == 0;
	int provided;

	if (threads)
		MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	else
		MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 1 + threads; i < argc; i++) {
		if (strcmp(argv[i], "abort") == 0 && rank == size - 1)
			MPI_Abort(MPI_COMM_WORLD, 3);
		if (strcmp(argv[i], "exit") == 0 && rank == 0)
			return 0;
		if (strcmp(argv[i], "kill") == 0 && rank == 0)
			abort();
		for (size_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++)
			if (strcmp(argv[i], parts[p].name) == 0)
				parts[p].run();
	}
	MPI_Finalize();
	return 0;
}
