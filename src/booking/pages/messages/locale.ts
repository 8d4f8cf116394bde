import { german } from './de.ts';
import { english, type Messages } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';

const WORDS: Readonly<Record<string, Messages>> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
};

/** In which a page speaks. */
export interface Locale {
  /** BCP 47, for dates and the page's `lang`. */
  readonly locale: string;
  readonly words: Messages;
}

/** The sub-account's language where the pages speak it, else English as the British write dates. */
export function localeOf(locale: string): Locale {
  const words = WORDS[locale.slice(0, 2).toLowerCase()];
  return words && isLocale(locale) ? { locale, words } : ENGLISH;
}

const ENGLISH: Locale = { locale: 'en-GB', words: english };

/** A tag may look right and be none. */
function isLocale(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
}
