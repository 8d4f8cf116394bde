import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { always } from '../support/calendars.ts';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { freePort } from '../support/free-port.ts';
import { startSink } from '../support/https-sink.ts';
import { isHere } from '../support/tools.ts';
import { frontdesk } from '../support/frontdesk.ts';
import { startProject, type Project } from '../sdk/package.support.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const DAY_MS = 86_400_000;
const LANGUAGES = [
  ['TypeScript', process.execPath, 'ts'],
  ['Python', 'python3', 'py'],
] as const;

let project: Project;
let installation: Installation;
let variables: Record<string, string>;

beforeAll(async () => {
  [project, installation] = await Promise.all([startProject(), startInstallation()]);
  await cp(join(ROOT, 'examples'), join(project.folder, 'examples'), { recursive: true });
  for (const name of ['hono', 'express', 'srvx']) {
    await symlink(join(ROOT, 'node_modules', name), join(project.folder, 'node_modules', name));
  }
  variables = {
    FRONTDESK_URL: installation.url,
    FRONTDESK_API_KEY: installation.key,
    APPOINTMENT_TYPE: 'check-up',
  };
  await setUpCalendar();
  await installation.startWorker();
});
afterAll(async () => {
  await installation.close();
  await rm(dirname(project.folder), { recursive: true, force: true });
});

async function setUpCalendar(): Promise<void> {
  const manifest = join(project.folder, 'calendar.yaml');
  const calendar = { key: 'checkup', name: 'Check-ups', type: 'personal', timezone: 'UTC' };
  const type = { key: 'checkup-30', name: 'Check-up', slug: 'check-up', duration: 30 };
  const calendars = [{ ...calendar, members: ['anna'], hours: always(), types: [type] }];
  const team = [{ key: 'anna', name: 'Anna Weber' }];
  await writeFile(manifest, JSON.stringify({ team, calendars }));
  const args = ['admin', 'apply', '--file', manifest, '--sub-account', installation.subAccountId];
  const { code, stderr } = await frontdesk([...args, '--json'], installation.variables);
  expect({ code, stderr }).toMatchObject({ code: 0 });
}

test('python3 is here in CI', () => {
  expect(isHere('python3') || !process.env['CI']).toBe(true);
});

describe.for(LANGUAGES.filter(([, program]) => isHere(program)))('in %s', ([, program, ending]) => {
  const run = (name: string, ...args: readonly string[]) =>
    project.run(program, [`examples/${name}.${ending}`, ...args], variables);

  test('the booking bot books, moves and cancels', async () => {
    const email = `${ending}@example.com`;
    const booked = await run('booking-bot/bot', 'book', email, 'Ada', 'Lovelace');
    expect(booked).toEqual({ code: 0, said: expect.stringMatching(/^Booked: \w/) });
    const moved = await run('booking-bot/bot', 'move', email, 'Lovelace');
    expect(moved).toEqual({ code: 0, said: expect.stringMatching(/^Moved: \w/) });
    expect(moved.said.slice('Moved'.length)).not.toBe(booked.said.slice('Booked'.length));
    const cancelled = await run('booking-bot/bot', 'cancel', email, 'Lovelace');
    expect(cancelled).toEqual({ code: 0, said: 'Cancelled\n' });
    const { data } = await installation.client.appointments.list();
    const own = data.filter(({ contact }) => contact?.email === email);
    expect(own.map(({ status }) => status)).toEqual(['cancelled']);
    expect(await run('booking-bot/bot', 'cancel', email, 'Lovelace')).toEqual({
      code: 1,
      said: 'You have no upcoming appointment.\n',
    });
    for (const _ of ['first', 'second']) {
      await run('booking-bot/bot', 'book', email, 'Ada', 'Lovelace');
    }
    expect(await run('booking-bot/bot', 'cancel', email, 'Lovelace')).toEqual({
      code: 1,
      said: expect.stringMatching(/^Which one do you mean: \w.*; \w.*\?\n$/),
    });
  });

  test('the booking bot knows customers by phone and by id', async () => {
    const phone = { ts: '+442079460018', py: '+442079460019' }[ending];
    // Both may find the same first slot: the second booking of it takes an alternative.
    const booked = await Promise.all([
      run('booking-bot/bot', 'book', phone, 'Sam', 'Poe'),
      run('booking-bot/bot', 'book', `other-${ending}@example.com`, 'Jo', 'Doe'),
    ]);
    expect(booked.map(({ code, said }) => [code, said.slice(0, 8)])).toEqual([
      [0, 'Booked: '],
      [0, 'Booked: '],
    ]);
    expect(booked[0].said).not.toBe(booked[1].said);
    const moved = await run('booking-bot/bot', 'move', phone, 'Poe');
    expect(moved).toEqual({ code: 0, said: expect.stringMatching(/^Moved: \w/) });
    const { data } = await installation.client.contacts.list({ phone });
    const id = data[0]?.id ?? '';
    for (const said of [/^Cancelled$/m, /^You have no upcoming appointment\.$/m]) {
      expect((await run('booking-bot/bot', 'cancel', id)).said).toMatch(said);
    }
    expect((await run('booking-bot/bot', 'book', id)).said).toMatch(/^Booked: \w/);
  });

  test('the booking bot says what to do about a failed identification', async () => {
    for (const command of ['move', 'cancel']) {
      const { code, said } = await run('booking-bot/bot', command, 'no@example.com', 'Missing');
      expect({ code, said }).toEqual({
        code: 1,
        said: 'I cannot find an appointment for these details. Please check the email or phone, and the last name.\n',
      });
    }
  });

  test('the nightly sync reads all, then what changed, and all again after a week', async () => {
    const file = join(project.folder, `${ending}.json`);
    const mirror = async () => JSON.parse(await readFile(file, 'utf8'));
    const { contacts } = installation.client;
    const kept = await contacts.create({ firstName: 'Grace', lastName: 'Hopper' });
    const gone = await contacts.create({ firstName: 'Mary', lastName: 'Shelley' });
    const all = (await contacts.list()).meta.total;
    expect(await run('nightly-sync/sync', file)).toEqual({ code: 0, said: `${all} contacts\n` });
    const first = await mirror();

    await contacts.update(kept.id, { company: 'Navy' });
    await contacts.update(gone.id, { company: 'Press' });
    await contacts.delete(gone.id);
    const { id } = await contacts.create({ firstName: 'Jane', lastName: 'Austen' });
    expect(await run('nightly-sync/sync', file)).toEqual({ code: 0, said: `${all} contacts\n` });
    const second = await mirror();
    expect(second.cursor).not.toBe(first.cursor);
    expect(second.contacts[kept.id].company).toBe('Navy');
    expect(second.contacts[id].firstName).toBe('Jane');
    expect(second.contacts).not.toHaveProperty(gone.id);
    expect(second.contacts[kept.id]).toEqual(await contacts.get(kept.id));

    await contacts.delete(id);
    expect(await run('nightly-sync/sync', file)).toEqual({ code: 0, said: `${all} contacts\n` });
    const failed = await project.run(program, [`examples/nightly-sync/sync.${ending}`, file], {
      ...variables,
      FRONTDESK_API_KEY: 'sk_test_wrong',
    });
    expect(failed.code).toBe(1);
    const third = await mirror();
    expect(third.contacts).toHaveProperty(id);
    await writeFile(file, JSON.stringify({ ...third, readAllAt: third.readAllAt - 7 * DAY_MS }));
    const left = `${all - 1} contacts\n`;
    expect(await run('nightly-sync/sync', file)).toEqual({ code: 0, said: left });
    expect((await mirror()).contacts).not.toHaveProperty(id);
  });
});

test('the TypeScript examples pass a strict compiler', async () => {
  const compilerOptions = {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    lib: ['es2024', 'dom', 'dom.iterable'],
    allowImportingTsExtensions: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  await writeFile(join(project.folder, 'express.d.ts'), "declare module 'express';");
  const config = JSON.stringify({ compilerOptions, include: ['examples', 'express.d.ts'] });
  await writeFile(join(project.folder, 'tsconfig.json'), config);
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  const { code, said } = await project.run(compiler, ['-p', '.']);
  // Express has no types of its own.
  const errors = said
    .split('\n')
    .filter((line) => line !== '' && !/express\.ts.*TS7006/.test(line));
  expect({ code: errors.length === 0 ? 0 : code, errors }).toEqual({ code: 0, errors: [] });
});

const RECEIVERS = [
  ['Hono', process.execPath, 'hono.ts'],
  ['Express', process.execPath, 'express.ts'],
  ['Python', 'python3', 'receiver.py'],
] as const;

test.for(RECEIVERS.filter(([, program]) => isHere(program)))(
  'the receiver with %s handles a delivery once, also after a restart, and refuses a forged one',
  async ([, program, file]) => {
    // A proxy ends TLS in front of the receiver, as in production.
    const proxy = await startSink({ https: true });
    const { id, secret = '' } = await installation.client.webhooks.create({
      url: `${proxy.url}/frontdesk`,
      events: ['contact.created'],
    });
    const port = await freePort();
    const target = `http://127.0.0.1:${port}/frontdesk`;
    const startReceiver = () =>
      start(program, `examples/webhook-receiver/${file}`, {
        PORT: String(port),
        WEBHOOK_SECRET: secret,
        INBOX: `${file}.db`,
      });
    let receiver = startReceiver();
    onTestFinished(async () => {
      await receiver.stop();
      await proxy.close();
      await installation.client.webhooks.delete(id);
    });
    await receiver.isListening(port);
    const statuses: number[] = [];
    proxy.answer = (_request, response) => {
      const { headers, body } = proxy.requests.at(-1)!;
      void (async () => {
        const status = await forward(target, headers, body).catch(() => 502);
        statuses.push(status);
        response.writeHead(status).end();
      })();
    };
    await installation.client.contacts.create({ firstName: 'Ada', lastName: 'Lovelace' });
    await proxy.next(1);
    await expect.poll(() => receiver.said()).toBe('contact.created Ada\n');
    await expect.poll(() => statuses).toEqual([204]);
    const { headers, body } = proxy.requests[0]!;
    expect(await forward(target, headers, body)).toBe(204);
    expect(await forward(target, headers, Buffer.from(`${body.toString()} `))).toBe(401);
    await expect.poll(() => receiver.said()).toBe('contact.created Ada\n');

    await receiver.stop();
    receiver = startReceiver();
    await receiver.isListening(port);
    expect(await forward(target, headers, body)).toBe(204);
    await installation.client.contacts.create({ firstName: 'Grace', lastName: 'Hopper' });
    await expect.poll(() => receiver.said()).toBe('contact.created Grace\n');
  },
);

async function forward(url: string, sent: object, body: Buffer): Promise<number> {
  const kept = Object.entries(sent).filter(([name]) => /^(?:x-)?webhook|content-type/.test(name));
  const headers = Object.fromEntries(kept) as Record<string, string>;
  const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
  return response.status;
}

function start(program: string, file: string, more: Readonly<Record<string, string>>) {
  const env = { PATH: process.env['PATH'] ?? '', ...more };
  const child: ChildProcess = spawn(program, [file], { cwd: project.folder, env });
  const ended = once(child, 'close');
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return {
    said: () => text,
    async isListening(port: number) {
      while (!(await accepts(port))) {
        expect({ exitCode: child.exitCode, text }).toMatchObject({ exitCode: null });
        await sleep(20);
      }
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
