import type { Configuration } from './api.ts';
import { make, set } from './element.ts';
import { crossIcon } from './icons.ts';
import { isPhone } from './keyboard.ts';
import { texts } from './texts.ts';

export interface Panel {
  readonly root: HTMLElement;
  /** The element that contains the form or the conversation. */
  readonly body: HTMLElement;
  readonly render: (isOpen: boolean, configuration: Configuration) => void;
}

/** The chat window: a header in the brand colour, and room for a view. */
export function makePanel(id: string, close: () => void): Panel {
  const title = make('h2', { class: 'title', dir: 'auto' });
  const presence = make('p', { class: 'presence' });
  const cross = make(
    'button',
    { class: 'close', type: 'button', 'aria-label': texts.close },
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
    render(isOpen, { title: given, online, businessHours }) {
      title.textContent = given || texts.title;
      // Without hours it is unknown whether the team is there.
      set(presence, { hidden: online && businessHours === null });
      presence.textContent = online ? texts.online : texts.away;
      presence.classList.toggle('online', online);
      set(root, {
        hidden: !isOpen,
        'aria-label': title.textContent,
        // On a phone the panel covers the page.
        'aria-modal': isPhone() ? 'true' : undefined,
      });
    },
  };
}

/** The part of the panel below its header. */
export interface View {
  readonly root: HTMLElement;
  readonly render: (configuration: Configuration) => void;
  /** Called when the view becomes visible. */
  readonly shown: () => void;
  readonly focus: () => void;
}
