import { make, set } from './element.ts';
import { texts } from './texts.ts';

type Control = HTMLInputElement | HTMLTextAreaElement;

export interface Field {
  readonly root: HTMLElement;
  readonly control: Control;
  readonly isRequired: boolean;
  readonly value: () => string;
  /** Shows an error at the field; undefined removes it. */
  readonly showError: (error: string | undefined) => void;
}

interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly control: Control;
  readonly isRequired: boolean;
}

/** A labelled control with room for an error below it. */
export function makeField({ name, label, control, isRequired }: FieldOptions): Field {
  const id = `field-${name}`;
  const error = make('p', { class: 'field-error', id: `${id}-error`, hidden: true });
  set(control, { id, name, class: 'control', dir: 'auto', 'aria-required': String(isRequired) });
  const showError = (text: string | undefined) => {
    error.textContent = text ?? '';
    set(error, { hidden: text === undefined });
    set(control, {
      'aria-invalid': text === undefined ? undefined : 'true',
      'aria-describedby': text === undefined ? undefined : error.id,
    });
  };
  control.addEventListener('input', () => showError(undefined));
  const hint = isRequired ? undefined : make('span', { class: 'hint' }, ` (${texts.optional})`);
  return {
    root: make('div', { class: 'field' }, make('label', { for: id }, label, hint), control, error),
    control,
    isRequired,
    value: () => control.value.trim(),
    showError,
  };
}
