import { allContacts, importCsv } from '../../support/import-csv.ts';
import { apply } from '../../support/manifest.ts';
import { describe, expect, test } from '../../support/service.ts';

const NOTHING = { created: 0, updated: 0, skipped: 0, failed: 0, errors: [] };
const HEADER = 'firstName,lastName,email';
const csv = (...lines: string[]) => lines.join('\n');

describe('a row', () => {
  test('with an unknown email creates a contact and emits contact.created only', async ({
    service,
  }) => {
    const result = await importCsv(
      service,
      csv(
        'firstName,lastName,email,phone,tags,additionalEmails,lifecycleStage',
        'Ada,Lovelace,ada@example.com,+4930123456,VIP;vip;news,countess@example.com,customer',
      ),
    );

    expect(result).toEqual({ ...NOTHING, created: 1 });
    const [contact] = await allContacts(service);
    const fields = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
    expect(contact).toMatchObject({
      ...fields,
      phone: '+4930123456',
      tags: ['VIP', 'news'],
      additionalEmails: ['countess@example.com'],
      lifecycleStage: 'customer',
      company: null,
    });
    expect(await service.events()).toEqual([
      {
        name: 'contact.created',
        contactId: contact.id,
        data: {
          ...fields,
          phone: '+4930123456',
          company: null,
          source: null,
          tags: ['VIP', 'news'],
          lifecycleStage: 'customer',
        },
      },
    ]);
  });

  test('has phones and dates as the country of the sub-account writes them', async ({
    service,
  }) => {
    await apply(service, { subAccount: { timezone: 'Europe/Paris', locale: 'fr-FR' } });
    const file = csv(
      'firstName,lastName,email,phone,dateOfBirth',
      'Ada,Lovelace,ada@example.com,06 12 34 56 78,14/02/1985',
      'Eve,Curie,eve@example.com,1234,31/02/1985',
    );
    const failed = {
      failed: 1,
      errors: [
        {
          line: 3,
          message: expect.stringMatching(/^phone: .*\+33612345678; dateOfBirth: .*14\/02\/1985/),
        },
      ],
    };
    expect(await importCsv(service, file)).toEqual({ ...NOTHING, ...failed, created: 1 });
    expect(await allContacts(service)).toMatchObject([
      { phone: '+33612345678', dateOfBirth: '1985-02-14' },
    ]);
    expect(await importCsv(service, file)).toEqual({ ...NOTHING, ...failed, skipped: 1 });
  });

  test.for(['ADA@example.com', 'Countess@Example.com'])(
    'with the email of a contact, %s, updates it and fires what PATCH would',
    async (email, { service }) => {
      await service.call('POST /api/v1/contacts', {
        body: {
          firstName: 'Ada',
          lastName: 'Byron',
          email: 'ada@example.com',
          additionalEmails: ['countess@example.com'],
          company: 'Kept',
          tags: ['old'],
        },
      });
      await service.events();
      const result = await importCsv(
        service,
        csv(
          'firstName,lastName,email,company,tags,lifecycleStage',
          `,Lovelace,${email},,OLD;new,customer`,
        ),
      );

      expect(result).toEqual({ ...NOTHING, updated: 1 });
      expect(await allContacts(service)).toMatchObject([
        {
          firstName: 'Ada',
          lastName: 'Lovelace',
          email: 'ada@example.com',
          additionalEmails: ['countess@example.com'],
          company: 'Kept',
          tags: ['old', 'new'],
          lifecycleStage: 'customer',
        },
      ]);
      expect(await service.eventNames()).toEqual([
        'contact.updated',
        'contact.tag_added',
        'contact.lifecycle_changed',
      ]);
    },
  );

  test('that changes nothing is skipped and emits nothing', async ({ service }) => {
    const content = csv(HEADER, 'Ada,Lovelace,ada@example.com', 'Bob,Ross,bob@example.com');
    await importCsv(service, content);
    await service.events();
    expect(await importCsv(service, content)).toEqual({ ...NOTHING, skipped: 2 });
    expect(await service.eventNames()).toEqual([]);
  });

  test('without an email creates a contact each time', async ({ service }) => {
    const content = csv('firstName,lastName', 'Ada,L', 'Ada,L');
    await importCsv(service, content);
    expect(await importCsv(service, content)).toEqual({ ...NOTHING, created: 2 });
    expect(await service.eventNames()).toEqual(Array(4).fill('contact.created'));
  });

  test('with an email from earlier in the file updates that contact', async ({ service }) => {
    const result = await importCsv(
      service,
      csv(
        'firstName,lastName,email,additionalEmails,city',
        'Ada,L,ada@example.com,countess@example.com,',
        'Ada,M,ADA@example.com,,',
        'Ada,M,countess@example.com,,London',
        'Ada,M,ada@example.com,,London',
      ),
    );
    expect(result).toEqual({ ...NOTHING, created: 1, updated: 2, skipped: 1 });
    expect(await allContacts(service)).toMatchObject([
      { lastName: 'M', city: 'London', email: 'ada@example.com' },
    ]);
    expect(await service.eventNames()).toEqual([
      'contact.created',
      'contact.updated',
      'contact.updated',
    ]);
  });

  test('with an id changes that contact, including its email; an unknown id is ignored', async ({
    service,
  }) => {
    const { body } = await service.call('POST /api/v1/contacts', {
      body: { firstName: 'Ada', lastName: 'L', email: 'old@example.com' },
    });
    await service.events();
    const result = await importCsv(
      service,
      csv(
        `id,${HEADER}`,
        `${body.data.id},Ada,L,new@example.com`,
        `${crypto.randomUUID()},Bob,R,old@example.com`,
      ),
    );
    expect(result).toEqual({ ...NOTHING, created: 1, updated: 1 });
    expect(await allContacts(service)).toMatchObject([
      { id: body.data.id, email: 'new@example.com' },
      { firstName: 'Bob', email: 'old@example.com' },
    ]);
    expect(await service.eventNames()).toEqual(['contact.updated', 'contact.created']);
  });

  test('never finds a contact of another sub-account', async ({ service }) => {
    const { body } = await service.call('POST /api/v1/contacts', {
      body: { firstName: 'Ada', lastName: 'L', email: 'ada@example.com' },
      key: 'other',
    });
    const result = await importCsv(
      service,
      csv(`id,${HEADER}`, `${body.data.id},Bob,R,ada@example.com`),
    );
    expect(result).toEqual({ ...NOTHING, created: 1 });
    const theirs = await service.call(`GET /api/v1/contacts/${body.data.id}`, { key: 'other' });
    expect(theirs.body.data).toEqual(body.data);
  });
});

test('an import never lifts an opt-out', async ({ service }) => {
  await service.database.rows(
    `insert into opt_outs (sub_account_id, id, channel, address, reason, created_at)
     values ($1, gen_random_uuid(), 'email', 'ada@example.com', 'stop', now())`,
    [service.subAccountId],
  );
  const content = csv(HEADER, 'Ada,L,Ada@Example.com');
  await importCsv(service, content);
  await importCsv(service, csv(HEADER, 'Ada,M,ada@example.com'));
  expect(await allContacts(service)).toMatchObject([{ lastName: 'M', dnd: { email: true } }]);
  expect(await service.eventNames()).toEqual(['contact.created', 'contact.updated']);
});
