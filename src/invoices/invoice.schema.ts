import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';

const AMOUNT_MAX = 1e12;

export const invoiceBody = s.request({
  invoiceId: s.shortText({
    description: 'as the invoicing program calls it; each is recorded once',
    examples: ['INV-2026-0042'],
  }),
  amount: Type.Number({
    minimum: 0,
    maximum: AMOUNT_MAX,
    description: "in the currency's main unit",
    examples: [89.5],
  }),
  currency: Type.String({
    pattern: '^[A-Za-z]{3}$',
    description: 'ISO 4217, in either case',
    examples: ['EUR'],
  }),
  email: Type.Optional(s.nullable(s.email({ description: 'of the contact who paid' }))),
  paidAt: Type.Optional(s.nullable(s.isoTime({ description: 'now, unless given' }))),
});
export type Invoice = Static<typeof invoiceBody>;

export const recordedSchema = s.response({
  invoiceId: Type.String(),
  recorded: Type.Boolean({ description: 'false where the invoice was recorded before' }),
});
export type Recorded = Static<typeof recordedSchema>;
