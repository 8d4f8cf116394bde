import { directionOf } from './direction.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes for the text of an element and for quoted attributes. */
export const escapedHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

const MARKUP = Symbol('html');

/** Markup that is not escaped again. */
export interface Html {
  readonly [MARKUP]: string;
}

export type Part = Html | string | number | false | null | undefined | readonly Part[];

/** A template that escapes its values; lists are joined, and undefined is empty. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { [MARKUP]: strings.map((text, at) => text + markupOf(parts[at])).join('') };
}

/** Markup that is not built by a template: a style sheet is not escaped. */
export const raw = (markup: string): Html => ({ [MARKUP]: markup });

export const markupOf = (part: Part): string => {
  if (Array.isArray(part)) {
    return part.map(markupOf).join('');
  }
  if (part === false || part === null || part === undefined) {
    return '';
  }
  return typeof part === 'object' ? (part as Html)[MARKUP] : escapedHtml(String(part));
};

/** Returns the attributes of an html element for a language tag. */
export const languageAttributes = (tag: string): Html =>
  directionOf(tag) === 'rtl' ? html`lang="${tag}" dir="rtl"` : html`lang="${tag}"`;
