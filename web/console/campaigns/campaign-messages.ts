import type { CampaignMessages } from '../i18n/message-types.ts';
import { currentLocale, type Locale } from '../i18n/locale.ts';
import { useMessages } from '../i18n/messages.tsx';
import { deCampaigns } from '../i18n/de/campaigns.ts';
import { enCampaigns } from '../i18n/en/campaigns.ts';
import { esCampaigns } from '../i18n/es/campaigns.ts';
import { frCampaigns } from '../i18n/fr/campaigns.ts';

/** Loaded with the pages of campaigns: the first screen stays small. */
const TEXTS: Readonly<Record<Locale, CampaignMessages>> = {
  en: enCampaigns,
  de: deCampaigns,
  fr: frCampaigns,
  es: esCampaigns,
};

/** Returns the texts of the console with those of campaigns. */
export const useCampaignMessages = () => ({ ...useMessages(), ...TEXTS[currentLocale()] });
