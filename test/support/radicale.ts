import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { freePort } from './free-port.ts';

const PROGRAM = '/usr/bin/radicale';
const USER = 'anna';
const PASSWORD = 'swordfish';
const WAIT = { timeout: 60_000, interval: 50 };

/** A real CalDAV server on 127.0.0.1 with Anna's calendar. */
export interface Radicale {
  /** The entry of a manifest. */
  readonly account: {
    readonly type: 'caldav';
    readonly url: string;
    readonly user: string;
    readonly password: string;
  };
  /** Names of the events in the calendar, in order. */
  names(): Promise<string[]>;
  /** The text of an event; undefined if it does not exist. */
  read(name: string): Promise<string | undefined>;
  put(name: string, ics: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Stops it; `start` starts it again at the same address. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startRadicale(): Promise<Radicale> {
  if (!existsSync(PROGRAM)) {
    throw new Error(`tests of CalDAV need ${PROGRAM}: apt-get install radicale`);
  }
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-radicale-'));
  await writeFile(join(folder, 'users'), `${USER}:${PASSWORD}\n`);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/${USER}/calendar/`;
  const headers = { authorization: `Basic ${btoa(`${USER}:${PASSWORD}`)}` };
  const ask = async (method: string, path: string, body?: string) => {
    const type = { 'content-type': 'text/calendar; charset=utf-8' };
    const init = { method, headers: { ...headers, depth: '1', ...(body !== undefined && type) } };
    return fetch(new URL(path, url), { ...init, ...(body !== undefined && { body }) });
  };
  let child: ReturnType<typeof spawn> | undefined;
  const radicale: Radicale = {
    account: { type: 'caldav', url, user: USER, password: PASSWORD },
    async names() {
      const text = await (await ask('PROPFIND', '')).text();
      return [...text.matchAll(/<href>[^<]*\/([^/<]+\.ics)<\/href>/g)]
        .map(([, name = '']) => name)
        .sort();
    },
    async read(name) {
      const response = await ask('GET', name);
      return response.ok ? response.text() : undefined;
    },
    async put(name, ics) {
      const { ok, status } = await ask('PUT', name, ics);
      if (!ok) {
        throw new Error(`radicale answered ${status}`);
      }
    },
    remove: async (name) => void (await ask('DELETE', name)),
    async stop() {
      child?.kill('SIGKILL');
      await (child && child.exitCode === null && child.signalCode === null && once(child, 'exit'));
      child = undefined;
    },
    async start() {
      child = spawn(PROGRAM, argumentsOf(folder, port), { stdio: 'ignore' });
      await vi.waitFor(() => ask('OPTIONS', ''), WAIT);
    },
    async close() {
      await radicale.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await radicale.start();
  const { status } = await ask('MKCALENDAR', '');
  if (status !== 201) {
    throw new Error(`radicale answered ${status} to MKCALENDAR`);
  }
  return radicale;
}

const argumentsOf = (folder: string, port: number): string[] => [
  '--config',
  '',
  '--server-hosts',
  `127.0.0.1:${port}`,
  '--storage-filesystem-folder',
  join(folder, 'collections'),
  '--auth-type',
  'htpasswd',
  '--auth-htpasswd-filename',
  join(folder, 'users'),
  '--auth-htpasswd-encryption',
  'plain',
  '--auth-delay',
  '0',
];
