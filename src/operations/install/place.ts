import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, lstat, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { createFileAtomically, writeFileAtomically } from '#platform/files/atomic-write.ts';
import { makeFolders } from '#platform/files/make-folders.ts';

export const run = promisify(execFile);

/** Returns the group of installed files; undefined if they are installed below another root. */
export type GroupId = () => Promise<number | undefined>;

const ROOT = 0;

export const folder = (path: string, mode: number, group: GroupId): Step => ({
  what: `folder ${path}`,
  isDone: async () => existsSync(path),
  async act() {
    await makeFolders(path);
    await own(path, mode, group);
  },
});

interface FileOptions {
  readonly path: string;
  readonly text: () => string | Promise<string>;
  readonly mode: number;
  /** Whether an existing file stays as it is: operators edit it. */
  readonly keep: boolean;
}

export const file = ({ path, text, mode, keep }: FileOptions, group: GroupId): Step => ({
  what: `file ${path}`,
  async isDone() {
    return existsSync(path) && (keep || (await readFile(path, 'utf8')) === (await text()));
  },
  async act() {
    await makeFolders(dirname(path));
    if (keep) {
      await createFileAtomically(path, await text(), mode);
    } else {
      await writeFileAtomically(path, await text(), mode);
    }
    await own(path, mode, group);
  },
});

export const withoutFile = (path: string): Step => ({
  what: `remove ${path}`,
  isDone: async () => !existsSync(path),
  act: () => rm(path),
});

/** A symbolic link. A link to another target is replaced; a file at this path stays. */
export const link = (path: string, to: string): Step => ({
  what: `link ${path} to ${to}`,
  async isDone() {
    const target = await targetOf(path);
    return target === to || (target === undefined && (await isThere(path)));
  },
  async act() {
    await makeFolders(dirname(path));
    const fresh = `${path}.new`;
    await rm(fresh, { force: true });
    await symlink(to, fresh);
    await rename(fresh, path);
  },
});

export const withoutLink = (path: string, to: string): Step => ({
  what: `remove ${path}`,
  isDone: async () => (await targetOf(path)) !== to,
  act: () => rm(path),
});

const targetOf = (path: string): Promise<string | undefined> =>
  readlink(path).catch(() => undefined);

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

async function own(path: string, mode: number, group: GroupId): Promise<void> {
  const id = await group();
  if (id !== undefined) {
    await chown(path, ROOT, id);
  }
  await chmod(path, mode);
}

/** One thing that `install` sets up or `uninstall` removes. */
export interface Step {
  /** The text to print, such as `folder /etc/frontdesk`. */
  readonly what: string;
  isDone(): Promise<boolean>;
  act(): Promise<void>;
}

export interface StepResult {
  readonly done: readonly string[];
  /** Steps that were done already. */
  readonly unchanged: readonly string[];
}

/** Takes the steps in order, except those that are done. A dry run only returns them. */
export async function takeSteps(steps: readonly Step[], dryRun: boolean): Promise<StepResult> {
  const done: string[] = [];
  const unchanged: string[] = [];
  for (const step of steps) {
    if (await step.isDone()) {
      unchanged.push(step.what);
    } else {
      if (!dryRun) {
        await step.act();
      }
      done.push(step.what);
    }
  }
  return { done, unchanged };
}
