# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The example job array on a cluster of three nodes, all of them this machine, one of which is killed on the way."""
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
from contextlib import closing, contextmanager
from pathlib import Path

from showing import ROOT, TOOL, Skip, run

NODES, TASKS, CASES = 3, 9, 270
CONFIGURATION = """ClusterName=forewarp
SlurmctldHost={host}
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdTimeout=5
SlurmctldTimeout=5
MessageTimeout=5
ReturnToService=0
JobRequeue=1
MailProg=/bin/true
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_port():
    with socket.socket() as taken:
        taken.bind(("", 0))
        return taken.getsockname()[1]


def killed(folder, command="", variable=""):
    """Ends every process of the cluster of this folder whose command line has this text, without a word; other clusters of the machine are left alone."""
    wanted = {f"SLURM_CONF={folder}/slurm.conf", variable or f"SLURM_CONF={folder}/slurm.conf"}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            variables = set((entry / "environ").read_bytes().decode(errors="replace").split("\0"))
            if wanted <= variables and command in (entry / "cmdline").read_bytes().decode(errors="replace").replace("\0", " "):
                os.kill(int(entry.name), signal.SIGKILL)
        except OSError:  # it has ended
            pass


@contextmanager
def cluster():
    """Slurm on this machine; gives the environment of its commands and the folder."""
    if not all(shutil.which(name) for name in ("slurmctld", "slurmd", "sbatch", "munged")) or os.geteuid() != 0:
        raise Skip("needs slurm-wlm and munge, as root")
    folder = Path(tempfile.mkdtemp(prefix="forewarp-slurm-"))
    folder.chmod(0o755)
    host = socket.gethostname()
    nodes = "\n".join(f"NodeName=n{i} NodeHostname={host} Port={free_port()} CPUs=1 State=UNKNOWN" for i in range(NODES))
    (folder / "slurm.conf").write_text(CONFIGURATION.format(host=host, port=free_port(), folder=folder, nodes=nodes))
    (folder / "state").mkdir()
    (folder / "key").write_bytes(os.urandom(1024))
    (folder / "key").chmod(0o400)
    environment = dict(os.environ, SLURM_CONF=str(folder / "slurm.conf"), FOREWARP=str(TOOL), XDG_CACHE_HOME=str(folder / "cache"))
    own = []

    def start(*words):
        own.append(subprocess.Popen([str(w) for w in words], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    try:
        start("munged", "--foreground", "--force", f"--socket={folder}/munge.socket", f"--key-file={folder}/key", f"--pid-file={folder}/munge.pid",
              f"--log-file={folder}/munge.log", f"--seed-file={folder}/munge.seed")
        time.sleep(1)
        start("slurmctld", "-D", "-c")
        for i in range(NODES):
            start("slurmd", "-D", "-N", f"n{i}")
        until(lambda: run("sinfo", "-h", "-o", "%D %t", env=environment, check=False).stdout.split() == [str(NODES), "idle"], 30, "three nodes are not idle")
        yield environment, folder
    finally:
        for process in own:
            process.kill()
            process.wait()
        killed(folder)  # what they had started
        shutil.rmtree(folder, ignore_errors=True)


def until(holds, seconds, otherwise):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise RuntimeError(otherwise)
        time.sleep(0.3)


def rows(store, sql):
    with closing(sqlite3.connect(store)) as database:
        return database.execute(sql).fetchall()


def count(store):
    try:
        return rows(store, "SELECT count(*) FROM points")[0][0]
    except sqlite3.Error:  # it is just being made
        return 0


def one_killed():
    """Whether every case was predicted once although a node died, as by one process."""
    with cluster() as (environment, folder):
        cases = folder / "cases.jsonl"
        cases.write_text("".join(json.dumps({"id": i, "input": str(ROOT / "examples" / "saxpy2.sass"), "gpu": "gtx970", "grid": [1000 + 10 * i], "block": [256],
                                             "args": {"n": 256 * (1000 + 10 * i), "a": 3 + i % 40}}) + "\n" for i in range(CASES)))
        parts = folder / "parts"
        job = run("sbatch", "--parsable", f"--array=1-{TASKS}", ROOT / "examples" / "slurm" / "predict.sbatch", cases, parts, env=environment, cwd=folder).stdout.strip()
        running = lambda: [line.split() for line in run("squeue", "-h", "-t", "R", "-w", "n1", "-o", "%A %K", env=environment, check=False).stdout.splitlines()]
        kept = lambda task: sum(count(store) for store in parts.glob(f"part-{task}-of-{TASKS}-*-0.db"))
        until(lambda: any(kept(task) for _, task in running()), 60, "no task kept a point on the second node")
        lost = running()
        killed(folder, "slurmd -D -N n1")
        for number, _ in lost:
            killed(folder, f"slurmstepd: [{number}.")
        killed(folder, variable="SLURMD_NODENAME=n1")
        lost = [task for _, task in lost if "computed" not in (parts / f"part-{task}-of-{TASKS}.log").read_text()]
        before = sum(kept(task) for task in lost)
        until(lambda: not run("squeue", "-h", "-j", job, env=environment, check=False).stdout.strip(), 240, "the array has not ended after four minutes")
        merged = folder / "all.db"
        run(TOOL, "results", "merge", *sorted(parts.glob("part-*.db")), "--store", merged, env=environment)
        asked = [int(json.loads(axes)[0]) for axes, in rows(merged, "SELECT axes FROM members")]
        points = rows(merged, "SELECT count(*), count(DISTINCT key), count(error) FROM points")[0]
        computed = before + sum(int(count) for log in parts.glob("*.log") for count in re.findall(r"(\d+) computed", log.read_text()))
        alone = folder / "alone.db"
        run(TOOL, "predict", "--cases", cases, "--store", alone, "-q", "-o", os.devnull, env=environment)
        figures = "SELECT key, time_ms FROM points ORDER BY key"
        same = rows(merged, figures) == rows(alone, figures)
        good = bool(lost) and sorted(asked) == list(range(CASES)) and points == (CASES, CASES, 0) and computed == CASES and same
        return good, (f"{TASKS} tasks on {NODES} nodes, one killed with {len(lost)} task of which {before} points were kept: {len(set(asked))} of {CASES} cases, {computed - CASES} computed twice, "
                      f"{points[2]} failed; as by one process: {'yes' if same else 'no'}")
