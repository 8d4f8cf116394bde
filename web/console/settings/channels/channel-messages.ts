import type { ChannelMessages } from '../../i18n/message-types.ts';
import { currentLocale, type Locale } from '../../i18n/locale.ts';
import { deChannels } from '../../i18n/de/channels.ts';
import { enChannels } from '../../i18n/en/channels.ts';
import { esChannels } from '../../i18n/es/channels.ts';
import { frChannels } from '../../i18n/fr/channels.ts';

/** Loaded with the settings: the first screen stays small. */
const TEXTS: Readonly<Record<Locale, ChannelMessages>> = {
  en: enChannels,
  de: deChannels,
  fr: frChannels,
  es: esChannels,
};

/** Returns the texts about channels and their providers. */
export const channelMessages = (): ChannelMessages => TEXTS[currentLocale()];
