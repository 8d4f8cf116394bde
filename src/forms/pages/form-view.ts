import { Type, type Static } from 'typebox';
import { type Fault, type Issue, pointerToken } from '#core/fault.ts';
import { isBlank } from '#core/schema/formats.ts';
import { html, type Html } from '#lib/html.ts';
import { errorSummary } from '#lib/page-parts.ts';
import type { FormField } from '../form-entry.ts';
import type { Form } from '../form.store.ts';
import { HONEYPOT } from '../read-fields.ts';
import { fileView, hintId, type UploadedFile } from './file-view.ts';
import type { Messages } from './messages/en.ts';

interface FormView {
  readonly messages: Messages;
  /** Id of the submission: sending the page twice submits once. */
  readonly once: string;
  readonly filled?: FilledForm;
  readonly errors?: FieldErrors;
  /** The largest file that the server stores. */
  readonly filesMaxBytes: number;
  /** Files that were sent before, by their fields. */
  readonly uploaded?: UploadedFiles;
  /** A message about the form as a whole. */
  readonly alert?: string | undefined;
}

type UploadedFiles = ReadonlyMap<string, UploadedFile>;

/** Returns the form with the typed values and their errors. */
export function formView(form: Form, view: FormView): Html {
  const { messages, once, filled = {}, errors = new Map(), uploaded = new Map() } = view;
  return html`${alertView(form, view)}
    <form
      method="post"
      ${form.fields.some(({ type }) => type === 'file') && html`enctype="multipart/form-data"`}
      data-step="${messages.step}"
      data-next="${messages.next}"
      data-previous="${messages.previous}"
      data-missing="${messages.missing}"
      data-unticked="${messages.unticked}"
      ${form.captcha && captchaTraits(form, messages)}
    >
      <input type="hidden" name="once" value="${once}" />
      ${stepsOf(form.fields).map(({ title, fields }) =>
        stepView(
          title,
          fields.map((field) =>
            fieldView(field, {
              messages,
              condition: conditionText(field, form.fields),
              typed: typedInto(filled, field.name),
              error: errors.get(field.name),
              uploaded: uploaded.get(field.name),
              filesMaxBytes: view.filesMaxBytes,
            }),
          ),
        ),
      )}
      ${honeypotView(messages)} ${form.captcha && captchaView(messages)}
      <button class="primary">${messages.send}</button>
    </form>`;
}

interface Step {
  readonly title: string | null;
  readonly fields: readonly FormField[];
}

/** Returns the steps of a form; without headings, it is a single one. */
function stepsOf(fields: readonly FormField[]): readonly Step[] {
  const starts = fields.flatMap(({ step }, at) => (at === 0 || step ? [at] : []));
  return starts.map((start, at) => ({
    title: fields[start]?.step ?? null,
    fields: fields.slice(start, starts[at + 1]),
  }));
}

/** Without a script, the steps are parts of one page. */
const stepView = (title: string | null, fields: readonly Html[]): Html =>
  title === null
    ? html`<div class="step">${fields}</div>`
    : html`<fieldset class="step">
        <legend>${title}</legend>
        ${fields}
      </fieldset>`;

function alertView({ fields }: Form, { messages, errors = new Map(), alert }: FormView) {
  const wrong = fields.filter(({ name }) => errors.has(name));
  return (
    (alert !== undefined || wrong.length > 0) &&
    errorSummary(
      alert ?? messages.checkThese,
      wrong.map(({ name, label }) => ({ id: idOf(name), label, error: errors.get(name) })),
    )
  );
}

/** Hidden from people and screen readers; robots fill it in. */
const honeypotView = (messages: Messages): Html =>
  html`<div class="pot" aria-hidden="true">
    <label for="pot">${messages.leaveEmpty}</label>
    <input id="pot" name="${HONEYPOT}" tabindex="-1" autocomplete="off" />
  </div>`;

const captchaTraits = ({ id }: Form, messages: Messages): Html =>
  html`data-challenge="../api/forms/captcha?formId=${id}" data-checking="${messages.checking}"
  data-uncheckable="${messages.uncheckable}" data-insecure="${messages.insecure}"`;

/** The script removes the notice that JavaScript is required. */
const captchaView = (messages: Messages): Html =>
  html`<input type="hidden" name="captchaToken" value="" />
    <p class="checking" role="status"></p>
    <p class="wrong unscripted">${messages.noScript}</p>`;

interface FieldView {
  readonly messages: Messages;
  /** The choice that the field depends on, in words. */
  readonly condition: string | undefined;
  /** The text that was typed before. */
  readonly typed: string;
  readonly error: string | undefined;
  readonly uploaded: UploadedFile | undefined;
  readonly filesMaxBytes: number;
}

/** Returns the choice that a field depends on; undefined for a box that must not be ticked. */
function conditionText({ showIf }: FormField, fields: readonly FormField[]): string | undefined {
  const choice = fields.find(({ name }) => name === showIf?.field);
  if (!choice || !showIf || showIf.equals === 'false') {
    return undefined;
  }
  return choice.type === 'checkbox' ? choice.label : `${choice.label} ${showIf.equals}`;
}

/** A field with its label, the text typed before and its error. */
function fieldView(field: FormField, view: FieldView): Html {
  const { messages, condition: onlyIf, typed, error, uploaded } = view;
  const { name, label, type, showIf } = field;
  // A browser refuses to send an empty field that is required, even if it is not asked for.
  const required = field.required && !showIf && !uploaded;
  const id = idOf(name);
  const autocomplete = field.mapsTo === null ? undefined : AUTOCOMPLETE[field.mapsTo];
  const describedBy = [type === 'file' && hintId(id), error && `${id}-wrong`].filter(Boolean);
  const traits = html`id="${id}" name="${inputName(name)}" ${required && 'required'}
  data-wrong="${wrong(type, messages)}" ${field.required && showIf && !uploaded && 'data-required'}
  ${autocomplete && html`autocomplete="${autocomplete}"`} ${error && html`aria-invalid="true"`}
  ${type === 'file' && html`data-hint="${hintId(id)}"`}
  ${describedBy.length > 0 && html`aria-describedby="${describedBy.join(' ')}"`}`;
  const labelView = html`<label for="${id}"
    >${label}${
      !field.required &&
      type !== 'checkbox' &&
      html` <span class="optional">(${messages.optional})</span>`
    }</label
  >`;
  const condition =
    showIf && html`data-if="${inputName(showIf.field)}" data-equals="${showIf.equals}"`;
  return html`<div class="field ${type}" ${condition}>
    ${type !== 'checkbox' && labelView}
    ${
      onlyIf !== undefined &&
      html`<noscript
        ><p class="hint">${messages.onlyIf.replace('{choice}', () => onlyIf)}</p></noscript
      >`
    }
    ${
      type === 'file'
        ? fileView(field, traits, { ...view, input: inputName(name) })
        : controlOf(field, traits, { messages, typed })
    }
    ${type === 'checkbox' && labelView}
    ${error && html`<p class="wrong" id="${id}-wrong">${error}</p>`}
  </div>`;
}

const idOf = (name: string): string => `field-${name}`;

function controlOf(
  { type, options }: FormField,
  traits: Html,
  { messages, typed }: Pick<FieldView, 'messages' | 'typed'>,
): Html {
  switch (type) {
    case 'textarea':
      // HTML drops the first line break of a textarea.
      return html`<textarea rows="5" maxlength="10000" ${traits}>${'\n'}${typed}</textarea>`;
    case 'checkbox':
      return html`<input type="checkbox" value="true" ${typed !== '' && 'checked'} ${traits} />`;
    case 'select':
      return html`<select ${traits}>
        <option value="">${messages.choose}</option>
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
    case 'file':
      return html`<input
        type="${INPUT[type] ?? type}"
        value="${typed}"
        maxlength="1000"
        ${type === 'number' && html`step="any"`}
        ${traits}
      />`;
  }
}

/** Input types whose HTML name differs. */
const INPUT: Readonly<Record<string, string>> = { phone: 'tel' };

/** Values of `autocomplete`, by field of the contact. */
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
  const found = new Map(issues.map(({ path, message }) => [path, message]));
  const issueOf = ({ name }: FormField) => found.get(`/fields/${pointerToken(name)}`);
  return new Map(
    fields
      .filter((field) => issueOf(field) !== undefined)
      .map((field) => {
        const isMissing =
          field.type === 'file'
            ? issueOf(field) === 'is required'
            : isBlank(typedInto(filled, field.name));
        return [field.name, isMissing ? blank(field.type, messages) : wrong(field.type, messages)];
      }),
  );
}

const blank = (type: string, messages: Messages): string =>
  type === 'checkbox' ? messages.unticked : messages.missing;

const wrong = (type: string, { wrong }: Messages): string =>
  Object.hasOwn(wrong, type) ? wrong[type as keyof Messages['wrong']] : wrong.other;
