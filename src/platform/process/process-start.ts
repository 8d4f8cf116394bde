import { readFile } from 'node:fs/promises';
import { run } from './run.ts';

/** The field of /proc/<pid>/stat, counted from the state, which follows the name in brackets. */
const START_FIELD = 19;
const DEAD_STATES = /^[ZX]/;

/**
 * Returns when a process started, in an unspecified unit, or undefined if none lives under that id.
 * Id and start time together identify a process: ids are reused, soon in containers. Zombies are dead.
 */
export async function processStart(pid: number): Promise<string | undefined> {
  const fields = process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid);
  return fields && !DEAD_STATES.test(fields.state) ? fields.start : undefined;
}

interface Fields {
  readonly state: string;
  readonly start: string;
}

async function fromProc(pid: number): Promise<Fields | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', start: fields[START_FIELD] ?? '' };
  } catch {
    return undefined;
  }
}

async function fromPs(pid: number): Promise<Fields | undefined> {
  try {
    const text = await run('ps', ['-o', 'state=,lstart=', '-p', String(pid)]);
    const [state = '', ...start] = text.trim().split(/\s+/);
    return { state, start: start.join(' ') };
  } catch {
    return undefined;
  }
}
