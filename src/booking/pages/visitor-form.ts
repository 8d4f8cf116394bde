import { Type, type Static } from 'typebox';
import type { Fault, Issue } from '#core/fault.ts';
import { check, issuesOf } from '#core/schema/check.ts';
import * as s from '#core/schema/schema.ts';
import { html, type Html } from '#lib/html.ts';
import { errorSummary } from '#lib/page-parts.ts';
import { appointmentCreate } from '../appointments/appointment.schema.ts';
import type { PickedTime } from './find-picks.ts';
import { formatTime } from './format-time.ts';
import type { BookingLanguage } from './layout.ts';
import type { Messages } from './messages/en.ts';

interface FormView {
  readonly language: BookingLanguage;
  /** The address the form is sent to. */
  readonly path: string;
  readonly zone: string;
  /** Epoch milliseconds; undefined if the chosen time is taken by now. */
  readonly start: number | undefined;
  /** Identifies this form, so that sending it twice books once. */
  readonly once: string;
  readonly form?: VisitorForm;
  readonly errors?: FieldErrors;
  /** The reason why it could not be booked. */
  readonly alert?: string;
  /** Other free times of the day if the chosen time is taken. */
  readonly others?: readonly PickedTime[];
}

interface Field {
  readonly name: keyof Visitor;
  readonly label: string;
  readonly type?: string;
  readonly autocomplete?: string;
  readonly hint?: string;
  readonly isOptional?: true;
  readonly max: number;
}

/** Returns the form for the customer's details; refused values stay as they were typed. */
export function formView(view: FormView): Html {
  const { language, path, zone, start, once, errors = new Map(), alert, others = [] } = view;
  const { messages } = language;
  const fields = fieldsIn(language);
  return html`<section class="details" aria-labelledby="details">
    <h2 id="details" tabindex="-1">${messages.yourDetails}</h2>
    ${
      (alert ?? errors.size > 0) &&
      errorSummary(
        alert ?? messages.checkThese,
        fields
          .filter(({ name }) => errors.has(name))
          .map(({ name, label }) => ({ id: name, label, error: errors.get(name) })),
      )
    }
    <form method="post" action="${path}" data-once>
      <input type="hidden" name="tz" value="${zone}" />
      <input type="hidden" name="once" value="${once}" />
      ${
        start === undefined
          ? otherTimes(others, language, zone)
          : html`<input type="hidden" name="start" value="${start}" />`
      }
      <div class="fields">${fields.map((field) => fieldView(field, view))}</div>
      <button class="primary" data-busy="${messages.wait}">${messages.confirm}</button>
    </form>
  </section>`;
}

function fieldsIn({ messages }: BookingLanguage): readonly Field[] {
  return [
    { name: 'firstName', label: messages.firstName, autocomplete: 'given-name', max: 200 },
    { name: 'lastName', label: messages.lastName, autocomplete: 'family-name', max: 200 },
    { name: 'email', label: messages.email, type: 'email', autocomplete: 'email', max: 254 },
    {
      name: 'phone',
      label: messages.phone,
      type: 'tel',
      autocomplete: 'tel',
      hint: messages.phoneHint,
      isOptional: true,
      max: 40,
    },
    { name: 'notes', label: messages.notes, isOptional: true, max: 5_000 },
  ];
}

function fieldView(field: Field, { language: { messages }, form, errors }: FormView): Html {
  const { name, label, type = 'text', autocomplete, hint, isOptional, max } = field;
  const value = form?.[name] ?? '';
  const wrong = errors?.get(name);
  const described = [hint && `${name}-hint`, wrong && `${name}-wrong`].filter(Boolean).join(' ');
  const traits = html`id="${name}" name="${name}" maxlength="${max}" ${!isOptional && 'required'}
  ${autocomplete && html`autocomplete="${autocomplete}"`} ${wrong && html`aria-invalid="true"`}
  ${described && html`aria-describedby="${described}"`}`;
  return html`<div class="field ${name}">
    <label for="${name}"
      >${label}${isOptional && html` <span class="optional">(${messages.optional})</span>`}</label
    >
    ${
      name === 'notes'
        ? html`<textarea rows="3" ${traits}>${value}</textarea>`
        : html`<input type="${type}" value="${value}" ${traits} />`
    }
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${wrong && html`<p class="wrong" id="${name}-wrong">${wrong}</p>`}
  </div>`;
}

function otherTimes(
  others: readonly PickedTime[],
  { locale, messages }: BookingLanguage,
  zone: string,
): Html | false {
  const [first] = others;
  return (
    first !== undefined &&
    html`<fieldset class="others">
      <legend>
        ${messages.timesOn(formatTime('shortDay', first.startTime, { locale, zone }))}
      </legend>
      <div class="slots">
        ${others.map(
          ({ startTime }) =>
            html`<label class="slot"
              ><input type="radio" name="start" value="${startTime}" required />
              ${formatTime('time', startTime, { locale, zone })}</label
            >`,
        )}
      </div>
    </fieldset>`
  );
}

const field = Type.Optional(Type.String());
/** Part of the address that the page redirects to. */
const choice = Type.Optional(Type.String({ maxLength: 100 }));

/** The fields that the form sends. Values are checked later, so that the form can show the errors. */
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
