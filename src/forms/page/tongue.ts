import { german } from './words.de.ts';
import { english, type Words } from './words.en.ts';

/** In which a page speaks. */
export interface Tongue {
  readonly lang: string;
  readonly words: Words;
}

const ENGLISH: Tongue = { lang: 'en', words: english };
const GERMAN: Tongue = { lang: 'de', words: german };

/** The sub-account's language where the pages speak it, else English. */
export const tongueOf = (locale: string): Tongue => (/^de\b/i.test(locale) ? GERMAN : ENGLISH);
