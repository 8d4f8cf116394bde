import { Type, type Static } from 'typebox';
import type { Fault, Issue } from '#core/fault.ts';
import { check, issuesOf } from '#core/schema/check.ts';
import * as s from '#core/schema/schema.ts';
import { html, type Html } from '#lib/html.ts';
import { asCountry, countriesIn, countryOf, toE164, type Country } from '#lib/phone.ts';
import { errorSummary } from '#lib/page-parts.ts';
import { appointmentCreate, visitorNames, WEBSITE } from '../appointments/appointment.schema.ts';
import type { Alternative } from '../availability/alternatives.ts';
import type { Host } from '../public/public-offers.ts';
import type { PickedTime } from './find-picks.ts';
import { formatTime } from './format-time.ts';
import type { BookingLanguage } from './layout.ts';
import type { Messages } from './messages/en.ts';
import { nextTimeText } from './next-times.ts';

interface FormView {
  readonly language: BookingLanguage;
  readonly host: Host;
  /** The visitor's choice of 12 or 24 hours. */
  readonly clock?: string | undefined;
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
  /** The next free times if the chosen time is taken. */
  readonly next?: readonly Alternative[];
}

interface Field {
  readonly name: keyof Visitor;
  readonly label: string;
  readonly type?: string;
  readonly autocomplete?: string;
  readonly isOptional?: true;
  readonly max: number;
}

/** Returns the form for the customer's details; refused values stay as they were typed. */
export function formView(view: FormView): Html {
  const { language, path, zone, clock, start, once } = view;
  const { messages } = language;
  const fields = fieldsIn(language);
  return html`<section class="details" aria-labelledby="details">
    <h2 id="details" tabindex="-1">${messages.yourDetails}</h2>
    ${problemsOf(view, fields)}
    <form method="post" action="${path}" data-once>
      <input type="hidden" name="tz" value="${zone}" />
      ${clock !== undefined && html`<input type="hidden" name="clock" value="${clock}" />`}
      <input type="hidden" name="once" value="${once}" />
      ${
        start === undefined
          ? otherTimes(view)
          : html`<input type="hidden" name="start" value="${start}" />`
      }
      <div class="fields">${fields.map((field) => fieldView(field, view))}</div>
      <button class="primary" data-busy="${messages.wait}">${messages.confirm}</button>
    </form>
  </section>`;
}

interface JoinForm extends Pick<
  FormView,
  'language' | 'host' | 'path' | 'zone' | 'form' | 'errors' | 'alert'
> {
  readonly title: string;
  readonly hidden: Readonly<Record<string, string>>;
}

/** Returns the form of the waiting list: the same details as a booking's, without a time. */
export function joinForm(view: JoinForm): Html {
  const { language, path, title, hidden } = view;
  const { messages } = language;
  const fields = fieldsIn(language).filter(({ name }) => name !== 'notes');
  return html`<section class="details" aria-labelledby="details">
    <h2 id="details" tabindex="-1">${title}</h2>
    <p class="hint">${messages.joinLead}</p>
    ${problemsOf(view, fields)}
    <form method="post" action="${path}" data-once>
      ${Object.entries(hidden).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      <div class="fields">${fields.map((field) => fieldView(field, view))}</div>
      <button class="primary" data-busy="${messages.wait}">${messages.joinWaiting}</button>
    </form>
  </section>`;
}

/** Returns the summary of what is wrong, above the fields; false if nothing is. */
const problemsOf = (
  {
    language: { messages },
    errors = new Map(),
    alert,
  }: Pick<FormView, 'language' | 'errors' | 'alert'>,
  fields: readonly Field[],
): Html | false =>
  (alert !== undefined || errors.size > 0) &&
  errorSummary(
    alert ?? messages.checkThese,
    fields
      .filter(({ name }) => errors.has(name))
      .map(({ name, label }) => ({ id: name, label, error: errors.get(name) })),
  );

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
      isOptional: true,
      max: 40,
    },
    { name: 'notes', label: messages.notes, isOptional: true, max: 5_000 },
  ];
}

function fieldView(
  field: Field,
  view: Pick<FormView, 'language' | 'host' | 'zone' | 'form' | 'errors'>,
): Html {
  const { messages } = view.language;
  const { form, errors } = view;
  const { name, label, type = 'text', autocomplete, isOptional, max } = field;
  const value = form?.[name] ?? '';
  const wrong = errors?.get(name);
  const traits = html`id="${name}" name="${name}" maxlength="${max}" ${!isOptional && 'required'}
  ${autocomplete && html`autocomplete="${autocomplete}"`} ${wrong && html`aria-invalid="true"`}
  ${wrong && html`aria-describedby="${name}-wrong"`}`;
  const input = html`<input type="${type}" value="${value}" ${traits} />`;
  return html`<div class="field ${name}">
    <label for="${name}"
      >${label}${isOptional && html` <span class="optional">(${messages.optional})</span>`}</label
    >
    ${
      name === 'notes'
        ? html`<textarea rows="3" ${traits}>${value}</textarea>`
        : name === 'phone'
          ? html`<span class="phone-field">${countryPicker(view)} ${input}</span>`
          : input
    }
    ${wrong && html`<p class="wrong" id="${name}-wrong">${wrong}</p>`}
  </div>`;
}

/**
 * Returns the choice of the country that a number without a calling code belongs to. A business in UTC has
 * none: the visitor's zone decides, unless its locale names a country.
 */
function countryPicker({
  language: { messages, locale },
  host,
  zone,
  form,
}: Pick<FormView, 'language' | 'host' | 'zone' | 'form'>): Html {
  const chosen = asCountry(form?.country) ?? countryOf(host.timezone, host.locale, zone);
  return html`<label class="unseen" for="country">${messages.country}</label>
    <select id="country" name="country" autocomplete="tel-country-code">
      ${countriesIn(locale).map(
        ({ code, label }) =>
          html`<option value="${code}" ${code === chosen && 'selected'}>${label}</option>`,
      )}
    </select>`;
}

/** Returns the country whose national numbers a business reads. */
export const hostCountry = ({ timezone, locale }: Host): Country => countryOf(timezone, locale);

/** Returns the times to choose from if the chosen one is taken: the next free ones, then the others of the day. */
function otherTimes({ language, zone, others = [], next = [] }: FormView): Html {
  const { locale, messages } = language;
  const isNext = new Set(next.map(({ startTime }) => startTime));
  const rest = others.filter(({ startTime }) => !isNext.has(startTime));
  const day = (time: number) => messages.timesOn(formatTime('shortDay', time, { locale, zone }));
  return html`${timeChoices(messages.nextTimes, next, (time) => nextTimeText(time, language, zone))}
  ${rest[0] && timeChoices(day(rest[0].startTime), rest, (time) => formatTime('time', time, { locale, zone }))}`;
}

const timeChoices = (
  legend: string,
  times: readonly Alternative[],
  label: (startTime: number) => string,
): Html | false =>
  times.length > 0 &&
  html`<fieldset class="others">
    <legend>${legend}</legend>
    <div class="slots">
      ${times.map(
        ({ startTime }) =>
          html`<label class="slot"
            ><input type="radio" name="start" value="${startTime}" required />
            ${label(startTime)}</label
          >`,
      )}
    </div>
  </fieldset>`;

const field = Type.Optional(Type.String());
/** Part of the address that the page redirects to. */
const choice = Type.Optional(Type.String({ maxLength: 100 }));

/** The fields that the form sends. Values are checked later, so that the form can show the errors. */
export const visitorForm = s.request({
  start: choice,
  tz: choice,
  clock: choice,
  country: choice,
  once: choice,
  firstName: field,
  lastName: field,
  email: field,
  phone: field,
  notes: field,
});
export type VisitorForm = Static<typeof visitorForm>;

const { email, phone, notes } = appointmentCreate.properties;
const visitor = s.request({ ...visitorNames, email, phone, notes });
export type Visitor = Static<typeof visitor>;

/** Returns the customer's details without surrounding blanks, and the phone number in E.164. */
export function visitorOf(form: VisitorForm, host: Country): Visitor {
  const text = (value = '') => value.trim();
  return {
    firstName: text(form.firstName),
    lastName: text(form.lastName),
    email: text(form.email),
    phone: toE164(text(form.phone), asCountry(form.country) ?? host) ?? (text(form.phone) || null),
    notes: text(form.notes).replaceAll('\r\n', '\n') || null,
  };
}

/** Returns the details, valid for a booking. Throws VALIDATION_ERROR that names the wrong fields. */
export const checkedVisitor = (form: VisitorForm, host: Country): Visitor =>
  check(visitor, visitorOf(form, host), 'body');

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
      return [
        name,
        text === '' ? messages.missing : (WRONG[name]?.(messages, text) ?? messages.tooLong),
      ];
    }),
  );
}

/** The error of a text that is not missing; undefined if it is too long. */
type ErrorOf = (messages: Messages, text: string) => string | undefined;

const nameError: ErrorOf = (messages, name) =>
  new RegExp(WEBSITE).test(name) ? messages.nameWithWebsite : undefined;

const WRONG: { readonly [name in keyof Visitor]?: ErrorOf } = {
  firstName: nameError,
  lastName: nameError,
  email: (messages) => messages.badEmail,
  phone: (messages) => messages.badPhone,
};
