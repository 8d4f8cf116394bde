import { html, type Html } from '#kit/html.ts';
import { HONEYPOT } from '../honeypot.ts';
import type { Form } from '../the-form.ts';
import type { Complaints } from './complaints.ts';
import { fieldView, idOf } from './field-view.ts';
import { typedInto, type FilledForm } from './filled-form.ts';
import type { Words } from './words.en.ts';

interface Shown {
  readonly words: Words;
  /** Names this page, so that sending it twice submits once. */
  readonly once: string;
  readonly filled?: FilledForm;
  readonly complaints?: Complaints;
  /** What is wrong with the whole. */
  readonly alert?: string | undefined;
}

export function formView(form: Form, shown: Shown): Html {
  const { words, once, filled = {}, complaints = new Map() } = shown;
  return html`${alertView(form, shown)}
    <form method="post" ${form.captcha && captchaTraits(form, words)}>
      <input type="hidden" name="once" value="${once}" />
      ${form.fields.map((field) =>
        fieldView(field, {
          words,
          typed: typedInto(filled, field.name),
          complaint: complaints.get(field.name),
        }),
      )}
      ${honeypotView(words)} ${form.captcha && captchaView(words)}
      <button>${words.send}</button>
    </form>`;
}

function alertView({ fields }: Form, { words, complaints = new Map(), alert }: Shown) {
  const wrong = fields.filter(({ name }) => complaints.has(name));
  return (
    (alert !== undefined || wrong.length > 0) &&
    html`<div class="alert" role="alert" id="problem" tabindex="-1">
      <p>${alert ?? words.checkThese}</p>
      ${
        wrong.length > 0 &&
        html`<ul>
          ${wrong.map(
            ({ name, label }) =>
              html`<li><a href="#${idOf(name)}">${label}</a>: ${complaints.get(name)}</li>`,
          )}
        </ul>`
      }
    </div>`
  );
}

/** Robots fill in whatever there is; people and their screen readers do not meet it. */
const honeypotView = (words: Words): Html =>
  html`<div class="pot" aria-hidden="true">
    <label for="pot">${words.leaveEmpty}</label>
    <input id="pot" name="${HONEYPOT}" tabindex="-1" autocomplete="off" />
  </div>`;

const captchaTraits = ({ id }: Form, words: Words): Html =>
  html`data-challenge="../api/forms/captcha?formId=${id}" data-checking="${words.checking}"
  data-uncheckable="${words.uncheckable}" data-insecure="${words.insecure}"`;

/** That it needs a script stands there until the script takes it away. */
const captchaView = (words: Words): Html =>
  html`<input type="hidden" name="captchaToken" value="" />
    <p class="checking" role="status"></p>
    <p class="wrong unscripted">${words.noScript}</p>`;
