import { html, type Html } from '#lib/html.ts';
import type { FormField } from '../form-entry.ts';
import { inputName } from './filled-form.ts';
import type { Messages } from './messages.en.ts';

interface FieldView {
  readonly words: Messages;
  /** What was typed already. */
  readonly typed: string;
  readonly error: string | undefined;
}

/** A field with its label, and with what is wrong with it; kept as it was typed. */
export function fieldView(field: FormField, { words, typed, error }: FieldView): Html {
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

export const idOf = (name: string): string => `field-${name}`;

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
