// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Messages between two tasks, but for those that requests stand for (requests.c). */
#include "host/recorder/recorder.h"

void hd_record_send(MPI_Comm comm, int to, int tag, int count, MPI_Datatype type)
{
	const struct hd_communicator *c = to == MPI_PROC_NULL ? NULL : hd_communicator_of(comm);
	int size = 0;

	if (!c || to < 0 || (uint32_t)to >= c->size)
		return;
	PMPI_Type_size(type, &size);
	hd_recorder_add(&(struct hd_step){ .kind = HD_STEP_SEND,
					   .communicator = c->id,
					   .peer = c->world[to],
					   .tag = (uint64_t)tag,
					   .bytes = (uint64_t)count * (uint64_t)size });
}

void hd_record_receive(const struct hd_communicator *c, uint64_t serial, const MPI_Status *status)
{
	int is_cancelled = 0;

	PMPI_Test_cancelled(status, &is_cancelled);
	if (!c || is_cancelled || status->MPI_SOURCE < 0 || (uint32_t)status->MPI_SOURCE >= c->size)
		return;
	hd_recorder_add(&(struct hd_step){ .kind = HD_STEP_RECEIVE,
					   .communicator = c->id,
					   .peer = c->world[status->MPI_SOURCE],
					   .tag = (uint64_t)status->MPI_TAG,
					   .serial = serial });
}

/* A function that sends: a message leaves with the call, whatever the mode. */
#define SENDS(name, parameters, arguments)                          \
	HD_MPI_FUNCTION int MPI_##name parameters                   \
	{                                                           \
		const bool on = hd_recorder_enter();                \
		int ret;                                            \
                                                                    \
		if (on)                                             \
			hd_record_send(comm, to, tag, count, type); \
		ret = PMPI_##name arguments;                        \
		hd_recorder_leave(on);                              \
		return ret;                                         \
	}
#define BLOCKING (const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
#define IMMEDIATE                                                                          \
	(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
	 MPI_Request *request)

SENDS(Send, BLOCKING, (buffer, count, type, to, tag, comm))
SENDS(Bsend, BLOCKING, (buffer, count, type, to, tag, comm))
SENDS(Ssend, BLOCKING, (buffer, count, type, to, tag, comm))
SENDS(Rsend, BLOCKING, (buffer, count, type, to, tag, comm))
SENDS(Isend, IMMEDIATE, (buffer, count, type, to, tag, comm, request))
SENDS(Ibsend, IMMEDIATE, (buffer, count, type, to, tag, comm, request))
SENDS(Issend, IMMEDIATE, (buffer, count, type, to, tag, comm, request))
SENDS(Irsend, IMMEDIATE, (buffer, count, type, to, tag, comm, request))

/* Notes when a receive is posted. */
static uint64_t post(bool on)
{
	return on ? hd_recorder_serial() : 0;
}

static void received(bool on, int ret, MPI_Comm comm, uint64_t serial, const MPI_Status *status)
{
	if (on && ret == MPI_SUCCESS && status->MPI_SOURCE != MPI_PROC_NULL)
		hd_record_receive(hd_communicator_of(comm), serial, status);
}

HD_MPI_FUNCTION int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag,
			     MPI_Comm comm, MPI_Status *status)
{
	const bool on = hd_recorder_enter();
	const uint64_t serial = post(on);
	MPI_Status own;
	int ret;

	status = status == MPI_STATUS_IGNORE ? &own : status;
	ret = PMPI_Recv(buffer, count, type, from, tag, comm, status);
	received(on, ret, comm, serial, status);
	hd_recorder_leave(on);
	return ret;
}

HD_MPI_FUNCTION int MPI_Sendrecv(const void *out, int out_count, MPI_Datatype out_type, int to,
				 int out_tag, void *in, int in_count, MPI_Datatype in_type,
				 int from, int in_tag, MPI_Comm comm, MPI_Status *status)
{
	const bool on = hd_recorder_enter();
	const uint64_t serial = post(on);
	MPI_Status own;
	int ret;

	if (on)
		hd_record_send(comm, to, out_tag, out_count, out_type);
	status = status == MPI_STATUS_IGNORE ? &own : status;
	ret = PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from,
			    in_tag, comm, status);
	received(on, ret, comm, serial, status);
	hd_recorder_leave(on);
	return ret;
}

HD_MPI_FUNCTION int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to,
					 int out_tag, int from, int in_tag, MPI_Comm comm,
					 MPI_Status *status)
{
	const bool on = hd_recorder_enter();
	const uint64_t serial = post(on);
	MPI_Status own;
	int ret;

	if (on)
		hd_record_send(comm, to, out_tag, count, type);
	status = status == MPI_STATUS_IGNORE ? &own : status;
	ret = PMPI_Sendrecv_replace(buffer, count, type, to, out_tag, from, in_tag, comm, status);
	received(on, ret, comm, serial, status);
	hd_recorder_leave(on);
	return ret;
}
