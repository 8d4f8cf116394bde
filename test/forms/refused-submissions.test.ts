import { deleteSubAccount } from '../../src/accounts/sub-accounts/delete-sub-account.ts';
import { describe, expect, test } from '../support/service.ts';
import {
  contactsOf,
  issuesIn,
  setUpForm,
  setUpForms,
  submissionsOf,
  submit,
  submitted,
} from './forms.support.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const ADA = { email: 'ada@example.com', note: 'Please call' };

describe('a submission', () => {
  test('is refused with all its errors at once, and changes nothing', async ({ service }) => {
    const fields = [
      { name: 'email', label: 'Email', type: 'email', required: true, mapsTo: 'email' },
      { name: 'name', label: 'Name', type: 'text', required: true, mapsTo: 'firstName' },
      { name: 'phone', label: 'Phone', type: 'phone' },
      { name: 'age', label: 'Age', type: 'number' },
      { name: 'day', label: 'Day', type: 'date' },
      { name: 'site', label: 'Site', type: 'url' },
      { name: 'size', label: 'Size', type: 'select', options: ['S', 'M'] },
      { name: 'terms', label: 'Terms', type: 'checkbox', required: true },
    ];
    const formId = await setUpForm(service, { fields });
    const answer = await submit(service, formId, {
      email: 'unknown',
      name: '   ',
      phone: '12',
      age: 'old',
      day: '2026-02-30',
      site: 'javascript:alert(1)',
      size: 'XL',
      terms: false,
      subject: 'x',
      'a/b': 1,
    });
    expect(issuesIn(answer)).toEqual({
      '/fields/subject': 'is not a field of this form',
      '/fields/a~1b': 'is not a field of this form',
      '/fields/email': 'must be an email address',
      '/fields/name': 'is required',
      '/fields/phone': expect.stringContaining('E.164'),
      '/fields/age': 'must be a number',
      '/fields/day': expect.stringContaining('date'),
      '/fields/site': 'must be a URL',
      '/fields/size': 'must be one of S, M',
      '/fields/terms': 'is required',
    });
    for (const wrong of [{}, { email: null }, { email: ['a@b.c'] }, { email: { a: 1 } }]) {
      expect(issuesIn(await submit(service, formId, wrong))).toHaveProperty('/fields/email');
    }
    const proto = await service.call('POST /api/forms/submit', {
      key: null,
      raw: `{"formId":"${formId}","fields":{"__proto__":{"email":"a@b.c"},"constructor":1}}`,
    });
    expect(issuesIn(proto)).toMatchObject({ '/fields/__proto__': expect.any(String) });
    expect(await service.eventNames()).toEqual([]);
    expect(await submissionsOf(service)).toEqual([]);
    expect(await contactsOf(service)).toEqual([]);
  });

  test('is refused if a field of the contact does not accept a value', async ({ service }) => {
    const fields = [
      { name: 'email', label: 'Email', type: 'email', mapsTo: 'email' },
      { name: 'zone', label: 'Zone', type: 'text', mapsTo: 'timezone' },
      { name: 'visits', label: 'Visits', type: 'text', mapsTo: 'customFields.visits' },
      { name: 'who', label: 'Who', type: 'text', mapsTo: 'assignedTo' },
    ];
    const customFields = [{ name: 'visits', type: 'number' }];
    const formId = await setUpForm(service, { fields }, { customFields });
    const wrong = { email: 'a@b.example', zone: 'Moon/Sea', visits: 'many', who: 'me' };
    expect(issuesIn(await submit(service, formId, wrong))).toEqual({
      '/fields/zone': expect.stringContaining('time zone'),
      '/fields/visits': 'must be a number',
      '/fields/who': expect.stringContaining('id'),
    });
    const unknown = { email: 'a@b.example', who: crypto.randomUUID() };
    expect(issuesIn(await submit(service, formId, unknown))).toEqual({
      '/fields/who': 'is not a team member of this sub-account',
    });
    expect(await service.eventNames()).toEqual([]);
    expect(await contactsOf(service)).toEqual([]);
  });

  test('accepts JSON only: a file is refused', async ({ service }) => {
    const formId = await setUpForm(service);
    const upload = new FormData();
    upload.set('formId', formId);
    upload.set('file', new Blob(['x']), 'x.txt');
    const answer = await fetch(`${service.url}/api/forms/submit`, { method: 'POST', body: upload });
    expect(answer.status).toBe(415);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.json()).toMatchObject({ error: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
    expect(await service.eventNames()).toEqual([]);
  });

  test('cannot change where the visitor is redirected', async ({ service }) => {
    const formId = await setUpForm(service);
    const answer = await submit(service, formId, ADA, { redirectUrl: 'https://evil.example' });
    expect(issuesIn(answer)).toHaveProperty('/redirectUrl');
    const { redirectUrl } = await submitted(service, formId, ADA, {
      pageUrl: 'https://evil.example/?redirectUrl=https://evil.example',
    });
    expect(redirectUrl).toBeNull();
  });

  test('of a robot gets the same response and is dropped', async ({ service }) => {
    const formId = await setUpForm(service, { captcha: true });
    for (const fields of [
      { ...ADA, website: 'https://spam.example' },
      { website: 1, junk: 'x' },
    ]) {
      const answer = await submitted(service, formId, fields);
      expect(answer).toEqual({
        submissionId: expect.stringMatching(UUID),
        message: 'Thank you',
        redirectUrl: null,
      });
    }
    expect(await service.eventNames()).toEqual([]);
    expect(await submissionsOf(service)).toEqual([]);
    expect(await contactsOf(service)).toEqual([]);
    const open = await setUpForm(service, { captcha: false });
    await submitted(service, open, { ...ADA, website: '' });
    expect((await submissionsOf(service))[0].fields).toEqual(ADA);
  });

  test('returns 404 for an unknown form, a removed one and one of a deleted sub-account', async ({
    service,
  }) => {
    const refused = async (formId: string) => {
      const answer = await submit(service, formId, ADA);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
      const config = await service.call(`GET /api/forms/config?formId=${formId}`, { key: null });
      expect(config.status).toBe(404);
    };
    await refused(crypto.randomUUID());
    const { contact = '', other = '' } = await setUpForms(service, [
      { key: 'contact', name: 'Contact', fields: [{ name: 'a', label: 'A', type: 'text' }] },
      { key: 'other', name: 'Other', fields: [{ name: 'a', label: 'A', type: 'text' }] },
    ]);
    await submitted(service, other, { a: 'x' });
    await service.database.rows(`update forms set deleted_at = now() where id = $1`, [contact]);
    await service.noticed();
    await refused(contact);
    const theirs = await setUpForm(service, {}, { to: service.otherSubAccountId });
    await service.transact(service.otherSubAccountId, service.actor, deleteSubAccount);
    await refused(theirs);
    expect(await service.eventNames()).toEqual(['form.submitted']);
  });
});
