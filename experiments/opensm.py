# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The tables that stock OpenSM gives a netfile, by an engine of its own or of the plug-in, for scripts of experiments.

capture.sh does the same with path SLs and VL arbitration, on a fabric whose LIDs OpenSM chooses; here LIDs are those
of the netfile, so that tables of different engines, and of a fabric before and after a failure, have the same."""
import datetime
import os
import re
import shutil
import subprocess


def switch_links(netfile):
    """The links between switches of a netfile: (name, GUID, port) twice."""
    found, nodes, at = [], {}, None
    with open(netfile, encoding='ascii') as file:
        for line in file:
            node = re.match(r'Switch\s+\d+\s+"S-([0-9a-f]+)"\s+# "([^"]*)"', line)
            link = re.match(r'\[(\d+)\]\s+"S-([0-9a-f]+)"\[(\d+)\]', line)
            if node:
                at = node.group(1)
                nodes[at] = node.group(2)
            elif re.match(r'(Ca|Rt)\s', line):
                at = None
            elif link and at and (at, int(link.group(1))) < (link.group(2), int(link.group(3))):
                found.append(((at, int(link.group(1))), (link.group(2), int(link.group(3)))))
    return [tuple((nodes[guid], guid, port) for guid, port in ends) for ends in found]


def switch_ids(netfile):
    """The switches of a netfile, as its quotes have them."""
    return re.findall(r'^Switch\s+\d+\s+"(S-[0-9a-f]+)"', netfile.read_text(encoding='ascii'), re.M)


def guid2lid(netfile):
    """OpenSM's file of the LIDs that it has given: those of the netfile, with LMC 0."""
    lines = []
    with open(netfile, encoding='ascii') as file:
        for line in file:
            found = re.match(r'Switch\s+\d+\s+"S-([0-9a-f]+)".* lid (\d+) lmc', line) or \
                re.match(r'\[\d+\]\(([0-9a-f]+)\).*?# lid (\d+) ', line)
            if found:
                lid = int(found.group(2))
                lines.append(f'0x{found.group(1):>016} {lid:#06x} {lid:#06x}\n\n')
    return ''.join(lines)


def _stamp(line):
    return datetime.datetime.strptime('2000 ' + ' '.join(line.split()[:4]), '%Y %b %d %H:%M:%S %f')


def capture(netfile, engine, directory, lines=(), dumps=True, limit=None):
    """Runs OpenSM with routing engine @engine on simfabric, with @lines in its opensm.conf. Returns the engine whose
    tables were configured ('' for none) and the seconds from the choice of the engine to the last table. @directory
    is made and has the netfile beside OpenSM's dumps: a snapshot, without path SLs. @limit: seconds at most."""
    os.makedirs(directory)
    with open(f'{directory}/opensm.conf', 'w', encoding='ascii') as file:
        print('event_plugin_name osmheddle', 'max_wire_smps 32', 'honorguid2lid_file TRUE', *lines,
              sep='\n', file=file)
    with open(f'{directory}/guid2lid', 'w', encoding='ascii') as file:
        file.write(guid2lid(netfile))
    shutil.copy(netfile, f'{directory}/fabric.net')
    log = f'{directory}/log'
    command = ['simfabric', '--quiet', netfile, '--wrapper', 'own', '--', 'opensm', '-o', '-F', f'{directory}/opensm.conf',
               '-R', engine, '-f', log, '-D', '0x47' if dumps else '0x07', '--dump_files_dir', directory]
    environment = dict(os.environ, OSM_TMP_DIR=directory, OSM_CACHE_DIR=directory, OMP_NUM_THREADS='1')
    try:
        subprocess.run(command, env=environment, capture_output=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return f'over {limit} s', None
    begin = seconds = None
    used = ''
    with open(log, errors='replace', encoding='ascii') as file:
        for line in file:
            if 'building routing with' in line:
                begin = _stamp(line)
            elif 'tables configured' in line:
                used = line.split('osm_ucast_mgr_process: ')[1].split()[0]
                seconds = (_stamp(line) - begin).total_seconds()
    os.remove(log)
    return used, seconds


def entries_by(directory, ends):
    """How many LFT entries of the dump in @directory send to a port of @ends, (name, GUID, port) each."""
    ports, count, wanted = {int(guid, 16): port for _, guid, port in ends}, 0, None
    with open(f'{directory}/opensm-lfts.dump', errors='replace', encoding='ascii') as file:
        for line in file:
            if line.startswith('Unicast lids'):
                wanted = ports.get(int(re.search(r'guid (0x[0-9a-f]+)', line).group(1), 16))
            elif wanted is not None and line.startswith('0x'):
                count += int(line.split()[1]) == wanted
    return count
