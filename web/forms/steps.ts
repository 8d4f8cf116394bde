import { areValid } from './fields.ts';

/** Shows the steps of a form one after another. Each is checked before the next. */
export function makeSteps(form: HTMLFormElement): void {
  const steps = [...form.querySelectorAll<HTMLElement>('.step')];
  const send = form.querySelector<HTMLButtonElement>('button.primary');
  if (steps.length < 2 || !send) {
    return;
  }
  const { step = '', next: nextLabel = '', previous: previousLabel = '' } = form.dataset;
  const progress = Object.assign(document.createElement('p'), { className: 'hint progress' });
  progress.setAttribute('role', 'status');
  const next = buttonOf('primary', nextLabel);
  const previous = buttonOf('quiet', previousLabel);
  const row = Object.assign(document.createElement('div'), { className: 'step-row' });
  send.replaceWith(row);
  row.append(previous, next, send);
  form.prepend(progress);
  // After a refusal, the first step with an error is shown.
  let at = Math.max(
    steps.findIndex((one) => one.querySelector('.wrong')),
    0,
  );
  const show = () => {
    steps.forEach((one, index) => void (one.hidden = index !== at));
    previous.hidden = at === 0;
    next.hidden = at === steps.length - 1;
    send.hidden = !next.hidden;
    progress.textContent = step
      .replace('{at}', String(at + 1))
      .replace('{of}', String(steps.length));
  };
  const go = (by: number) => {
    at += by;
    show();
    steps[at]?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  };
  next.addEventListener('click', () => {
    const current = steps[at];
    if (current && areValid(form, current)) {
      go(1);
    }
  });
  previous.addEventListener('click', () => go(-1));
  // The Enter key leads to the next step instead of sending half a form.
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement && !next.hidden) {
      event.preventDefault();
      next.click();
    }
  });
  show();
}

function buttonOf(look: string, label: string): HTMLButtonElement {
  const button = document.createElement('button');
  return Object.assign(button, { type: 'button', className: look, textContent: label });
}
