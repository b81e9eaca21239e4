/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libheddle-trace.so sits between an MPI program and its MPI library (by the profiling interface:
 * MPI_Send is here, PMPI_Send there) and records what the program sends. The functions below share
 * one global state, because MPI's functions have no argument for it.
 */
#ifndef HD_RECORDER_RECORDER_H
#define HD_RECORDER_RECORDER_H

#include <mpi.h>
#include <time.h>

#include "host/recorder/collectives.h"
#include "host/recorder/log.h"

#define HD_MPI_FUNCTION __attribute__((visibility("default")))

/* A communicator, as all its tasks know it. */
struct hd_communicator {
	uint64_t id;
	uint32_t size, rank;
	uint32_t *world;      /* [rank] rank in MPI_COMM_WORLD */
	uint64_t *blocks;     /* [rank] room for the blocks of a call */
	uint64_t collectives; /* operations so far */
	struct hd_communicator *next;
};

#define HD_RECORDER_TEXT 256

/*
 * The first function: the program's own time counts from now on, by @clock. The second: recording
 * ends.
 */
void hd_recorder_begin(clockid_t clock);
void hd_recorder_end(void);

/*
 * A call to MPI begins: the time since the last one is the program's own. Returns whether the call
 * is recorded (a call from within a call is not); pass that to hd_recorder_leave().
 */
bool hd_recorder_enter(void);
void hd_recorder_leave(bool on);

/* Between hd_recorder_begin() and hd_recorder_end(). */
bool hd_recorder_has_begun(void);

/* Adds @step to the log, with the program's own time since the last step. */
void hd_recorder_add(const struct hd_step *step);

/* A number greater than all earlier numbers of the task. */
uint64_t hd_recorder_serial(void);

/* Notes that the program uses MPI-IO, which the trace leaves out. */
void hd_recorder_note_files(void);
bool hd_recorder_uses_files(void);

/* Notes the reason for which there will be no trace. The program goes on. */
void hd_recorder_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * The first reason for which there will be no trace, in HD_RECORDER_TEXT bytes; "": a trace
 * follows.
 */
const char *hd_recorder_failure(void);

/* The recorded log; the caller frees it. */
struct hd_step_log hd_recorder_take_log(void);

/* communicators.c */

/* Begins with MPI_COMM_WORLD and MPI_COMM_SELF. False: no memory. */
bool hd_communicators_begin(void);
void hd_communicators_end(void);

/*
 * NULL: an intercommunicator, or one whose creation the recorder did not see; the recorder has
 * refused.
 */
struct hd_communicator *hd_communicator_of(MPI_Comm comm);

/* messages.c */

void hd_record_send(MPI_Comm comm, int to, int tag, int count, MPI_Datatype type);
void hd_record_receive(const struct hd_communicator *communicator, uint64_t serial,
		       const MPI_Status *status);

/* requests.c */

void hd_request_receives(MPI_Request request, MPI_Comm comm, uint64_t serial);
void hd_request_goes_on(MPI_Request request, uint64_t fork);
void hd_requests_end(void);

#endif
