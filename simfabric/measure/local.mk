# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
noinst_LIBRARIES += libmeasure.a
libmeasure_a_SOURCES = \
	simfabric/measure/buffers.c simfabric/measure/buffers.h \
	simfabric/measure/histogram.c simfabric/measure/histogram.h \
	simfabric/measure/links.c simfabric/measure/links.h \
	simfabric/measure/measure.c simfabric/measure/measure.h \
	simfabric/measure/series.c simfabric/measure/series.h \
	simfabric/measure/statistics.c simfabric/measure/statistics.h \
	simfabric/measure/steady.c simfabric/measure/steady.h \
	simfabric/measure/tracer.c simfabric/measure/tracer.h
