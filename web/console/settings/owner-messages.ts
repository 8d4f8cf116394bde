import type { OwnerMessages } from '../i18n/message-types.ts';
import { currentLocale, type Locale } from '../i18n/locale.ts';
import { deOwner } from '../i18n/de/owner.ts';
import { enOwner } from '../i18n/en/owner.ts';
import { esOwner } from '../i18n/es/owner.ts';
import { frOwner } from '../i18n/fr/owner.ts';

/** Loaded with the pages that need them: the first screen stays small. */
const TEXTS: Readonly<Record<Locale, OwnerMessages>> = {
  en: enOwner,
  de: deOwner,
  fr: frOwner,
  es: esOwner,
};

/** Returns the texts of pages that owners and admins use. */
export const ownerMessages = (): OwnerMessages => TEXTS[currentLocale()];
