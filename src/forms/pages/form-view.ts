import { html, type Html } from '#lib/html.ts';
import { HONEYPOT } from '../read-fields.ts';
import type { Form } from '../form.store.ts';
import { type FieldErrors, typedInto, type FilledForm, inputName } from './filled-form.ts';
import type { Messages } from './messages.en.ts';
import type { FormField } from '../form-entry.ts';

interface FormView {
  readonly words: Messages;
  /** Names this page, so that sending it twice submits once. */
  readonly once: string;
  readonly filled?: FilledForm;
  readonly errors?: FieldErrors;
  /** What is wrong with the whole. */
  readonly alert?: string | undefined;
}

export function formView(form: Form, shown: FormView): Html {
  const { words, once, filled = {}, errors = new Map() } = shown;
  return html`${alertView(form, shown)}
    <form method="post" ${form.captcha && captchaTraits(form, words)}>
      <input type="hidden" name="once" value="${once}" />
      ${form.fields.map((field) =>
        fieldView(field, {
          words,
          typed: typedInto(filled, field.name),
          error: errors.get(field.name),
        }),
      )}
      ${honeypotView(words)} ${form.captcha && captchaView(words)}
      <button>${words.send}</button>
    </form>`;
}

function alertView({ fields }: Form, { words, errors = new Map(), alert }: FormView) {
  const wrong = fields.filter(({ name }) => errors.has(name));
  return (
    (alert !== undefined || wrong.length > 0) &&
    html`<div class="alert" role="alert" id="problem" tabindex="-1">
      <p>${alert ?? words.checkThese}</p>
      ${
        wrong.length > 0 &&
        html`<ul>
          ${wrong.map(
            ({ name, label }) =>
              html`<li><a href="#${idOf(name)}">${label}</a>: ${errors.get(name)}</li>`,
          )}
        </ul>`
      }
    </div>`
  );
}

/** Robots fill in whatever there is; people and their screen readers do not meet it. */
const honeypotView = (words: Messages): Html =>
  html`<div class="pot" aria-hidden="true">
    <label for="pot">${words.leaveEmpty}</label>
    <input id="pot" name="${HONEYPOT}" tabindex="-1" autocomplete="off" />
  </div>`;

const captchaTraits = ({ id }: Form, words: Messages): Html =>
  html`data-challenge="../api/forms/captcha?formId=${id}" data-checking="${words.checking}"
  data-uncheckable="${words.uncheckable}" data-insecure="${words.insecure}"`;

/** That it needs a script stands there until the script takes it away. */
const captchaView = (words: Messages): Html =>
  html`<input type="hidden" name="captchaToken" value="" />
    <p class="checking" role="status"></p>
    <p class="wrong unscripted">${words.noScript}</p>`;

interface FieldView {
  readonly words: Messages;
  /** What was typed already. */
  readonly typed: string;
  readonly error: string | undefined;
}

/** A field with its label, and with what is wrong with it; kept as it was typed. */
function fieldView(field: FormField, { words, typed, error }: FieldView): Html {
  const { name, label, type, required } = field;
  const id = idOf(name);
  const hint = type === 'phone' ? words.phoneHint : undefined;
  const described = [hint && `${id}-hint`, error && `${id}-wrong`].filter(Boolean).join(' ');
  const completed = field.mapsTo === null ? undefined : AUTOCOMPLETE[field.mapsTo];
  const traits = html`id="${id}" name="${inputName(name)}" ${required && 'required'}
  ${completed && html`autocomplete="${completed}"`} ${error && html`aria-invalid="true"`}
  ${described && html`aria-describedby="${described}"`}`;
  const labelView = html`<label for="${id}"
    >${label}${
      !required && type !== 'checkbox' && html` <span class="optional">(${words.optional})</span>`
    }</label
  >`;
  return html`<div class="field ${type}">
    ${type !== 'checkbox' && labelView} ${controlOf(field, traits, { words, typed })}
    ${type === 'checkbox' && labelView} ${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${error && html`<p class="wrong" id="${id}-wrong">${error}</p>`}
  </div>`;
}

const idOf = (name: string): string => `field-${name}`;

function controlOf(
  { type, options }: FormField,
  traits: Html,
  { words, typed }: Pick<FieldView, 'words' | 'typed'>,
): Html {
  switch (type) {
    case 'textarea':
      // The first line break in one is the markup's own.
      return html`<textarea rows="5" maxlength="10000" ${traits}>${'\n'}${typed}</textarea>`;
    case 'checkbox':
      return html`<input type="checkbox" value="true" ${typed !== '' && 'checked'} ${traits} />`;
    case 'select':
      return html`<select ${traits}>
        <option value="">${words.choose}</option>
        ${options?.map(
          (option) =>
            html`<option value="${option}" ${option === typed && 'selected'}>${option}</option>`,
        )}
      </select>`;
    case 'text':
    case 'email':
    case 'phone':
    case 'number':
    case 'date':
    case 'url':
      return html`<input
        type="${INPUT[type] ?? type}"
        value="${typed}"
        maxlength="1000"
        ${type === 'number' && html`step="any"`}
        ${traits}
      />`;
  }
}

/** What HTML calls otherwise. */
const INPUT: Readonly<Record<string, string>> = { phone: 'tel' };

/** What browsers know of a person, by the field of the contact. */
const AUTOCOMPLETE: Readonly<Record<string, string>> = {
  firstName: 'given-name',
  lastName: 'family-name',
  email: 'email',
  phone: 'tel',
  company: 'organization',
  title: 'organization-title',
  addressLine1: 'address-line1',
  city: 'address-level2',
  state: 'address-level1',
  postalCode: 'postal-code',
  country: 'country-name',
  dateOfBirth: 'bday',
};
