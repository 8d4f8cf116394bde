import type { Messages } from './message-types.ts';
import { stored } from '../ui/stored.ts';

export const LOCALES = ['en', 'de', 'fr', 'es'] as const;
export type Locale = (typeof LOCALES)[number];

/** Each language in its own words. */
export const LOCALE_NAMES: Readonly<Record<Locale, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};

const isLocale = (value: string | undefined): value is Locale =>
  LOCALES.some((one) => one === value);

const chosen = stored('locale');
export const chooseLocale = (locale: Locale): void => {
  chosen.write(locale);
  location.reload();
};

/** Returns the chosen language, else the first of the browser's that the console speaks. */
export function currentLocale(): Locale {
  const wanted = [chosen.read(), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return (wanted.find((tag) => isLocale(tag ?? undefined)) as Locale | undefined) ?? 'en';
}

/** Loads the texts of one language. */
export async function messagesOf(locale: Locale): Promise<Messages> {
  switch (locale) {
    case 'de':
      return (await import('./de/de.ts')).deMessages;
    case 'fr':
      return (await import('./fr/fr.ts')).frMessages;
    case 'es':
      return (await import('./es/es.ts')).esMessages;
    case 'en':
      return (await import('./en/en.ts')).enMessages;
  }
}
