import { at, calendarOf } from '../support/calendars.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { connectAgent, issueKey } from './agents.support.ts';

const SCOPES = [
  'appointments:read',
  'appointments:write',
  'contacts:write',
  'contacts:read',
] as const;

/** An agent whose messages to customers need an approval. */
const agentOf = async (service: TestService) => {
  const agentPolicy = { tells: 'ask', reversible: 'ask' } as const;
  const { key } = await issueKey(service, { scopes: SCOPES, agentPolicy });
  return connectAgent(service.url, key);
};

describe('the summary of a call', () => {
  test('names the time, the type and the customer of a booking', async ({ service }) => {
    const { typeId: appointmentTypeId } = await calendarOf(service);
    const { call } = await agentOf(service);
    const summaryOf = async (time: string, customer: object): Promise<string> => {
      const startTime = at(service, 2, time);
      const times = { startTime, endTime: startTime + 30 * 60_000 };
      const given = { appointmentTypeId, ...times, ...customer };
      return (await call('book_appointment', given)).content.summary;
    };
    const ada = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };
    expect(await summaryOf('10:00', ada)).toMatch(
      /^Book a slot: \w{3}, \d+ \w+ \d{4}, \d\d:\d\d \(.+\), Check-up, Ada Byron, ada@example\.com$/,
    );
    expect(await summaryOf('11:00', ada)).not.toBe(await summaryOf('10:00', ada));

    const body = { firstName: 'Grace', lastName: 'Hop\u202Eper', phone: '+4915799912345' };
    const contactId = (await service.call('POST /api/v1/contacts', { body })).body.data.id;
    const notes = 'Line\nbreak\u2028\u2066end';
    expect(await summaryOf('12:00', { contactId, notes })).toMatch(
      /, Check-up, Grace Hopper, notes "Line\\nbreak end"$/,
    );
  });

  test('names an appointment by its time, type and customer', async ({ service }) => {
    const { typeId: appointmentTypeId } = await calendarOf(service);
    const startTime = at(service, 2, '10:00');
    const slot = { appointmentTypeId, startTime, endTime: startTime + 30 * 60_000 };
    const body = { ...slot, firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };
    const booked = await service.call('POST /api/v1/calendars/appointments', { body });
    const { call } = await agentOf(service);
    const { content } = await call('cancel_appointment', {
      appointmentId: booked.body.data.id,
      reason: 'Ill',
    });
    expect(content.summary).toMatch(
      /^Cancel an appointment: .+\d\d:\d\d \(.+\), Check-up, Ada Byron, reason "Ill"$/,
    );
  });

  test('cuts values, and counts those that it leaves out', async ({ service }) => {
    const { call } = await agentOf(service);
    const given = {
      firstName: 'Ada',
      lastName: 'Byron',
      email: 'ada@example.com',
      company: 'C'.repeat(200),
      title: 'Countess',
      tags: ['a', 'b'],
      city: 'London',
      state: 'LDN',
      source: 'web',
    };
    const { summary } = (await call('save_contact', given)).content;
    expect(summary).toContain(`: Ada Byron, ada@example.com, company "${'C'.repeat(58)}…, title`);
    expect(summary).toMatch(/, tags \["a","b"\], .+, and \d more$/);
  });
});

describe('an action that names its record by `id`', () => {
  test('is the same call as by `contactId`; both at once are refused', async ({ service }) => {
    const body = { firstName: 'Ada', lastName: 'Byron' };
    const { id } = (await service.call('POST /api/v1/contacts', { body })).body.data;
    const { call } = await agentOf(service);
    const remove = async (given: object) =>
      (await call('run_action', { action: 'contacts.delete', arguments: given })).content;
    const byId = await remove({ id });
    expect(byId.summary).toBe('Delete a contact: Ada Byron');
    expect((await remove({ contactId: id })).approvalId).toBe(byId.approvalId);
    expect((await remove({ contactId: id, id })).error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [expect.objectContaining({ path: '/arguments/id' })] },
    });
  });
});

describe('the effects of a call', () => {
  test('count the confirmation that the customer of a booking gets', async ({ service }) => {
    const { typeId: appointmentTypeId } = await calendarOf(service);
    const { call } = await agentOf(service);
    const book = async (time: string, customer: object) => {
      const startTime = at(service, 2, time);
      const times = { startTime, endTime: startTime + 30 * 60_000 };
      const given = { appointmentTypeId, ...times, firstName: 'Ada', lastName: 'Byron' };
      return (await call('book_appointment', { ...given, ...customer })).content.effects;
    };
    const fired = { 'appointment.booked': 1, 'contact.created': 1 };
    const byMail = { email: 'ada@example.com' };
    expect(await book('10:00', byMail)).toEqual(fired);
    await service.database.rows(
      `update calendars set confirmation = '{"channel":"email","subject":"s","body":"b"}'
       where sub_account_id = $1`,
      [service.subAccountId],
    );
    expect(await book('11:00', byMail)).toEqual({ ...fired, messages: 1 });
    // Nothing can be sent to this customer by mail.
    expect(await book('12:00', { phone: '+4915799912345' })).toEqual(fired);
    const requested = await service.database.rows(
      `select distinct operation from audit_entries where sub_account_id = $1
       and actor_kind = 'agent'`,
      [service.subAccountId],
    );
    expect(requested).toEqual([{ operation: 'approvals.request' }]);
  });
});
