import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BUNDLE_FOLDER, BUNDLE_INPUTS, isBundleCurrent } from '../../bin/build.ts';
import { newDatabase, newFolder } from '../operations/backup.support.ts';
import { newKey, startFrontdesk } from '../support/frontdesk.ts';

const run = promisify(execFile);
const { PATH = '', HOME = '' } = process.env;
const PROGRAMS = [
  ['bundle', 'dist/frontdesk.js'],
  ['sources', 'bin/frontdesk.ts'],
] as const;

describe('the bundle', () => {
  test('serves, and serves the pages of web/ and the documentation', async () => {
    const variables = {
      DATABASE_URL: await newDatabase('migrated'),
      FRONTDESK_SECRET_KEY: newKey(),
    };
    await run(process.execPath, ['dist/frontdesk.js', 'migrate'], { env: { PATH, ...variables } });
    const { said } = await startFrontdesk(['serve', '--port', '0'], variables);
    for (const path of ['/healthz', '/readyz', '/pages/card.css', '/docs', '/docs/api.md']) {
      const { status } = await fetch(`${said.url}${path}`);
      expect({ path, status }).toEqual({ path, status: 200 });
    }
  });

  test.each([
    ['undici', 'buildConnector'],
    ['ioredis', 'Redis'],
    ['imapflow', 'ImapFlow'],
    ['pino-pretty', 'prettyFactory'],
  ])('loads %s on demand, with its %s', async (name, member) => {
    const files = await readdir(BUNDLE_FOLDER);
    const file = files.find((one) => one.startsWith(`${name}-`) && one.endsWith('.js')) ?? '';
    const script = `console.log(typeof (await import('./${file}'))['${member}'])`;
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await run(process.execPath, args, { cwd: BUNDLE_FOLDER });
    expect(stdout).toBe('function\n');
  });

  test.each([
    ['the version', ['--version'], 0],
    ['the help of the program', ['--help'], 0],
    ['the help of a group', ['admin', 'key', '--help'], 0],
    ['the help of a command', ['admin', 'key', 'create', '--help'], 0],
    ['a misspelled command', ['servve'], 2],
    ['no command', [], 2],
  ] as const)('prints %s as the sources do', async (_, args, code) => {
    const [bundle, sources] = await Promise.all(
      PROGRAMS.map(async ([, program]) =>
        run(process.execPath, [program, ...args], { env: { PATH } }).then(
          ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
          ({ code: exitCode, stdout, stderr }) => ({ code: exitCode, stdout, stderr }),
        ),
      ),
    );
    expect(bundle).toEqual(sources);
    expect(bundle?.code).toBe(code);
  });

  test('reads an external calendar in a thread of its own', async () => {
    const text = [
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'UID:1',
      'DTSTART:20261201T090000Z',
      'DTEND:20261201T100000Z',
      'END:VEVENT',
      'END:VCALENDAR',
    ].join('\r\n');
    const [from, until] = [Date.UTC(2026, 11, 1), Date.UTC(2026, 11, 2)];
    const query = { from, until, timezone: 'Europe/Berlin', own: [] };
    const thread = new Worker(join(BUNDLE_FOLDER, 'busy-thread.js'), {
      workerData: [text],
    });
    onTestFinished(async () => void (await thread.terminate()));
    expect(await once(thread, 'message')).toMatchObject([{ ids: [] }]);
    thread.postMessage(query, []);
    const start = Date.UTC(2026, 11, 1, 9);
    const periods = [{ from: start, until: start + 3_600_000 }];
    expect(await once(thread, 'message')).toEqual([{ periods, unread: undefined }]);
    const readers = (await readdir(BUNDLE_FOLDER)).filter((name) => name.endsWith('.js'));
    const texts = await Promise.all(
      readers.map((name) => readFile(join(BUNDLE_FOLDER, name), 'utf8')),
    );
    expect(
      texts.filter((one) => /\/(?:busy|multistatus|parser|source)-thread\.ts'/.test(one)),
    ).toEqual([]);
  });

  test('parses a large manifest in a thread of its own', async () => {
    const thread = new Worker(join(BUNDLE_FOLDER, 'source-thread.js'));
    onTestFinished(async () => void (await thread.terminate()));
    thread.postMessage({ text: 'team: []', paths: ['/team'] }, []);
    expect(await once(thread, 'message')).toEqual([
      { value: { value: { team: [] }, errors: [], places: [{ line: 1, column: 1 }] } },
    ]);
  });

  test('parses a mail in a thread of its own', async () => {
    const thread = new Worker(join(BUNDLE_FOLDER, 'parser-thread.js'));
    onTestFinished(async () => void (await thread.terminate()));
    const raw = Buffer.from('From: ada@example.com\r\n\r\nHello');
    thread.postMessage({ raw, settings: { from: 'hello@harbour.example' } }, []);
    expect(await once(thread, 'message')).toMatchObject([
      { value: { mail: { inbound: [{ from: 'ada@example.com', bodyText: 'Hello' }] } } },
    ]);
  });
});

test.each(PROGRAMS)('%s: migrates, and runs a command of an administrator', async (_, program) => {
  const env = {
    PATH,
    HOME,
    DATABASE_URL: await newDatabase(),
    FRONTDESK_SECRET_KEY: newKey(),
  };
  const ran = async (...args: readonly string[]) =>
    JSON.parse((await run(process.execPath, [program, ...args, '--json'], { env })).stdout);
  expect(await ran('migrate')).toMatchObject({ pending: [] });
  const created = await ran('admin', 'sub-account', 'create', '--name', 'A', '--timezone', 'UTC');
  expect(await ran('admin', 'sub-account', 'list')).toMatchObject([{ id: created.id }]);
});

describe('bin/frontdesk', () => {
  /** A checkout whose programs print their names, with a bundle of the given age. */
  async function newCheckout(bundledAt: Date): Promise<string> {
    const checkout = await newFolder();
    for (const name of ['bin', 'docs', 'src', 'migrations', 'web/docs', 'dist']) {
      await mkdir(join(checkout, name), { recursive: true });
    }
    await cp('bin/frontdesk', join(checkout, 'bin/frontdesk'));
    await writeFile(join(checkout, 'bin/install'), '#!/bin/sh', { mode: 0o755 });
    await writeFile(join(checkout, 'package-lock.json'), '{}');
    for (const name of PROGRAMS.map(([, program]) => program)) {
      await writeFile(join(checkout, name), `console.log('${name}');`);
    }
    await utimes(join(checkout, 'dist/frontdesk.js'), bundledAt, bundledAt);
    return checkout;
  }

  const started = async (checkout: string) =>
    (await run(join(checkout, 'bin/frontdesk'), { env: { PATH, HOME: checkout } })).stdout.trim();

  const LATER = new Date(Date.now() + 3_600_000);
  const EARLIER = new Date(Date.now() - 3_600_000);

  test('starts the bundle where it is newer than all sources', async () => {
    expect(await started(await newCheckout(LATER))).toBe('dist/frontdesk.js');
  });

  test('starts the sources where one of them is newer than the bundle', async () => {
    expect(await started(await newCheckout(EARLIER))).toBe('bin/frontdesk.ts');
    const checkout = await newCheckout(LATER);
    await rm(join(checkout, 'dist'), { recursive: true });
    expect(await started(checkout)).toBe('bin/frontdesk.ts');
  });

  test('starts the bundle of a release, which has no sources', async () => {
    const checkout = await newCheckout(EARLIER);
    await rm(join(checkout, 'src'), { recursive: true });
    expect(await started(checkout)).toBe('dist/frontdesk.js');
  });

  test('compares what the build compares', async () => {
    expect(await isBundleCurrent()).toBe(true);
    const script = await readFile('bin/frontdesk', 'utf8');
    expect(script).toContain(`find ${BUNDLE_INPUTS.join(' ')} -newer`);
  });
});
