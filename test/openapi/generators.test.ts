import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { installTools, isHere, run, type Ran } from '../support/tools.ts';

const tools = await installTools('test/openapi/tools');
const RECORDS = ['Contact', 'Appointment', 'Message'];

let folder: string;
let installation: Installation;
let variables: Record<string, string>;

beforeAll(async () => {
  if (tools === undefined) {
    return;
  }
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-generated-'));
  await symlink(join(tools, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type": "module", "private": true}');
  installation = await startInstallation();
  const document = await fetch(`${installation.url}/openapi.json`);
  await writeFile(join(folder, 'openapi.json'), await document.text());
  variables = { FRONTDESK_URL: installation.url, FRONTDESK_API_KEY: installation.key };
});
afterAll(async () => {
  await installation?.close();
  await rm(folder ?? '', { recursive: true, force: true });
});

const bin = (name: string): string => join(tools ?? '', 'node_modules/.bin', name);
const ok = async (ran: Promise<Ran>): Promise<string> => {
  const { code, output } = await ran;
  expect({ code, output }).toEqual({ code: 0, output });
  return output;
};

/** Compiles a program strictly and runs it; returns its output. */
async function compileAndRun(name: string, text: string): Promise<string> {
  await writeFile(join(folder, `${name}.ts`), text);
  const options = ['--strict', '--target', 'es2022', '--module', 'esnext', '--skipLibCheck'];
  const out = [
    '--moduleResolution',
    'bundler',
    '--lib',
    'es2023,dom,dom.iterable',
    '--outDir',
    'out',
  ];
  await ok(run(bin('tsc'), [`${name}.ts`, ...options, ...out], { cwd: folder }));
  // Bundlers add the extensions of generated imports; Node does not.
  const esbuild = join(process.cwd(), 'node_modules/.bin/esbuild');
  const bundle = ['--bundle', '--platform=node', '--format=esm', `--outfile=${name}.mjs`];
  await ok(run(esbuild, [`out/${name}.js`, ...bundle, '--log-level=error'], { cwd: folder }));
  return ok(run(process.execPath, [`${name}.mjs`], { cwd: folder, env: variables }));
}

describe.runIf(tools !== undefined)('a client generated from /openapi.json', () => {
  test('by openapi-typescript compiles, runs, and has the types of records', async () => {
    const args = [
      'openapi.json',
      '--output',
      'schema.ts',
      '--root-types',
      '--root-types-no-schema-prefix',
    ];
    await ok(run(bin('openapi-typescript'), args, { cwd: folder }));
    const said = await compileAndRun(
      'typescript',
      `import createClient from 'openapi-fetch';
      import type { Appointment, Contact, Message, paths, webhooks, ContactCreatedEvent } from './schema';

      const frontdesk = createClient<paths>({
        baseUrl: process.env.FRONTDESK_URL,
        headers: { Authorization: \`Bearer \${process.env.FRONTDESK_API_KEY}\` },
      });
      const created = await frontdesk.POST('/api/v1/contacts', {
        body: { firstName: 'Ada', lastName: 'Lovelace' },
      });
      const contact: Contact | undefined = created.data?.data;
      const found = await frontdesk.GET('/api/v1/contacts/{id}', {
        params: { path: { id: contact!.id } },
      });
      const missing = await frontdesk.GET('/api/v1/contacts/{id}', {
        params: { path: { id: '0192f7c4-5b1e-7c3a-9d42-000000000000' } },
      });
      export const status = (appointment: Appointment, message: Message) =>
        [appointment.status, message.status] as const;
      export const nameOf = (event: ContactCreatedEvent): string | null => event.data.firstName;
      export type Hook = webhooks['contact.created'];
      console.log(found.data?.data.firstName, missing.error?.error.code);`,
    );
    expect(said).toBe('Ada NOT_FOUND\n');
  });

  test('by @hey-api/openapi-ts compiles, runs, and has the types of records', async () => {
    await ok(run(bin('openapi-ts'), ['-i', 'openapi.json', '-o', 'client'], { cwd: folder }));
    const said = await compileAndRun(
      'hey',
      `import { client } from './client/client.gen';
      import { contactsCreate, contactsGet } from './client/sdk.gen';
      import type { Appointment, Contact, Message } from './client/types.gen';

      client.setConfig({
        baseUrl: process.env.FRONTDESK_URL,
        auth: () => process.env.FRONTDESK_API_KEY,
      });
      const created = await contactsCreate({ body: { firstName: 'Ada', lastName: 'Lovelace' } });
      const contact: Contact | undefined = created.data?.data;
      const found = await contactsGet({ path: { id: contact!.id } });
      export const status = (appointment: Appointment, message: Message) =>
        [appointment.status, message.status] as const;
      console.log(found.data?.data.lastName);`,
    );
    expect(said).toBe('Lovelace\n');
  });

  const python = isHere('python3');
  if (!python && process.env['CI']) {
    throw new Error('python3 is missing: its generated client cannot be tried');
  }
  test.runIf(python)('by quicktype reads responses in Python as typed records', async () => {
    await mkdir(join(folder, 'python'));
    // JSON Schema with a member per record, so that each becomes a class.
    const { components } = JSON.parse(await readFile(join(folder, 'openapi.json'), 'utf8'));
    const wanted = ['ContactResponse', 'AppointmentResponse', 'MessageListResponse'];
    const schema = JSON.stringify({
      title: 'Frontdesk',
      type: 'object',
      properties: Object.fromEntries(wanted.map((name) => [name, refTo(name)])),
      definitions: components.schemas,
    })
      .replaceAll('#/components/schemas/', '#/definitions/')
      // Classes for times need a package that a plain Python lacks.
      .replaceAll(/"format":"(?:date|date-time)",?/g, '');
    await writeFile(join(folder, 'schema.json'), schema);
    const args = ['--src-lang', 'schema', '--lang', 'python', '--python-version', '3.7'];
    const out = ['-o', 'python/frontdesk.py', 'schema.json'];
    await ok(run(bin('quicktype'), [...args, ...out], { cwd: folder }));
    const text = await readFile(join(folder, 'python/frontdesk.py'), 'utf8');
    for (const name of RECORDS) {
      expect(text).toMatch(new RegExp(`^class ${name}:$`, 'm'));
    }
    await writeFile(join(folder, 'python/main.py'), PYTHON);
    const said = await ok(
      run('python3', ['main.py'], { cwd: join(folder, 'python'), env: variables }),
    );
    expect(said).toBe('Ada lead MessageListResponse\n');
  });
});

const PYTHON = `import json, os, urllib.request
from frontdesk import ContactResponse, LifecycleStage, MessageListResponse

def call(method, path, body=None):
    request = urllib.request.Request(
        os.environ["FRONTDESK_URL"] + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["FRONTDESK_API_KEY"],
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)

created = call("POST", "/api/v1/contacts", {"firstName": "Ada", "lastName": "Lovelace"})
contact = ContactResponse.from_dict(created).data
assert contact.lifecycle_stage is LifecycleStage.LEAD
conversation = call("POST", "/api/v1/conversations", {"contactId": str(contact.id), "channel": "sms"})
path = "/api/v1/conversations/" + conversation["data"]["id"] + "/messages"
call("POST", path, {"channel": "sms", "bodyText": "Hello", "isInternal": True})
messages = MessageListResponse.from_dict(call("GET", path))
assert messages.data[0].body_text == "Hello"
print(contact.first_name, contact.lifecycle_stage.value, type(messages).__name__)
`;

const refTo = (name: string) => ({ $ref: `#/definitions/${name}` });
