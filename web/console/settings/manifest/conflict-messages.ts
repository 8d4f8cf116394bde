import type { ConflictMessages } from '../../i18n/message-types.ts';
import { currentLocale, type Locale } from '../../i18n/locale.ts';
import { deConflicts } from '../../i18n/de/conflicts.ts';
import { enConflicts } from '../../i18n/en/conflicts.ts';
import { esConflicts } from '../../i18n/es/conflicts.ts';
import { frConflicts } from '../../i18n/fr/conflicts.ts';

/** Loaded with the settings: the first screen stays small. */
const TEXTS: Readonly<Record<Locale, ConflictMessages>> = {
  en: enConflicts,
  de: deConflicts,
  fr: frConflicts,
  es: esConflicts,
};

/** Returns the texts about a change that another person made meanwhile. */
export const conflictMessages = (): ConflictMessages => TEXTS[currentLocale()];
