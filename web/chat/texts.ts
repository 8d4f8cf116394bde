import { german } from './texts.de.ts';
import { english, type Texts } from './texts.en.ts';
import { spanish } from './texts.es.ts';
import { french } from './texts.fr.ts';

const TEXTS: Readonly<Record<string, Texts>> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
};

/** The language of the texts, with the region of the visitor's browser if it has the same language. */
export const language = chooseLanguage(Object.keys(TEXTS));

export const texts: Texts = TEXTS[language.slice(0, 2)] ?? english;

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

function baseOf(language: string): string {
  return language.slice(0, 2).toLowerCase();
}

/** A page's `lang` can contain anything. */
function isWellFormed(language: string): boolean {
  try {
    return /^[a-z]{2}(-|$)/i.test(language) && Intl.getCanonicalLocales(language).length === 1;
  } catch {
    return false;
  }
}
