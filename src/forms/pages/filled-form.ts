import type { Fault, Issue } from '#core/fault.ts';
import { pointerToken } from '#core/schema/check.ts';
import type { Form } from '../form.store.ts';
import type { Messages } from './messages.en.ts';
import { Type, type Static } from 'typebox';

const PREFIX = 'fields.';
const TEXT_MAX = 20_000;

/** The body that a browser sends; the form's own fields are called `fields.NAME`. */
export const filledForm = Type.Object(
  {
    once: Type.Optional(Type.String()),
    website: Type.Optional(Type.String()),
    captchaToken: Type.Optional(Type.String()),
  },
  { additionalProperties: Type.String({ maxLength: TEXT_MAX }) },
);
export type FilledForm = Static<typeof filledForm>;

/** Returns the name of a field's input. */
export const inputName = (field: string): string => PREFIX + field;

/** Returns the text that was typed into a field. */
export function typedInto(form: FilledForm, field: string): string {
  const text: unknown = Object.hasOwn(form, inputName(field))
    ? Reflect.get(form, inputName(field))
    : '';
  return typeof text === 'string' ? text : '';
}

/** Error messages by field name. */
export type FieldErrors = ReadonlyMap<string, string>;

/** Returns the messages of a fault for each field, in the page's language. */
export function fieldErrorsIn(
  { details }: Fault,
  { fields }: Form,
  filled: FilledForm,
  messages: Messages,
): FieldErrors {
  const { issues = [] } = (details ?? {}) as { issues?: readonly Issue[] };
  const paths = new Set(issues.map(({ path }) => path));
  return new Map(
    fields
      .filter(({ name }) => paths.has(`/fields/${pointerToken(name)}`))
      .map((field) => {
        const isBlank = typedInto(filled, field.name).trim() === '';
        return [field.name, isBlank ? blank(field.type, messages) : wrong(field.type, messages)];
      }),
  );
}

const blank = (type: string, messages: Messages): string =>
  type === 'checkbox' ? messages.unticked : messages.missing;

const wrong = (type: string, { wrong }: Messages): string =>
  Object.hasOwn(wrong, type) ? wrong[type as keyof Messages['wrong']] : wrong.other;
