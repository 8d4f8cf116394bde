import type { HookMessages } from '../i18n/message-types.ts';
import { currentLocale, type Locale } from '../i18n/locale.ts';
import { useMessages } from '../i18n/messages.tsx';
import { deHooks } from '../i18n/de/hooks.ts';
import { enHooks } from '../i18n/en/hooks.ts';
import { esHooks } from '../i18n/es/hooks.ts';
import { frHooks } from '../i18n/fr/hooks.ts';

/** Loaded with the page: the first screen stays small. */
const TEXTS: Readonly<Record<Locale, HookMessages>> = {
  en: enHooks,
  de: deHooks,
  fr: frHooks,
  es: esHooks,
};

/** Returns the texts of the console with those of webhooks. */
export const useHookMessages = () => ({ ...useMessages(), ...TEXTS[currentLocale()] });
