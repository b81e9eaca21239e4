# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
noinst_LTLIBRARIES += libmodel.la
libmodel_la_SOURCES = \
	simfabric/model/build.c \
	simfabric/model/deadlock.c \
	simfabric/model/events.c simfabric/model/events.h \
	simfabric/model/host.c \
	simfabric/model/model.c simfabric/model/model.h \
	simfabric/model/state.h \
	simfabric/model/switch.c
libmodel_la_LIBADD = libheddle.la
