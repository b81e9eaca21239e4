# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Short forms of heddle's structs in gdb: source tools/gdb/heddle_gdb.py"""
import gdb
import gdb.printing

NONE = 0xFFFFFFFF


def number(value):
    """An index, "-" for HD_NONE."""
    return '-' if int(value) == NONE else str(int(value))


class Port:
    """struct hd_port: its place, where its link leads, what a subnet manager gave it."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        v = self.value
        return (f"port {int(v['number'])} of node {number(v['node'])}, peer {number(v['peer'])}, "
                f"LID {int(v['lid'])} LMC {int(v['lmc'])}, {int(v['width'])}x, {int(v['vls'])} VLs")


class Packet:
    """struct packet of the model: from host to host, and where it is."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        v, m = self.value, self.value['message']
        return (f"packet of host {int(m['from'])} to {int(m['to'])}, {int(m['size'])} units at {int(m['time'])}, "
                f"VL {int(v['vl'])}, out {number(v['out'])} VL {int(v['out_vl'])}, next {number(v['next'])}")


class Queue:
    """struct queue of the model: the indices of its first and last packet."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        v = self.value
        return 'empty' if int(v['head']) == NONE else f"packets {number(v['head'])} .. {number(v['tail'])}"


PRINTERS = gdb.printing.RegexpCollectionPrettyPrinter('heddle')
for name, printer in (('hd_port', Port), ('packet', Packet), ('queue', Queue)):
    PRINTERS.add_printer(name, f'^{name}$', printer)
gdb.printing.register_pretty_printer(gdb.current_objfile(), PRINTERS, replace=True)
