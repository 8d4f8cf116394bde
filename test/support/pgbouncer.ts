import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

const PROGRAM = '/usr/sbin/pgbouncer';
const START_TIMEOUT_MS = 60_000;
/** PgBouncer refuses to run as root: the uid of an account without files. */
const NOBODY = 65_534;

/** A real PgBouncer for one database, on a free local port. */
export interface PgBouncer {
  /** The URL of the database through it. */
  readonly url: string;
  /** Kills it with all connections, and starts it again after a while. */
  restart(downMs?: number): Promise<void>;
  stop(): Promise<void>;
}

/** `settings` are lines of its configuration; the default is transaction mode. */
export async function startPgBouncer(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<PgBouncer> {
  const { hostname, port: target, username, password, pathname } = new URL(databaseUrl);
  const port = await freePort();
  const database = decodeURIComponent(pathname.slice(1));
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: 10,
    max_client_conn: 500,
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`);
  const secret = password && ` password=${decodeURIComponent(password)}`;
  const to = `host=${hostname} port=${target} user=${username}${secret}`;
  await writeFile(file, `[databases]\n${database} = ${to}\n[pgbouncer]\n${lines.join('\n')}\n`);
  await chmod(folder, 0o755);
  let running = await launch(file);
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    async restart(downMs = 0) {
      await end(running);
      await new Promise((resolve) => setTimeout(resolve, downMs));
      running = await launch(file);
    },
    async stop() {
      await end(running);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(file: string): Promise<ChildProcess> {
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(PROGRAM, [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  const ready = Promise.withResolvers<ChildProcess>();
  let said = '';
  child.on('error', ready.reject);
  child.on('exit', (code) => ready.reject(new Error(`PgBouncer ended with ${code}: ${said}`)));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2_000);
    if (said.includes('process up')) {
      ready.resolve(child);
    }
  });
  const timer = setTimeout(
    () => ready.reject(new Error(`PgBouncer did not get ready: ${said}`)),
    START_TIMEOUT_MS,
  );
  return ready.promise.finally(() => clearTimeout(timer));
}

/** Kills it; SIGTERM would wait for clients. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}
