# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
dist_man_MANS += man/osmheddle.8
