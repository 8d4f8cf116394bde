import { Type } from 'typebox';
import { webhookEvent } from '#core/event.ts';
import * as s from '#core/schema/schema.ts';

/** Frontdesk has no invoice resource: the id comes from the invoicing system. */
export const invoicePaid = webhookEvent({
  name: 'invoice.paid',
  summary: 'an invoice was paid',
  data: Type.Object({
    invoiceId: Type.String({
      description: 'id in the invoicing system',
      examples: ['INV-2026-0042'],
    }),
    amount: Type.Number({
      description: "in the currency's main unit, for example euros",
      examples: [89.5],
    }),
    currency: Type.String({
      pattern: '^[a-z]{3}$',
      description: 'ISO 4217, in lower case',
      examples: ['eur'],
    }),
    paidAt: s.isoTime(),
  }),
});
