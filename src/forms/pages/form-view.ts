import { html, type Html } from '#lib/html.ts';
import { HONEYPOT } from '../challenge/honeypot.ts';
import type { Form } from '../the-form.ts';
import type { FieldErrors } from './field-errors.ts';
import { fieldView, idOf } from './field-view.ts';
import { typedInto, type FilledForm } from './filled-form.ts';
import type { Messages } from './messages.en.ts';

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
