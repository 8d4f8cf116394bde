import { german } from './words.de.ts';
import { english, type Words } from './words.en.ts';
import { spanish } from './words.es.ts';
import { french } from './words.fr.ts';

const WORDS: Readonly<Record<string, Words>> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
};

/** In which a page speaks. */
export interface Tongue {
  /** BCP 47, for dates and the page's `lang`. */
  readonly locale: string;
  readonly words: Words;
}

/** The sub-account's language where the pages speak it, else English as the British write dates. */
export function tongueOf(locale: string): Tongue {
  const words = WORDS[locale.slice(0, 2).toLowerCase()];
  return words && isLocale(locale) ? { locale, words } : ENGLISH;
}

const ENGLISH: Tongue = { locale: 'en-GB', words: english };

/** A tag may look right and be none. */
function isLocale(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
}
