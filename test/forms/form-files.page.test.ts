import { onTestFinished } from 'vitest';
import { readPublicRates } from '#core/rate-limit.ts';
import { HTML, PDF, PNG, storedContents } from '../files/files.support.ts';
import { openServer } from '../support/server.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { CONTACT, FILE_FIELD, setUpForm, solved, submissionsOf } from './forms.support.ts';

const PHOTO = { ...FILE_FIELD, required: true, accept: ['images', 'pdf'], maxMb: 1 };
const FIELDS = [...CONTACT.fields, PHOTO, { ...FILE_FIELD, name: 'more', label: 'More' }];
const EMAIL = { 'fields.email': 'ada@example.com' };
const MIB = 1024 * 1024;

type Values = Readonly<Record<string, string | Uint8Array | undefined>>;

function formOf(values: Values): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string') {
      form.set(name, value);
    } else {
      form.set(
        name,
        value ? new File([value], 'tooth.png', { type: 'image/png' }) : new File([], ''),
      );
    }
  }
  return form;
}

const post = ({ url }: { readonly url: string }, formId: string, values: Values) =>
  fetch(`${url}/f/${formId}`, { method: 'POST', redirect: 'manual', body: formOf(values) });

const tokenIn = (page: string): string =>
  /type="hidden" name="fields\.photo" value="([\w-]+)"/.exec(page)?.[1] ?? '';

const fileCount = async ({ database, subAccountId }: TestService) =>
  (await database.rows('select from files where sub_account_id = $1', [subAccountId])).length;

describe('the page of a form with files', () => {
  test('says what a field accepts', async ({ service }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    const page = await (await fetch(`${service.url}/f/${formId}`)).text();
    expect(page).toContain('enctype="multipart/form-data"');
    expect(page).toMatch(/accept="image\/png,\.png,[^"]*application\/pdf,\.pdf"/);
    expect(page).toContain('Images (PNG, JPEG, GIF, WebP), PDF. Up to 1 MB.');
    expect(page).toMatch(/Images[^<]*Office documents[^<]*video\. Up to 2 MB\./);
  });

  test('takes files without a script', async ({ service }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    const values = { ...EMAIL, 'fields.photo': PNG, 'fields.more': undefined };
    const answer = await post(service, formId, values);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${formId}/sent`]);
    expect(await service.eventNames()).toEqual(['contact.created', 'form.submitted']);
    const photo = { name: 'tooth.png', type: 'image/png', size: PNG.length };
    const [submission] = await submissionsOf(service);
    expect(submission.fields).toEqual({
      email: 'ada@example.com',
      photo: expect.objectContaining(photo),
    });
    expect(await storedContents(service)).toEqual([submission.fields.photo.id]);
  });

  test('keeps a file while other fields are corrected, and takes another one instead', async ({
    service,
  }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    const wrong = await post(service, formId, { 'fields.email': 'x', 'fields.photo': PNG });
    expect(wrong.status).toBe(400);
    const page = await wrong.text();
    expect(page).toContain('<bdi>tooth.png</bdi> – uploaded.');
    expect(page).toContain('This does not look like an email address.');
    expect(page).not.toMatch(/type="file"[^>]*required/);
    const token = tokenIn(page);
    expect(await service.eventNames()).toEqual([]);
    const kept = await post(service, formId, { ...EMAIL, 'fields.photo': token });
    expect(kept.status).toBe(303);
    const used = await post(service, formId, { ...EMAIL, 'fields.photo': token });
    expect(used.status).toBe(400);
    expect(tokenIn(await used.text())).toBe('');
    const form = formOf({ ...EMAIL, 'fields.photo': token });
    form.append('fields.photo', new File([PDF], 'tooth.pdf', { type: 'application/pdf' }));
    const replaced = await fetch(`${service.url}/f/${formId}`, {
      method: 'POST',
      redirect: 'manual',
      body: form,
    });
    expect(replaced.status).toBe(303);
    const names = (await submissionsOf(service)).map(({ fields }) => fields.photo.name);
    expect(names).toEqual(['tooth.png', 'tooth.pdf']);
  });

  test('shows which files are missing or refused', async ({ service }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    const missing = await post(service, formId, { ...EMAIL, 'fields.photo': undefined });
    expect(await missing.text()).toMatch(/id="field-photo-wrong">Please fill this in\./);
    for (const bytes of [HTML, Buffer.concat([PDF, Buffer.alloc(MIB, '%')])]) {
      const refused = await post(service, formId, { ...EMAIL, 'fields.photo': bytes });
      expect(refused.status).toBe(400);
      const page = await refused.text();
      expect(page).toMatch(/id="field-photo-wrong">This file is not accepted/);
      expect(page).toContain('value="ada@example.com"');
    }
    const two = { ...EMAIL, 'fields.photo': HTML, 'fields.more': PNG };
    const page = await (await post(service, formId, two)).text();
    expect(page).toContain('name="fields.more" value="');
    expect(await service.eventNames()).toEqual([]);
    expect(await submissionsOf(service)).toEqual([]);
  });

  test('stores nothing of robots', async ({ service }) => {
    const fields = { fields: FIELDS, captcha: true };
    const formId = await setUpForm(service, fields);
    const values = { ...EMAIL, 'fields.photo': PNG };
    const caught = await post(service, formId, { ...values, website: 'https://spam.example' });
    expect(caught.status).toBe(303);
    const unsolved = await post(service, formId, values);
    expect(unsolved.status).toBe(400);
    expect(await unsolved.text()).toContain('We could not check that you are not a robot.');
    expect(await fileCount(service)).toBe(0);
    expect(await storedContents(service)).toEqual([]);
    const captchaToken = await solved(service, formId);
    expect((await post(service, formId, { ...values, captchaToken })).status).toBe(303);
  });

  test('accepts no larger body than its files need, and none at a form without', async ({
    service,
  }) => {
    const formId = await setUpForm(service, { fields: [...CONTACT.fields, PHOTO] });
    const large = await post(service, formId, { ...EMAIL, 'fields.photo': Buffer.alloc(3 * MIB) });
    expect(large.status).toBe(413);
    expect(await large.text()).toContain('These files are too large');
    const plain = await setUpForm(service, { key: 'plain' });
    const other = await post(service, plain, { ...EMAIL, file: Buffer.alloc(2 * MIB) });
    expect(other.status).toBe(413);
    const small = await post(service, plain, { ...EMAIL, file: PNG });
    expect(small.status).toBe(415);
    expect(await small.text()).toContain('Files cannot be sent here');
  });

  test('counts files against a limit of their own', async ({ service, running }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    const { databaseUrl, clock } = running;
    const publicRates = readPublicRates('form=1000/1h,form_file=2/1h')!;
    const server = await openServer({ databaseUrl, clock, publicRates });
    onTestFinished(() => server.stop());
    const values = { ...EMAIL, 'fields.photo': PNG };
    expect((await post(server, formId, values)).status).toBe(303);
    expect((await post(server, formId, values)).status).toBe(303);
    const more = await post(server, formId, values);
    expect(more.status).toBe(429);
    expect(await more.text()).toContain('Too many requests');
    const line = `/api/forms/files?formId=${formId}&field=photo&name=a.png`;
    const upload = await fetch(server.url + line, { method: 'POST', body: PNG });
    expect(upload.status).toBe(429);
  });
});
