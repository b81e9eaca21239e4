// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "live/mads.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <infiniband/umad.h>

#include "mad/mad.h"
#include "support/error.h"

#define GSI_QKEY   0x80010000
#define PERMISSIVE 0xFFFF /* LID */

/* How MADs of a class look: class, version, RMPP version, and where the attribute's data begin. */
struct class
{
	uint8_t mad_class, version, rmpp;
	size_t data;
};

static const struct class classes[HD_MADS_CLASSES] = {
	[HD_MADS_SMP] = { HD_CLASS_SMI, 1, 0, HD_SMP_DATA },
	[HD_MADS_SA] = { HD_CLASS_SA, 2, 1, HD_SA_DATA },
	[HD_MADS_OWN] = { HD_CLASS_SMI_DIRECT, 1, 0, HD_SMP_DATA },
	[HD_MADS_PM] = { HD_CLASS_PM, 1, 0, HD_PM_DATA },
};

/* A question under way. */
struct slot {
	struct hd_mads_question question;
	uint32_t tid;
	unsigned tries;
	uint64_t deadline; /* ms */
	bool used;
};

struct hd_mads {
	struct hd_mads_options options;
	int device;
	int agents[HD_MADS_CLASSES];
	struct hd_mads_port port;
	uint16_t sa_lid;
	uint8_t sa_sl;
	uint32_t next_tid;
	struct slot slots[HD_MADS_MAX_WINDOW];
	unsigned n_used;
	uint8_t *out; /* a umad with one MAD */
	uint8_t *in;  /* a umad with in_size bytes of MADs */
	int in_size;
};

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static int open_device(struct hd_mads *mads, struct hd_error *err)
{
	const struct hd_mads_options *options = &mads->options;
	umad_port_t port;

	if (umad_get_port(options->adapter, options->port, &port) < 0)
		return hd_error_set(err, HD_EIO, "no port %d of adapter %s (0: any that is up)",
				    options->port, options->adapter ? options->adapter : "(any)");
	mads->sa_lid = (uint16_t)port.sm_lid;
	mads->sa_sl = (uint8_t)port.sm_sl;
	mads->port.number = (unsigned)port.portnum;
	snprintf(mads->port.adapter, sizeof(mads->port.adapter), "%s", port.ca_name);
	mads->device = umad_open_port(port.ca_name, port.portnum);
	if (mads->device < 0) {
		hd_error_set(err, HD_EIO, "cannot open port %d of %s: %s", port.portnum,
			     port.ca_name, strerror(-mads->device));
		umad_release_port(&port);
		return HD_EIO;
	}
	umad_release_port(&port);
	for (unsigned i = 0; i < HD_MADS_CLASSES; i++) {
		mads->agents[i] = umad_register(mads->device, classes[i].mad_class,
						classes[i].version, classes[i].rmpp, NULL);
		if (mads->agents[i] < 0)
			return hd_error_set(err, HD_EIO,
					    "cannot register for management datagrams");
	}
	return 0;
}

struct hd_mads_port hd_mads_port(const struct hd_mads *mads)
{
	return mads->port;
}

int hd_mads_open(const struct hd_mads_options *options, struct hd_mads **result,
		 struct hd_error *err)
{
	struct hd_mads *mads = calloc(1, sizeof(*mads));
	int ret;

	*result = NULL;
	if (!mads)
		return hd_error_nomem(err);
	mads->options = *options;
	mads->device = -1;
	mads->next_tid = 1;
	mads->in_size = HD_MAD_SIZE;
	ret = umad_init() < 0 ? hd_error_set(err, HD_EIO, "libibumad finds no InfiniBand devices")
			      : open_device(mads, err);
	/* umad_size() is larger once a device is open */
	mads->out = calloc(1, umad_size() + HD_MAD_SIZE);
	mads->in = calloc(1, umad_size() + HD_MAD_SIZE);
	if (!ret && (!mads->out || !mads->in))
		ret = hd_error_nomem(err);
	if (ret)
		hd_mads_close(mads);
	else
		*result = mads;
	return ret;
}

void hd_mads_close(struct hd_mads *mads)
{
	if (!mads)
		return;
	if (mads->device >= 0)
		umad_close_port(mads->device);
	free(mads->out);
	free(mads->in);
	free(mads);
}

/* Where @question goes, and what its class needs besides the attribute. */
static void address(struct hd_mads *mads, const struct hd_mads_question *question)
{
	uint8_t *mad = umad_get_mad(mads->out);

	switch (question->class) {
	case HD_MADS_SA:
		hd_put64(mad + HD_SA_MASK, question->mask);
		umad_set_addr(mads->out, mads->sa_lid, 1, mads->sa_sl, (int)GSI_QKEY);
		return;
	case HD_MADS_PM:
		umad_set_addr(mads->out, question->lid, 1, 0, (int)GSI_QKEY);
		return;
	case HD_MADS_OWN:
		/* a directed route of no hops */
		hd_put16(mad + HD_SMP_DR_SLID, PERMISSIVE);
		hd_put16(mad + HD_SMP_DR_DLID, PERMISSIVE);
		hd_put64(mad + HD_SMP_MKEY, mads->options.m_key);
		umad_set_addr(mads->out, PERMISSIVE, 0, 0, 0);
		return;
	default:
		hd_put64(mad + HD_SMP_MKEY, mads->options.m_key);
		umad_set_addr(mads->out, question->lid, 0, 0, 0);
	}
}

/* Sends the question of @slot, for the first time or again. */
static int send_question(struct hd_mads *mads, struct slot *slot, struct hd_error *err)
{
	const struct hd_mads_question *question = &slot->question;
	const struct class *class = &classes[question->class];
	uint8_t *mad = umad_get_mad(mads->out);
	int ret;

	memset(mads->out, 0, umad_size() + HD_MAD_SIZE);
	mad[0] = 1;
	mad[HD_MAD_CLASS] = class->mad_class;
	mad[HD_MAD_CLASS_VERSION] = class->version;
	mad[HD_MAD_METHOD] = question->table ? HD_METHOD_GET_TABLE
			     : question->set ? HD_METHOD_SET
					     : HD_METHOD_GET;
	hd_put64(mad + HD_MAD_TID, slot->tid);
	hd_put16(mad + HD_MAD_ATTRIBUTE, question->attribute);
	hd_put32(mad + HD_MAD_MODIFIER, question->modifier);
	memcpy(mad + class->data, question->data, sizeof(question->data));
	address(mads, question);
	ret = umad_send(mads->device, mads->agents[question->class], mads->out, HD_MAD_SIZE,
			(int)mads->options.timeout_ms, 0);
	if (ret < 0)
		return hd_error_set(err, HD_EIO, "cannot send a management datagram: %s",
				    strerror(-ret));
	slot->tries++;
	/* a little later than the kernel gives up, which is told as well */
	slot->deadline = now_ms() + mads->options.timeout_ms + 100;
	return 0;
}

static int fill_window(struct hd_mads *mads, const struct hd_mads_user *user, bool *more,
		       struct hd_error *err)
{
	for (unsigned i = 0; *more && i < mads->options.window; i++) {
		struct slot *slot = &mads->slots[i];
		int ret;

		if (slot->used)
			continue;
		*slot = (struct slot){ .tid = mads->next_tid };
		*more = user->next(user->context, &slot->question);
		if (!*more)
			break;
		mads->next_tid++;
		slot->used = true;
		mads->n_used++;
		ret = send_question(mads, slot, err);
		if (ret)
			return ret;
	}
	return 0;
}

static int ask_again(struct hd_mads *mads, struct slot *slot, struct hd_error *err)
{
	const struct hd_mads_question *question = &slot->question;

	if (slot->tries < mads->options.tries)
		return send_question(mads, slot, err);
	if (question->class == HD_MADS_SA)
		return hd_error_set(
			err, HD_EIO,
			"the subnet administration at LID %u does not answer (%s): is there "
			"a subnet manager? (without path SLs: --no-path-sls)",
			mads->sa_lid, question->what);
	if (question->class == HD_MADS_OWN)
		return hd_error_set(err, HD_EIO, "port %u of %s does not answer (%s)",
				    mads->port.number, mads->port.adapter, question->what);
	return hd_error_set(err, HD_EIO, "LID %u does not answer (%s, modifier 0x%" PRIx32 ")",
			    question->lid, question->what, question->modifier);
}

static struct slot *find_slot(struct hd_mads *mads, uint32_t tid)
{
	for (unsigned i = 0; i < mads->options.window; i++)
		if (mads->slots[i].used && mads->slots[i].tid == tid)
			return &mads->slots[i];
	return NULL;
}

/* Asks again where the time is up; @wait gets the time until the next deadline. */
static int check_deadlines(struct hd_mads *mads, int *wait, struct hd_error *err)
{
	uint64_t now = now_ms(), first = UINT64_MAX;

	for (unsigned i = 0; i < mads->options.window; i++) {
		struct slot *slot = &mads->slots[i];
		int ret;

		if (!slot->used)
			continue;
		if (slot->deadline <= now) {
			ret = ask_again(mads, slot, err);
			if (ret)
				return ret;
		}
		if (slot->deadline < first)
			first = slot->deadline;
	}
	*wait = first > now ? (int)(first - now) : 1;
	return 0;
}

/* Receives into mads->in, which grows for a table. A length of 0: nothing came. */
static int receive(struct hd_mads *mads, int wait, int *length, struct hd_error *err)
{
	int ret;

	*length = mads->in_size;
	ret = umad_recv(mads->device, mads->in, length, wait);
	if (ret == -ENOSPC && *length > mads->in_size) {
		uint8_t *larger = realloc(mads->in, umad_size() + (size_t)*length);

		if (!larger)
			return hd_error_nomem(err);
		mads->in = larger;
		mads->in_size = *length;
		ret = umad_recv(mads->device, mads->in, length, wait);
	}
	if (ret >= 0)
		return 0;
	*length = 0;
	if (ret == -ETIMEDOUT || ret == -EWOULDBLOCK || ret == -EINTR)
		return 0;
	return hd_error_set(err, HD_EIO, "cannot receive management datagrams: %s", strerror(-ret));
}

static uint32_t tid_of(const struct hd_mads *mads)
{
	return hd_get32((const uint8_t *)umad_get_mad(mads->in) + HD_MAD_TID + 4);
}

static int take(struct hd_mads *mads, const struct hd_mads_user *user, int length,
		struct hd_error *err)
{
	const uint8_t *mad = umad_get_mad(mads->in);
	struct slot *slot = find_slot(mads, tid_of(mads));
	struct hd_mads_answer answer;
	size_t at_data;

	if (!slot)
		return 0; /* an answer to a question that was sent again, and answered, meanwhile */
	if (umad_status(mads->in))
		return ask_again(mads, slot, err);
	if (length < HD_SA_DATA || !(mad[HD_MAD_METHOD] & HD_METHOD_RESPONSE))
		return 0;
	at_data = classes[slot->question.class].data;
	answer.status = hd_get16(mad + HD_MAD_STATUS);
	if (slot->question.class == HD_MADS_OWN)
		answer.status &= (uint16_t)~HD_SMP_DIRECTION;
	answer.data = mad + at_data;
	answer.size = (size_t)length > at_data ? (size_t)length - at_data : 0;
	answer.record_size = hd_get16(mad + HD_SA_OFFSET) * (size_t)8;
	slot->used = false;
	mads->n_used--;
	return user->answer(user->context, &slot->question, &answer, err);
}

/*
 * After a failure: receives answers to questions under way, for as long as one answer may take.
 * libumad2sim crashes now and then when a port is closed while answers are on their way.
 */
static void drain(struct hd_mads *mads)
{
	uint64_t end = now_ms() + mads->options.timeout_ms;

	while (mads->n_used && now_ms() < end) {
		struct slot *slot;
		int length = 0;

		if (receive(mads, (int)mads->options.timeout_ms, &length, NULL))
			break;
		slot = length ? find_slot(mads, tid_of(mads)) : NULL;
		if (slot) {
			slot->used = false;
			mads->n_used--;
		}
	}
	memset(mads->slots, 0, sizeof(mads->slots));
	mads->n_used = 0;
}

int hd_mads_ask(struct hd_mads *mads, const struct hd_mads_user *user, struct hd_error *err)
{
	bool more = true;
	int ret = fill_window(mads, user, &more, err);

	while (!ret && mads->n_used) {
		int wait = 0, length = 0;

		ret = check_deadlines(mads, &wait, err);
		if (!ret)
			ret = receive(mads, wait, &length, err);
		if (!ret && length)
			ret = take(mads, user, length, err);
		if (!ret)
			ret = fill_window(mads, user, &more, err);
	}
	if (ret)
		drain(mads);
	return ret;
}

/* A single question, and where its answer goes. */
struct single {
	const struct hd_mads_question *question;
	bool is_asked;
	uint16_t *status;
	uint8_t *data;
	size_t size;
};

static bool next_single(void *context, struct hd_mads_question *question)
{
	struct single *single = context;

	if (single->is_asked)
		return false;
	single->is_asked = true;
	*question = *single->question;
	return true;
}

static int answer_single(void *context, const struct hd_mads_question *question,
			 const struct hd_mads_answer *answer, struct hd_error *err)
{
	struct single *single = context;

	(void)question;
	(void)err;
	*single->status = answer->status;
	memset(single->data, 0, single->size);
	memcpy(single->data, answer->data,
	       answer->size < single->size ? answer->size : single->size);
	return 0;
}

int hd_mads_ask_one(struct hd_mads *mads, const struct hd_mads_question *question, uint16_t *status,
		    uint8_t *data, size_t size, struct hd_error *err)
{
	struct single single = {
		.question = question, .status = status, .data = data, .size = size
	};
	const struct hd_mads_user user = { .next = next_single,
					   .answer = answer_single,
					   .context = &single };

	return hd_mads_ask(mads, &user, err);
}
