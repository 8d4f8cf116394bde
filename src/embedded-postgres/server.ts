import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { sleep } from '#lib/abort.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { spawnOptions } from '#platform/process/run.ts';
import type { Binaries } from './binaries.ts';
import type { Place } from './place-cluster.ts';
import { refuse, codeOf, messageOf } from './refuse.ts';

const KEPT_LINES = 50;
const PORTS_TO_TRY = 5;
const PORT_TAKEN = /could not bind|could not create any TCP\/IP sockets/;
/** The last words of a dead server, while children of its still hold the pipe. */
const LAST_WORDS_MS = 300;

/**
 * Starts a postmaster on a free port, and on another one where that was taken meanwhile. `ready`
 * answers its address, or undefined where it died.
 */
export async function launchServer(
  installation: Installation,
  ready: (server: Server) => Promise<string | undefined>,
): Promise<{ server: Server; url: string }> {
  await removeOldSockets(installation.cluster);
  for (let attempt = 1; ; attempt += 1) {
    const server = spawnServer(installation, await freePort());
    const url = await ready(server);
    if (url) {
      return { server, url };
    }
    const said = server.lastLines();
    if (!PORT_TAKEN.test(said) || attempt === PORTS_TO_TRY) {
      throw refuse(`ended while starting; it said:\n${said}`);
    }
  }
}

/** Every start has another port, so a killed server's sockets would stay for ever. */
async function removeOldSockets(cluster: string): Promise<void> {
  for (const name of await readdir(cluster)) {
    if (name.startsWith('.s.PGSQL.')) {
      await rm(join(cluster, name), { force: true });
    }
  }
}

function spawnServer(installation: Installation, port: number): Server {
  const { binaries, user, log } = installation;
  const child = spawn(binaries.postgres, serverArguments(installation, port), {
    ...spawnOptions({ user, env: binaries.env }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines: string[] = [];
  const keep = (line: string) => {
    lines.push(line);
    lines.splice(0, lines.length - KEPT_LINES);
    log(line);
  };
  createInterface({ input: child.stderr }).on('line', keep);
  const closed = once(child, 'close').catch(() => {});
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    const end = () => {
      isGone = true;
      resolve();
    };
    child.on('error', (error) => {
      keep(error.message);
      end();
    });
    child.on('exit', () => void Promise.race([closed, sleep(LAST_WORDS_MS)]).then(end));
  });
  return {
    pid: child.pid ?? 0,
    port,
    gone,
    isGone: () => isGone,
    signal: (signal) => void child.kill(signal),
    lastLines: () => lines.join('\n'),
  };
}

/** A port of the loopback address that nobody listens on now; somebody may a moment later. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The system's limit for a socket's address is 108 bytes on Linux and 104 on macOS. */
const SOCKET_PATH_MAX_BYTES = 100;
const LONGEST_SOCKET_NAME = '/.s.PGSQL.65535';

/** What the postmaster is told: reachable from this machine only, by one port and one socket. */
export function serverArguments(
  { cluster, settings }: Pick<Installation, 'cluster' | 'settings'>,
  port: number,
): string[] {
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: socketFolder(cluster),
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    log_destination: 'stderr',
    ...settings,
    port: String(port),
  };
  return [
    '-D',
    cluster,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/** The data folder itself, which only the server's user can enter; none where its path is too long. */
function socketFolder(cluster: string): string {
  const isShort = Buffer.byteLength(cluster + LONGEST_SOCKET_NAME) < SOCKET_PATH_MAX_BYTES;
  // The setting is a list; quoted, a name may have commas and spaces.
  return isShort ? `"${cluster.replaceAll('"', '""')}"` : '';
}

const PATIENCE_MS = MINUTE_MS;
const POLL_MS = 25;
const CONNECT_TIMEOUT_MS = 5_000;
/** A server that finds its port taken is dead by then; who answers there is not ours. */
const DOUBT_MS = 500;

/** Waiting does not help where the password is wrong or the database `postgres` was dropped. */
const FOR_GOOD = /^(?:28...|3D000)$/;

/**
 * Waits until the server answers a query, and gives its address; undefined where it died. Throws a
 * Fault when it takes too long, refuses our password or holds text in another encoding than UTF8.
 */
export async function untilReady(server: Server, password: string): Promise<string | undefined> {
  // PGSSLMODE of the environment would ask for TLS, which the loopback address does without.
  const url = `postgres://postgres:${password}@127.0.0.1:${server.port}/postgres?sslmode=disable`;
  const deadline = Date.now() + PATIENCE_MS;
  let encoding: string | undefined;
  while (encoding === undefined) {
    try {
      // Who has our port and keeps silent would make us wait for a server that died of it.
      encoding = await Promise.race([askEncoding(url), server.gone.then(() => undefined)]);
    } catch (error) {
      const isForGood = FOR_GOOD.test(String(codeOf(error)));
      await Promise.race([server.gone, sleep(isForGood ? DOUBT_MS : POLL_MS)]);
      if (!server.isGone() && (isForGood || Date.now() > deadline)) {
        const said = server.lastLines();
        throw refuse(`cannot be connected to (${messageOf(error)}); it said:\n${said}`);
      }
    }
    if (server.isGone()) {
      return undefined;
    }
  }
  requireUtf8(encoding);
  return url;
}

async function askEncoding(url: string): Promise<string> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
    application_name: 'frontdesk supervisor',
  });
  // Without a listener, a server that dies now would end our process.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ server_encoding: string }>('show server_encoding');
    return rows[0]?.server_encoding ?? '';
  } finally {
    await client.end().catch(() => {});
  }
}

function requireUtf8(encoding: string): void {
  if (encoding !== 'UTF8') {
    throw refuse(
      `its data is encoded in ${encoding}; Frontdesk takes UTF8 only: name another data folder`,
    );
  }
}

export interface StartOptions {
  readonly dataDir: string;
  /** PostgreSQL's own settings, which win over ours. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Gets what the server says, and what is done about it, line by line. */
  readonly log?: (line: string) => void;
}

export interface Installation extends Place {
  readonly binaries: Binaries;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}

/** A postmaster, our child or not. */
export interface Server {
  readonly pid: number;
  readonly port: number;
  /** Resolves when the process has ended. */
  readonly gone: Promise<unknown>;
  isGone(): boolean;
  signal(signal: NodeJS.Signals): void;
  lastLines(): string;
}

/** SIGINT ends sessions and writes everything; SIGQUIT leaves the rest to recovery. */
const STEPS = [
  { signal: 'SIGINT', patienceMs: 20_000 },
  { signal: 'SIGQUIT', patienceMs: 5_000 },
  { signal: 'SIGKILL', patienceMs: 5_000 },
] as const;

/** Ends a server, the gentle way first; does nothing where it is dead. */
export async function haltServer(server: Server): Promise<void> {
  for (const { signal, patienceMs } of STEPS) {
    if (server.isGone()) {
      return;
    }
    server.signal(signal);
    const patience = new AbortController();
    const timeout = sleep(patienceMs, patience.signal);
    await Promise.race([server.gone, timeout]);
    patience.abort();
  }
}
