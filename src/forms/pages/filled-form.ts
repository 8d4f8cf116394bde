import type { Static } from 'typebox';
import { Type } from '#core/schema/type.ts';

const PREFIX = 'fields.';
const TEXT_MAX = 20_000;

/** What a browser sends of the form: what it asks goes by `fields.NAME`. */
export const filledForm = Type.Object(
  {
    once: Type.Optional(Type.String()),
    website: Type.Optional(Type.String()),
    captchaToken: Type.Optional(Type.String()),
  },
  { additionalProperties: Type.String({ maxLength: TEXT_MAX }) },
);
export type FilledForm = Static<typeof filledForm>;

/** How a field is called in the page. */
export const inputName = (field: string): string => PREFIX + field;

/** What was typed into a field. */
export function typedInto(form: FilledForm, field: string): string {
  const text: unknown = Object.hasOwn(form, inputName(field))
    ? Reflect.get(form, inputName(field))
    : '';
  return typeof text === 'string' ? text : '';
}
