import { html, type Html } from '#lib/html.ts';
import type { PickedTime } from './find-picks.ts';
import { say } from './say-time.ts';
import type { Locale } from './messages/locale.ts';
import type { FieldErrors, Visitor, VisitorForm } from './visitor-form.ts';

interface Filled {
  readonly pageLocale: Locale;
  /** Where it is sent. */
  readonly path: string;
  readonly zone: string;
  /** Epoch milliseconds; none where the time that was chosen is gone. */
  readonly start: number | undefined;
  /** Names this form, so that sending it twice books once. */
  readonly once: string;
  readonly form?: VisitorForm;
  readonly errors?: FieldErrors;
  /** Why it could not be booked. */
  readonly alert?: string;
  /** What else can be had where the time is gone. */
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

/** Who books: kept as it was typed whatever is wrong with it. */
export function formView(filled: Filled): Html {
  const { pageLocale, path, zone, start, once, errors = new Map(), alert, others = [] } = filled;
  const { words } = pageLocale;
  const fields = fieldsIn(pageLocale);
  return html`<section class="details" aria-labelledby="details">
    <h2 id="details" tabindex="-1">${words.yourDetails}</h2>
    ${
      (alert ?? errors.size > 0) &&
      html`<div class="alert" role="alert" id="problem" tabindex="-1">
        <p>${alert ?? words.checkThese}</p>
        ${
          errors.size > 0 &&
          html`<ul>
            ${fields
              .filter(({ name }) => errors.has(name))
              .map(
                ({ name, label }) =>
                  html`<li><a href="#${name}">${label}</a>: ${errors.get(name)}</li>`,
              )}
          </ul>`
        }
      </div>`
    }
    <form method="post" action="${path}" data-once>
      <input type="hidden" name="tz" value="${zone}" />
      <input type="hidden" name="once" value="${once}" />
      ${
        start === undefined
          ? otherTimes(others, pageLocale, zone)
          : html`<input type="hidden" name="start" value="${start}" />`
      }
      <div class="fields">${fields.map((field) => fieldView(field, filled))}</div>
      <button class="primary" data-busy="${words.wait}">${words.confirm}</button>
    </form>
  </section>`;
}

function fieldsIn({ words }: Locale): readonly Field[] {
  return [
    { name: 'firstName', label: words.firstName, autocomplete: 'given-name', max: 200 },
    { name: 'lastName', label: words.lastName, autocomplete: 'family-name', max: 200 },
    { name: 'email', label: words.email, type: 'email', autocomplete: 'email', max: 254 },
    {
      name: 'phone',
      label: words.phone,
      type: 'tel',
      autocomplete: 'tel',
      hint: words.phoneHint,
      isOptional: true,
      max: 40,
    },
    { name: 'notes', label: words.notes, isOptional: true, max: 5_000 },
  ];
}

function fieldView(field: Field, { pageLocale: { words }, form, errors }: Filled): Html {
  const { name, label, type = 'text', autocomplete, hint, isOptional, max } = field;
  const value = form?.[name] ?? '';
  const wrong = errors?.get(name);
  const described = [hint && `${name}-hint`, wrong && `${name}-wrong`].filter(Boolean).join(' ');
  const traits = html`id="${name}" name="${name}" maxlength="${max}" ${!isOptional && 'required'}
  ${autocomplete && html`autocomplete="${autocomplete}"`} ${wrong && html`aria-invalid="true"`}
  ${described && html`aria-describedby="${described}"`}`;
  return html`<div class="field ${name}">
    <label for="${name}"
      >${label}${isOptional && html` <span class="optional">(${words.optional})</span>`}</label
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
  { locale, words }: Locale,
  zone: string,
): Html | false {
  const [first] = others;
  return (
    first !== undefined &&
    html`<fieldset class="others">
      <legend>${words.timesOn(say('shortDay', first.startTime, { locale, zone }))}</legend>
      <div class="slots">
        ${others.map(
          ({ startTime }) =>
            html`<label class="slot"
              ><input type="radio" name="start" value="${startTime}" required />
              ${say('time', startTime, { locale, zone })}</label
            >`,
        )}
      </div>
    </fieldset>`
  );
}
