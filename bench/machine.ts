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
