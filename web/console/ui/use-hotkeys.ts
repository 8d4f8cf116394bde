import { useEffect, useEffectEvent } from 'react';

export type Hotkeys = Readonly<Record<string, () => void>>;

/** Elements in which keys are text. */
const TYPING =
  'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="textbox"]';
const OPEN = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Whether a key press is a command: not while typing, nor with a dialog or menu open. */
function isCommand(event: KeyboardEvent): boolean {
  const { target } = event;
  const isTyping = target instanceof Element && target.closest(TYPING) !== null;
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  return (
    !isTyping && !hasModifier && !event.defaultPrevented && document.querySelector(OPEN) === null
  );
}

/** Calls the function of a pressed key, such as `j` or `?`. */
export function useHotkeys(hotkeys: Hotkeys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = hotkeys[event.key.toLowerCase()];
    if (action !== undefined && isCommand(event)) {
      event.preventDefault();
      action();
    }
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Calls a function for Ctrl and a letter, or ⌘ on a Mac, wherever the focus is. */
export function useCommandKey(letter: string, action: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === letter) {
      event.preventDefault();
      action();
    }
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

export const COMMAND_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
