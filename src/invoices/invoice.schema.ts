import { pattern } from '#core/schema/describe-error.ts';
import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';

const AMOUNT_MAX = 1e12;

export const invoiceBody = s.request({
  invoiceId: s.shortText({
    description: 'id in the invoicing system; each invoice is recorded once',
    examples: ['INV-2026-0042'],
  }),
  amount: Type.Number({
    minimum: 0,
    maximum: AMOUNT_MAX,
    description: "in the currency's main unit, for example euros",
    examples: [89.5],
  }),
  currency: Type.String({
    ...pattern('^[A-Za-z]{3}$', 'must be an ISO 4217 currency code, for example EUR'),
    description: 'ISO 4217, in upper or lower case',
    examples: ['EUR'],
  }),
  email: Type.Optional(s.nullable(s.email({ description: 'email of the contact who paid' }))),
  paidAt: Type.Optional(s.nullable(s.isoTime({ description: 'default: now' }))),
});
export type Invoice = Static<typeof invoiceBody>;

export const recordedSchema = s.response({
  invoiceId: Type.String(),
  recorded: Type.Boolean({ description: 'false if the invoice was recorded before' }),
});
export type Recorded = Static<typeof recordedSchema>;
