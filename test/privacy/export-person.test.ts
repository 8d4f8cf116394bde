import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import { cookieOf, inviteAs, SAME_ORIGIN, signInAs } from '../support/people.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const V1 = '/console/api/v1';
const ADA = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };

async function create({ call }: TestService, body: object): Promise<string> {
  return (await call('POST /api/v1/contacts', { body })).body.data.id;
}

/** Downloads the archive as a browser does. */
async function download(service: TestService, id: string): Promise<Response> {
  const { token } = await inviteAs(service, 'admin');
  const signedIn = await service.call('POST /console/api/sign-in/link', {
    key: null,
    headers: SAME_ORIGIN,
    body: { token },
  });
  return fetch(`${service.url}${V1}/contacts/${id}/export`, {
    headers: { cookie: cookieOf(signedIn), 'x-sub-account-id': service.subAccountId },
  });
}

/** Unpacks an archive with the program that people have, and returns its files as values. */
async function unpacked(response: Response): Promise<Record<string, any>> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-export-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'person.zip'), Buffer.from(await response.arrayBuffer()));
  execFileSync('python3', ['-m', 'zipfile', '-e', 'person.zip', 'files'], { cwd: folder });
  const files = readdirSync(join(folder, 'files'));
  return Object.fromEntries(
    files.map((name) => [name, JSON.parse(readFileSync(join(folder, 'files', name), 'utf8'))]),
  );
}

describe('the export of a person', () => {
  test('is a zip archive with a JSON file per kind of record, of this person only', async ({
    service,
  }) => {
    const { call } = service;
    const id = await create(service, ADA);
    const other = await create(service, { ...ADA, firstName: 'Bea', email: 'b@example.com' });
    for (const contactId of [id, other]) {
      await call('POST /api/v1/tasks', { body: { title: `Call ${contactId}`, contactId } });
      const chat = { contactId, channel: 'live_chat' };
      const conversation = (await call('POST /api/v1/conversations', { body: chat })).body.data.id;
      const body = { channel: 'live_chat', bodyText: `Hello ${contactId}` };
      await call(`POST /api/v1/conversations/${conversation}/messages`, { body });
    }
    const response = await download(service, id);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toContain(`contact-${id}.zip`);
    const files = await unpacked(response);
    expect(Object.keys(files).sort()).toEqual([
      'about.json',
      'contact.json',
      'conversations.json',
      'messages.json',
      'tasks.json',
    ]);
    expect(files['contact.json']).toMatchObject([{ id, firstName: 'Ada', email: ADA.email }]);
    expect(files['messages.json']).toMatchObject([{ bodyText: `Hello ${id}` }]);
    expect(files['about.json']).toMatchObject({ contactIds: [id], rows: { 'tasks.json': 1 } });
    expect(JSON.stringify(files)).not.toContain(other);
  });

  test('is refused to agents', async ({ service }) => {
    const id = await create(service, ADA);
    const { call } = await signInAs(service, 'agent');
    expect((await call(`GET ${V1}/contacts/${id}/export`)).status).toBe(403);
  });
});
