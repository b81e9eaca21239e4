# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
noinst_LTLIBRARIES += libtraffic.la
libtraffic_la_SOURCES = \
	simfabric/traffic/traffic.c simfabric/traffic/traffic.h \
	simfabric/traffic/registry.c simfabric/traffic/pattern.h \
	simfabric/traffic/deterministic.c \
	simfabric/traffic/deviate.c simfabric/traffic/deviate.h \
	simfabric/traffic/poisson.c \
	simfabric/traffic/uniform.c
libtraffic_la_LIBADD = libheddle.la -lm
