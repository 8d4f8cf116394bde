import { newId } from '#lib/id.ts';
import { suppressAddress } from '../../src/contacts/consent/suppressions.ts';
import { blanked } from '../../src/privacy/erase-events.ts';
import { findPerson } from '../../src/privacy/person.ts';
import { at, book, calendarOf } from '../support/calendars.ts';
import { signInAs } from '../support/people.ts';
import { runErasureOfMentions } from './run-erasure.support.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../support/service.ts';

const V1 = '/console/api/v1';
const EMAIL = 'ada.erased@example.com';
const PHONE = '+4915799912345';
const ADA = { firstName: 'Ada', lastName: 'Lovelace', email: EMAIL, phone: PHONE };

async function create({ call }: TestService, body: object = ADA): Promise<string> {
  const answer = await call('POST /api/v1/contacts', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data.id;
}

async function erase(service: TestService, id: string) {
  const { call } = await signInAs(service, 'admin');
  const answer = await call(`POST ${V1}/contacts/${id}/erase`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await runErasureOfMentions(service);
  return answer.body.data;
}

const optOut = ({ transact, subAccountId }: TestService, address: string) =>
  transact(subAccountId, OPERATOR, (work) =>
    suppressAddress(work, { channel: 'email', address, reason: 'unsubscribe' }),
  );

describe('erasing a person', () => {
  test('deletes the contact and tells receivers of its tasks, without a word of the person', async ({
    service,
  }) => {
    const { call, events } = service;
    const id = await create(service);
    await call('POST /api/v1/tasks', { body: { title: 'Call Ada Lovelace', contactId: id } });
    await events();
    const report = await erase(service, id);
    expect(report).toMatchObject({ contactIds: [id], sharedAddresses: 0 });
    expect((await call(`GET /api/v1/contacts/${id}`)).status).toBe(404);
    const fired = await events();
    expect(fired.map(({ name, contactId }) => [name, contactId])).toEqual([['task.updated', id]]);
    expect(fired[0]?.data).toMatchObject({ title: '[erased]', status: 'cancelled' });
  });

  test('is refused to agents, and without a recent sign-in', async ({ service }) => {
    const id = await create(service);
    const agent = await signInAs(service, 'agent');
    expect((await agent.call(`POST ${V1}/contacts/${id}/erase`)).status).toBe(403);
    const admin = await signInAs(service, 'admin');
    service.clock.advance(11 * 60_000);
    expect((await admin.call(`POST ${V1}/contacts/${id}/erase`)).body.error).toMatchObject({
      details: { reason: 'prove_again' },
    });
    expect((await service.call(`GET /api/v1/contacts/${id}`)).status).toBe(200);
  });

  test('covers merged contacts, and deleted ones with the same email', async ({ service }) => {
    const { call } = service;
    const earlier = await create(service);
    await call(`DELETE /api/v1/contacts/${earlier}`);
    const id = await create(service);
    const merged = await create(service, { ...ADA, email: 'ada.other@example.com' });
    await call(`POST /api/v1/contacts/${id}/merge`, { body: { contactId: merged } });
    const report = await erase(service, id);
    expect(report.contactIds.toSorted()).toEqual([earlier, id, merged].toSorted());
  });

  test('replaces addresses in texts about others, but no longer address that contains one', async ({
    service,
  }) => {
    const id = await create(service);
    const title = `Forward to ${EMAIL.toUpperCase()} or +49 (157) 999-12345, not to x${EMAIL}`;
    const task = await service.call('POST /api/v1/tasks', { body: { title } });
    await erase(service, id);
    const read = await service.call(`GET /api/v1/tasks/${task.body.data.id}`);
    const found = read.status === 200 ? read.body.data.title : undefined;
    expect(found).toBe(`Forward to [erased] or [erased], not to x${EMAIL}`);
  });

  test('replaces addresses in fields of other contacts', async ({ service }) => {
    const id = await create(service);
    const texts = { company: `c/o ${EMAIL}`, source: `referred by ${EMAIL}` };
    const referred = { firstName: 'Bob', lastName: 'Miller', ...texts };
    const { body } = await service.call('POST /api/v1/contacts', { body: referred });
    await erase(service, id);
    const read = await service.call(`GET /api/v1/contacts/${body.data.id}`);
    const { company, source, updatedAt } = read.body.data;
    expect([company, source]).toEqual(['c/o [erased]', 'referred by [erased]']);
    expect(updatedAt).toBe(body.data.updatedAt);
  });

  test('keeps where and when a webhook was sent, without what the receiver responded', async ({
    service,
  }) => {
    const { call, database, subAccountId } = service;
    const body = { url: 'https://receiver.example/hook', events: ['contact.created'] };
    const hook = await call('POST /api/v1/webhooks', { body });
    const contact = await create(service);
    const sent = { url: body.url, at: 1_795_000_000_000, userAgent: 'Frontdesk/1' };
    await database.rows(
      `insert into webhook_deliveries (sub_account_id, id, subscription_id, event_id, event, attempt,
         trigger, status, response_status, response_body, sent, created_at)
       select $1, gen_random_uuid(), $2, e.id, e.name, 1, 'scheduled', 'succeeded', 204, 'Hello Ada',
         $3::jsonb, now()
       from (select id, name from outbox where sub_account_id = $1 and contact_id = $4
         union all select id, name from events where sub_account_id = $1 and contact_id = $4) as e`,
      [
        subAccountId,
        hook.body.data.id,
        JSON.stringify({ ...sent, headers: { 'x-name': 'Ada' } }),
        contact,
      ],
    );
    await erase(service, contact);
    const rows = await database.rows(
      `select response_body as body, sent from webhook_deliveries where sub_account_id = $1`,
      [subAccountId],
    );
    expect(rows).toEqual([{ body: null, sent }]);
  });

  test('leaves deliveries of tests alone, unless they name the person', async ({ service }) => {
    const { call, database, subAccountId } = service;
    const url = 'https://receiver.example/hook';
    const hook = await call('POST /api/v1/webhooks', {
      body: { url, events: ['contact.created'] },
    });
    const tests = await Promise.all(
      ['ok', `got ${EMAIL}`].map(async (response) => {
        const sent = await call(`POST /api/v1/webhooks/${hook.body.data.id}/test`);
        await database.rows(
          `update webhook_deliveries set sent = '{"url": "https://receiver.example/hook"}',
             response_body = $3 where sub_account_id = $1 and id = $2`,
          [subAccountId, sent.body.data.id, response],
        );
        return sent.body.data.id;
      }),
    );
    await erase(service, await create(service));
    const rows = await database.rows<{ id: string; response_body: string | null }>(
      `select id, response_body from webhook_deliveries
       where sub_account_id = $1 and id = any($2::uuid[]) order by id`,
      [subAccountId, tests],
    );
    const bodies = new Map(rows.map((row) => [row.id, row.response_body]));
    expect(tests.map((id) => bodies.get(id))).toEqual(['ok', null]);
  });

  test('leaves an address alone that another contact has, too', async ({ service }) => {
    const id = await create(service);
    const other = await create(service, { ...ADA, firstName: 'Byron', email: 'byron@example.com' });
    const report = await erase(service, id);
    expect(report.sharedAddresses).toBe(1);
    const kept = await service.call(`GET /api/v1/contacts/${other}`);
    expect(kept.body.data).toMatchObject({ firstName: 'Byron', phone: PHONE });
  });

  test('keeps opt-outs: a new contact with the address has them again', async ({ service }) => {
    const { database, subAccountId } = service;
    const id = await create(service);
    await optOut(service, EMAIL);
    await service.call(`PATCH /api/v1/contacts/${id}`, { body: { dnd: { sms: true } } });
    await erase(service, id);
    const plain = 'select address from opt_outs where sub_account_id = $1';
    expect(await database.rows(plain, [subAccountId])).toEqual([]);
    const again = await create(service, { ...ADA, firstName: 'Augusta' });
    const read = await service.call(`GET /api/v1/contacts/${again}`);
    expect(read.body.data.dnd).toEqual({ email: true, sms: true });
    const hashes = 'select from erased_opt_outs where sub_account_id = $1';
    expect(await database.rows(hashes, [subAccountId])).toEqual([]);
  });

  test('keeps opt-outs of addresses that a contact gets later', async ({ service }) => {
    const id = await create(service);
    await optOut(service, EMAIL);
    await erase(service, id);
    const other = await create(service, { firstName: 'B', lastName: 'C', email: 'b@example.com' });
    await service.call(`PATCH /api/v1/contacts/${other}`, {
      body: { additionalEmails: [EMAIL.toUpperCase()] },
    });
    const read = await service.call(`GET /api/v1/contacts/${other}`);
    expect(read.body.data.dnd).toEqual({ email: true });
  });

  test('keeps past appointments without the person, and cancels upcoming ones', async ({
    service,
  }) => {
    const { call, events, database, subAccountId } = service;
    const { typeId } = await calendarOf(service);
    const id = await create(service);
    const [startTime, endTime] = [at(service, 2, '10:00'), at(service, 2, '10:30')];
    const wanted = { appointmentTypeId: typeId, startTime, endTime, contactId: id };
    const appointment = (await book(service, wanted)).body.data.id;
    await database.rows(`update appointments set notes = 'Ada is nervous' where id = $1`, [
      appointment,
    ]);
    await events();
    await erase(service, id);
    expect((await events()).map(({ name }) => name)).toEqual(['appointment.cancelled']);
    const read = await call(`GET /api/v1/calendars/appointments/${appointment}`);
    expect(read.body.data).toMatchObject({ status: 'cancelled', notes: null });
    const rows = await database.rows(`select notes from appointments where sub_account_id = $1`, [
      subAccountId,
    ]);
    expect(rows).toEqual([{ notes: null }]);
  });

  test('finds a person without a contact by email', async ({ service }) => {
    const { database, subAccountId, openView, clock } = service;
    await database.rows(
      `insert into paid_invoices (sub_account_id, id, invoice_id, amount, currency, email, paid_at, created_at)
       values ($1, $2, 'INV-1', 10, 'EUR', $3, now(), now())`,
      [subAccountId, newId(clock()), EMAIL],
    );
    const person = await findPerson(openView(subAccountId, clock()), { email: EMAIL });
    expect(person).toMatchObject({ contactIds: [], addresses: [EMAIL] });
    expect(person.records).toHaveLength(1);
  });
});

describe('the data of an erased event', () => {
  test('keeps ids, times, numbers and our own words', () => {
    const id = newId(new Date());
    const data = {
      messageId: id,
      at: '2026-12-01T09:00:00.000Z',
      startTime: 1_796_202_000_000,
      status: 'scheduled',
      channel: 'email',
      changedFields: ['title'],
      bodyText: 'Hello',
      tags: ['vip'],
      fields: { phone: 1 },
      customFields: { passport: 12 },
      nested: { firstName: 'Ada', ok: true, none: null },
    };
    expect(blanked(data)).toEqual({
      ...data,
      bodyText: '[erased]',
      tags: ['[erased]'],
      fields: {},
      customFields: {},
      nested: { firstName: '[erased]', ok: true, none: null },
    });
  });
});
