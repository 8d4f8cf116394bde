import { make, set } from './element.ts';
import { sendIcon } from './icons.ts';
import { MESSAGE_MAX } from './api.ts';
import { texts } from './texts.ts';

export interface Composer {
  readonly root: HTMLElement;
  readonly focus: () => void;
  /** Puts a text that could not be sent back, before the current one. */
  readonly putBack: (text: string) => void;
}

/** The text box: Enter sends, Shift+Enter starts a new line. */
export function makeComposer(send: (text: string) => void): Composer {
  const control = make('textarea', {
    class: 'write',
    rows: 1,
    dir: 'auto',
    placeholder: texts.composer,
    'aria-label': texts.yourMessage,
    enterkeyhint: 'send',
  });
  const button = make(
    'button',
    { class: 'send', type: 'submit', 'aria-label': texts.send },
    sendIcon(),
  );
  const error = make('p', { class: 'field-error', role: 'alert' });
  const root = make('form', { class: 'composer', novalidate: true }, error, control, button);

  const fit = () => {
    const length = control.value.trim().length;
    set(button, { 'aria-disabled': length === 0 || length > MESSAGE_MAX ? 'true' : undefined });
    error.textContent = length > MESSAGE_MAX ? texts.tooLong(length, MESSAGE_MAX) : '';
    // The style sheet limits the height. Set as a property, it is not an inline style for a CSP.
    control.style.height = 'auto';
    control.style.height = `${control.scrollHeight}px`;
  };
  const submit = () => {
    const text = control.value.trim();
    if (text !== '' && text.length <= MESSAGE_MAX) {
      control.value = '';
      fit();
      send(text);
    }
    control.focus();
  };
  control.addEventListener('input', fit);
  control.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !event.shiftKey && !isComposing(event)) {
      event.preventDefault();
      submit();
    }
  });
  root.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  fit();
  return {
    root,
    focus: () => control.focus(),
    putBack(text) {
      control.value = [text, control.value].filter((part) => part !== '').join('\n');
      fit();
    },
  };
}

/** In an input method, Enter chooses a word. Safari reports that only by the key code. */
const isComposing = ({ isComposing, keyCode }: KeyboardEvent): boolean =>
  isComposing || keyCode === 229;
