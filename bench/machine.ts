import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const KIB_PER_MB = 1_024;

/** Returns the resident memory of a process in MB; undefined once it has ended. */
export async function residentMb(pid: number): Promise<number | undefined> {
  const kib = process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid);
  return kib ? kib / KIB_PER_MB : undefined;
}

const fromProc = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
};

const fromPs = async (pid: number): Promise<number> => {
  const ps = promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number((await ps.catch(() => ({ stdout: '0' }))).stdout);
};

const NS_PER_MS = 1e6;

/** Returns milliseconds of a clock that all processes of a machine share. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / NS_PER_MS;

const TICKS_PER_SECOND = 100;

/** Returns the processor time of a process and its children in seconds, ended children included. */
export async function processorSeconds(pid: number): Promise<number> {
  const [own, children] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'),
  ]);
  const pids = children.split(' ').filter((text) => text !== '');
  const stats = await Promise.all(
    pids.map((child) => readFile(`/proc/${child}/stat`, 'utf8').catch(() => '')),
  );
  // Of the process itself also the time of children that it has waited for.
  const ticks = ticksOf(own, 4) + stats.reduce((sum, stat) => sum + ticksOf(stat, 2), 0);
  return ticks / TICKS_PER_SECOND;
}

/** Sums the first fields from `utime` on: those of the process, then those of its ended children. */
const ticksOf = (stat: string, fields: number): number =>
  stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 11 + fields)
    .reduce((sum, text) => sum + Number(text), 0);
