// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Traces of MPI programs in the VEF format:
 *
 *	VEF3 TASKS MESSAGES COMMUNICATORS COLLECTIVES LOCAL_COLLECTIVES TRUE
 *	C0 TASK TASK ...                          (per communicator; the first has all tasks)
 *	ID SOURCE DESTINATION BYTES KIND TIME IDDEP  (per message)
 *	GID COMMUNICATOR OPERATION TASK SEND RECEIVE KIND TIME IDDEP
 *
 * KIND 0 is a message that depends on nothing, TIME after the start; any other waits for message
 * IDDEP and TIME after it. Whether for its sending or for its receipt follows from who had a part
 * in it. Collective operations, whose algorithms a trace does not say, are refused.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/traffic/records.h"
#include "support/error.h"
#include "support/text.h"

enum { TASKS, MESSAGES, COMMUNICATORS, COLLECTIVES, LOCAL_COLLECTIVES, HEADER };
enum { ID, SOURCE, DESTINATION, BYTES, KIND, TIME, IDDEP, MESSAGE };

static const char *const header_names[HEADER] = { "TASKS", "MESSAGES", "COMMUNICATORS",
						  "COLLECTIVES", "LOCAL_COLLECTIVES" };
static const char *const message_names[MESSAGE] = { "ID",   "SOURCE", "DESTINATION", "BYTES",
						    "KIND", "TIME",   "IDDEP" };

struct vef {
	struct hd_lines lines;
	struct hd_records *records;
	uint64_t header[HEADER];
	struct hd_error *err;
};

static int refuse(struct vef *vef, const char *what)
{
	return hd_error_at(vef->err, HD_EPARSE, vef->lines.file, vef->lines.number, "%s", what);
}

/* The next number of a line. */
static bool scan(struct vef *vef, const char **at, const char *what, uint64_t max, uint64_t *value)
{
	hd_scan_blanks(at, vef->lines.end);
	if (hd_scan_number(at, vef->lines.end, 10, max, value) &&
	    (*at == vef->lines.end || **at == ' ' || **at == '\t'))
		return true;
	hd_error_at(vef->err, HD_EPARSE, vef->lines.file, vef->lines.number,
		    "%s is no number up to %llu", what, (unsigned long long)max);
	return false;
}

static bool ends(struct vef *vef, const char **at)
{
	hd_scan_blanks(at, vef->lines.end);
	return *at == vef->lines.end;
}

static int read_header(struct vef *vef)
{
	uint64_t max[HEADER] = { vef->records->n_tasks, UINT32_MAX, UINT32_MAX, UINT64_MAX / 2,
				 UINT64_MAX / 2 };
	const char *at;
	uint64_t version;

	if (!hd_lines_next(&vef->lines))
		return refuse(vef, "the header VEF3 is missing");
	at = vef->lines.begin;
	if (!hd_scan_word(&at, vef->lines.end, "VEF") ||
	    !hd_scan_number(&at, vef->lines.end, 10, UINT32_MAX, &version) || version != 3)
		return refuse(vef, "the header does not begin with VEF3");
	for (unsigned i = 0; i < HEADER; i++)
		if (!scan(vef, &at, header_names[i], max[i], &vef->header[i]))
			return HD_EPARSE;
	if (!vef->header[TASKS])
		return refuse(vef, "there are no tasks");
	hd_scan_blanks(&at, vef->lines.end);
	if (!hd_scan_word(&at, vef->lines.end, "TRUE") || !ends(vef, &at))
		return refuse(vef, "the header does not end with TRUE");
	if (vef->header[COLLECTIVES] || vef->header[LOCAL_COLLECTIVES])
		return refuse(vef, "collective operations are not replayed: their messages are not "
				   "in the trace");
	return 0;
}

static int read_communicators(struct vef *vef)
{
	for (uint64_t i = 0; i < vef->header[COMMUNICATORS]; i++) {
		uint64_t number, tasks = 0;
		const char *at;

		if (!hd_lines_next(&vef->lines))
			return refuse(vef, "communicators are missing");
		at = vef->lines.begin;
		if (!hd_scan_word(&at, vef->lines.end, "C") ||
		    !scan(vef, &at, "communicator", UINT32_MAX, &number) || number != i)
			return refuse(vef, "this is not the next communicator");
		while (!ends(vef, &at)) {
			if (!scan(vef, &at, "TASK", vef->header[TASKS] - 1, &number))
				return HD_EPARSE;
			tasks++;
		}
		if (!tasks || (!i && tasks != vef->header[TASKS]))
			return refuse(vef, "a communicator lacks tasks");
	}
	return 0;
}

/* Reads which message the message of @fields, the last one of the records, waits for. */
static int read_wait(struct vef *vef, const uint64_t fields[MESSAGE])
{
	const struct hd_record *on;

	if (!fields[KIND])
		return 0;
	if (fields[IDDEP] + 1 >= vef->records->n)
		return refuse(vef, "IDDEP is a message that comes later");
	on = &vef->records->all[fields[IDDEP]];
	if (on->from != fields[SOURCE] && on->to != fields[SOURCE])
		return refuse(vef, "SOURCE has no part in the message that it waits for");
	return hd_records_wait(vef->records, (uint32_t)fields[IDDEP], on->from != fields[SOURCE],
			       vef->err);
}

static int read_message(struct vef *vef)
{
	const struct hd_records *records = vef->records;
	uint64_t tasks = vef->header[TASKS], fields[MESSAGE];
	uint64_t max[MESSAGE] = { UINT32_MAX,      tasks - 1, tasks - 1,
				  HD_RECORD_BYTES, 3,         HD_RECORD_TIME / records->tick,
				  UINT32_MAX };
	const char *at = vef->lines.begin;
	int ret;

	if (at < vef->lines.end && *at == 'G')
		return refuse(vef, "collective operations are not replayed: their messages are not "
				   "in the trace");
	for (unsigned i = 0; i < MESSAGE; i++)
		if (!scan(vef, &at, message_names[i], max[i], &fields[i]))
			return HD_EPARSE;
	if (!ends(vef, &at))
		return refuse(vef, "more than the seven fields of a message");
	if (fields[ID] != records->n)
		return refuse(vef, "ID is not the number of messages before");
	ret = hd_records_add(vef->records, fields[TIME], (uint32_t)fields[SOURCE],
			     (uint32_t)fields[DESTINATION], fields[BYTES], vef->err);
	if (!ret)
		ret = read_wait(vef, fields);
	if (!ret && hd_records_settle(vef->records, NULL))
		return refuse(vef, "TIME is too late");
	return ret;
}

int hd_vef_parse(const char *file, const char *data, size_t size, struct hd_records *records,
		 struct hd_error *err)
{
	struct vef vef = { .records = records, .err = err };
	int ret;

	hd_lines_begin(&vef.lines, file, data, size);
	ret = read_header(&vef);
	if (!ret)
		ret = read_communicators(&vef);
	while (!ret && hd_lines_next(&vef.lines)) {
		const char *at = vef.lines.begin;

		if (!ends(&vef, &at))
			ret = read_message(&vef);
	}
	if (!ret && records->n != vef.header[MESSAGES])
		return refuse(&vef, "there are fewer or more messages than the header says");
	return ret;
}
