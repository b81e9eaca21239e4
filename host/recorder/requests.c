// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What the task waits for by requests: receives, collective operations, and the persistent ones. A
 * request that sends is no matter: its message has left.
 */
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "host/recorder/recorder.h"

enum request_kind { RECEIVES, GOES_ON, SENDS_AGAIN, RECEIVES_AGAIN };

struct request {
	MPI_Request handle;
	enum request_kind kind;
	bool is_active; /* of RECEIVES_AGAIN */
	const struct hd_communicator *communicator;
	uint64_t serial; /* of the receive's posting; of the fork */
	MPI_Comm comm;   /* of SENDS_AGAIN, and what follows */
	int to, tag, count;
	MPI_Datatype type;
	UT_hash_handle hh;
};

static struct request *requests; /* by handle */

static struct request *find(MPI_Request handle)
{
	struct request *request;

	HASH_FIND(hh, requests, &handle, sizeof(handle), request);
	return request;
}

static void forget(struct request *request)
{
	if (!request)
		return;
	HASH_DEL(requests, request);
	free(request);
}

static struct request *add(MPI_Request handle, enum request_kind kind)
{
	struct request *request = calloc(1, sizeof(*request));

	if (request) {
		forget(find(handle));
		request->handle = handle;
		request->kind = kind;
		HASH_ADD(hh, requests, handle, sizeof(request->handle), request);
		if (request->hh.tbl)
			return request;
	}
	free(request);
	hd_recorder_refuse("there is no memory for a request");
	return NULL;
}

void hd_request_receives(MPI_Request handle, MPI_Comm comm, uint64_t serial)
{
	const struct hd_communicator *communicator = hd_communicator_of(comm);
	struct request *request = communicator ? add(handle, RECEIVES) : NULL;

	if (!request)
		return;
	request->communicator = communicator;
	request->serial = serial;
}

HD_MPI_FUNCTION int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag,
			      MPI_Comm comm, MPI_Request *request)
{
	const bool on = hd_recorder_enter();
	const uint64_t serial = on ? hd_recorder_serial() : 0;
	const int ret = PMPI_Irecv(buffer, count, type, from, tag, comm, request);

	if (on && ret == MPI_SUCCESS && from != MPI_PROC_NULL)
		hd_request_receives(*request, comm, serial);
	hd_recorder_leave(on);
	return ret;
}

void hd_request_goes_on(MPI_Request handle, uint64_t fork)
{
	struct request *request = add(handle, GOES_ON);

	if (request)
		request->serial = fork;
}

void hd_requests_end(void)
{
	while (requests)
		forget(requests);
}

/* What @handle stood for is complete. */
static void complete(MPI_Request handle, const MPI_Status *status)
{
	struct request *request = handle == MPI_REQUEST_NULL ? NULL : find(handle);

	if (!request || request->kind == SENDS_AGAIN)
		return;
	if (request->kind == GOES_ON)
		hd_recorder_add(
			&(struct hd_step){ .kind = HD_STEP_JOIN, .serial = request->serial });
	else if (request->kind == RECEIVES || request->is_active)
		hd_record_receive(request->communicator, request->serial, status);
	request->is_active = false;
	if (request->kind != RECEIVES_AGAIN)
		forget(request);
}

#define FEW 16

/* Copies of the handles that a call completes, and statuses where the caller left them out. */
struct call {
	bool entered, on;
	MPI_Request *handles, few[FEW];
	MPI_Status *statuses, few_statuses[FEW];
};

static void begin(struct call *call, int n, const MPI_Request *handles, MPI_Status *statuses)
{
	const size_t size = n > 0 ? (size_t)n : 0;
	const bool owns = statuses == MPI_STATUSES_IGNORE;

	call->on = call->entered = hd_recorder_enter();
	call->handles = call->few;
	call->statuses = owns ? call->few_statuses : statuses;
	if (!call->on)
		call->statuses = statuses;
	if (call->on && size > FEW) {
		call->handles = malloc(size * sizeof(*handles));
		if (owns)
			call->statuses = malloc(size * sizeof(*statuses));
		if (!call->handles || !call->statuses) {
			hd_recorder_refuse("there is no memory for %d requests", n);
			call->on = false;
			call->statuses = call->statuses ? call->statuses : statuses;
		}
	}
	if (call->on && size)
		memcpy(call->handles, handles, size * sizeof(*handles));
}

static void end(struct call *call, const MPI_Status *given)
{
	if (call->handles != call->few)
		free(call->handles);
	if (call->statuses != call->few_statuses && call->statuses != given)
		free(call->statuses);
	hd_recorder_leave(call->entered);
}

/* Whether statuses of a call that returned @ret can be looked at. */
static bool is_done(const struct call *call, int ret, int done)
{
	return call->on && done && (ret == MPI_SUCCESS || ret == MPI_ERR_IN_STATUS);
}

HD_MPI_FUNCTION int MPI_Wait(MPI_Request *handle, MPI_Status *status)
{
	struct call call;
	int ret;

	begin(&call, 1, handle, status);
	ret = PMPI_Wait(handle, call.statuses);
	if (is_done(&call, ret, 1))
		complete(call.handles[0], call.statuses);
	end(&call, status);
	return ret;
}

HD_MPI_FUNCTION int MPI_Test(MPI_Request *handle, int *done, MPI_Status *status)
{
	struct call call;
	int ret;

	begin(&call, 1, handle, status);
	ret = PMPI_Test(handle, done, call.statuses);
	if (is_done(&call, ret, *done))
		complete(call.handles[0], call.statuses);
	end(&call, status);
	return ret;
}

HD_MPI_FUNCTION int MPI_Waitall(int n, MPI_Request handles[], MPI_Status statuses[])
{
	struct call call;
	int ret;

	begin(&call, n, handles, statuses);
	ret = PMPI_Waitall(n, handles, call.statuses);
	for (int i = 0; is_done(&call, ret, 1) && i < n; i++)
		complete(call.handles[i], &call.statuses[i]);
	end(&call, statuses);
	return ret;
}

HD_MPI_FUNCTION int MPI_Testall(int n, MPI_Request handles[], int *done, MPI_Status statuses[])
{
	struct call call;
	int ret;

	begin(&call, n, handles, statuses);
	ret = PMPI_Testall(n, handles, done, call.statuses);
	for (int i = 0; is_done(&call, ret, *done) && i < n; i++)
		complete(call.handles[i], &call.statuses[i]);
	end(&call, statuses);
	return ret;
}

HD_MPI_FUNCTION int MPI_Waitany(int n, MPI_Request handles[], int *index, MPI_Status *status)
{
	MPI_Status own;
	struct call call;
	int ret;

	status = status == MPI_STATUS_IGNORE ? &own : status;
	begin(&call, n, handles, status);
	ret = PMPI_Waitany(n, handles, index, status);
	if (is_done(&call, ret, *index != MPI_UNDEFINED))
		complete(call.handles[*index], status);
	end(&call, status);
	return ret;
}

HD_MPI_FUNCTION int MPI_Testany(int n, MPI_Request handles[], int *index, int *done,
				MPI_Status *status)
{
	MPI_Status own;
	struct call call;
	int ret;

	status = status == MPI_STATUS_IGNORE ? &own : status;
	begin(&call, n, handles, status);
	ret = PMPI_Testany(n, handles, index, done, status);
	if (is_done(&call, ret, *done && *index != MPI_UNDEFINED))
		complete(call.handles[*index], status);
	end(&call, status);
	return ret;
}

static void complete_some(const struct call *call, int ret, int n, const int *indices)
{
	for (int i = 0; is_done(call, ret, n != MPI_UNDEFINED) && i < n; i++)
		complete(call->handles[indices[i]], &call->statuses[i]);
}

HD_MPI_FUNCTION int MPI_Waitsome(int n, MPI_Request handles[], int *n_done, int indices[],
				 MPI_Status statuses[])
{
	struct call call;
	int ret;

	begin(&call, n, handles, statuses);
	ret = PMPI_Waitsome(n, handles, n_done, indices, call.statuses);
	complete_some(&call, ret, *n_done, indices);
	end(&call, statuses);
	return ret;
}

HD_MPI_FUNCTION int MPI_Testsome(int n, MPI_Request handles[], int *n_done, int indices[],
				 MPI_Status statuses[])
{
	struct call call;
	int ret;

	begin(&call, n, handles, statuses);
	ret = PMPI_Testsome(n, handles, n_done, indices, call.statuses);
	complete_some(&call, ret, *n_done, indices);
	end(&call, statuses);
	return ret;
}

HD_MPI_FUNCTION int MPI_Request_free(MPI_Request *handle)
{
	const bool on = hd_recorder_enter();

	if (on)
		forget(find(*handle));
	const int ret = PMPI_Request_free(handle);

	hd_recorder_leave(on);
	return ret;
}

static void persist(bool on, int ret, const struct request *wish)
{
	struct request *request;

	if (!on || ret != MPI_SUCCESS)
		return;
	request = add(wish->handle, wish->kind);
	if (!request)
		return;
	request->comm = wish->comm;
	request->to = wish->to;
	request->tag = wish->tag;
	request->count = wish->count;
	request->type = wish->type;
}

/* Persistent requests that send. */
#define SENDS_INIT(name)                                                                         \
	HD_MPI_FUNCTION int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, \
				       int tag, MPI_Comm comm, MPI_Request *handle)              \
	{                                                                                        \
		const bool on = hd_recorder_enter();                                             \
		const int ret = PMPI_##name(buffer, count, type, to, tag, comm, handle);         \
                                                                                                 \
		persist(on, ret,                                                                 \
			&(struct request){ .handle = *handle,                                    \
					   .kind = SENDS_AGAIN,                                  \
					   .comm = comm,                                         \
					   .to = to,                                             \
					   .tag = tag,                                           \
					   .count = count,                                       \
					   .type = type });                                      \
		hd_recorder_leave(on);                                                           \
		return ret;                                                                      \
	}

SENDS_INIT(Send_init)
SENDS_INIT(Bsend_init)
SENDS_INIT(Ssend_init)
SENDS_INIT(Rsend_init)

HD_MPI_FUNCTION int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag,
				  MPI_Comm comm, MPI_Request *handle)
{
	const bool on = hd_recorder_enter();
	const int ret = PMPI_Recv_init(buffer, count, type, from, tag, comm, handle);

	persist(on && from != MPI_PROC_NULL, ret,
		&(struct request){ .handle = *handle, .kind = RECEIVES_AGAIN, .comm = comm });
	hd_recorder_leave(on);
	return ret;
}

static void start(MPI_Request handle)
{
	struct request *request = find(handle);

	if (!request)
		return;
	if (request->kind == SENDS_AGAIN) {
		hd_record_send(request->comm, request->to, request->tag, request->count,
			       request->type);
		return;
	}
	request->communicator = hd_communicator_of(request->comm);
	request->serial = hd_recorder_serial();
	request->is_active = true;
}

HD_MPI_FUNCTION int MPI_Start(MPI_Request *handle)
{
	const bool on = hd_recorder_enter();

	if (on)
		start(*handle);
	const int ret = PMPI_Start(handle);

	hd_recorder_leave(on);
	return ret;
}

HD_MPI_FUNCTION int MPI_Startall(int n, MPI_Request handles[])
{
	const bool on = hd_recorder_enter();

	for (int i = 0; on && i < n; i++)
		start(handles[i]);
	const int ret = PMPI_Startall(n, handles);

	hd_recorder_leave(on);
	return ret;
}
