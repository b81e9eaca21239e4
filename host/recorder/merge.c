// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "host/recorder/merge.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "host/recorder/collectives.h"
#include "host/recorder/recorded_goal.h"

#define OUTSIDE UINT32_MAX /* in place of its number: a message that is not in the trace */

/* The most that a trace's line has: HD_RECORD_BYTES. */
#define MOST_BYTES ((uint64_t)1 << 31)

struct key {
	uint64_t communicator, tag;
	uint32_t from, to, collective, unused;
};

struct envelope {
	struct key key;
	uint32_t n_sent, allocated, id;
	uint32_t *sent; /* numbers of messages, in order */
	UT_hash_handle hh;
};

struct receive {
	const struct envelope *envelope;
	uint64_t posted;
	uint32_t place, ordinal; /* among the task's receives, among those of its envelope */
};

/* A sequence of steps: a task's, or one that goes on beside it. */
struct strand {
	const uint8_t *at, *end;
	uint32_t task, next_receive;
	uint32_t number;  /* among the task's: 0, then forks from 1 on */
	uint64_t serial;  /* of a fork */
	uint64_t compute; /* ns, since the last line */
	bool forked, ended, active;
	size_t n_waits, allocated;
	struct hd_recorded_wait *waits; /* of the next line */
};

struct merge {
	const struct hd_merge_options *options;
	FILE *out;
	struct hd_recorded_goal *goal; /* instead of lines in @out, if it is wanted */
	char *error;
	uint32_t n_tasks, n_lines, n_envelopes;
	struct envelope *envelopes;
	struct receive **receives; /* [task] */
	uint32_t *n_forks;         /* [task] */
	size_t n_strands, strands_allocated;
	struct strand *strands; /* first those of the tasks */
};

static bool fail(struct merge *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(struct merge *m, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(m->error, 256, format, args);
	va_end(args);
	return false;
}

static bool no_memory(struct merge *m)
{
	return fail(m, "there is no memory to put the trace together");
}

/* Room for one more of @n elements of @size bytes. */
static bool make_room(void *array, size_t n, size_t *allocated, size_t size)
{
	const size_t more = *allocated ? *allocated * 2 : 8;
	void *old, *new;

	if (n < *allocated)
		return true;
	memcpy(&old, array, sizeof(old));
	new = realloc(old, more * size);
	if (!new)
		return false;
	memcpy(array, &new, sizeof(new));
	*allocated = more;
	/* cppcheck-suppress memleak ; @array has it */
	return true;
}

/* The envelope of @step of @task; NULL: no memory. */
static struct envelope *envelope_of(struct merge *m, uint32_t task, const struct hd_step *step)
{
	const bool sends = step->kind == HD_STEP_SEND;
	struct key key = { .communicator = step->communicator,
			   .tag = step->tag,
			   .from = sends ? task : step->peer,
			   .to = sends ? step->peer : task,
			   .collective = step->collective };
	struct envelope *e;

	HASH_FIND(hh, m->envelopes, &key, sizeof(key), e);
	if (e)
		return e;
	e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->key = key;
	e->id = m->n_envelopes++;
	HASH_ADD(hh, m->envelopes, key, sizeof(key), e);
	if (!e->hh.tbl) {
		free(e);
		return NULL;
	}
	return e;
}

static int compare_receives(const void *one, const void *other)
{
	const struct receive *a = one, *b = other;

	if (a->envelope->id != b->envelope->id)
		return a->envelope->id < b->envelope->id ? -1 : 1;
	if (a->posted != b->posted)
		return a->posted < b->posted ? -1 : 1;
	return a->place < b->place ? -1 : 1;
}

static int compare_places(const void *one, const void *other)
{
	const struct receive *a = one, *b = other;

	return a->place < b->place ? -1 : a->place > b->place;
}

/* Behind the last byte; a log of nothing has no bytes. */
static const uint8_t *end_of(const struct hd_step_log *log)
{
	return log->n ? log->bytes + log->n : log->bytes;
}

/*
 * Which message of its envelope each receive of @task has: by the order in which they were posted.
 */
static bool list_receives(struct merge *m, uint32_t task, const struct hd_step_log *log)
{
	const uint8_t *at = log->bytes, *end = end_of(log);
	struct receive *list = NULL;
	size_t n = 0, allocated = 0;
	struct hd_step step;

	while (hd_step_read(&at, end, &step)) {
		if (step.kind != HD_STEP_RECEIVE)
			continue;
		if (!make_room(&list, n, &allocated, sizeof(*list))) {
			free(list);
			return no_memory(m);
		}
		list[n] = (struct receive){ .envelope = envelope_of(m, task, &step),
					    .posted = step.serial,
					    .place = (uint32_t)n };
		if (!list[n++].envelope) {
			free(list);
			return no_memory(m);
		}
	}
	m->receives[task] = list;
	if (at != end)
		return fail(m, "the log of task %u is damaged", task);
	if (!n)
		return true;
	qsort(list, n, sizeof(*list), compare_receives);
	for (size_t i = 1; i < n; i++)
		if (list[i].envelope == list[i - 1].envelope)
			list[i].ordinal = list[i - 1].ordinal + 1;
	qsort(list, n, sizeof(*list), compare_places);
	return true;
}

static bool add_wait(struct merge *m, struct strand *strand, uint32_t number, bool is_receipt)
{
	if (!make_room(&strand->waits, strand->n_waits, &strand->allocated,
		       sizeof(struct hd_recorded_wait)))
		return no_memory(m);
	strand->waits[strand->n_waits++] = (struct hd_recorded_wait){ number, is_receipt };
	return true;
}

/* A line of a trace. */
static void print_line(struct merge *m, const struct hd_recorded_line *line)
{
	fprintf(m->out, "%" PRIu64 " %u %u %" PRIu64, line->time, line->from, line->to,
		line->bytes);
	for (size_t i = 0; i < line->n_waits; i++)
		fprintf(m->out, " %s %u", line->waits[i].is_receipt ? "received" : "sent",
			line->waits[i].number);
	fputc('\n', m->out);
}

/* Writes a line; the strand's next one waits for it. */
static bool write_line(struct merge *m, struct strand *strand, uint32_t to, uint64_t bytes)
{
	const double time = (double)strand->compute * m->options->factor + 0.5;
	const struct hd_recorded_line line = { .time = time < 0x1p62 ? (uint64_t)time : 0,
					       .bytes = bytes,
					       .from = strand->task,
					       .to = to,
					       .strand = strand->number,
					       .n_waits = strand->n_waits,
					       .waits = strand->waits };

	if (m->n_lines == OUTSIDE)
		return fail(m, "there are more than %u messages", OUTSIDE - 1);
	if (time >= 0x1p62)
		return fail(m, "task %u computes for too long", strand->task);
	if (!m->goal)
		print_line(m, &line);
	else if (!hd_recorded_goal_add(m->goal, &line))
		return no_memory(m);
	strand->compute = 0;
	strand->n_waits = 0;
	return add_wait(m, strand, m->n_lines++, false);
}

/* The strand's own time until here. */
static bool write_time(struct merge *m, struct strand *strand, const struct hd_step *step)
{
	return !step->begins_call || m->options->factor <= 0 ||
	       write_line(m, strand, strand->task, 0);
}

static bool take_send(struct merge *m, struct strand *strand, const struct hd_step *step)
{
	struct envelope *e = envelope_of(m, strand->task, step);
	size_t allocated;

	if (!e)
		return no_memory(m);
	if (step->peer >= m->n_tasks)
		return fail(m, "the log of task %u is damaged", strand->task);
	allocated = e->allocated;
	if (!make_room(&e->sent, e->n_sent, &allocated, sizeof(*e->sent)))
		return no_memory(m);
	e->allocated = (uint32_t)allocated;
	if (strand->active && step->bytes > MOST_BYTES)
		return fail(m,
			    "task %u sends %" PRIu64 " bytes at once; a trace has messages of up "
			    "to %" PRIu64,
			    strand->task, step->bytes, MOST_BYTES);
	e->sent[e->n_sent++] = strand->active ? m->n_lines : OUTSIDE;
	return !strand->active || write_line(m, strand, step->peer, step->bytes);
}

/* The message that @strand receives next, if it was sent; false: not yet. */
static bool find_message(const struct merge *m, const struct strand *strand, uint32_t *number)
{
	const struct receive *receive = &m->receives[strand->task][strand->next_receive];

	if (receive->ordinal >= receive->envelope->n_sent)
		return false;
	*number = receive->envelope->sent[receive->ordinal];
	return true;
}

/* Moves the strand behind a fork, which goes on as a strand of its own. */
static bool fork_strand(struct merge *m, size_t index, const struct hd_step *step)
{
	struct strand fork;
	struct hd_step inner = { .kind = HD_STEP_FORK };

	if (!make_room(&m->strands, m->n_strands, &m->strands_allocated, sizeof(*m->strands)))
		return no_memory(m);
	fork = m->strands[index];
	fork.forked = true;
	fork.number = ++m->n_forks[fork.task];
	fork.serial = step->serial;
	fork.compute = 0;
	fork.n_waits = fork.allocated = 0;
	fork.waits = NULL;
	for (size_t i = 0; i < m->strands[index].n_waits; i++)
		if (!add_wait(m, &fork, m->strands[index].waits[i].number,
			      m->strands[index].waits[i].is_receipt)) {
			free(fork.waits);
			return false;
		}
	while (inner.kind != HD_STEP_FORK_END &&
	       hd_step_read(&m->strands[index].at, m->strands[index].end, &inner))
		m->strands[index].next_receive += inner.kind == HD_STEP_RECEIVE;
	fork.end = m->strands[index].at;
	m->strands[m->n_strands++] = fork;
	return true;
}

static struct strand *find_fork(const struct merge *m, uint32_t task, uint64_t serial)
{
	for (size_t i = m->n_strands; i-- > m->n_tasks;)
		if (m->strands[i].task == task && m->strands[i].serial == serial)
			return &m->strands[i];
	return NULL;
}

static void take_collective(struct merge *m, struct strand *strand, const struct hd_step *step)
{
	char remark[64];

	strand->active = step->serial >= m->options->first && step->serial < m->options->last;
	if (!strand->active || strand->task != 0 || step->tag >= HD_COLLECTIVES)
		return;
	snprintf(remark, sizeof(remark), "collective %" PRIu64 ": %s", step->serial,
		 hd_collective_names[step->tag]);
	if (m->goal)
		hd_recorded_goal_remark(m->goal, 0, remark);
	else
		fprintf(m->out, "# %s\n", remark);
}

/* @strand has message @number. */
static bool take_receipt(struct merge *m, struct strand *strand, uint32_t number)
{
	if (m->goal && !hd_recorded_goal_receive(m->goal, number))
		return no_memory(m);
	return add_wait(m, strand, number, true);
}

/* Takes a step; *@blocked: it is not its time yet, and the strand is as before. */
static bool take_step(struct merge *m, size_t index, bool *blocked)
{
	struct strand *strand = &m->strands[index];
	const struct strand *fork = NULL;
	const uint8_t *at = strand->at;
	uint32_t number = OUTSIDE;
	struct hd_step step;
	bool ok = true;

	if (!hd_step_read(&at, strand->end, &step)) {
		strand->ended = true;
		return true;
	}
	*blocked = (step.kind == HD_STEP_RECEIVE && !find_message(m, strand, &number)) ||
		   (step.kind == HD_STEP_JOIN && (fork = find_fork(m, strand->task, step.serial)) &&
		    !fork->ended);
	if (*blocked)
		return true;
	strand->at = at;
	strand->compute = strand->active ? strand->compute + step.compute : 0;
	switch (step.kind) {
	case HD_STEP_SEND:
		return take_send(m, strand, &step);
	case HD_STEP_RECEIVE:
		strand->next_receive++;
		ok = !strand->active || write_time(m, strand, &step);
		return ok &&
		       (!strand->active || number == OUTSIDE || take_receipt(m, strand, number));
	case HD_STEP_FORK:
		ok = !strand->active || write_time(m, strand, &step);
		return ok && fork_strand(m, index, &step);
	case HD_STEP_JOIN:
		if (!fork)
			return fail(m, "the log of task %u is damaged", strand->task);
		ok = !strand->active || write_time(m, strand, &step);
		for (size_t i = 0; ok && strand->active && i < fork->n_waits; i++)
			ok = add_wait(m, strand, fork->waits[i].number, fork->waits[i].is_receipt);
		return ok;
	case HD_STEP_COLLECTIVE:
		take_collective(m, strand, &step);
		return true;
	case HD_STEP_END:
		return !strand->active || write_time(m, strand, &step);
	case HD_STEP_FORK_END:
	case HD_STEP_KINDS:
		break;
	}
	return true;
}

/* Lets strands go on in turn until all have ended. */
static bool run(struct merge *m)
{
	bool progress = true;
	size_t waits_for = 0;

	while (progress) {
		bool all = true;

		progress = false;
		for (size_t i = 0; i < m->n_strands; i++) {
			bool blocked = false;

			while (!m->strands[i].ended && !blocked) {
				if (!take_step(m, i, &blocked))
					return false;
				progress |= !blocked;
			}
			if (blocked && all)
				waits_for = i;
			all &= m->strands[i].ended;
		}
		if (all)
			return true;
	}
	return fail(m, "task %u has a message that no task is recorded to have sent",
		    m->strands[waits_for].task);
}

static bool begin(struct merge *m, const struct hd_step_log *logs)
{
	m->receives = calloc(m->n_tasks + (size_t)1, sizeof(*m->receives));
	m->n_forks = calloc(m->n_tasks + (size_t)1, sizeof(*m->n_forks));
	m->strands = calloc(m->n_tasks + (size_t)1, sizeof(*m->strands));
	m->goal = m->options->goal ? hd_recorded_goal_new(m->n_tasks) : NULL;
	if (!m->receives || !m->n_forks || !m->strands || (m->options->goal && !m->goal))
		return no_memory(m);
	m->n_strands = m->strands_allocated = m->n_tasks;
	for (uint32_t task = 0; task < m->n_tasks; task++) {
		m->strands[task] = (struct strand){ .at = logs[task].bytes,
						    .end = end_of(&logs[task]),
						    .task = task,
						    .active = !m->options->first };
		if (!list_receives(m, task, &logs[task]))
			return false;
	}
	return true;
}

static void clear(struct merge *m)
{
	struct envelope *e, *next;

	HASH_ITER(hh, m->envelopes, e, next)
	{
		HASH_DEL(m->envelopes, e);
		free(e->sent);
		free(e);
	}
	for (uint32_t task = 0; m->receives && task < m->n_tasks; task++)
		free(m->receives[task]);
	for (size_t i = 0; m->strands && i < m->n_strands; i++)
		free(m->strands[i].waits);
	free(m->receives);
	free(m->n_forks);
	free(m->strands);
	hd_recorded_goal_free(m->goal);
}

bool hd_merge(const struct hd_step_log *logs, uint32_t n_tasks,
	      const struct hd_merge_options *options, FILE *out, char error[256])
{
	struct merge m = { .options = options, .out = out, .error = error, .n_tasks = n_tasks };
	bool ok;

	if (options->goal)
		fprintf(out, "// recorded by libheddle-trace, times in nanoseconds\n");
	else
		fprintf(out,
			"# recorded by libheddle-trace: %u tasks, times in nanoseconds\n"
			"# TIME SOURCE DESTINATION BYTES\n",
			n_tasks);
	ok = begin(&m, logs) && run(&m);
	if (ok && m.goal && !hd_recorded_goal_write(m.goal, out))
		ok = no_memory(&m);
	clear(&m);
	return ok;
}
