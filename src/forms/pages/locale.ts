import { german } from './messages.de.ts';
import { english, type Messages } from './messages.en.ts';

/** In which a page speaks. */
export interface Locale {
  readonly lang: string;
  readonly words: Messages;
}

const ENGLISH: Locale = { lang: 'en', words: english };
const GERMAN: Locale = { lang: 'de', words: german };

/** The sub-account's language where the pages speak it, else English. */
export const localeOf = (locale: string): Locale => (/^de\b/i.test(locale) ? GERMAN : ENGLISH);
