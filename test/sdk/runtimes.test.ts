import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { installTools } from '../support/tools.ts';
import { startProject, type Project } from './package.support.ts';

const tools = await installTools('test/sdk/runtimes');

let project: Project;
let installation: Installation;
let variables: Record<string, string>;

beforeAll(async () => {
  if (tools === undefined) {
    return;
  }
  [project, installation] = await Promise.all([startProject(), startInstallation()]);
  variables = {
    FRONTDESK_URL: installation.url,
    FRONTDESK_API_KEY: installation.key,
    HOME: dirname(project.folder),
  };
  await project.write('program.mjs', PROGRAM);
});
afterAll(async () => {
  await installation?.close();
  await rm(dirname(project?.folder ?? '/none/none'), { recursive: true, force: true });
});

/** Calls, iterates, fails and verifies, with what all runtimes have in common. */
const PROGRAM = `import { createClient, FrontdeskError, verifyWebhook } from '@frontdesk/client';
const { FRONTDESK_URL: baseUrl, FRONTDESK_API_KEY: apiKey } = globalThis.process.env;
const frontdesk = createClient({ baseUrl, apiKey });
const { id } = await frontdesk.tasks.create({ title: 'Call Ada' });
const titles = [];
for await (const task of frontdesk.tasks.iterate()) {
  titles.push(task.title);
}
await frontdesk.tasks.delete(id);
const missing = await frontdesk.tasks.get(id).catch((error) => error);
const stopped = new AbortController();
stopped.abort(new Error('stopped'));
const aborted = await frontdesk.tasks
  .list({}, { signal: stopped.signal })
  .catch((error) => error.message);

const bytes = (text) => new TextEncoder().encode(text);
const at = String(Date.now());
const body = JSON.stringify({ event: 'task.created', timestamp: 't', data: {} });
const hmac = { name: 'HMAC', hash: 'SHA-256' };
const key = await crypto.subtle.importKey('raw', bytes('whsec_x'), hmac, false, ['sign']);
const signed = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(at + '.' + body)));
const hex = Array.from(signed, (one) => one.toString(16).padStart(2, '0')).join('');
const headers = new Headers({
  'x-webhook-timestamp': at,
  'x-webhook-signature-v2': 'sha256=' + hex,
  'x-webhook-event-id': 'e1',
});
const event = await verifyWebhook({ body, headers, secret: 'whsec_x' });
console.log(titles.join(), missing instanceof FrontdeskError, missing.code, aborted, event.event);
`;
const OUTPUT = 'Call Ada true NOT_FOUND stopped task.created\n';

const bin = (name: string): string => join(tools ?? '', 'node_modules/.bin', name);

describe.runIf(tools !== undefined)('the packed SDK', () => {
  test.for([
    ['Node 22', () => [bin('node'), 'program.mjs']],
    ['Node 24', () => [process.execPath, 'program.mjs']],
    ['Deno', () => [bin('deno'), 'run', '--allow-net', '--allow-env', 'program.mjs']],
    ['Bun', () => [bin('bun'), 'program.mjs']],
  ] as const)('calls, iterates, fails and verifies on %s', async ([, command]) => {
    const [program = '', ...args] = command();
    expect(await project.run(program, args, variables)).toEqual({ code: 0, said: OUTPUT });
  });

  test('can be required by a CommonJS program on Node 22', async () => {
    await project.write(
      'program.cjs',
      `const { createClient, EVENT_NAMES } = require('@frontdesk/client');
      console.log(typeof createClient, EVENT_NAMES.length);`,
    );
    const { code, said } = await project.run(bin('node'), ['program.cjs']);
    expect({ code, said: said.split('\n')[0] }).toEqual({ code: 0, said: 'function 26' });
  });

  test('has types under the old module resolution of TypeScript', async () => {
    await project.write(
      'old.ts',
      `import { createClient, type Contact } from '@frontdesk/client';
      const frontdesk = createClient({ baseUrl: 'http://localhost', apiKey: 'k' });
      export const found: Promise<Contact> = frontdesk.contacts.get('id');
      // @ts-expect-error a name is text
      export const wrong = frontdesk.contacts.create({ firstName: 7, lastName: 'L' });`,
    );
    const compilerOptions = {
      target: 'es2022',
      module: 'commonjs',
      moduleResolution: 'node10',
      types: [],
      lib: ['es2022', 'dom', 'dom.iterable'],
      strict: true,
      noEmit: true,
    };
    const config = JSON.stringify({ compilerOptions, files: ['old.ts'] });
    await writeFile(join(project.folder, 'tsconfig.old.json'), config);
    expect(await project.run(bin('tsc'), ['-p', 'tsconfig.old.json'])).toEqual({
      code: 0,
      said: '',
    });
  });
});
