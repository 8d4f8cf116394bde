import { deWaiting } from '../i18n/de/waiting.ts';
import { enWaiting } from '../i18n/en/waiting.ts';
import { esWaiting } from '../i18n/es/waiting.ts';
import { frWaiting } from '../i18n/fr/waiting.ts';
import { currentLocale, type Locale } from '../i18n/locale.ts';
import type { WaitingMessages } from '../i18n/message-types.ts';

/** Loaded with the page of the calendar: the first screen stays small. */
const TEXTS: Readonly<Record<Locale, WaitingMessages>> = {
  en: enWaiting,
  de: deWaiting,
  fr: frWaiting,
  es: esWaiting,
};

/** Returns the texts of the waiting list. */
export const useWaitingMessages = (): WaitingMessages => TEXTS[currentLocale()];
