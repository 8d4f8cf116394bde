import type { SectionFormMessages } from '../../i18n/message-types.ts';
import { currentLocale, type Locale } from '../../i18n/locale.ts';
import { deSectionForms } from '../../i18n/de/section-forms.ts';
import { enSectionForms } from '../../i18n/en/section-forms.ts';
import { esSectionForms } from '../../i18n/es/section-forms.ts';
import { frSectionForms } from '../../i18n/fr/section-forms.ts';

/** Loaded with the settings: the first screen stays small. */
const TEXTS: Readonly<Record<Locale, SectionFormMessages>> = {
  en: enSectionForms,
  de: deSectionForms,
  fr: frSectionForms,
  es: esSectionForms,
};

/** Returns the texts of the forms for calendars, services and public forms. */
export const sectionMessages = (locale = currentLocale()): SectionFormMessages => TEXTS[locale];
