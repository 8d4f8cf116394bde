import { make } from './element.ts';
import { splitLinks } from './split-links.ts';
import { texts } from './texts.ts';

/** Creates a text with clickable URLs. `noreferrer` hides the address of the page from their servers. */
export const linkedText = (text: string): (Node | string)[] =>
  splitLinks(text).map(({ text, href }) =>
    href === undefined
      ? text
      : make(
          'a',
          { href, target: '_blank', rel: 'noopener noreferrer nofollow' },
          text,
          make('span', { class: 'spoken' }, ` ${texts.newTab}`),
        ),
  );
