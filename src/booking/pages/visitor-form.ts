import type { Static } from 'typebox';
import { check, issuesOf } from '#core/schema/check.ts';
import type { Fault, Issue } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import { Type } from '#core/schema/type.ts';
import { appointmentCreate } from '../appointments/appointment.schema.ts';
import type { Messages } from './messages/en.ts';

const field = Type.Optional(Type.String());
/** Written into the address that the page redirects to. */
const choice = Type.Optional(Type.String({ maxLength: 100 }));

/** What the form sends; whether it makes sense is said in the form. */
export const visitorForm = s.request({
  start: choice,
  tz: choice,
  once: choice,
  firstName: field,
  lastName: field,
  email: field,
  phone: field,
  notes: field,
});
export type VisitorForm = Static<typeof visitorForm>;

const { firstName, lastName, email, phone, notes } = appointmentCreate.properties;
const visitor = s.request({ firstName, lastName, email, phone, notes });
export type Visitor = Static<typeof visitor>;

/** Who books, as people type it: blanks around it, a phone number with dashes. */
export function visitorOf(form: VisitorForm): Visitor {
  const text = (value = '') => value.trim();
  return {
    firstName: text(form.firstName),
    lastName: text(form.lastName),
    email: text(form.email),
    phone: dialled(text(form.phone)) || null,
    notes: text(form.notes).replaceAll('\r\n', '\n') || null,
  };
}

/** The same where it can be booked with; a refusal names the fields. */
export const checkedVisitor = (form: VisitorForm): Visitor =>
  check(visitor, visitorOf(form), 'body');

const dialled = (phone: string): string => phone.replace(/[\s()./-]/g, '').replace(/^00/, '+');

/** What a person has to change, by field. */
export type FieldErrors = ReadonlyMap<keyof Visitor, string>;

export function fieldErrorsAbout(given: Visitor, words: Messages): FieldErrors {
  return fieldErrorsOf(issuesOf(visitor, given), given, words);
}

/** The same where a refusal names the fields. */
export const fieldErrorsIn = ({ details }: Fault, given: Visitor, words: Messages): FieldErrors =>
  fieldErrorsOf(issuesIn(details), given, words);

const issuesIn = (details: { readonly issues?: readonly Issue[] } = {}): readonly Issue[] =>
  details.issues ?? [];

function fieldErrorsOf(
  issues: readonly { readonly path: string }[],
  given: Visitor,
  words: Messages,
): FieldErrors {
  const names = issues.map(({ path }) => path.slice(1)).filter((name) => name in given);
  return new Map(
    (names as (keyof Visitor)[]).map((name) => {
      const text = given[name] ?? '';
      return [name, text === '' ? words.missing : (WRONG[name]?.(words) ?? words.tooLong)];
    }),
  );
}

const WRONG: { readonly [name in keyof Visitor]?: (words: Messages) => string } = {
  email: (words) => words.badEmail,
  phone: (words) => words.badPhone,
};
