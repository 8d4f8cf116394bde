import { brandCss } from '../../src/lib/brand-palette.ts';
import { directionOf } from '../../src/lib/direction.ts';
import type { Configuration } from './api.ts';
import { make } from './element.ts';
import styles from './widget.css';
import { language } from './texts.ts';

const HOST_CLASS = 'frontdesk-chat';

export const isOnPage = (): boolean => document.querySelector(`.${HOST_CLASS}`) !== null;

/**
 * Puts `parts` on the page in a shadow tree, out of reach of the site's styles and selectors. A CSP
 * does not count constructed style sheets as inline styles.
 */
export function makeHost(
  { color }: Configuration,
  side: 'left' | 'right',
  parts: readonly Node[],
): HTMLElement {
  const root = make(
    'div',
    { class: `widget ${side}`, lang: language, dir: directionOf(language) },
    ...parts,
  );
  const host = make('div', { class: HOST_CLASS });
  const shadow = host.attachShadow({ mode: 'open' });
  shadow.adoptedStyleSheets = [sheetOf(styles), sheetOf(brandCss(color))];
  shadow.append(root);
  document.body.append(host);
  return root;
}

function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}
