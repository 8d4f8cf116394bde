import { recordInvoice } from '../../src/invoices/record-invoice.ts';
import { newContact } from '../tasks/tasks.support.ts';
import { describe, expect, test } from '../support/service.ts';
import { INVOICE, invoicesOf, paid, setUpInvoices, reportPaid } from './invoices.support.ts';

const PAID_AT = '2026-11-20T10:00:00+01:00';

describe('a paid invoice', () => {
  test('is recorded and fires once, however often it is reported', async ({ service }) => {
    await setUpInvoices(service);
    const first = await reportPaid(service, { paidAt: PAID_AT });
    expect([first.status, first.body]).toEqual([
      200,
      { data: { invoiceId: 'INV-2026-0042', recorded: true } },
    ]);
    expect(await service.events()).toEqual([
      {
        name: 'invoice.paid',
        contactId: null,
        data: expect.objectContaining({
          invoiceId: 'INV-2026-0042',
          amount: 89.5,
          currency: 'eur',
          paidAt: '2026-11-20T09:00:00.000Z',
        }),
      },
    ]);
    for (const again of [{ paidAt: PAID_AT }, {}, { amount: 1, currency: 'usd' }]) {
      const { status, body } = await reportPaid(service, again);
      expect([status, body.data]).toEqual([200, { invoiceId: 'INV-2026-0042', recorded: false }]);
    }
    expect(await service.eventNames()).toEqual([]);
    expect(await invoicesOf(service)).toMatchObject([{ amount: 89.5, currency: 'eur' }]);
  });

  test('reported ten times at once fires once', async ({ service }) => {
    await setUpInvoices(service);
    const answers = await Promise.all(Array.from({ length: 10 }, () => reportPaid(service)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(answers.filter(({ body }) => body.data.recorded)).toHaveLength(1);
    expect(await service.eventNames()).toEqual(['invoice.paid']);
    expect(await invoicesOf(service)).toHaveLength(1);
  });

  test('belongs to the contact with the email, with its tags, or to none', async ({ service }) => {
    await setUpInvoices(service);
    const email = 'ada@example.com';
    const contactId = await newContact(service, { email, tags: ['vip'] });
    await service.events();
    await reportPaid(service, { email: 'ADA@Example.com' });
    expect(await service.events()).toMatchObject([
      { name: 'invoice.paid', contactId, data: { tags: ['vip'] } },
    ]);
    await reportPaid(service, { invoiceId: 'other', email: 'unknown@example.com' });
    expect(await service.events()).toMatchObject([{ name: 'invoice.paid', contactId: null }]);
    expect(await invoicesOf(service)).toMatchObject([{ contactId }, { contactId: null }]);
    const kept = await newContact(service, { email: 'kept@example.com' });
    await service.call(`POST /api/v1/contacts/${kept}/merge`, { body: { contactId } });
    expect(await invoicesOf(service)).toMatchObject([{ contactId: kept }, { contactId: null }]);
  });

  test('belongs to the kept contact during a merge, twenty times', async ({ service }) => {
    await setUpInvoices(service);
    for (let round = 0; round < 20; round += 1) {
      const email = `ada-${round}@example.com`;
      const [kept, contactId] = [await newContact(service), await newContact(service, { email })];
      await service.events();
      const [merged, ...reported] = await Promise.all([
        service.call(`POST /api/v1/contacts/${kept}/merge`, { body: { contactId } }),
        ...[1, 2, 3].map((n) => reportPaid(service, { invoiceId: `${round}-${n}`, email })),
      ]);
      expect([merged.status, ...reported.map(({ status }) => status)]).toEqual([
        200, 200, 200, 200,
      ]);
      const owners = (await invoicesOf(service)).slice(-3).map((one) => one.contactId);
      expect(owners).toEqual([kept, kept, kept]);
      const named = (await service.events()).filter(({ name }) => name === 'invoice.paid');
      expect(named).toHaveLength(3);
      expect(named.map((event) => event.contactId)).not.toContain(null);
    }
  });

  test('is recorded per sub-account', async ({ service }) => {
    const record = (to: string) =>
      service.transact(to, service.actor, (work) => recordInvoice(work, INVOICE));
    expect(await record(service.subAccountId)).toMatchObject({ recorded: true });
    expect(await record(service.otherSubAccountId)).toMatchObject({ recorded: true });
    expect(await record(service.subAccountId)).toMatchObject({ recorded: false });
    expect(await service.eventNames()).toEqual(['invoice.paid']);
  });

  test('is audited once, with the invoicing system as actor', async ({ service }) => {
    await setUpInvoices(service);
    await reportPaid(service);
    await reportPaid(service);
    const rows = await service.database.rows(
      `select actor_kind, actor from audit_entries
       where sub_account_id = $1 and operation = 'invoices.paid'`,
      [service.subAccountId],
    );
    expect(rows).toEqual([{ actor_kind: 'provider', actor: 'http/invoices' }]);
  });
});

describe('the hook of invoices', () => {
  test('is 404 without a configured secret, and 401 for a wrong one', async ({ service }) => {
    expect((await reportPaid(service)).status).toBe(404);
    await setUpInvoices(service);
    expect((await reportPaid(service, {}, 'guessed')).status).toBe(401);
    const altered = { ...paid(), raw: JSON.stringify({ ...INVOICE, amount: 1 }) };
    const line = `POST /webhooks/provider/${service.subAccountId}/invoice/paid`;
    expect((await service.call(line, altered)).status).toBe(401);
    expect(await service.eventNames()).toEqual([]);
    expect(await invoicesOf(service)).toEqual([]);
  });

  test.for([
    [{ invoiceId: '' }, '/invoiceId'],
    [{ invoiceId: 42 }, '/invoiceId'],
    [{ invoiceId: 'x'.repeat(300) }, '/invoiceId'],
    [{ amount: '89.50' }, '/amount'],
    [{ amount: -1 }, '/amount'],
    [{ amount: 1e300 }, '/amount'],
    [{ currency: 'EURO' }, '/currency'],
    [{ currency: 'XYZ' }, '/currency'],
    [{ email: 'no-address' }, '/email'],
    [{ paidAt: 'yesterday' }, '/paidAt'],
    [{ note: 'x' }, '/note'],
  ] as const)('refuses %j', async ([wrong, path], { service }) => {
    await setUpInvoices(service);
    const { status, body } = await reportPaid(service, wrong);
    expect([status, body.error?.details?.issues[0]?.path]).toEqual([400, path]);
    expect(await service.eventNames()).toEqual([]);
    expect(await invoicesOf(service)).toEqual([]);
  });
});
