import { english, type Texts } from '../../src/chat/chat-texts.ts';
import type { AddedLanguages } from './api.ts';
import { german } from './texts.de.ts';
import { spanish } from './texts.es.ts';
import { french } from './texts.fr.ts';

const TEXTS: Readonly<Record<string, Texts>> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
};

/** The language of the texts, with the region of the visitor's browser if it has the same language. */
export let language = 'en';

export const texts: Texts = { ...english };

/** Chooses the language among the built-in ones and those that the sub-account added. */
export function useLanguages(added: AddedLanguages = {}): void {
  language = chooseLanguage([...Object.keys(TEXTS), ...Object.keys(added)].map(baseOf));
  Object.assign(texts, TEXTS[baseOf(language)]);
  for (const tag of [baseOf(language), language]) {
    for (const [key, text] of Object.entries(added[tag] ?? {})) {
      const isFunction = typeof english[key as keyof Texts] === 'function';
      Object.assign(texts, { [key]: isFunction ? fillerOf(text, tag) : text });
    }
  }
}

/** Returns the function that fills a text with its arguments. */
const fillerOf =
  (text: AddedLanguages[string][string], tag: string) =>
  (...values: readonly unknown[]): string =>
    (typeof text === 'string'
      ? text
      : (text[new Intl.PluralRules(tag).select(Number(values[0]))] ?? text['other'] ?? '')
    ).replace(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)]));

/**
 * Returns the page's language if it is one of `known`, else the first of the visitor's languages that
 * is, else English; with the region that the visitor's browser has for it.
 */
function chooseLanguage(known: readonly string[]): string {
  const { languages } = navigator;
  const preferred = [document.documentElement.lang, ...languages].filter(isWellFormed);
  const chosen = preferred.find((one) => known.includes(baseOf(one))) ?? 'en';
  return languages.find((own) => baseOf(own) === baseOf(chosen)) ?? chosen;
}

function baseOf(tag: string): string {
  return (tag.split('-')[0] ?? '').toLowerCase();
}

/** A page's `lang` can contain anything. */
function isWellFormed(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
