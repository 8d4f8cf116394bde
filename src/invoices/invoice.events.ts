import { Type } from 'typebox';
import { webhookEvent } from '#core/event.ts';
import * as s from '#core/schema/schema.ts';

/** There is no invoice resource: the id is the invoicing program's. */
export const invoicePaid = webhookEvent({
  name: 'invoice.paid',
  summary: "an invoice's payment was received",
  data: Type.Object({
    invoiceId: Type.String({
      description: 'as the invoicing program calls it',
      examples: ['INV-2026-0042'],
    }),
    amount: Type.Number({ description: "in the currency's main unit", examples: [89.5] }),
    currency: Type.String({
      pattern: '^[a-z]{3}$',
      description: 'ISO 4217 in lower case',
      examples: ['eur'],
    }),
    paidAt: s.isoTime(),
  }),
});
