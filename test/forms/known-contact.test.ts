import { newContact } from '../tasks/tasks.support.ts';
import { describe, expect, test } from '../support/service.ts';
import { setUpForm, submissionsOf, submitted } from './forms.support.ts';

const ADA = { email: 'ada@example.com' };

describe('a known contact', () => {
  const fields = [
    { name: 'email', label: 'Email', type: 'email', required: true, mapsTo: 'email' },
    { name: 'name', label: 'Name', type: 'text', mapsTo: 'firstName' },
    { name: 'company', label: 'Company', type: 'text', mapsTo: 'company' },
    { name: 'title', label: 'Title', type: 'text', mapsTo: 'title' },
    { name: 'phone', label: 'Phone', type: 'phone', mapsTo: 'phone' },
    { name: 'quiet', label: 'Quiet', type: 'checkbox', mapsTo: 'dnd' },
    { name: 'other', label: 'Other email', type: 'email', mapsTo: 'additionalEmails' },
    { name: 'topic', label: 'Topic', type: 'text', mapsTo: 'tags' },
    { name: 'colour', label: 'Colour', type: 'text', mapsTo: 'customFields.colour' },
  ];
  const customFields = [{ name: 'colour', type: 'text' }];

  test('is found by any of its emails in any case, and none of its values is overwritten', async ({
    service,
  }) => {
    const formId = await setUpForm(service, { fields }, { customFields });
    const contactId = await newContact(service, {
      email: 'ada@example.com',
      additionalEmails: ['ada@work.example'],
      company: 'Engines',
      tags: ['vip'],
      customFields: { colour: 'red' },
    });
    const { body: before } = await service.call(`GET /api/v1/contacts/${contactId}`);
    await service.events();
    const typed = {
      phone: '+4930901820',
      quiet: false,
      name: 'Mallory',
      company: 'Spam',
      other: 'm@spam.example',
      colour: 'blue',
    };
    for (const email of ['ADA@Example.com', 'Ada@Work.example']) {
      await submitted(service, formId, { email, ...typed });
    }
    const events = await service.events();
    expect(events.map(({ name }) => name)).toEqual(['form.submitted', 'form.submitted']);
    expect(events[0]).toMatchObject({ contactId, data: { tags: ['vip'], fields: typed } });
    expect((await service.call(`GET /api/v1/contacts/${contactId}`)).body).toEqual(before);
    expect(await submissionsOf(service)).toMatchObject([{ contactId }, { contactId }]);
  });

  test('gets its empty fields filled in and tags added, and contact.updated fires', async ({
    service,
  }) => {
    const formId = await setUpForm(service, { fields }, { customFields });
    const contactId = await newContact(service, { email: 'ada@example.com', tags: ['vip'] });
    await service.events();
    const given = {
      email: 'ada@example.com',
      name: 'X',
      title: 'Countess',
      topic: 'braces',
      colour: 'red',
    };
    await submitted(service, formId, given);
    const events = await service.events();
    expect(events.map(({ name }) => name)).toEqual([
      'contact.updated',
      'contact.tag_added',
      'form.submitted',
    ]);
    expect(events.at(-1)).toMatchObject({ contactId, data: { tags: ['vip', 'braces'] } });
    const { data } = (await service.call(`GET /api/v1/contacts/${contactId}`)).body;
    expect(data).toMatchObject({
      title: 'Countess',
      tags: ['vip', 'braces'],
      customFields: { colour: 'red' },
    });
    expect(data.firstName).not.toBe('X');
    await submitted(service, formId, given);
    expect(await service.eventNames()).toEqual(['form.submitted']);
  });

  test('keeps its email if a new contact gives it as an additional one', async ({ service }) => {
    const formId = await setUpForm(service, { fields }, { customFields });
    const contactId = await newContact(service, { email: 'ada@example.com' });
    await service.events();
    await submitted(service, formId, { email: 'eve@example.com', other: 'Ada@example.com' });
    const [created, event, ...others] = await service.events();
    expect([event?.name, others]).toEqual(['form.submitted', []]);
    const { data } = (await service.call(`GET /api/v1/contacts/${created?.contactId}`)).body;
    expect(data).toMatchObject({ email: 'eve@example.com', additionalEmails: [] });
    expect(data.id).not.toBe(contactId);
  });

  test('that was deleted is not found: a new one is created', async ({ service }) => {
    const formId = await setUpForm(service);
    const contactId = await newContact(service, { email: ADA.email });
    await service.call(`DELETE /api/v1/contacts/${contactId}`);
    await service.events();
    await submitted(service, formId, ADA);
    expect(await service.eventNames()).toEqual(['contact.created', 'form.submitted']);
    const [{ contactId: found }] = await submissionsOf(service);
    expect(found).not.toBe(contactId);
  });

  test('hands its submissions to the kept contact when it is merged', async ({ service }) => {
    const formId = await setUpForm(service);
    await submitted(service, formId, ADA);
    const [{ contactId: other }] = await submissionsOf(service);
    const kept = await newContact(service, { email: 'a.lovelace@example.com' });
    const body = { contactId: other };
    expect((await service.call(`POST /api/v1/contacts/${kept}/merge`, { body })).status).toBe(200);
    expect(await submissionsOf(service)).toMatchObject([{ contactId: kept }]);
  });

  test('is created once by five simultaneous submissions of one new email, ten times', async ({
    service,
  }) => {
    const formId = await setUpForm(service);
    for (let round = 1; round <= 10; round += 1) {
      const email = `ada-${round}@example.com`;
      await Promise.all(Array.from({ length: 5 }, () => submitted(service, formId, { email })));
      const names = await service.eventNames();
      expect(names.filter((name) => name === 'contact.created')).toHaveLength(1);
      expect(names.filter((name) => name === 'form.submitted')).toHaveLength(5);
      expect(names).toHaveLength(6);
    }
  });
});
