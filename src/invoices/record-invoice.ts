import { FORMATS } from '#kit/formats.ts';
import { invalidField } from '#kit/fault.ts';
import { newId } from '#kit/id.ts';
import type { Work } from '#kit/work.ts';
import { normalised } from '../contacts/addresses.ts';
import { invoicePaid } from './invoice.events.ts';
import type { Invoice, Recorded } from './invoice.shape.ts';

/** Records that an invoice was paid, once for each id; what is told again changes and fires nothing. */
export async function recordInvoice(work: Work, invoice: Invoice): Promise<Recorded> {
  const { invoiceId, amount, email = null } = invoice;
  const currency = currencyOf(invoice);
  const paidAt = invoice.paidAt ? new Date(invoice.paidAt) : work.now;
  const { contactId, tags } = await payerOf(work, email);
  const { subAccountId, now } = work;
  const id = newId(now);
  // Whoever tells of the same one at the same time is waited for.
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
  work.touch(id);
  const data = { invoiceId, amount, currency, paidAt: paidAt.toISOString() };
  await work.emit(invoicePaid, { contactId, tags, data });
  return { invoiceId, recorded: true };
}

const RECORD = `insert into paid_invoices (sub_account_id, id, invoice_id, amount, currency, email,
    contact_id, paid_at, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (sub_account_id, invoice_id) do nothing returning id`;

/** In lower case, as the event has it (spec "Event catalog"). */
function currencyOf({ currency }: Invoice): string {
  const known = FORMATS['currency'];
  if (known && !known.test(currency.toUpperCase())) {
    throw invalidField('/currency', known.says);
  }
  return currency.toLowerCase();
}

interface Payer {
  readonly contactId: string | null;
  readonly tags: readonly string[];
}

/** The contact who has the email; nobody is made a contact for having paid. */
async function payerOf(work: Work, email: string | null): Promise<Payer> {
  const [found] =
    email === null ? [] : await work.rows<Payer>(BY_EMAIL, [work.subAccountId, normalised(email)]);
  return found ?? { contactId: null, tags: [] };
}

const BY_EMAIL = `select c.id as "contactId", c.tags
  from contact_emails e
  join contacts c on c.sub_account_id = e.sub_account_id and c.id = e.contact_id
  where e.sub_account_id = $1 and e.email = $2 and c.deleted_at is null
  for key share of c`;
