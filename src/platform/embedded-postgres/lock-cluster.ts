import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { processStart } from './process-start.ts';
import { codeOf, messageOf, refuse } from './refuse.ts';

const ATTEMPTS = 10;

/**
 * Makes this process the only owner of a data folder, until the returned function is called. The lock
 * of a dead owner is taken; a living one is a Fault.
 */
export async function lockCluster(cluster: string): Promise<() => Promise<void>> {
  const lock = `${cluster}.lock`;
  const ours = `${process.pid} ${await processStart(process.pid)}\n`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await putDown(lock, ours)) {
      return () => rm(lock, { force: true });
    }
    const theirs = await readFile(lock, 'utf8').catch(() => '');
    if (await isAlive(theirs)) {
      throw refuse(
        `${cluster} is in use by process ${theirs.split(' ')[0]}; ` +
          'stop that one first, or name another data folder',
      );
    }
    await takeAway(lock, theirs);
  }
  throw refuse(`${lock} cannot be taken; other processes try the same`);
}

/** By a link, so that nobody ever sees a lock without its owner's name. */
async function putDown(lock: string, text: string): Promise<boolean> {
  const draft = besides(lock);
  try {
    await writeFile(draft, text, { mode: 0o644, flag: 'wx' });
    await link(draft, lock);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      throw refuse(`the data folder cannot be written to: ${messageOf(error)}`);
    }
    return false;
  } finally {
    await rm(draft, { force: true });
  }
}

async function isAlive(owner: string): Promise<boolean> {
  const [pid, start] = owner.trim().split(' ');
  return start !== undefined && (await processStart(Number(pid))) === start;
}

/** Where another process was faster, what we moved away is its lock: it gets it back. */
async function takeAway(lock: string, judgedDead: string): Promise<void> {
  const away = besides(lock);
  try {
    await rename(lock, away);
    if ((await readFile(away, 'utf8')) !== judgedDead) {
      await link(away, lock);
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') {
      throw error;
    }
  } finally {
    await rm(away, { force: true });
  }
}

const besides = (lock: string): string => `${lock}-${randomBytes(6).toString('hex')}`;
