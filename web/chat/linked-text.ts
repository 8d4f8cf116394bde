import { make } from './element.ts';
import { splitLinks } from './split-links.ts';
import { words } from './words.ts';

/** A text with its web addresses to click on. They learn nothing of the page they open from. */
export const linkedText = (text: string): (Node | string)[] =>
  splitLinks(text).map(({ text, href }) =>
    href === undefined
      ? text
      : make(
          'a',
          { href, target: '_blank', rel: 'noopener noreferrer nofollow' },
          text,
          make('span', { class: 'spoken' }, ` ${words.newTab}`),
        ),
  );
