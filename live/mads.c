// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "live/mads.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <infiniband/umad.h>

#include "mad/mad.h"
#include "support/error.h"

#define SA_QKEY 0x80010000

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
	int agents[2]; /* by enum hd_mads_class */
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
	mads->device = umad_open_port(port.ca_name, port.portnum);
	if (mads->device < 0) {
		hd_error_set(err, HD_EIO, "cannot open port %d of %s: %s", port.portnum,
			     port.ca_name, strerror(-mads->device));
		umad_release_port(&port);
		return HD_EIO;
	}
	umad_release_port(&port);
	mads->agents[HD_MADS_SMP] = umad_register(mads->device, HD_CLASS_SMI, 1, 0, NULL);
	mads->agents[HD_MADS_SA] = umad_register(mads->device, HD_CLASS_SA, 2, 1, NULL);
	if (mads->agents[HD_MADS_SMP] < 0 || mads->agents[HD_MADS_SA] < 0)
		return hd_error_set(err, HD_EIO, "cannot register for management datagrams");
	return 0;
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
	mads->out = calloc(1, umad_size() + HD_MAD_SIZE);
	mads->in = calloc(1, umad_size() + HD_MAD_SIZE);
	if (!mads->out || !mads->in)
		ret = hd_error_nomem(err);
	else if (umad_init() < 0)
		ret = hd_error_set(err, HD_EIO, "libibumad finds no InfiniBand devices");
	else
		ret = open_device(mads, err);
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

/* Sends the question of @slot, for the first time or again. */
static int send_question(struct hd_mads *mads, struct slot *slot, struct hd_error *err)
{
	const struct hd_mads_question *question = &slot->question;
	uint8_t *mad = umad_get_mad(mads->out);
	int ret;

	memset(mads->out, 0, umad_size() + HD_MAD_SIZE);
	mad[0] = 1;
	mad[HD_MAD_CLASS] = question->class == HD_MADS_SA ? HD_CLASS_SA : HD_CLASS_SMI;
	mad[2] = question->class == HD_MADS_SA ? 2 : 1;
	mad[HD_MAD_METHOD] = question->table ? HD_METHOD_GET_TABLE : HD_METHOD_GET;
	hd_put64(mad + HD_MAD_TID, slot->tid);
	hd_put16(mad + HD_MAD_ATTRIBUTE, question->attribute);
	hd_put32(mad + HD_MAD_MODIFIER, question->modifier);
	if (question->class == HD_MADS_SA) {
		hd_put64(mad + HD_SA_MASK, question->mask);
		memcpy(mad + HD_SA_DATA, question->data, sizeof(question->data));
		umad_set_addr(mads->out, mads->sa_lid, 1, mads->sa_sl, (int)SA_QKEY);
	} else {
		hd_put64(mad + HD_SMP_MKEY, mads->options.m_key);
		memcpy(mad + HD_SMP_DATA, question->data, sizeof(question->data));
		umad_set_addr(mads->out, question->lid, 0, 0, 0);
	}
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
		return hd_error_set(err, HD_EIO,
				    "the subnet administration at LID %u does not answer (%s)",
				    mads->sa_lid, question->what);
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
	at_data = slot->question.class == HD_MADS_SA ? HD_SA_DATA : HD_SMP_DATA;
	answer.status = hd_get16(mad + HD_MAD_STATUS);
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
