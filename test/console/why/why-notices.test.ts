import { at, book, calendarOf } from '../../support/calendars.ts';
import { apply } from '../../support/manifest.ts';
import { contactIn } from '../../workflows/workflows.support.ts';
import { describe, expect, test } from '../../support/service.ts';
import { languages } from '../../../src/console/why/language.ts';
import { whyConfirmation } from '../../../src/console/why/why-confirmation.ts';
import { rulesOf, why } from './why.support.ts';

const EMAIL = 'ada@example.com';

describe('a reminder', () => {
  test('that was not sent names the rule for each', async ({ service }) => {
    const { call, subAccountId } = service;
    const reminders = [
      { before: 60, channel: 'email', subject: 'Soon', body: 'See you' },
      { before: 7 * 24 * 60, channel: 'email', subject: 'Soon', body: 'See you' },
    ];
    const { typeId } = await calendarOf(service, { reminders });
    const contactId = await contactIn(service, subAccountId, { email: EMAIL });
    const [startTime, endTime] = [at(service, 2, '10:00'), at(service, 2, '10:30')];
    const booked = await book(service, {
      appointmentTypeId: typeId,
      contactId,
      startTime,
      endTime,
    });
    const { id } = booked.body.data;
    const ask = async () => rulesOf(await why(service, { kind: 'reminder', id }));
    expect(await ask()).toEqual(['channel_not_configured', 'already_due']);
    await apply(service, {
      channels: { email: { provider: 'smtp', host: '127.0.0.1', port: 2525, from: EMAIL } },
    });
    expect(await ask()).toEqual(['waiting', 'already_due']);
    await call(`PATCH /api/v1/contacts/${contactId}`, { body: { dnd: { email: true } } });
    expect(await ask()).toEqual(['do_not_disturb', 'already_due']);
    const [first] = (await why(service, { kind: 'reminder', id })).reasons;
    expect(first.sentence).toMatch(/ is due at .*; as things are, it will not be sent\. /);
    await call(`DELETE /api/v1/calendars/appointments/${id}`);
    expect(await ask()).toEqual(['cancelled', 'cancelled']);
  });
});

describe('a reminder of an appointment that has begun', () => {
  test('is not announced any more', async ({ service }) => {
    const { database, subAccountId } = service;
    const reminders = [{ before: 60, channel: 'email', subject: 'Soon', body: 'See you' }];
    const { typeId } = await calendarOf(service, { reminders });
    await apply(service, {
      channels: { email: { provider: 'smtp', host: '127.0.0.1', port: 2525, from: EMAIL } },
    });
    const contactId = await contactIn(service, subAccountId, { email: EMAIL });
    const [startTime, endTime] = [at(service, 2, '10:00'), at(service, 2, '10:30')];
    const appointment = { appointmentTypeId: typeId, contactId, startTime, endTime };
    const { id } = (await book(service, appointment)).body.data;
    await database.rows(
      `update appointments set start_time = start_time - interval '9 days',
         end_time = end_time - interval '9 days', created_at = created_at - interval '19 days',
         updated_at = updated_at - interval '19 days' where id = $1`,
      [id],
    );
    expect(rulesOf(await why(service, { kind: 'reminder', id }))).toEqual(['begun']);
  });
});

describe('a confirmation', () => {
  test('that was not sent names the rule; a sent one names the moment', async ({ service }) => {
    const { call, database, subAccountId } = service;
    const confirmation = { channel: 'email', subject: 'Booked', body: 'See you' };
    const { typeId } = await calendarOf(service, { confirmation });
    const contactId = await contactIn(service, subAccountId, { email: EMAIL });
    const [startTime, endTime] = [at(service, 2, '10:00'), at(service, 2, '10:30')];
    const appointment = { appointmentTypeId: typeId, contactId, startTime, endTime };
    const { id } = (await book(service, appointment)).body.data;
    const ask = async () => rulesOf(await why(service, { kind: 'confirmation', id }));
    expect(await ask()).toEqual(['channel_not_configured']);
    await apply(service, {
      channels: { email: { provider: 'smtp', host: '127.0.0.1', port: 2525, from: EMAIL } },
    });
    expect(await ask()).toEqual(['waiting']);
    await database.rows('delete from graphile_worker._private_jobs where key = $1', [
      `booking/confirm:${id}`,
    ]);
    expect(await ask()).toEqual(['not_planned']);
    await database.rows(
      `insert into appointment_notices (sub_account_id, appointment_id, notice, written_at)
       values ($1, $2, 'confirmation ' || gen_random_uuid(), '2026-11-23T10:00:00Z')`,
      [subAccountId, id],
    );
    const sent = await why(service, { kind: 'confirmation', id });
    expect(sent).toMatchObject({ happened: true, reasons: [{ rule: 'sent' }] });
    expect(sent.reasons[0].at).toBe('2026-11-23T10:00:00.000Z');
    const [mail] = await database.rows<{ id: string }>(
      `with thread as (insert into conversations (sub_account_id, id, contact_id, channel, status,
           last_message_at, created_at, updated_at)
         values ($1, gen_random_uuid(), $2, 'email', 'open', now(), now(), now()) returning id)
       insert into messages (sub_account_id, id, conversation_id, channel, direction, status,
         to_address, created_at, is_automatic)
       select $1, gen_random_uuid(), id, 'email', 'outbound', 'delivered', $3,
         '2026-11-23T10:00:00Z', true from thread returning id`,
      [subAccountId, contactId, EMAIL],
    );
    const intro = `The confirmation is a message by email to ${EMAIL}.`;
    const record = { type: 'message', id: mail?.id };
    expect((await why(service, { kind: 'confirmation', id })).reasons).toEqual([
      { rule: 'sent', sentence: `${intro} The message was delivered.`, record, at: null },
    ]);
    const become = (status: string, errorMessage: string | null) =>
      database.rows('update messages set status = $2, error_message = $3 where id = $1', [
        mail?.id,
        status,
        errorMessage,
      ]);
    await become('failed', 'mailbox full');
    expect(await why(service, { kind: 'confirmation', id })).toMatchObject({
      happened: false,
      reasons: [
        { rule: 'failed', sentence: `${intro} The message was not sent: mailbox full.`, record },
      ],
    });
    await become('pending', null);
    expect(await ask()).toEqual(['waiting']);
    // What was sent stays sent; a notice that was skipped left no message.
    await call(`PATCH /api/v1/contacts/${contactId}`, { body: { dnd: { email: true } } });
    await become('delivered', null);
    expect(await ask()).toEqual(['sent']);
    await database.rows('delete from messages where id = $1', [mail?.id]);
    expect(await ask()).toEqual(['do_not_disturb']);
  });

  test('that a worker writes while the question is answered counts as sent', async ({
    service,
  }) => {
    const { database, subAccountId } = service;
    const confirmation = { channel: 'email', subject: 'Booked', body: 'See you' };
    const { typeId } = await calendarOf(service, { confirmation });
    const contactId = await contactIn(service, subAccountId, { email: EMAIL });
    const [startTime, endTime] = [at(service, 2, '10:00'), at(service, 2, '10:30')];
    await apply(service, {
      channels: { email: { provider: 'smtp', host: '127.0.0.1', port: 2525, from: EMAIL } },
    });
    const appointment = { appointmentTypeId: typeId, contactId, startTime, endTime };
    const { id } = (await book(service, appointment)).body.data;
    const view = service.openView(subAccountId, service.clock());
    let isWritten = false;
    const watched = Object.assign(Object.create(view) as typeof view, {
      async rows(...args: Parameters<typeof view.rows>) {
        const rows = await view.rows(...args);
        if (!isWritten) {
          isWritten = true;
          await database.rows(
            `insert into appointment_notices (sub_account_id, appointment_id, notice, written_at)
             values ($1, $2, 'confirmation ' || gen_random_uuid(), now())`,
            [subAccountId, id],
          );
          await database.rows('delete from graphile_worker._private_jobs where key = $1', [
            `booking/confirm:${id}`,
          ]);
        }
        return rows;
      },
    });
    expect(
      rulesOf((await whyConfirmation.explain(watched, { id } as any, languages.en)) as any),
    ).toEqual(['sent']);
  });

  test('of a calendar without one, or of a cancelled appointment', async ({ service }) => {
    const { call } = service;
    const { typeId } = await calendarOf(service, {});
    const [startTime, endTime] = [at(service, 2, '10:00'), at(service, 2, '10:30')];
    const customer = { email: EMAIL, firstName: 'Jo', lastName: 'Doe' };
    const input = { appointmentTypeId: typeId, startTime, endTime, ...customer };
    const { id } = (await book(service, input)).body.data;
    const ask = async () => rulesOf(await why(service, { kind: 'confirmation', id }));
    expect(await ask()).toEqual(['no_confirmation']);
    await calendarOf(service, {
      confirmation: { channel: 'email', subject: 'Booked', body: 'See you' },
    });
    await call(`DELETE /api/v1/calendars/appointments/${id}`);
    expect(await ask()).toEqual(['cancelled']);
  });
});
