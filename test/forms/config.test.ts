import { apply, exported } from '../support/manifest.ts';
import { describe, expect, test } from '../support/service.ts';
import { CONTACT, setUpForm, setUpForms, submitted } from './forms.support.ts';

const BRANDED = { subAccount: { brand: 'Harbour Dental Clinic' } };

describe('the configuration of a form', () => {
  test('has what a site needs to show it, and nothing else', async ({ service }) => {
    const size = { name: 'size', label: 'Size', type: 'select', options: ['S', 'M'] };
    const form = { fields: [...CONTACT.fields, size], redirectUrl: 'https://harbour.example/' };
    const formId = await setUpForm(service, form, BRANDED);
    const line = `GET /api/forms/config?formId=${formId.toUpperCase()}`;
    const answer = await service.call(line, { key: null });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        formId,
        subAccountId: service.subAccountId,
        brand: 'Harbour Dental Clinic',
        name: 'Contact us',
        captcha: false,
        honeypot: 'website',
        pageUrl: `${service.url}/f/${formId}`,
        fields: [
          { name: 'email', label: 'Email', type: 'email', required: true, options: null },
          { name: 'note', label: 'Note', type: 'text', required: false, options: null },
          { name: 'size', label: 'Size', type: 'select', required: false, options: ['S', 'M'] },
        ],
      },
    });
  });
});

describe('the section forms', () => {
  test('is exported as it was applied, and unchanged by a second apply', async ({ service }) => {
    const ids = await setUpForms(service, [CONTACT, { ...CONTACT, key: 'other', captcha: true }]);
    expect(Object.keys(ids)).toEqual(['contact', 'other']);
    const written = await exported(service);
    expect(written.forms).toMatchObject([CONTACT, { key: 'other', captcha: true }]);
    const again = await apply(service, written);
    expect([again.created, again.updated, again.removed]).toEqual([[], [], []]);
    expect(again.ids['forms']).toEqual(ids);
    expect(await service.eventNames()).toEqual([]);
  });

  test('keeps the id of a form that changes, and uses the new fields', async ({ service }) => {
    const formId = await setUpForm(service);
    const fields = [{ name: 'stars', label: 'Stars', type: 'number', required: true }];
    expect(await setUpForm(service, { fields, message: 'Changed' })).toBe(formId);
    expect(await submitted(service, formId, { stars: 4 })).toMatchObject({ message: 'Changed' });
  });

  test('prunes a form and keeps its submissions; the same key then creates another form', async ({
    service,
  }) => {
    const formId = await setUpForm(service);
    await submitted(service, formId, { email: 'ada@example.com' });
    const { removed } = await apply(service, { forms: [] }, { prune: true });
    expect(removed).toMatchObject([{ section: 'forms', key: 'contact' }]);
    const gone = await service.call(`GET /api/forms/config?formId=${formId}`, { key: null });
    expect(gone.status).toBe(404);
    expect(await setUpForm(service)).not.toBe(formId);
  });

  test.for([
    [{ name: 'website', label: 'W', type: 'url' }, '/name is reserved for the hidden field'],
    [{ name: 'email', label: 'E', type: 'text' }, '/name repeats the name of another field'],
    [{ name: 'a', label: 'A', type: 'select' }, '/options is required for a select'],
    [
      { name: 'a', label: 'A', type: 'text', options: ['x'] },
      '/options is allowed only for a select',
    ],
    [{ name: 'a', label: 'A', type: 'date', maxMb: 2 }, '/maxMb is allowed only for a file'],
    [
      { name: 'a', label: 'A', type: 'text', accept: ['pdf'] },
      '/accept is allowed only for a file',
    ],
    [{ name: 'a', label: 'A', type: 'file', accept: ['exe'] }, '/accept/0 must be one of images'],
    [{ name: 'a', label: 'A', type: 'file', maxMb: 51 }, '/maxMb must be'],
    [
      { name: 'a', label: 'A', type: 'file', mapsTo: 'company' },
      '/mapsTo is not allowed for a file',
    ],
    [{ name: 'a', label: 'A', type: 'text', mapsTo: 'id' }, '/mapsTo must be one of firstName'],
    [
      { name: 'a', label: 'A', type: 'text', mapsTo: 'email' },
      '/mapsTo is already used by another field',
    ],
    [
      { name: 'a', label: 'A', type: 'checkbox', mapsTo: 'city' },
      '/mapsTo must not belong to a checkbox',
    ],
    [{ name: 'a', label: 'A', type: 'text', mapsTo: 'dnd' }, '/mapsTo must belong to a checkbox'],
    [
      { name: 'a', label: 'A', type: 'text', mapsTo: 'customFields.nothing' },
      '/mapsTo names nothing, which customFields does not have',
    ],
  ] as const)('refuses the field %j', async ([field, why], { service }) => {
    const form = { ...CONTACT, fields: [CONTACT.fields[0], field] };
    await expect(apply(service, { forms: [form] })).rejects.toThrow(`/forms/0/fields/1${why}`);
  });

  test('refuses a redirect URL that is not http or https', async ({ service }) => {
    const form = { ...CONTACT, redirectUrl: 'javascript:alert(1)' };
    await expect(apply(service, { forms: [form] })).rejects.toThrow('/forms/0/redirectUrl');
  });
});
