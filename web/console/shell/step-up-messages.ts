import type { StepUpMessages } from '../i18n/message-types.ts';
import { currentLocale, type Locale } from '../i18n/locale.ts';
import { deStepUp } from '../i18n/de/step-up.ts';
import { enStepUp } from '../i18n/en/step-up.ts';
import { esStepUp } from '../i18n/es/step-up.ts';
import { frStepUp } from '../i18n/fr/step-up.ts';

/** Loaded when they are needed: the first screen stays small. */
const TEXTS: Readonly<Record<Locale, StepUpMessages>> = {
  en: enStepUp,
  de: deStepUp,
  fr: frStepUp,
  es: esStepUp,
};

/** Returns the texts of the second sign-in, and of the offer to add a passkey. */
export const stepUpMessages = (): StepUpMessages => TEXTS[currentLocale()];
