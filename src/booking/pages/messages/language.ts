import { languagesOf, type Language } from '#lib/page-parts.ts';
import { german } from './de.ts';
import { english, type Messages } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';

export type BookingLanguage = Language<Messages>;

/** Returns the booking pages' language for a sub-account's or a browser's locale. */
export const languageOf = languagesOf<Messages>({
  en: english,
  de: german,
  es: spanish,
  fr: french,
});
