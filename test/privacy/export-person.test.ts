import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDF, PNG, uploaded } from '../files/files.support.ts';
import { CONTACT, FILE_FIELD, setUpForm, submitted } from '../forms/forms.support.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { openDownloads, readJsonFiles, unzipped } from './exported-archive.support.ts';

const V1 = '/console/api/v1';
const ADA = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };

async function create({ call }: TestService, body: object): Promise<string> {
  return (await call('POST /api/v1/contacts', { body })).body.data.id;
}

/** Downloads the archive as a browser does. */
const download = async (service: TestService, id: string): Promise<Response> =>
  (await openDownloads(service))(id);

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
    const files = readJsonFiles(new Uint8Array(await response.arrayBuffer()));
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

  test('contains the files of messages and form submissions', async ({ service }) => {
    const { call } = service;
    const formId = await setUpForm(service, { fields: [...CONTACT.fields, FILE_FIELD] });
    const line = `POST /api/forms/files?formId=${formId}&field=photo&name=tooth.png`;
    const headers = { 'content-type': 'image/png' };
    const file = await call(line, { key: null, raw: PNG, headers });
    const photo = file.body.data.token;
    await submitted(service, formId, { email: ADA.email, photo });
    const [{ id }] = (await call('GET /api/v1/contacts')).body.data;
    const body = { contactId: id, channel: 'live_chat' };
    const thread = (await call('POST /api/v1/conversations', { body })).body.data.id;
    await call(`POST /api/v1/conversations/${thread}/messages`, {
      body: {
        channel: 'live_chat',
        bodyText: '',
        attachmentIds: [await uploaded(service, { bytes: PDF, name: 'tooth.pdf' })],
      },
    });
    const folder = unzipped(new Uint8Array(await (await download(service, id)).arrayBuffer()));
    const rows = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as any[];
    expect(rows.map(({ name }) => String(name)).toSorted()).toEqual(['tooth.pdf', 'tooth.png']);
    for (const { id: fileId, name } of rows) {
      const content = readFileSync(join(folder, 'files', fileId, name));
      expect(content.equals(name === 'tooth.png' ? PNG : PDF)).toBe(true);
    }
  });

  test('is refused to agents', async ({ service }) => {
    const id = await create(service, ADA);
    const { call } = await signInAs(service, 'agent');
    expect((await call(`GET ${V1}/contacts/${id}/export`)).status).toBe(403);
  });
});
