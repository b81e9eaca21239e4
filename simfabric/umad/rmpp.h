/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The reliable multi-packet transaction protocol: messages that are longer than a MAD go in
 * numbered segments, which their receiver acknowledges (InfiniBand Architecture Specification,
 * volume 1, 13.6). The functions here neither send nor read a clock: their callers do.
 *
 * A message, as umad_send() and umad_recv() have it, is a MAD's header (up to and with the RMPP
 * header and that of its class) and then the data of all segments without their headers.
 *
 * Messages with RMPP in both directions (GetMulti) begin each direction with a window of one
 * segment; the optional ACK that would widen the answer's first window (13.6.6.3) is not sent.
 */
#ifndef HD_UMAD_RMPP_H
#define HD_UMAD_RMPP_H

#include <stdbool.h>
#include <stdint.h>

#include "mad/mad.h"

/* Segments that a receiver takes before it acknowledges. */
#define HD_RMPP_WINDOW 64

/* Why a transaction ends (13.6.2.2) */
enum hd_rmpp_status {
	HD_RMPP_NORMAL = 0,
	HD_RMPP_RESOURCES = 1,
	HD_RMPP_TOO_LONG = 118,  /* the whole takes too long */
	HD_RMPP_BAD_LAST = 119,  /* the flag of the last segment and its length contradict each
				    other */
	HD_RMPP_BAD_FIRST = 120, /* the flag of the first segment and the segment number
				    contradict each other */
	HD_RMPP_BAD_TYPE = 121,
	HD_RMPP_WINDOW_TOO_SMALL = 122, /* an ACK's window ends before the segment that it
					   acknowledges */
	HD_RMPP_SEGMENT_TOO_BIG = 123,  /* an ACK of a segment that was never sent */
	HD_RMPP_BAD_STATUS = 124,
	HD_RMPP_BAD_VERSION = 125,
	HD_RMPP_TOO_MANY_RETRIES = 126,
	HD_RMPP_UNSPECIFIED = 127,
};

/* Makes the ACK, STOP or ABORT that answers @mad, whose direction it turns round. */
void hd_rmpp_answer(const uint8_t *mad, enum hd_rmpp_type type, enum hd_rmpp_status status,
		    uint32_t segment, uint32_t window, uint8_t answer[HD_MAD_SIZE]);

/* A message being sent. */
struct hd_rmpp_send {
	uint8_t *data; /* [length], owned by this struct; NULL: not in use */
	uint32_t length;
	uint32_t offset;       /* of the data in each segment */
	uint32_t n_segments;   /* at least 1 */
	uint32_t sent;         /* highest segment sent since the last timeout */
	uint32_t acknowledged; /* all segments up to this one are */
	uint32_t window;       /* highest segment that may be sent */
};

enum hd_rmpp_verdict {
	HD_RMPP_GO_ON,  /* send the segments of hd_rmpp_send_next(), then wait for an ACK */
	HD_RMPP_IGNORE, /* nothing changed */
	HD_RMPP_DONE,   /* all segments are acknowledged */
	HD_RMPP_FAILED, /* abort, with the status */
};

/* Copies @data. False: shorter than its header, or out of memory. */
bool hd_rmpp_send_start(struct hd_rmpp_send *send, const uint8_t *data, uint32_t length);
void hd_rmpp_send_free(struct hd_rmpp_send *send);

/* Makes the next segment that the window allows. False: there is none. */
bool hd_rmpp_send_next(struct hd_rmpp_send *send, uint8_t mad[HD_MAD_SIZE]);

/* Handles an ACK. */
enum hd_rmpp_verdict hd_rmpp_send_acknowledge(struct hd_rmpp_send *send, const uint8_t *ack,
					      enum hd_rmpp_status *status);

/* No ACK came in time: segments that are not acknowledged are sent again. */
void hd_rmpp_send_again(struct hd_rmpp_send *send);

/* A message being received. */
struct hd_rmpp_receive {
	uint8_t *data; /* [size] */
	uint64_t size;
	uint64_t length; /* of the whole message, when it is complete */
	uint32_t offset;
	uint32_t received;     /* all segments up to this one */
	uint32_t acknowledged; /* by the last ACK */
	uint32_t window;       /* highest segment that is taken */
	uint64_t ahead;        /* bit i: segment received + 1 + i arrived before its turn */
	uint32_t last;         /* the number of the last segment; 0: not known */
	uint32_t last_payload; /* its length */
	bool complete;
};

struct hd_rmpp_reply {
	bool acknowledge; /* send an ACK of @segment with @window */
	uint32_t segment, window;
	bool progress;             /* the segment was a new one */
	bool complete;             /* the message is whole now: data and length are valid */
	enum hd_rmpp_status abort; /* HD_RMPP_NORMAL: go on; else send an ABORT: the reception is
				      over */
};

void hd_rmpp_receive_start(struct hd_rmpp_receive *receive, unsigned mad_class);
void hd_rmpp_receive_free(struct hd_rmpp_receive *receive);

/* Handles a data segment; @mad is of the class of the message. */
struct hd_rmpp_reply hd_rmpp_receive_segment(struct hd_rmpp_receive *receive, const uint8_t *mad);

#endif
