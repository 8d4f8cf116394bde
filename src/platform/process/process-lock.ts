import { randomBytes } from 'node:crypto';
import { link, readFile, readlink, rename, rm } from 'node:fs/promises';
import { createFileAtomically, writeFileAtomically } from '../files/atomic-write.ts';
import { run } from './run.ts';

const ATTEMPTS = 10;
/** Other users may see who owns a folder that they can read. */
const READABLE = 0o644;

/** The living process that owns a lock file. */
export interface LockOwner {
  readonly pid: number;
  /** What the owner wrote about itself; empty until then. */
  readonly note: string;
}

export interface ProcessLock {
  /** Writes one line about the owner that others read from the lock. */
  annotate(note: string): Promise<void>;
  release(): Promise<void>;
}

/**
 * Creates a lock file that this process owns. Returns the owner if another living process has it,
 * and undefined if several processes compete for it without end. The lock of a dead process is
 * replaced. Throws the system error if the file cannot be written.
 */
export async function acquireProcessLock(
  path: string,
): Promise<ProcessLock | { readonly owner: LockOwner } | undefined> {
  const ours = `${process.pid} ${await processStart(process.pid)}\n`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // Atomically, so that the lock never exists without its owner's name.
    if (await createFileAtomically(path, ours, READABLE)) {
      return {
        annotate: (note) => writeFileAtomically(path, `${ours}${note}\n`, READABLE),
        release: () => rm(path, { force: true }),
      };
    }
    const theirs = await readFile(path, 'utf8').catch(() => '');
    const owner = await ownerIn(theirs);
    if (owner) {
      return { owner };
    }
    await removeDead(path, theirs);
  }
  return undefined;
}

/** Returns the living owner of a lock file, or undefined. */
export const readProcessLock = async (path: string): Promise<LockOwner | undefined> =>
  ownerIn(await readFile(path, 'utf8').catch(() => ''));

/** Process ids are reused: id and start time together name one process. */
async function ownerIn(text: string): Promise<LockOwner | undefined> {
  const [first = '', note = ''] = text.split('\n');
  const [, id = '', start] = /^(\d+) (.+)$/.exec(first) ?? [];
  const isAlive = start !== undefined && (await processStart(Number(id))) === start;
  return isAlive ? { pid: Number(id), note } : undefined;
}

/** Restores the file if another process has replaced the dead lock meanwhile. */
async function removeDead(path: string, judgedDead: string): Promise<void> {
  const away = besides(path);
  try {
    await rename(path, away);
    if ((await readFile(away, 'utf8')) !== judgedDead) {
      await link(away, path);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EEXIST') {
      throw error;
    }
  } finally {
    await rm(away, { force: true }).catch(() => undefined);
  }
}

const besides = (path: string): string => `${path}-${randomBytes(6).toString('hex')}`;

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

/** Returns the namespace in which this process has its id; undefined on systems without namespaces. */
export const pidNamespace = (): Promise<string | undefined> =>
  readlink('/proc/self/ns/pid').catch(() => undefined);

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
