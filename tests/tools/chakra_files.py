#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""chakra_files.py FOLDER: Chakra execution traces of a few ranks, a folder each, encoded by hand."""
import gzip
import os
import struct
import sys


def varint(value):
    value &= (1 << 64) - 1
    data = b''
    while value > 127:
        data += bytes((value & 127 | 128,))
        value >>= 7
    return data + bytes((value,))


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


# numbers in each of the forms that writers use
FORMS = {
    'double': lambda v: varint(3 << 3 | 1) + struct.pack('<d', v), 'float': lambda v: varint(5 << 3 | 5) + struct.pack('<f', v),
    'int32': lambda v: field(7, v), 'int64': lambda v: field(9, v), 'uint32': lambda v: field(11, v),
    'uint64': lambda v: field(13, v), 'sint32': lambda v: field(15, 2 * v), 'sint64': lambda v: field(17, 2 * v),
    'fixed32': lambda v: varint(19 << 3 | 5) + struct.pack('<I', v), 'fixed64': lambda v: varint(21 << 3 | 1) + struct.pack('<Q', v),
    'sfixed32': lambda v: varint(23 << 3 | 5) + struct.pack('<i', v), 'sfixed64': lambda v: varint(25 << 3 | 1) + struct.pack('<q', v),
}


def node(number, kind, waits=(), micros=0, form='int64', **attributes):
    data = field(1, number) + field(2, f'node {number}') + field(3, kind)
    for k, other in enumerate(waits):
        data += field(4 + k % 2, other)  # control and data
    data += field(7, micros)
    for name, value in attributes.items():
        coded = field(29, value) if isinstance(value, str) else field(27, int(value)) if isinstance(value, bool) else \
            FORMS[form](value)
        data += field(10, field(1, name) + coded)
    return data


COMPUTE, SEND, RECEIVE, COLLECTIVE = 4, 5, 6, 7


def write(folder, ranks, end='.et', opener=open):
    os.makedirs(folder, exist_ok=True)
    for rank, nodes in enumerate(ranks):
        with opener(os.path.join(folder, f'trace.{rank}{end}'), 'wb') as file:
            for message in [field(1, '0.0.4')] + nodes:
                file.write(varint(len(message)) + message)


def main():
    os.chdir(sys.argv[1])
    for form in FORMS:
        write('form-' + form, [[node(0, COMPUTE, micros=5), node(1, SEND, (0,), form=form, comm_size=4096, comm_dst=1, comm_tag=3)],
                               [node(7, RECEIVE, form=form, comm_size=4096, comm_src=0, comm_tag=3),
                                node(9, COMPUTE, (7,), micros=2, is_cpu_op=True)]])
    size = 1 << 18
    # Chakra's numbers
    for name, kind in {'allreduce': 0, 'reduce': 1, 'allgather': 2, 'gather': 3, 'scatter': 4, 'broadcast': 5, 'alltoall': 6,
                       'reducescatter': 7, 'block': 8, 'barrier': 9}.items():
        write(name, [[node(0, COMPUTE, micros=1), node(1, COLLECTIVE, (0,), comm_type=kind, comm_size=size, pg_name='all')]
                     for _ in range(8)])
    # two groups, and an operation of all between theirs
    write('groups', [[node(1, COLLECTIVE, comm_type=0, comm_size=size, pg_name=f'g{rank // 4}'),
                      node(2, COLLECTIVE, (1,), comm_type=0, comm_size=size, pg_name='all'),
                      node(3, COLLECTIVE, (2,), comm_type=0, comm_size=size, pg_name=f'g{rank // 4}')] for rank in range(8)],
          '.et.gz', gzip.open)
    one = [node(1, COLLECTIVE, comm_type=0, comm_size=size)]
    write('one', [one])
    write('other', [one, [node(1, COLLECTIVE, comm_type=6, comm_size=size)]])
    two = [node(1, COLLECTIVE, comm_type=0, comm_size=size), node(2, COLLECTIVE, (1,), comm_type=0, comm_size=size)]
    write('uneven', [two, one])
    # node() makes every second wait a data dependency
    write('loop', [[node(1, COMPUTE, (2, 2)), node(2, COMPUTE, (1, 1))]])
    write('nested', [[node(1, COMPUTE, (2, 2), micros=4), node(2, COMPUTE, (1,), micros=3)]])
    # the call of a collective operation, which has no comm_type, and waits for a node that is not there
    write('call', [[node(1, COLLECTIVE, (99,), micros=4, is_cpu_op=True), node(2, COMPUTE, (1,), micros=3)]])
    write('twice', [[node(1, COMPUTE), node(1, COMPUTE)]])
    write('peer', [[node(1, SEND, comm_size=8, comm_dst=5)]])
    write('negative', [[node(1, SEND, comm_size=-8, comm_dst=0)]])
    write('missing', [[node(1, SEND, comm_dst=0)]])
    write('type', [[node(1, 12)]])
    write('dead', [[node(1, RECEIVE, comm_size=8, comm_src=1)], [node(1, COMPUTE)]])
    write('cut', [[node(1, COMPUTE)]])
    with open('cut/trace.0.et', 'ab') as file:
        file.write(b'\xff\x7f')
    write('noise', [[b'\xff\xff\xff']])


main()
