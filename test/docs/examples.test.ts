import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newDataFolder } from '../support/data-folder.ts';

const TEST_MS = 60_000;
const DOCS = resolve(import.meta.dirname, '../../docs');

const PAGE_OF_LANGUAGES = 'first-integration.md';
/** How to run a program, and what prints the id of the contact that it has created. */
const LANGUAGES = [
  { name: 'python', command: ['python3', '-c'], print: 'print(contact["id"])' },
  { name: 'php', command: ['php', '-r'], print: "echo $contact['id'];" },
] as const;

/** The shell programs of a page that are marked to be run, as one program. */
const programOf = (page: string): string =>
  [...readFileSync(`${DOCS}/${page}`, 'utf8').matchAll(/^```sh run\n([\s\S]*?)^```$/gm)]
    .map(([, block = '']) => block)
    .join('\n');

const pages = readdirSync(DOCS).filter((name) => name.endsWith('.md') && programOf(name) !== '');

let folder: string;
let up: ReturnType<typeof spawn>;
let variables: Record<string, string>;

beforeAll(async () => {
  folder = await newDataFolder('frontdesk-examples-');
  const environment = { PATH: process.env['PATH'] ?? '', HOME: folder };
  up = spawn('bin/frontdesk', ['up', '--port', '0', '--data', folder, '--demo', '--json'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [said] = (await once(up.stdout!, 'data')) as [Buffer];
  const { url, demo } = JSON.parse(said.toString()) as {
    url: string;
    demo: { subAccountId: string; key: string };
  };
  variables = {
    ...environment,
    FRONTDESK_URL: url,
    FRONTDESK_API_KEY: demo.key,
    SUB: demo.subAccountId,
    FRONTDESK_ENV_FILE: join(folder, 'frontdesk.env'),
  };
  // Examples call bin/frontdesk, as in a checkout.
  await mkdir(join(folder, 'bin'));
  await symlink(resolve('bin/frontdesk'), join(folder, 'bin/frontdesk'));
});

afterAll(async () => {
  const ended = once(up, 'exit');
  up.kill('SIGINT');
  await ended;
  await rm(folder, { recursive: true, force: true });
});

test('the task pages have programs that run', () => {
  expect(pages).toEqual(
    expect.arrayContaining([
      'book-from-a-bot.md',
      'first-integration.md',
      'live-chat.md',
      'local-development.md',
      'receive-webhooks.md',
      'send-a-campaign.md',
    ]),
  );
});

test.for(pages)(
  'the programs of docs/%s run against the demo',
  { timeout: TEST_MS },
  async (page) => {
    // `get` and files belong to one page: each runs in a shell and a folder of its own.
    const child = spawn('sh', ['-euc', programOf(page)], { env: variables, cwd: folder });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk));
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ code, output }).toMatchObject({ code: 0 });
  },
);

for (const { name, command, print } of LANGUAGES) {
  const [program, flag] = command;
  const isHere = spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
  test.runIf(isHere)(`the ${name} program creates a contact`, { timeout: TEST_MS }, async () => {
    const page = readFileSync(`${DOCS}/${PAGE_OF_LANGUAGES}`, 'utf8');
    const [, block = ''] =
      new RegExp(`^\`\`\`${name} run\\n(?:<\\?php\\n)?([^]*?)^\`\`\`$`, 'm').exec(page) ?? [];
    const { stdout, stderr } = spawnSync(program, [flag, `${block}\n${print}`], {
      env: variables,
      encoding: 'utf8',
    });
    expect({ stdout: stdout.trim(), stderr }).toEqual({
      stdout: expect.stringMatching(/^[\da-f-]{36}$/),
      stderr: '',
    });
  });
}
