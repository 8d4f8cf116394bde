import type { Configuration } from './configuration.ts';
import { make, set } from './element.ts';
import { crossIcon } from './icons.ts';
import { isPhone } from './phone.ts';
import { words } from './words.ts';

export interface Panel {
  readonly root: HTMLElement;
  /** Where the form or the conversation stands. */
  readonly body: HTMLElement;
  readonly render: (isOpen: boolean, configuration: Configuration) => void;
}

/** The window of the chat: its head in the brand's colour, and room below. */
export function makePanel(id: string, close: () => void): Panel {
  const title = make('h2', { class: 'title', dir: 'auto' });
  const presence = make('p', { class: 'presence' });
  const cross = make(
    'button',
    { class: 'close', type: 'button', 'aria-label': words.close },
    crossIcon(),
  );
  const body = make('div', { class: 'body' });
  const root = make(
    'section',
    { id, class: 'panel', role: 'dialog', hidden: true },
    make('header', { class: 'head' }, make('div', { class: 'heading' }, title, presence), cross),
    body,
  );
  cross.addEventListener('click', close);
  return {
    root,
    body,
    render(isOpen, { title: given, online }) {
      title.textContent = given || words.title;
      presence.textContent = online ? words.online : words.away;
      presence.classList.toggle('online', online);
      set(root, {
        hidden: !isOpen,
        'aria-label': title.textContent,
        // On a phone it covers the page.
        'aria-modal': isPhone() ? 'true' : undefined,
      });
    },
  };
}
