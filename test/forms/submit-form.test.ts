import { describe, expect, test } from '../support/service.ts';
import { contactsOf, setUpForm, submissionsOf, submit, submitted } from './forms.support.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const ADA = { email: 'ada@example.com', note: 'Please call' };

describe('a submission', () => {
  test('of a new visitor creates a contact, emits one event and is stored', async ({ service }) => {
    const redirectUrl = 'https://harbour.example/thanks';
    const formId = await setUpForm(service, { redirectUrl });
    const pageUrl = 'https://harbour.example/contact';
    const answer = await submit(service, formId, ADA, { pageUrl });
    expect(answer.status).toBe(201);
    const { submissionId } = answer.body.data;
    expect(submissionId).toMatch(UUID);
    expect(answer.body).toEqual({ data: { submissionId, message: 'Thank you', redirectUrl } });

    const [contact, ...others] = await contactsOf(service);
    expect(others).toEqual([]);
    expect(contact).toMatchObject({
      email: 'ada@example.com',
      firstName: 'ada@example.com',
      lastName: '',
      source: 'form',
      lifecycleStage: 'lead',
    });
    const [created, event, ...more] = await service.events();
    expect(more).toEqual([]);
    expect(created).toMatchObject({ name: 'contact.created', contactId: contact.id });
    expect(event).toEqual({
      name: 'form.submitted',
      contactId: contact.id,
      data: expect.objectContaining({
        formId,
        submissionId,
        formName: 'Contact us',
        fields: ADA,
      }),
    });
    expect(await submissionsOf(service)).toEqual([
      { id: submissionId, formId, contactId: contact.id, fields: ADA, pageUrl },
    ]);
  });

  test('accepts null for fields that are left out', async ({ service }) => {
    const formId = await setUpForm(service);
    await submitted(service, formId, ADA, { pageUrl: null, captchaToken: null });
    expect(await submissionsOf(service)).toMatchObject([{ pageUrl: null }]);
    const withCaptcha = await setUpForm(service, { key: 'checked', captcha: true });
    const answer = await submit(service, withCaptcha, ADA, { captchaToken: null });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details.reason).toBe('captcha_failed');
    expect(await service.eventNames()).toEqual(['contact.created', 'form.submitted']);
  });

  test('that is repeated with its key is stored once, twenty times', async ({ service }) => {
    const formId = await setUpForm(service);
    const send = (note: string) =>
      service.call('POST /api/forms/submit', {
        key: null,
        body: { formId, fields: { ...ADA, note } },
        headers: { 'idempotency-key': 'of this page' },
      });
    await send('first');
    await service.events();
    for (let round = 0; round < 20; round += 1) {
      const note = `Call ${round}`;
      const answers = await Promise.all([send(note), send(note), send(note)]);
      const [first, ...others] = answers.filter(({ status }) => status === 201);
      for (const { body } of others) {
        expect(body).toEqual(first?.body);
      }
      expect((await send(note)).headers.get('idempotent-replayed')).toBe('true');
    }
    expect(await submissionsOf(service)).toHaveLength(21);
    const fired = await service.eventNames();
    expect(fired).toEqual(Array.from({ length: 20 }, () => 'form.submitted'));
  });

  test('is audited with the visitor as actor', async ({ service }) => {
    const formId = await setUpForm(service);
    const { submissionId } = await submitted(service, formId, ADA);
    const rows = await service.database.rows(
      `select actor_kind, actor, record_id from audit_entries
       where sub_account_id = $1 and operation = 'forms.submit'`,
      [service.subAccountId],
    );
    expect(rows).toEqual([{ actor_kind: 'visitor', actor: 'public', record_id: submissionId }]);
  });

  test('writes the fields of the contact that the form maps to, custom fields included', async ({
    service,
  }) => {
    const fields = [
      { name: 'mail', label: 'Email', type: 'email', required: true, mapsTo: 'email' },
      { name: 'first', label: 'First name', type: 'text', mapsTo: 'firstName' },
      { name: 'last', label: 'Last name', type: 'text', mapsTo: 'lastName' },
      { name: 'mobile', label: 'Mobile', type: 'phone', mapsTo: 'phone' },
      { name: 'born', label: 'Born', type: 'date', mapsTo: 'dateOfBirth' },
      {
        name: 'topic',
        label: 'Topic',
        type: 'select',
        options: ['Braces', 'Other'],
        mapsTo: 'tags',
      },
      {
        name: 'insurance',
        label: 'Insurance',
        type: 'select',
        options: ['public', 'private'],
        mapsTo: 'customFields.insurance',
      },
      { name: 'visits', label: 'Visits', type: 'number', mapsTo: 'customFields.visits' },
      { name: 'news', label: 'News', type: 'checkbox', mapsTo: 'customFields.news' },
      { name: 'quiet', label: 'No mail', type: 'checkbox', mapsTo: 'dnd' },
      { name: 'message', label: 'Message', type: 'textarea' },
    ];
    const customFields = [
      { name: 'insurance', type: 'select', options: ['public', 'private'] },
      { name: 'visits', type: 'number' },
      { name: 'news', type: 'boolean' },
      { name: 'referrer', type: 'text', isRequired: true },
    ];
    const formId = await setUpForm(service, { fields }, { customFields });
    const given = {
      mail: ' Ada@Example.com ',
      first: 'Ada',
      last: 'Lovelace',
      mobile: '+49 (30) 123-456',
      born: '1815-12-10',
      topic: 'Braces',
      insurance: 'private',
      visits: '3',
      news: 'on',
      quiet: true,
      message: 'Two\r\nlines',
    };
    await submitted(service, formId, given);
    expect(await contactsOf(service)).toMatchObject([
      {
        email: 'Ada@Example.com',
        firstName: 'Ada',
        lastName: 'Lovelace',
        phone: '+4930123456',
        dateOfBirth: '1815-12-10',
        tags: ['Braces'],
        customFields: { insurance: 'private', visits: 3, news: true },
        dnd: { all: true },
      },
    ]);
    const [created, event] = await service.events();
    expect(created).toMatchObject({ name: 'contact.created', data: { tags: ['Braces'] } });
    expect(event).toMatchObject({
      name: 'form.submitted',
      data: {
        tags: ['Braces'],
        fields: {
          ...given,
          mail: 'Ada@Example.com',
          mobile: '+4930123456',
          visits: 3,
          news: true,
          message: 'Two\nlines',
        },
      },
    });
  });

  test('without name or address has no contact', async ({ service }) => {
    const fields = [{ name: 'stars', label: 'Stars', type: 'number', required: true }];
    const formId = await setUpForm(service, { fields, message: undefined });
    expect(await submitted(service, formId, { stars: 5 })).toMatchObject({
      message: null,
      redirectUrl: null,
    });
    const [event, ...others] = await service.events();
    expect(others).toEqual([]);
    expect(event).toMatchObject({ name: 'form.submitted', contactId: null });
    expect(await contactsOf(service)).toEqual([]);
    expect(await submissionsOf(service)).toMatchObject([{ contactId: null, fields: { stars: 5 } }]);
  });
});
