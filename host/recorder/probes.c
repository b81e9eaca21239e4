// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A probe only looks: it is the receive that waits for the message. A probe that matches a message
 * (MPI_Mprobe) has posted its receive with that.
 */
#include <stdlib.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "host/recorder/recorder.h"

struct match {
	MPI_Message message;
	MPI_Comm comm;
	uint64_t serial;
	UT_hash_handle hh;
};

static struct match *matches; /* by message */

static void match(bool on, int ret, int found, const MPI_Message *message, MPI_Comm comm)
{
	struct match *match;

	if (!on || ret != MPI_SUCCESS || !found || *message == MPI_MESSAGE_NO_PROC)
		return;
	match = calloc(1, sizeof(*match));
	if (match) {
		match->message = *message;
		match->comm = comm;
		match->serial = hd_recorder_serial();
		HASH_ADD(hh, matches, message, sizeof(match->message), match);
		if (match->hh.tbl)
			return;
	}
	free(match);
	hd_recorder_refuse("there is no memory for a message that was matched");
}

/* What was matched, which it forgets; false: nothing. */
static bool take(MPI_Message message, struct match *taken)
{
	struct match *match;

	HASH_FIND(hh, matches, &message, sizeof(message), match);
	if (!match)
		return false;
	*taken = *match;
	HASH_DEL(matches, match);
	free(match);
	return true;
}

HD_MPI_FUNCTION int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status)
{
	const bool on = hd_recorder_enter();
	const int ret = PMPI_Probe(from, tag, comm, status);

	hd_recorder_leave(on);
	return ret;
}

HD_MPI_FUNCTION int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *found, MPI_Status *status)
{
	const bool on = hd_recorder_enter();
	const int ret = PMPI_Iprobe(from, tag, comm, found, status);

	hd_recorder_leave(on);
	return ret;
}

HD_MPI_FUNCTION int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message *message,
			       MPI_Status *status)
{
	const bool on = hd_recorder_enter();
	const int ret = PMPI_Mprobe(from, tag, comm, message, status);

	match(on, ret, 1, message, comm);
	hd_recorder_leave(on);
	return ret;
}

HD_MPI_FUNCTION int MPI_Improbe(int from, int tag, MPI_Comm comm, int *found, MPI_Message *message,
				MPI_Status *status)
{
	const bool on = hd_recorder_enter();
	const int ret = PMPI_Improbe(from, tag, comm, found, message, status);

	match(on, ret, *found, message, comm);
	hd_recorder_leave(on);
	return ret;
}

HD_MPI_FUNCTION int MPI_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message,
			      MPI_Status *status)
{
	const bool on = hd_recorder_enter();
	struct match matched;
	const bool known = on && take(*message, &matched);
	MPI_Status own;
	int ret;

	status = status == MPI_STATUS_IGNORE ? &own : status;
	ret = PMPI_Mrecv(buffer, count, type, message, status);
	if (known && ret == MPI_SUCCESS)
		hd_record_receive(hd_communicator_of(matched.comm), matched.serial, status);
	hd_recorder_leave(on);
	return ret;
}

HD_MPI_FUNCTION int MPI_Imrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message,
			       MPI_Request *request)
{
	const bool on = hd_recorder_enter();
	struct match matched;
	const bool known = on && take(*message, &matched);
	const int ret = PMPI_Imrecv(buffer, count, type, message, request);

	if (known && ret == MPI_SUCCESS)
		hd_request_receives(*request, matched.comm, matched.serial);
	hd_recorder_leave(on);
	return ret;
}
