import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';

const text = s.nullable(Type.String());

/** An entry of the price list (spec "Service type"). */
export const serviceTypeSchema = s.response({
  id: s.uuid(),
  name: Type.String(),
  description: text,
  category: text,
  folder: text,
  price: Type.Number(),
  currency: Type.String(),
  hasVariablePricing: Type.Boolean({
    description: 'true if the price depends on quantity or options; quote it as a starting price',
  }),
});
