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
import type { Place } from './server-user.ts';
import { fullDiskIn } from './full-disk.ts';
import { refuse, codeOf, messageOf } from './refuse.ts';

const LINES_MAX = 50;
const PORTS_TO_TRY = 5;
const PORT_TAKEN = /could not bind|could not create any TCP\/IP sockets/;
/** Wait for the last lines of a dead server: its children may still hold the pipe. */
const LAST_LINES_MS = 300;

/**
 * Starts a postmaster on a free port; tries another port if that was taken meanwhile. `ready` returns its
 * URL, or undefined if it died. Throws a Fault if it ends while starting.
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
    const log = server.lastLines();
    if (!PORT_TAKEN.test(log) || attempt === PORTS_TO_TRY) {
      const full = fullDiskIn(log, installation.cluster);
      throw refuse(full ?? `exited while starting; its log:\n${log}`);
    }
  }
}

/** Each start uses another port: sockets of killed servers would accumulate. */
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
  const record = (line: string) => {
    lines.push(line);
    lines.splice(0, lines.length - LINES_MAX);
    log(line);
  };
  createInterface({ input: child.stderr }).on('line', record);
  const closed = once(child, 'close').catch(() => {});
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    const end = () => {
      isGone = true;
      resolve();
    };
    child.on('error', (error) => {
      record(error.message);
      end();
    });
    child.on('exit', () => void Promise.race([closed, sleep(LAST_LINES_MS)]).then(end));
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

/** Returns a free port of the loopback address. Another process may take it at any time. */
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

/** Returns the arguments of the postmaster: it listens on the loopback address and on one socket. */
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

/** Returns the data folder, which only the server's user can enter; empty if its path is too long. */
function socketFolder(cluster: string): string {
  const isShort = Buffer.byteLength(cluster + LONGEST_SOCKET_NAME) < SOCKET_PATH_MAX_BYTES;
  // The setting is a list; quotes allow commas and spaces.
  return isShort ? `"${cluster.replaceAll('"', '""')}"` : '';
}

const START_TIMEOUT_MS = MINUTE_MS;
const POLL_MS = 25;
const CONNECT_TIMEOUT_MS = 5_000;
/** A server whose port is taken has exited after this time: another process responds on that port. */
const EXIT_WAIT_MS = 500;

/** 28…: wrong password; 3D000: the database `postgres` was dropped. Waiting does not help. */
const PERMANENT = /^(?:28...|3D000)$/;

/**
 * Waits until the server responds to a query. Returns its URL, or undefined if it died. Throws a Fault
 * after a minute, for a wrong password, and for an encoding other than UTF8.
 */
export async function untilReady(server: Server, password: string): Promise<string | undefined> {
  // Overrides PGSSLMODE of the environment: the server has no TLS.
  const url = `postgres://postgres:${password}@127.0.0.1:${server.port}/postgres?sslmode=disable`;
  const deadline = Date.now() + START_TIMEOUT_MS;
  let encoding: string | undefined;
  while (encoding === undefined) {
    try {
      // Another process on the port may never respond: stop waiting once the server has died.
      encoding = await Promise.race([askEncoding(url), server.gone.then(() => undefined)]);
    } catch (error) {
      const isPermanent = PERMANENT.test(String(codeOf(error)));
      await Promise.race([server.gone, sleep(isPermanent ? EXIT_WAIT_MS : POLL_MS)]);
      if (!server.isGone() && (isPermanent || Date.now() > deadline)) {
        const log = server.lastLines();
        throw refuse(`cannot connect to it (${messageOf(error)}); its log:\n${log}`);
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
  // Without a listener, the death of the server would end this process.
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
      `its data has the encoding ${encoding}, but Frontdesk needs UTF8; use another data folder`,
    );
  }
}

export interface StartOptions {
  readonly dataDir: string;
  /** Settings of PostgreSQL that override the defaults of Frontdesk. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with each line of the server's log and of this module. */
  readonly log?: (line: string) => void;
}

export interface Installation extends Place {
  readonly binaries: Binaries;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}

/** A postmaster, possibly started by another process. */
export interface Server {
  readonly pid: number;
  readonly port: number;
  /** Resolves when the process has ended. */
  readonly gone: Promise<unknown>;
  isGone(): boolean;
  signal(signal: NodeJS.Signals): void;
  lastLines(): string;
}

/** SIGINT ends sessions and writes everything; SIGQUIT leaves recovery to the next start. */
const STEPS = [
  { signal: 'SIGINT', timeoutMs: 20_000 },
  { signal: 'SIGQUIT', timeoutMs: 5_000 },
  { signal: 'SIGKILL', timeoutMs: 5_000 },
] as const;

/** Stops a server: fast shutdown first, then immediate, then kill. */
export async function haltServer(server: Server): Promise<void> {
  for (const { signal, timeoutMs } of STEPS) {
    if (server.isGone()) {
      return;
    }
    server.signal(signal);
    const cancel = new AbortController();
    const timeout = sleep(timeoutMs, cancel.signal);
    await Promise.race([server.gone, timeout]);
    cancel.abort();
  }
}
