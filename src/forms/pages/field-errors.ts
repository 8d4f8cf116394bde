import { pointerToken } from '#core/schema/check.ts';
import type { Fault, Issue } from '#core/fault.ts';
import type { Form } from '../the-form.ts';
import { typedInto, type FilledForm } from './filled-form.ts';
import type { Messages } from './messages.en.ts';

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
