import { chooseLanguage } from './language.ts';
import { german } from './words.de.ts';
import { english, type Messages } from './words.en.ts';
import { spanish } from './words.es.ts';
import { french } from './words.fr.ts';

const WORDS: Readonly<Record<string, Messages>> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
};

/** In which the words are, with the visitor's own way to write times where it is his language too. */
export const language = chooseLanguage(Object.keys(WORDS));

export const words: Messages = WORDS[language.slice(0, 2)] ?? english;
