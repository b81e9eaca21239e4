/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Service classes: each class has its part of every link. A class has SLs of its own, one for each
 * SL that the routes need without classes, and lanes, which several classes may share.
 *
 *     SL = first SL of the class + SL without classes
 *     VL = first VL of the lanes + VL without classes
 *
 * so tables keep the path SLs of one class, and those of all others follow. A class has as many VLs
 * as there are without classes, or as many as its own queue rule needs. heddle-classes(5) describes
 * the class file.
 */
#ifndef HD_TABLES_CLASSES_H
#define HD_TABLES_CLASSES_H

#include <stdio.h>

#include "tables/tables.h"

struct hd_error;

#define HD_MAX_CLASSES HD_MAX_SLS
#define HD_CLASS_NAME  32

#define HD_CLASS_NO_LIMIT 255

/* The largest denominator of a share in a class file. */
#define HD_CLASS_MOST_OF 1000000

/* The largest packet of a class, that of the largest MTU, in units of 64 bytes. */
#define HD_CLASS_PACKET_MAX (4096 / 64)

struct hd_class {
	char name[HD_CLASS_NAME];   /* letters, digits, '-', '_' and '.' */
	char shares[HD_CLASS_NAME]; /* the name of its lanes */
	uint32_t share, of;         /* its part of every link: share / of, in lowest terms */
	uint64_t wait;              /* ns that a packet may wait on its path; 0: not given */
	uint8_t packet;             /* units of 64 bytes */
	bool has_packet;            /* the class file gives the packet: links must carry it */
	uint16_t distance;          /* entries from one to the next of a DTable; 0: not given */
	uint8_t lanes;              /* number of the lanes */
	char queues[HD_CLASS_NAME]; /* a queue rule, "xordet:4", the same for all classes of the
				       same lanes; "": that of classes without one */
	bool high;                  /* high priority; the same for all classes of the same lanes */
	uint8_t first_sl;           /* HD_NO_SL: to be assigned */
	unsigned line;              /* in the class file; 0: none */
};

/* The classes of a site, or of tables. */
struct hd_classes {
	unsigned n, n_lanes;
	unsigned fallback; /* the class of packets without a class: the tables have its path SLs */
	unsigned n_sls;    /* SLs of each class; 0: not known yet */
	uint8_t first_vl[HD_MAX_CLASSES + 1]; /* [lanes] their first VL, on links that carry all
						 VLs; then the number of VLs; all 0: not known */
	uint8_t limit; /* of high priority, in 4 KiB; HD_CLASS_NO_LIMIT: as much as possible while
			  others get their shares */
	struct hd_class list[HD_MAX_CLASSES];

	/*
	 * The greatest difference between a lane's share and its part of a link, and the port with
	 * it.
	 */
	double error;
	uint32_t error_port;
};

/*
 * Reads a class file. HD_EPARSE with file and line: an invalid line, a class that is given twice,
 * shares that do not sum to 100%, a packet that fits no MTU, an SL that two classes claim. HD_EIO,
 * HD_ENOMEM.
 */
int hd_classes_read(const char *path, struct hd_classes *classes, struct hd_error *err);
int hd_classes_parse(const char *name, const char *text, size_t size, struct hd_classes *classes,
		     struct hd_error *err);

/* Writes @classes so that hd_classes_read() reads them, SLs too. HD_EIO. */
int hd_classes_write(const struct hd_classes *classes, FILE *stream, struct hd_error *err);

/*
 * Gives each class @n_sls SLs. A class with a first SL gets SLs from there on; then the fallback
 * and the others get the lowest free SLs. HD_EREFUSED: too few SLs, or two classes claim the same
 * SL.
 */
int hd_classes_assign(struct hd_classes *classes, unsigned n_sls, struct hd_error *err);

/* "high" or "low". */
static inline const char *hd_class_priority(const struct hd_class *class)
{
	return class->high ? "high" : "low";
}

/* The class that has @sl; HD_NONE: no class has it. */
uint32_t hd_class_of_sl(const struct hd_classes *classes, unsigned sl);

/* The SL of class @class for a pair whose path SL in the tables is @sl; HD_NO_SL stays. */
static inline unsigned hd_class_sl(const struct hd_classes *classes, unsigned class, unsigned sl)
{
	return sl == HD_NO_SL ? sl
			      : sl - classes->list[classes->fallback].first_sl +
					classes->list[class].first_sl;
}

/* What a path record says. */
struct hd_path_answer {
	uint8_t sl;
	bool has_no_class; /* the SL that was asked for names no class: it is that of others */
};

/* The class of packets that belong to none. */
static inline const struct hd_class *hd_class_of_others(const struct hd_classes *classes)
{
	return &classes->list[classes->fallback];
}

/*
 * The SL from the LID @source to the LID @destination where @hint is asked for, which names a class
 * if there are classes; @hint where @tables do not know the way.
 */
struct hd_path_answer hd_path_answer(const struct hd_tables *tables, uint32_t source,
				     uint32_t destination, uint8_t hint);

/* The SLs of all classes where the path SLs in the tables are @sls: bit s for SL s. */
unsigned hd_classes_sls(const struct hd_classes *classes, unsigned sls);

/* The VLs on which links carry packets of @class: bit v for VL v. */
unsigned hd_class_vls(const struct hd_tables *tables, unsigned class);

/*
 * The common multiple of two packets, @one (0: none yet) and @other, in units of 64 bytes; 0: it is
 * more than one arbitration turn can send.
 */
unsigned hd_class_common_packet(unsigned one, unsigned other);

/*
 * The parts of all classes over a common denominator, [class]. Returns the denominator, which is
 * also the sum of the parts.
 */
uint64_t hd_classes_parts(const struct hd_classes *classes, uint64_t parts[HD_MAX_CLASSES]);

/* The class @name, or NULL; @classes may be NULL. */
const struct hd_class *hd_class_find(const struct hd_classes *classes, const char *name);

/* The class with the largest packets that a class file gives; NULL: none is given. */
const struct hd_class *hd_classes_find_largest(const struct hd_classes *classes);

/*
 * The number of classes, by name, that only one of the two has (NULL: no classes), or that differ
 * in SLs, lanes, share or packets, or in whether packets without a class use them.
 */
unsigned hd_classes_count_changes(const struct hd_classes *one, const struct hd_classes *other);

/*
 * Whether both (NULL: no classes) have the same classes, with the same lanes, shares, packets,
 * queue rules and priorities, whatever their SLs and VLs are.
 */
bool hd_classes_are_alike(const struct hd_classes *one, const struct hd_classes *other);

/* Whether the classes are alike, and have the same SLs, too. */
bool hd_classes_have_same_sls(const struct hd_classes *one, const struct hd_classes *other);

/* Gives @tables a copy of @classes; NULL: none. HD_ENOMEM. */
int hd_tables_set_classes(struct hd_tables *tables, const struct hd_classes *classes,
			  struct hd_error *err);

#endif
