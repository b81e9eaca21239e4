// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A sweep shared among processes that mpirun started: rank 0 hands out runs, one at a time, takes
 * part itself, and has all outcomes. A single run is divided: each process has a domain of its
 * model (sim/model/ranks.h). A program without MPI is one process.
 */
#include "config.h"
#include "sim/model/ranks.h"
#include "support/error.h"
#include "tools/cmd_sim.h"

#ifdef WITH_MPI

#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	TAG_ASK,  /* to rank 0: asks for a run; with the outcome of the last */
	TAG_TAKE, /* from rank 0: a run, or NO_RUN */
	TAG_RUN,  /* within a run that ranks do together */
};

#define NO_RUN UINT64_MAX

static void finalize(void)
{
	int is_done;

	MPI_Finalized(&is_done);
	if (!is_done)
		MPI_Finalize();
}

struct hd_sim_processes hd_sim_mpi_begin(int *argc, char ***argv)
{
	struct hd_sim_processes processes = { .n = 1 };
	int provided;

	/* a single process needs nothing of MPI, not even that it works */
	if (!getenv("OMPI_COMM_WORLD_SIZE"))
		return processes;
	/* Open MPI's `mpirun -q` prints nothing, and hands the status on */
	processes.has_to_succeed = !getenv("OMPI_MCA_orte_execute_quiet");
	MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
	atexit(finalize); /* --help exits by itself */
	MPI_Comm_rank(MPI_COMM_WORLD, &processes.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &processes.n);
	/* all processes have the same errors: only rank 0 tells them */
	if (processes.rank && !freopen("/dev/null", "w", stderr))
		MPI_Abort(MPI_COMM_WORLD, HD_EXIT_UNUSABLE);
	return processes;
}

void hd_sim_mpi_end(struct hd_sim_processes processes)
{
	(void)processes;
	if (getenv("OMPI_COMM_WORLD_SIZE"))
		finalize();
}

bool hd_sim_mpi_agree(struct hd_sim_processes processes, bool failed)
{
	int one = failed, any = failed;

	if (processes.n > 1)
		MPI_Allreduce(&one, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	return !any;
}

int hd_sim_mpi_status(struct hd_sim_processes processes, int status)
{
	int greatest = status;

	if (processes.n > 1)
		MPI_Allreduce(&status, &greatest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	return greatest;
}

/* The message with TAG_ASK; the strings of an outcome follow, each with its NUL. */
struct answer {
	uint64_t run;                             /* NO_RUN: none yet */
	uint64_t cells, details, series, witness; /* bytes of each; 0: NULL */
	struct hd_error err;
};

static uint64_t size_of(const char *text)
{
	return text ? strlen(text) + 1 : 0;
}

static char *unpack(const char **at, uint64_t size)
{
	char *text = size ? malloc(size) : NULL;

	if (text)
		memcpy(text, *at, size);
	*at += size;
	return text;
}

static void send_answer(struct answer *answer, const struct hd_outcome *outcome)
{
	const char *texts[] = { outcome->cells, outcome->details, outcome->series,
				outcome->witness };
	size_t size = sizeof(*answer);
	char *message, *at;

	answer->cells = size_of(outcome->cells);
	answer->details = size_of(outcome->details);
	answer->series = size_of(outcome->series);
	answer->witness = size_of(outcome->witness);
	size += answer->cells + answer->details + answer->series + answer->witness;
	message = at = malloc(size);
	if (!message)
		MPI_Abort(MPI_COMM_WORLD, HD_EXIT_UNUSABLE);
	at = mempcpy(at, answer, sizeof(*answer));
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i])
			at = mempcpy(at, texts[i], strlen(texts[i]) + 1);
	MPI_Send(message, (int)size, MPI_BYTE, 0, TAG_ASK, MPI_COMM_WORLD);
	free(message);
}

/* The work of a process other than rank 0. */
static void serve(const struct hd_sweep *sweep)
{
	struct answer answer = { .run = NO_RUN };
	struct hd_outcome outcome = { 0 };

	for (;;) {
		send_answer(&answer, &outcome);
		hd_outcome_clear(&outcome);
		MPI_Recv(&answer.run, 1, MPI_UINT64_T, 0, TAG_TAKE, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		if (answer.run == NO_RUN)
			return;
		answer.err = (struct hd_error){ 0 };
		hd_sweep_run(sweep, answer.run, &outcome, &answer.err);
	}
}

/* Takes an answer and sends the next run. False when there is none: that process is done. */
static bool answer_one(struct hd_work *work, const MPI_Status *status)
{
	struct hd_outcome outcome = { 0 };
	struct answer answer;
	uint64_t next;
	size_t run;
	const char *at;
	char *message;
	int size;

	MPI_Get_count(status, MPI_BYTE, &size);
	message = malloc((size_t)size);
	if (!message)
		MPI_Abort(MPI_COMM_WORLD, HD_EXIT_UNUSABLE);
	MPI_Recv(message, size, MPI_BYTE, status->MPI_SOURCE, TAG_ASK, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	memcpy(&answer, message, sizeof(answer));
	at = message + sizeof(answer);
	outcome.cells = unpack(&at, answer.cells);
	outcome.details = unpack(&at, answer.details);
	outcome.series = unpack(&at, answer.series);
	outcome.witness = unpack(&at, answer.witness);
	free(message);
	if (answer.run != NO_RUN)
		hd_work_give(work, answer.run, &outcome, &answer.err);
	next = hd_work_take(work, &run) ? run : NO_RUN;
	MPI_Send(&next, 1, MPI_UINT64_T, status->MPI_SOURCE, TAG_TAKE, MPI_COMM_WORLD);
	return next != NO_RUN;
}

struct local {
	const struct hd_sweep *sweep;
	struct hd_work *work;
	unsigned jobs;
};

static void *work_locally(void *context)
{
	const struct local *local = context;

	hd_sweep_threads(local->sweep, local->work, local->jobs);
	return NULL;
}

/* As struct hd_ranks has it: first the sizes, then the bytes. */
static void exchange(struct hd_ranks *ranks)
{
	uint64_t *sizes = ranks->context, *theirs = sizes + ranks->n;
	MPI_Request *requests = (MPI_Request *)(theirs + ranks->n);
	int n = 0;

	for (unsigned i = 0; i < ranks->n; i++)
		sizes[i] = i == ranks->rank ? 0 : ranks->out[i].n;
	MPI_Alltoall(sizes, 1, MPI_UINT64_T, theirs, 1, MPI_UINT64_T, MPI_COMM_WORLD);
	for (unsigned i = 0; i < ranks->n; i++) {
		void *to;

		hd_bytes_empty(&ranks->in[i]);
		if (i == ranks->rank)
			continue;
		to = hd_bytes_extend(&ranks->in[i], theirs[i]);
		/* what a rank lacks, the others cannot do without */
		if ((!to && theirs[i]) || ranks->out[i].failed || theirs[i] > INT_MAX ||
		    sizes[i] > INT_MAX) {
			fprintf(stderr, "heddle: no room for what processes send one another\n");
			MPI_Abort(MPI_COMM_WORLD, HD_EXIT_UNUSABLE);
		}
		if (theirs[i])
			MPI_Irecv(to, (int)theirs[i], MPI_BYTE, (int)i, TAG_RUN, MPI_COMM_WORLD,
				  &requests[n++]);
		if (sizes[i])
			MPI_Isend(ranks->out[i].data, (int)sizes[i], MPI_BYTE, (int)i, TAG_RUN,
				  MPI_COMM_WORLD, &requests[n++]);
	}
	MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

struct hd_ranks *hd_sim_mpi_ranks(struct hd_sim_processes processes)
{
	struct hd_ranks *ranks = calloc(1, sizeof(*ranks));
	const size_t n = (size_t)processes.n;

	if (!ranks)
		return NULL;
	ranks->rank = (unsigned)processes.rank;
	ranks->n = (unsigned)processes.n;
	ranks->exchange = exchange;
	ranks->out = calloc(n, sizeof(*ranks->out));
	ranks->in = calloc(n, sizeof(*ranks->in));
	ranks->context = malloc(2 * n * (sizeof(uint64_t) + sizeof(MPI_Request)));
	if (ranks->out && ranks->in && ranks->context)
		return ranks;
	hd_sim_mpi_ranks_free(ranks);
	return NULL;
}

void hd_sim_mpi_ranks_free(struct hd_ranks *ranks)
{
	if (!ranks)
		return;
	for (unsigned i = 0; i < ranks->n; i++) {
		if (ranks->out)
			hd_bytes_free(&ranks->out[i]);
		if (ranks->in)
			hd_bytes_free(&ranks->in[i]);
	}
	free(ranks->out);
	free(ranks->in);
	free(ranks->context);
	free(ranks);
}

/* All processes do the only run, with a domain each. */
static void run_together(const struct hd_sweep *sweep, struct hd_work *work,
			 struct hd_sim_processes processes)
{
	struct hd_outcome outcome = { 0 };
	struct hd_error err = { 0 };

	if (!processes.rank) {
		hd_sweep_threads(sweep, work, 1);
		return;
	}
	/* rank 0 has the same outcome, or the same error */
	hd_sweep_run(sweep, 0, &outcome, &err);
	hd_outcome_clear(&outcome);
}

void hd_sim_mpi_sweep(const struct hd_sweep *sweep, struct hd_work *work, unsigned jobs,
		      struct hd_sim_processes processes)
{
	struct local local = { sweep, work, jobs };
	const struct timespec nap = { .tv_nsec = 500000 };
	int left = processes.n - 1;
	pthread_t thread;
	bool has_thread;

	if (sweep->threads.ranks) {
		run_together(sweep, work, processes);
		return;
	}
	if (processes.rank) {
		serve(sweep);
		return;
	}
	if (!left) {
		work_locally(&local);
		return;
	}
	has_thread = pthread_create(&thread, NULL, work_locally, &local) == 0;
	while (left) {
		MPI_Status status;
		int is_there;

		/* MPI would wait busily, at the cost of the thread that computes */
		MPI_Iprobe(MPI_ANY_SOURCE, TAG_ASK, MPI_COMM_WORLD, &is_there, &status);
		if (!is_there)
			nanosleep(&nap, NULL);
		else if (!answer_one(work, &status))
			left--;
	}
	if (has_thread)
		pthread_join(thread, NULL);
}

#else

struct hd_sim_processes hd_sim_mpi_begin(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return (struct hd_sim_processes){ .n = 1 };
}

void hd_sim_mpi_sweep(const struct hd_sweep *sweep, struct hd_work *work, unsigned jobs,
		      struct hd_sim_processes processes)
{
	(void)processes;
	hd_sweep_threads(sweep, work, jobs);
}

struct hd_ranks *hd_sim_mpi_ranks(struct hd_sim_processes processes)
{
	(void)processes;
	return NULL;
}

void hd_sim_mpi_ranks_free(struct hd_ranks *ranks)
{
	(void)ranks;
}

bool hd_sim_mpi_agree(struct hd_sim_processes processes, bool failed)
{
	(void)processes;
	return !failed;
}

int hd_sim_mpi_status(struct hd_sim_processes processes, int status)
{
	(void)processes;
	return status;
}

void hd_sim_mpi_end(struct hd_sim_processes processes)
{
	(void)processes;
}

#endif
