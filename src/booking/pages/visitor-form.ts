import { Type, type Static } from 'typebox';
import { check, issuesOf } from '#core/schema/check.ts';
import type { Fault, Issue } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import { appointmentCreate } from '../appointments/appointment.schema.ts';
import type { Messages } from './messages/en.ts';

const field = Type.Optional(Type.String());
/** Part of the address that the page redirects to. */
const choice = Type.Optional(Type.String({ maxLength: 100 }));

/** What the form sends. Values are checked later, so that the form itself can show what is wrong. */
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

/** Returns the customer's details without surrounding blanks and without separators in the phone number. */
export function visitorOf(form: VisitorForm): Visitor {
  const text = (value = '') => value.trim();
  return {
    firstName: text(form.firstName),
    lastName: text(form.lastName),
    email: text(form.email),
    phone: dialable(text(form.phone)) || null,
    notes: text(form.notes).replaceAll('\r\n', '\n') || null,
  };
}

/** Returns the details, valid for a booking. Throws VALIDATION_ERROR that names the wrong fields. */
export const checkedVisitor = (form: VisitorForm): Visitor =>
  check(visitor, visitorOf(form), 'body');

const dialable = (phone: string): string => phone.replace(/[\s()./-]/g, '').replace(/^00/, '+');

/** What the visitor has to correct, by field. */
export type FieldErrors = ReadonlyMap<keyof Visitor, string>;

/** Returns the errors of the details, in the page's language. */
export const fieldErrorsOf = (details: Visitor, messages: Messages): FieldErrors =>
  errorsByField(issuesOf(visitor, details), details, messages);

/** Returns the errors that a refusal reports for the fields. */
export const fieldErrorsIn = (fault: Fault, details: Visitor, messages: Messages): FieldErrors =>
  errorsByField(issuesIn(fault.details), details, messages);

const issuesIn = (details: { readonly issues?: readonly Issue[] } = {}): readonly Issue[] =>
  details.issues ?? [];

function errorsByField(
  issues: readonly { readonly path: string }[],
  details: Visitor,
  messages: Messages,
): FieldErrors {
  const names = issues.map(({ path }) => path.slice(1)).filter((name) => name in details);
  return new Map(
    (names as (keyof Visitor)[]).map((name) => {
      const text = details[name] ?? '';
      return [name, text === '' ? messages.missing : (WRONG[name]?.(messages) ?? messages.tooLong)];
    }),
  );
}

const WRONG: { readonly [name in keyof Visitor]?: (messages: Messages) => string } = {
  email: (messages) => messages.badEmail,
  phone: (messages) => messages.badPhone,
};
