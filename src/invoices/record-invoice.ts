import { invalidField } from '#core/fault.ts';
import { FORMATS } from '#core/schema/formats.ts';
import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { lockContactByEmail } from '../contacts/find-by-email.ts';
import { invoicePaid } from './invoice.events.ts';
import type { Invoice, Recorded } from './invoice.schema.ts';
import { moveToKept } from '../contacts/merge/move-to-kept.ts';

/** Records that an invoice was paid, once per id. A repeated call changes and emits nothing. */
export async function recordInvoice(work: Work, invoice: Invoice): Promise<Recorded> {
  const { invoiceId, amount, email = null } = invoice;
  const currency = currencyOf(invoice);
  const paidAt = invoice.paidAt ? new Date(invoice.paidAt) : work.now;
  // A payment does not create a contact.
  const payer = email === null ? undefined : await lockContactByEmail(work, email, 'key share');
  const { contactId, tags } = payer ?? NO_CONTACT;
  const { subAccountId, now } = work;
  const id = newId(now);
  // The unique key waits for a concurrent insert of the same invoice.
  const [recorded] = await work.rows(RECORD, [
    subAccountId,
    id,
    invoiceId,
    amount,
    currency,
    email,
    contactId,
    paidAt,
    now,
  ]);
  if (!recorded) {
    return { invoiceId, recorded: false };
  }
  work.audit(id);
  const data = { invoiceId, amount, currency, paidAt: paidAt.toISOString() };
  await work.emit(invoicePaid, { contactId, tags, data });
  return { invoiceId, recorded: true };
}

const NO_CONTACT = { contactId: null, tags: [] } as const;

const RECORD = `insert into paid_invoices (sub_account_id, id, invoice_id, amount, currency, email,
    contact_id, paid_at, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (sub_account_id, invoice_id) do nothing returning id`;

/** Returns the currency in lower case (spec "Event catalog"). Throws for an unknown one. */
function currencyOf({ currency }: Invoice): string {
  const known = FORMATS['currency'];
  if (known && !known.test(currency.toUpperCase())) {
    throw invalidField('/currency', known.says);
  }
  return currency.toLowerCase();
}

/** Moves the paid invoices of a merged contact to the kept one. */
export const moveInvoicesOfContact = moveToKept({ table: 'paid_invoices', isDated: false });
