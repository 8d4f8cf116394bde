import type { Static } from 'typebox';
import { Type } from '#core/schema/type.ts';
import { pointerToken } from '#core/schema/check.ts';
import type { Fault, Issue } from '#core/fault.ts';
import type { Form } from '../form.store.ts';
import type { Messages } from './messages.en.ts';

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

/** What a person has to change, by field. */
export type FieldErrors = ReadonlyMap<string, string>;

/** In the page's language, what a refusal says of the fields. */
export function fieldErrorsIn(
  { details }: Fault,
  { fields }: Form,
  filled: FilledForm,
  words: Messages,
): FieldErrors {
  const { issues = [] } = (details ?? {}) as { issues?: readonly Issue[] };
  const paths = new Set(issues.map(({ path }) => path));
  return new Map(
    fields
      .filter(({ name }) => paths.has(`/fields/${pointerToken(name)}`))
      .map((field) => {
        const isBlank = typedInto(filled, field.name).trim() === '';
        return [field.name, isBlank ? blank(field.type, words) : wrong(field.type, words)];
      }),
  );
}

const blank = (type: string, words: Messages): string =>
  type === 'checkbox' ? words.unticked : words.missing;

const wrong = (type: string, { wrong }: Messages): string =>
  Object.hasOwn(wrong, type) ? wrong[type as keyof Messages['wrong']] : wrong.other;
