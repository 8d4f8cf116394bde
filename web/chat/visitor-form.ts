import { type Visitor, type Refusal, type Configuration, MESSAGE_MAX } from './api.ts';
import { describeRefusal } from './describe-refusal.ts';
import { make, set } from './element.ts';
import { makeField, type Field } from './field.ts';
import { linkedText } from './linked-text.ts';
import { texts } from './texts.ts';

/** What the visitor entered; `message` only outside the chat hours. */
export interface VisitorFormOptions {
  readonly visitor: Visitor;
  readonly message: string | undefined;
}

export interface VisitorForm {
  readonly root: HTMLElement;
  readonly focus: () => void;
}

const NAME_MAX = 200;
const EMAIL_MAX = 254;

/** A form for the visitor's name and email; outside the chat hours also for a message. */
export function makeVisitorForm(
  { online, requireEmail, legalText }: Configuration,
  submit: (given: VisitorFormOptions) => Promise<Refusal | undefined>,
): VisitorForm {
  const name = nameField();
  const email = emailField(requireEmail || !online);
  const message = online ? undefined : messageField();
  const problem = make('p', { class: 'problem', role: 'alert' });
  const label = online ? texts.start : texts.leave;
  const button = make('button', { class: 'primary', type: 'submit' }, label);
  const root = make(
    'form',
    { class: 'card', novalidate: true },
    name.root,
    email.root,
    message?.root,
    legalText ? make('p', { class: 'legal', dir: 'auto' }, ...linkedText(legalText)) : undefined,
    problem,
    button,
  );
  let isWaiting = false;
  const wait = (now: boolean) => {
    isWaiting = now;
    set(button, { 'aria-disabled': isWaiting ? 'true' : undefined });
    button.textContent = isWaiting ? texts.wait : label;
  };
  const send = async () => {
    problem.textContent = '';
    if (isWaiting || !areValid(name, email, message)) {
      return;
    }
    wait(true);
    const refusal = await submit({
      visitor: {
        visitorName: name.value(),
        ...(email.value() !== '' && { visitorEmail: email.value() }),
      },
      message: message?.value(),
    });
    wait(false);
    problem.textContent = refusal === undefined ? '' : describeRefusal(refusal);
  };
  root.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  return { root, focus: () => name.control.focus() };
}

/** Shows an error at each invalid field and focuses the first one. */
function areValid(name: Field, email: Field, message: Field | undefined): boolean {
  const { validity } = email.control;
  const isMissing = email.isRequired && email.value() === '';
  const wrong = [
    check(name, name.value() === '' ? texts.needName : undefined),
    check(email, isMissing ? texts.needEmail : validity.typeMismatch ? texts.badEmail : undefined),
    message && check(message, errorAbout(message.value())),
  ].filter((field) => field !== undefined);
  wrong[0]?.control.focus();
  return wrong.length === 0;
}

function check(field: Field, error: string | undefined): Field | undefined {
  field.showError(error);
  return error === undefined ? undefined : field;
}

function errorAbout(message: string): string | undefined {
  if (message === '') {
    return texts.needMessage;
  }
  return message.length > MESSAGE_MAX ? texts.tooLong(message.length, MESSAGE_MAX) : undefined;
}

const nameField = () =>
  makeField({
    name: 'name',
    label: texts.yourName,
    control: make('input', { type: 'text', autocomplete: 'name', maxlength: NAME_MAX }),
    isRequired: true,
  });

const emailField = (isRequired: boolean) =>
  makeField({
    name: 'email',
    label: texts.yourEmail,
    control: make('input', {
      type: 'email',
      inputmode: 'email',
      autocomplete: 'email',
      maxlength: EMAIL_MAX,
    }),
    isRequired,
  });

const messageField = () =>
  makeField({
    name: 'message',
    label: texts.yourMessage,
    control: make('textarea', { rows: 3 }),
    isRequired: true,
  });
