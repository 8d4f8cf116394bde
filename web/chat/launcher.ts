import { make, set } from './element.ts';
import { downIcon, talkIcon } from './icons.ts';
import { texts } from './texts.ts';

const BADGE_MAX = 9;

export interface Launcher {
  readonly root: HTMLButtonElement;
  readonly render: (isOpen: boolean, unread: number) => void;
}

/** The round button that opens and closes the panel and shows the number of unread messages. */
export function makeLauncher(panelId: string, toggle: () => void): Launcher {
  const badge = make('span', { class: 'badge', 'aria-hidden': 'true' });
  const root = make(
    'button',
    { class: 'launcher', type: 'button', 'aria-controls': panelId },
    talkIcon(),
    downIcon(),
    badge,
  );
  root.addEventListener('click', toggle);
  return {
    root,
    render(isOpen, unread) {
      const label = isOpen ? texts.close : texts.open;
      const hasNews = !isOpen && unread > 0;
      set(root, {
        'aria-expanded': String(isOpen),
        'aria-label': hasNews ? `${label}, ${texts.unread(unread)}` : label,
      });
      set(badge, { hidden: !hasNews });
      badge.textContent = unread > BADGE_MAX ? `${BADGE_MAX}+` : String(unread);
    },
  };
}
