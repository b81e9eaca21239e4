# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The functions and structs of heddle.h, for ctypes: see the header for what they mean."""
from __future__ import annotations

import ctypes as c
import os
from pathlib import Path
from typing import Any

NONE = 0xFFFFFFFF
NO_PATH = 255
PATH_SL = 255
MAX_ROUNDS = 64

OK = 0
NO = 1


class Error(c.Structure):
    _fields_ = [("status", c.c_int), ("line", c.c_uint32), ("file", c.c_char * 256), ("text", c.c_char * 1272)]


class Sized(c.Structure):
    """A struct that begins with its size, which is set when one is made."""

    def __init__(self, **members: Any) -> None:
        super().__init__(**members)
        self.size = c.sizeof(self)


class OpenRequest(Sized):
    _fields_ = [("size", c.c_size_t), ("strict", c.c_int), ("node_name_map", c.c_char_p), ("netfile", c.c_char_p)]


class NewNode(c.Structure):
    _fields_ = [("name", c.c_char_p), ("guid", c.c_uint64), ("type", c.c_uint32), ("n_ports", c.c_uint32),
                ("lid", c.c_uint32), ("reserved", c.c_uint32)]


class NewLink(c.Structure):
    _fields_ = [("node", c.c_uint32), ("peer", c.c_uint32), ("port", c.c_uint8), ("peer_port", c.c_uint8),
                ("width", c.c_uint8), ("speed", c.c_uint8), ("vls", c.c_uint8), ("reserved", c.c_uint8 * 3)]


class LidRequest(Sized):
    _fields_ = [("size", c.c_size_t), ("sm", c.c_char_p), ("lmc", c.c_uint)]


class FailRequest(Sized):
    _fields_ = [("size", c.c_size_t), ("links", c.POINTER(c.c_uint32)), ("n_links", c.c_size_t),
                ("switches", c.POINTER(c.c_uint32)), ("n_switches", c.c_size_t)]


class FabricInfo(Sized):
    _fields_ = [("size", c.c_size_t), ("n_nodes", c.c_uint32), ("n_switches", c.c_uint32), ("n_ports", c.c_uint32),
                ("n_links", c.c_uint32), ("top_lid", c.c_uint32), ("notes", c.c_char_p)]


class Node(Sized):
    _fields_ = [("size", c.c_size_t), ("guid", c.c_uint64), ("name", c.c_char_p), ("type", c.c_uint32),
                ("first_port", c.c_uint32), ("n_ports", c.c_uint32), ("lid", c.c_uint32)]


class Port(Sized):
    _fields_ = [("size", c.c_size_t), ("guid", c.c_uint64), ("node", c.c_uint32), ("number", c.c_uint32),
                ("peer", c.c_uint32), ("lid", c.c_uint32), ("lmc", c.c_uint8), ("width", c.c_uint8),
                ("speed", c.c_uint8), ("vls", c.c_uint8)]


class Shape(Sized):
    _fields_ = [("size", c.c_size_t), ("kind", c.c_uint32), ("is_perfect", c.c_uint32), ("n_sizes", c.c_uint32),
                ("sizes", c.c_uint32 * 16), ("text", c.c_char * 256)]


class Engine(Sized):
    _fields_ = [("size", c.c_size_t), ("name", c.c_char_p), ("summary", c.c_char_p), ("layers", c.c_char_p),
                ("lmc", c.c_uint32)]


class RouteRequest(Sized):
    _fields_ = [("size", c.c_size_t), ("engine", c.c_char_p), ("options", c.c_char_p), ("layers", c.c_char_p),
                ("queues", c.c_char_p), ("classes", c.c_char_p), ("vlarb", c.c_char_p), ("vlarb_cap", c.c_uint),
                ("max_vls", c.c_uint), ("previous", c.c_void_p)]


class TablesInfo(Sized):
    _fields_ = [("size", c.c_size_t), ("engine", c.c_char_p), ("layers", c.c_char_p), ("queues", c.c_char_p),
                ("options", c.c_char_p), ("notes", c.c_char_p), ("top_lid", c.c_uint32), ("n_switches", c.c_uint32),
                ("lanes_are_kept", c.c_uint32)]


class TableQuery(Sized):
    _fields_ = [("size", c.c_size_t), ("table", c.c_uint32), ("node", c.c_uint32), ("lid", c.c_uint32),
                ("in_port", c.c_uint32), ("out_port", c.c_uint32), ("sl", c.c_uint32), ("port", c.c_uint32)]


class Hop(c.Structure):
    _fields_ = [("node", c.c_uint32), ("in_port", c.c_uint8), ("out_port", c.c_uint8), ("vl", c.c_uint8),
                ("reserved", c.c_uint8)]


class CheckRequest(Sized):
    _fields_ = [("size", c.c_size_t), ("hosts_only", c.c_int), ("all_sls", c.c_int), ("reversed_sl", c.c_int),
                ("max_vls", c.c_uint), ("before", c.c_void_p)]


class Channel(c.Structure):
    _fields_ = [("port", c.c_uint32), ("vl", c.c_uint32), ("source", c.c_uint32), ("lid", c.c_uint32),
                ("sl", c.c_uint32), ("reserved", c.c_uint32)]


class CheckResult(Sized):
    _fields_ = [("size", c.c_size_t), ("failure", c.c_uint32), ("sls", c.c_uint32), ("vls", c.c_uint32),
                ("max_hops", c.c_uint32), ("channels", c.c_uint64), ("dependencies", c.c_uint64),
                ("cycle", c.POINTER(Channel)), ("cycle_capacity", c.c_size_t), ("n_cycle", c.c_size_t),
                ("text", c.c_char * 1024)]


class LoadResult(Sized):
    _fields_ = [("size", c.c_size_t), ("n_flows", c.c_uint64), ("n_lost", c.c_uint64), ("total_hops", c.c_uint64),
                ("max_hops", c.c_uint32), ("busiest", c.c_uint32), ("busiest_port", c.c_uint32)]


class DiffResult(Sized):
    _fields_ = [("size", c.c_size_t), ("nodes_added", c.c_uint32), ("nodes_removed", c.c_uint32),
                ("links_added", c.c_uint32), ("links_removed", c.c_uint32), ("lids_changed", c.c_uint32),
                ("vlarb_ports", c.c_uint32), ("pairs", c.c_uint64), ("pairs_path", c.c_uint64),
                ("pairs_sl", c.c_uint64), ("pairs_vl", c.c_uint64), ("pairs_changed", c.c_uint64),
                ("pairs_lost", c.c_uint64), ("pairs_gained", c.c_uint64), ("lft_entries", c.c_uint64),
                ("lft_blocks", c.c_uint64), ("sl2vl_rows", c.c_uint64)]


class Round(c.Structure):
    _fields_ = [("entries", c.c_uint64), ("rows", c.c_uint64), ("dropped_entries", c.c_uint64),
                ("dropped_rows", c.c_uint64), ("pairs_lost", c.c_uint64), ("nodes", c.c_uint32),
                ("path_sls", c.c_uint32)]


class RoundSets(c.Structure):
    _fields_ = [("port_sets", c.c_uint64), ("private_entries", c.c_uint64), ("map_rows", c.c_uint64),
                ("vl2vl_rows", c.c_uint64)]


class ChangeResult(Sized):
    _fields_ = [("size", c.c_size_t), ("rounds", c.POINTER(Round)), ("rounds_capacity", c.c_size_t),
                ("n_rounds", c.c_size_t), ("is_at_once", c.c_uint32), ("old_loops", c.c_uint32),
                ("pairs_lost", c.c_uint64), ("round_sets", c.POINTER(RoundSets))]


class SimRequest(Sized):
    _fields_ = [("size", c.c_size_t), ("scenario", c.c_char_p), ("tables", c.c_void_p), ("jobs", c.c_uint)]


class Column(Sized):
    _fields_ = [("size", c.c_size_t), ("name", c.c_char_p), ("unit", c.c_char_p), ("help", c.c_char_p),
                ("is_text", c.c_uint32), ("is_flag", c.c_uint32), ("n_rows", c.c_size_t)]


_handle = c.c_void_p
_handles = c.POINTER(c.c_void_p)
_numbers = c.POINTER(c.c_uint32)
_error = c.POINTER(Error)

# Function: what it returns and takes, without the error at the end of those that return a status.
_signatures: dict[str, tuple[Any, list[Any]]] = {
    "heddle_version": (c.c_char_p, []),
    "heddle_status_text": (c.c_char_p, [c.c_int]),
    "heddle_fabric_open": (c.c_int, [c.c_char_p, c.POINTER(OpenRequest), _handles]),
    "heddle_fabric_build": (c.c_int, [c.c_char_p, _handles]),
    "heddle_fabric_make": (c.c_int, [c.POINTER(NewNode), c.c_size_t, c.POINTER(NewLink), c.c_size_t, _handles]),
    "heddle_fabric_assign_lids": (c.c_int, [_handle, c.POINTER(LidRequest), _handles]),
    "heddle_fabric_fail": (c.c_int, [_handle, c.POINTER(FailRequest), _handles]),
    "heddle_fabric_write": (c.c_int, [_handle, c.c_char_p]),
    "heddle_fabric_free": (None, [_handle]),
    "heddle_fabric_info": (c.c_int, [_handle, c.POINTER(FabricInfo)]),
    "heddle_fabric_node": (c.c_int, [_handle, c.c_uint32, c.POINTER(Node)]),
    "heddle_fabric_port": (c.c_int, [_handle, c.c_uint32, c.POINTER(Port)]),
    "heddle_fabric_find": (c.c_int, [_handle, c.c_char_p, _numbers]),
    "heddle_shape_find": (c.c_int, [_handle, c.POINTER(Shape)]),
    "heddle_engine_next": (c.c_int, [c.POINTER(Engine)]),
    "heddle_route": (c.c_int, [_handle, c.POINTER(RouteRequest), _handles]),
    "heddle_tables_open": (c.c_int, [c.c_char_p, c.POINTER(OpenRequest), _handles]),
    "heddle_tables_write": (c.c_int, [_handle, c.c_char_p]),
    "heddle_tables_fabric": (_handle, [_handle]),
    "heddle_tables_info": (c.c_int, [_handle, c.POINTER(TablesInfo)]),
    "heddle_tables_get": (c.c_int, [_handle, c.POINTER(TableQuery), _numbers]),
    "heddle_tables_lft": (c.c_int, [_handle, c.c_uint32, c.POINTER(c.c_uint8), c.c_size_t]),
    "heddle_tables_free": (None, [_handle]),
    "heddle_path": (c.c_int, [_handle, c.c_uint32, c.c_uint32, c.c_uint32, c.POINTER(Hop), c.c_size_t,
                              c.POINTER(c.c_size_t)]),
    "heddle_check": (c.c_int, [_handle, c.POINTER(CheckRequest), c.POINTER(CheckResult)]),
    "heddle_load": (c.c_int, [_handle, _numbers, c.c_size_t, c.POINTER(LoadResult)]),
    "heddle_diff": (c.c_int, [_handle, _handle, c.POINTER(DiffResult)]),
    "heddle_change_plan": (c.c_int, [_handle, _handle, c.POINTER(ChangeResult)]),
    "heddle_sim_run": (c.c_int, [c.POINTER(SimRequest), _handles]),
    "heddle_sim_column": (c.c_int, [_handle, c.c_uint32, c.POINTER(Column)]),
    "heddle_sim_cell": (c.c_char_p, [_handle, c.c_size_t, c.c_uint32, c.POINTER(c.c_double)]),
    "heddle_sim_notes": (c.c_char_p, [_handle]),
    "heddle_sim_free": (None, [_handle]),
}


def _open() -> c.CDLL:
    """HEDDLE_LIBRARY, the library beside an installed package, or the one that the system finds."""
    beside = Path(__file__).resolve().parents[3] / "libheddle.so.0"
    name = os.environ.get("HEDDLE_LIBRARY") or (str(beside) if beside.exists() else "libheddle.so.0")
    library = c.CDLL(name)
    for function, (result, arguments) in _signatures.items():
        entry = getattr(library, function)
        entry.restype = result
        entry.argtypes = arguments + [_error] if result is c.c_int else arguments
    return library


lib = _open()
