import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { CONTACT, submitted } from './forms.support.ts';

const PATIENT = { timeout: 60_000 };

let installation: Installation;
let folder: string;

beforeAll(async () => {
  installation = await startInstallation();
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-form-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await installation.close();
});

test('apply returns the ids of forms, and submissions lists submissions, newest first', async () => {
  const { admin, call, subAccountId } = installation;
  const path = join(folder, 'manifest.json');
  const manifest = { forms: [CONTACT, { ...CONTACT, key: 'other', name: 'Other' }] };
  await writeFile(path, JSON.stringify(manifest));
  const applied = await admin(`apply --sub-account ${subAccountId} -f`, path);
  expect(applied.code).toBe(0);
  const { contact, other } = applied.json.ids.forms;
  // Another process created the forms: wait until the server has been notified.
  await expect
    .poll(async () => (await call(`GET /api/forms/config?formId=${other}`)).status, PATIENT)
    .toBe(200);
  const pageUrl = 'https://harbour.example/contact';
  const first = await submitted({ call }, contact, { email: 'ada@example.com' }, { pageUrl });
  const second = await submitted({ call }, other, { email: 'eve@example.com' });

  const list = (...more: string[]) =>
    admin(`form submissions --sub-account ${subAccountId}`, ...more);
  const all = await list();
  expect([all.code, all.json]).toEqual([
    0,
    [
      expect.objectContaining({ submissionId: second.submissionId, formId: other, form: 'other' }),
      {
        submissionId: first.submissionId,
        formId: contact,
        form: 'contact',
        contactId: expect.any(String),
        fields: { email: 'ada@example.com' },
        pageUrl,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ],
  ]);
  expect((await list('--form', 'contact')).json).toHaveLength(1);
  expect((await list('--limit', '1')).json).toMatchObject([{ form: 'other' }]);
  expect((await list('--form', 'nothing')).json).toEqual([]);
  expect((await list('--limit', '0')).code).toBe(2);
});
