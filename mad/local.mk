# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Management datagrams: a header alone.
libheddle_a_SOURCES += mad/mad.h
