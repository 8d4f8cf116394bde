/** The inputs of a form that a visitor fills in. */
type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const controlIn = (field: Element): Control | null =>
  field.querySelector<Control>('input:not([type=hidden]), select, textarea');

/** Shows errors when a visitor leaves a field, not while they type, and removes them as soon as it is right. */
export function checkFields(form: HTMLFormElement): void {
  form.noValidate = true;
  form.addEventListener('focusout', ({ target }) => {
    const field = fieldOf(target);
    const control = field && controlIn(field);
    if (field && control && (control.value !== '' || field.querySelector('.wrong'))) {
      showError(form, field);
    }
  });
  form.addEventListener('input', ({ target }) => {
    const field = fieldOf(target);
    if (field?.querySelector('.wrong')) {
      showError(form, field);
    }
  });
}

/** Shows the errors of a part of the form and focuses the first one. Returns whether there is none. */
export function areValid(form: HTMLFormElement, part: Element): boolean {
  const fields = [...part.querySelectorAll('.field')];
  const wrong = new Set(fields.filter((field) => !showError(form, field)));
  const first = fields.find((field) => wrong.has(field));
  if (first) {
    controlIn(first)?.focus();
  }
  return first === undefined;
}

/** Returns whether the field is right. */
function showError(form: HTMLFormElement, field: Element): boolean {
  const control = controlIn(field);
  if (!control || control.disabled || !control.labels?.length) {
    return true;
  }
  const { validity, dataset, id, type } = control;
  const isValid = validity.valid && !isTooLarge(control);
  const { missing = '', unticked = '' } = form.dataset;
  const blank = type === 'checkbox' ? unticked : missing;
  const text = validity.valueMissing ? blank : isValid ? '' : (dataset['wrong'] ?? '');
  const shown = field.querySelector('.wrong') ?? document.createElement('p');
  shown.className = 'wrong';
  shown.id = `${id}-wrong`;
  shown.textContent = text;
  if (text === '') {
    shown.remove();
    control.removeAttribute('aria-invalid');
    describe(control, dataset['hint']);
  } else {
    field.append(shown);
    control.setAttribute('aria-invalid', 'true');
    describe(control, dataset['hint'], shown.id);
  }
  return text === '';
}

function describe(control: Control, ...ids: readonly (string | undefined)[]): void {
  const given = ids.filter((one) => one !== undefined).join(' ');
  if (given === '') {
    control.removeAttribute('aria-describedby');
  } else {
    control.setAttribute('aria-describedby', given);
  }
}

/** Sending a file takes long, so its size is checked before. The server decides on its type. */
function isTooLarge(control: Control): boolean {
  const files = control instanceof HTMLInputElement ? [...(control.files ?? [])] : [];
  return files.some(({ size }) => size > Number(control.dataset['max']));
}

const fieldOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest('.field') : null;

/** Shows fields with a condition only while it holds. What they contain is then not sent. */
export function followConditions(form: HTMLFormElement): void {
  const conditional = [...form.querySelectorAll<HTMLElement>('.field[data-if]')];
  const apply = () => {
    for (const field of conditional) {
      const { if: name = '', equals } = field.dataset;
      const choice = form.elements.namedItem(name);
      const isShown = valueOf(choice) === equals;
      field.hidden = !isShown;
      const control = controlIn(field);
      if (control) {
        control.disabled = !isShown;
        control.required = 'required' in control.dataset;
      }
    }
  };
  form.addEventListener('input', apply);
  apply();
}

function valueOf(control: RadioNodeList | Element | null): string | undefined {
  if (control instanceof HTMLInputElement && control.type === 'checkbox') {
    return String(control.checked && !control.disabled);
  }
  const isChoice = control instanceof HTMLSelectElement && !control.disabled;
  return isChoice ? control.value : undefined;
}
