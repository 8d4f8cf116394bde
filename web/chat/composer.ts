import { make, set } from './element.ts';
import { sendIcon } from './icons.ts';
import { MESSAGE_MAX } from './limits.ts';
import { words } from './words.ts';

export interface Composer {
  readonly root: HTMLElement;
  readonly focus: () => void;
  /** Puts back what could not be sent, before what is being written. */
  readonly putBack: (text: string) => void;
}

/** Where the visitor writes: Enter sends, Shift and Enter begins a new line. */
export function makeComposer(send: (text: string) => void): Composer {
  const control = make('textarea', {
    class: 'write',
    rows: 1,
    dir: 'auto',
    placeholder: words.composer,
    'aria-label': words.yourMessage,
    enterkeyhint: 'send',
  });
  const button = make(
    'button',
    { class: 'send', type: 'submit', 'aria-label': words.send },
    sendIcon(),
  );
  const error = make('p', { class: 'complaint', role: 'alert' });
  const root = make('form', { class: 'composer', novalidate: true }, error, control, button);

  const fit = () => {
    const length = control.value.trim().length;
    set(button, { 'aria-disabled': length === 0 || length > MESSAGE_MAX ? 'true' : undefined });
    error.textContent = length > MESSAGE_MAX ? words.tooLong(length, MESSAGE_MAX) : '';
    // The style sheet bounds it; as an object's property it is no inline style to a CSP.
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

/** Enter chooses a word in an input method; Safari says so by a key code alone. */
const isComposing = ({ isComposing, keyCode }: KeyboardEvent): boolean =>
  isComposing || keyCode === 229;
