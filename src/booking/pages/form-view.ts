import { html, type Html } from '#lib/html.ts';
import { errorSummary } from '#lib/page-parts.ts';
import type { PickedTime } from './find-picks.ts';
import { formatTime } from './format-time.ts';
import type { BookingLanguage } from './messages/language.ts';
import type { FieldErrors, Visitor, VisitorForm } from './visitor-form.ts';

interface FormView {
  readonly language: BookingLanguage;
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
}

interface Field {
  readonly name: keyof Visitor;
  readonly label: string;
  readonly type?: string;
  readonly autocomplete?: string;
  readonly hint?: string;
  readonly isOptional?: true;
  readonly max: number;
}

/** Returns the form for the customer's details; refused values stay as they were typed. */
export function formView(view: FormView): Html {
  const { language, path, zone, start, once, errors = new Map(), alert, others = [] } = view;
  const { messages } = language;
  const fields = fieldsIn(language);
  return html`<section class="details" aria-labelledby="details">
    <h2 id="details" tabindex="-1">${messages.yourDetails}</h2>
    ${
      (alert ?? errors.size > 0) &&
      errorSummary(
        alert ?? messages.checkThese,
        fields
          .filter(({ name }) => errors.has(name))
          .map(({ name, label }) => ({ id: name, label, error: errors.get(name) })),
      )
    }
    <form method="post" action="${path}" data-once>
      <input type="hidden" name="tz" value="${zone}" />
      <input type="hidden" name="once" value="${once}" />
      ${
        start === undefined
          ? otherTimes(others, language, zone)
          : html`<input type="hidden" name="start" value="${start}" />`
      }
      <div class="fields">${fields.map((field) => fieldView(field, view))}</div>
      <button class="primary" data-busy="${messages.wait}">${messages.confirm}</button>
    </form>
  </section>`;
}

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
      hint: messages.phoneHint,
      isOptional: true,
      max: 40,
    },
    { name: 'notes', label: messages.notes, isOptional: true, max: 5_000 },
  ];
}

function fieldView(field: Field, { language: { messages }, form, errors }: FormView): Html {
  const { name, label, type = 'text', autocomplete, hint, isOptional, max } = field;
  const value = form?.[name] ?? '';
  const wrong = errors?.get(name);
  const described = [hint && `${name}-hint`, wrong && `${name}-wrong`].filter(Boolean).join(' ');
  const traits = html`id="${name}" name="${name}" maxlength="${max}" ${!isOptional && 'required'}
  ${autocomplete && html`autocomplete="${autocomplete}"`} ${wrong && html`aria-invalid="true"`}
  ${described && html`aria-describedby="${described}"`}`;
  return html`<div class="field ${name}">
    <label for="${name}"
      >${label}${isOptional && html` <span class="optional">(${messages.optional})</span>`}</label
    >
    ${
      name === 'notes'
        ? html`<textarea rows="3" ${traits}>${value}</textarea>`
        : html`<input type="${type}" value="${value}" ${traits} />`
    }
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${wrong && html`<p class="wrong" id="${name}-wrong">${wrong}</p>`}
  </div>`;
}

function otherTimes(
  others: readonly PickedTime[],
  { locale, messages }: BookingLanguage,
  zone: string,
): Html | false {
  const [first] = others;
  return (
    first !== undefined &&
    html`<fieldset class="others">
      <legend>
        ${messages.timesOn(formatTime('shortDay', first.startTime, { locale, zone }))}
      </legend>
      <div class="slots">
        ${others.map(
          ({ startTime }) =>
            html`<label class="slot"
              ><input type="radio" name="start" value="${startTime}" required />
              ${formatTime('time', startTime, { locale, zone })}</label
            >`,
        )}
      </div>
    </fieldset>`
  );
}
