import { german } from './messages/de.ts';
import { english, type Messages } from './messages/en.ts';
import { spanish } from './messages/es.ts';
import { french } from './messages/fr.ts';

/** The language of an answer. */
export interface WhyLanguage {
  /** Of times and durations, BCP 47. */
  readonly locale: string;
  readonly messages: Messages;
}

/** The languages of the console. */
export const WHY_LANGUAGES = ['en', 'de', 'fr', 'es'] as const;

export const languages: Readonly<Record<(typeof WHY_LANGUAGES)[number], WhyLanguage>> = {
  en: { locale: 'en-GB', messages: english },
  de: { locale: 'de-DE', messages: german },
  fr: { locale: 'fr-FR', messages: french },
  es: { locale: 'es-ES', messages: spanish },
};

/** Returns whether there is a text for a stored word. */
export const hasText = <T extends object>(
  texts: T,
  word: string | null,
): word is keyof T & string => word !== null && Object.hasOwn(texts, word);

/** Returns the text for a word that is stored, such as a status; words without a text stay as they are. */
export const textFor = (texts: Readonly<Record<string, string>>, word: string): string =>
  hasText(texts, word) ? (texts[word] ?? word) : word;
