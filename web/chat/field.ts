import { make, set } from './element.ts';
import { words } from './words.ts';

type Control = HTMLInputElement | HTMLTextAreaElement;

export interface Field {
  readonly root: HTMLElement;
  readonly control: Control;
  readonly isRequired: boolean;
  readonly value: () => string;
  /** Says what is wrong with the value; nothing when undefined. */
  readonly complain: (complaint: string | undefined) => void;
}

interface Wanted {
  readonly name: string;
  readonly label: string;
  readonly control: Control;
  readonly isRequired: boolean;
}

/** A labelled control with room for a complaint below it. */
export function makeField({ name, label, control, isRequired }: Wanted): Field {
  const id = `field-${name}`;
  const complaint = make('p', { class: 'complaint', id: `${id}-complaint`, hidden: true });
  set(control, { id, name, class: 'control', dir: 'auto', 'aria-required': String(isRequired) });
  const complain = (text: string | undefined) => {
    complaint.textContent = text ?? '';
    set(complaint, { hidden: text === undefined });
    set(control, {
      'aria-invalid': text === undefined ? undefined : 'true',
      'aria-describedby': text === undefined ? undefined : complaint.id,
    });
  };
  control.addEventListener('input', () => complain(undefined));
  const hint = isRequired ? undefined : make('span', { class: 'hint' }, ` (${words.optional})`);
  return {
    root: make(
      'div',
      { class: 'field' },
      make('label', { for: id }, label, hint),
      control,
      complaint,
    ),
    control,
    isRequired,
    value: () => control.value.trim(),
    complain,
  };
}
