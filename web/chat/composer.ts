import { make, set } from './element.ts';
import { sendIcon } from './icons.ts';
import { MESSAGE_MAX, type FileRow } from './api.ts';
import type { Attachments } from './attachments.ts';
import { texts } from './texts.ts';

export interface Composer {
  readonly root: HTMLElement;
  readonly focus: () => void;
  /** Puts a text that could not be sent back, before the current one. */
  readonly putBack: (text: string) => void;
}

/**
 * The text box: Enter sends, Shift+Enter starts a new line. `typed` is called with every change, and with
 * whether there is a text. Without `openAttachments`, files cannot be sent.
 */
export function makeComposer(
  send: (text: string, files: readonly FileRow[]) => void,
  typed: (hasText: boolean) => void = () => undefined,
  openAttachments?: (changed: () => void) => Attachments,
): Composer {
  const attachments = openAttachments?.(() => fit());
  const { control, button } = makeControls();
  const error = make('p', { class: 'field-error', role: 'alert' });
  const parts = [error, attachments?.list, attachments?.button, control, button];
  const root = make('form', { class: 'composer', novalidate: true }, ...parts);
  root.classList.toggle('plain', !attachments);

  const canSend = () => {
    const { length } = control.value.trim();
    const isEmpty = length === 0 && !attachments?.count();
    return !isEmpty && length <= MESSAGE_MAX && !attachments?.isBusy();
  };
  const fit = () => {
    const length = control.value.trim().length;
    set(button, { 'aria-disabled': canSend() ? undefined : 'true' });
    error.textContent = length > MESSAGE_MAX ? texts.tooLong(length, MESSAGE_MAX) : '';
    // The style sheet limits the height. Set as a property, it is not an inline style for a CSP.
    control.style.height = 'auto';
    control.style.height = `${control.scrollHeight}px`;
  };
  const submit = () => {
    const text = control.value.trim();
    if (canSend()) {
      control.value = '';
      send(text, attachments?.take() ?? []);
      fit();
      typed(false);
    }
    control.focus();
  };
  control.addEventListener('input', () => {
    fit();
    typed(control.value.trim() !== '');
  });
  submitBy(root, control, submit);
  if (attachments) {
    takeFiles(root, control, attachments.add);
  }
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

/** Enter in the text box submits, as the button does. */
function submitBy(root: HTMLElement, control: HTMLElement, submit: () => void): void {
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
}

function makeControls() {
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
  return { control, button };
}

/** Files may be pasted into the text box, and dropped anywhere on the composer. */
function takeFiles(
  root: HTMLElement,
  control: HTMLElement,
  add: (files: Iterable<File>) => void,
): void {
  control.addEventListener('paste', (event) => {
    const files = event.clipboardData?.files;
    if (files?.length) {
      event.preventDefault();
      add(files);
    }
  });
  root.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) {
      event.preventDefault();
      root.classList.add('over');
    }
  });
  root.addEventListener('dragleave', () => root.classList.remove('over'));
  root.addEventListener('drop', (event) => {
    root.classList.remove('over');
    if (event.dataTransfer?.files.length) {
      event.preventDefault();
      add(event.dataTransfer.files);
    }
  });
}

/** In an input method, Enter chooses a word. Safari reports that only by the key code. */
const isComposing = ({ isComposing, keyCode }: KeyboardEvent): boolean =>
  isComposing || keyCode === 229;
