import { stat } from 'node:fs/promises';
import { messageOf, SET_DATABASE_URL, refuse } from '../refuse.ts';
import { run } from '#platform/process/run.ts';

const NAME = 'postgres';

/** Distributions differ in what they have; some have the group without the user. */
const WAYS_TO_CREATE: readonly (readonly string[])[] = [
  ['useradd', '--system', '--no-create-home', '--shell', '/bin/false', '--user-group'],
  ['useradd', '--system', '--no-create-home', '--shell', '/bin/false', '--gid', NAME],
  ['adduser', '--system', '--no-create-home', '--group'],
  ['adduser', '-S', '-D', '-H'],
];

export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Where the data lies and who may touch it. */
export interface Place {
  /** PostgreSQL's data folder; password and lock lie beside it. */
  readonly cluster: string;
  /** Whom the server runs as; undefined means: as ourselves. */
  readonly user: ServerUser | undefined;
}

/**
 * PostgreSQL refuses to run as root. Then it runs as the owner of the data, or as the user
 * `postgres`, who is created where missing; else as ourselves, which is undefined.
 */
export async function serverUser(cluster: string): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  return (await ownerOf(cluster)) ?? (await findUser()) ?? createUser();
}

async function ownerOf(cluster: string): Promise<ServerUser | undefined> {
  const found = await stat(cluster).catch(() => undefined);
  return found && found.uid !== 0
    ? { name: `number ${found.uid}`, uid: found.uid, gid: found.gid }
    : undefined;
}

async function findUser(): Promise<ServerUser | undefined> {
  try {
    const uid = Number(await run('id', ['-u', NAME]));
    return { name: NAME, uid, gid: Number(await run('id', ['-g', NAME])) };
  } catch {
    return undefined;
  }
}

async function createUser(): Promise<ServerUser> {
  const reasons: string[] = [];
  for (const [program = '', ...args] of WAYS_TO_CREATE) {
    try {
      await run(program, [...args, NAME]);
    } catch (error) {
      reasons.push(messageOf(error));
    }
    const user = await findUser();
    if (user) {
      return user;
    }
  }
  throw refuse(
    `it cannot run as root, and the user ${NAME} could not be created (${reasons.join('; ')}); ` +
      `create that user, run as another one, or ${SET_DATABASE_URL}`,
  );
}
