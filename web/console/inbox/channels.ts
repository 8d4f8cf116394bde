import type { Channel } from '../../../sdk/src/generated/shared.ts';
import type { IconName } from '../ui/icons.tsx';

export const CHANNELS = [
  'live_chat',
  'email',
  'gmail',
  'sms',
  'messenger',
  'instagram',
  'social_dm',
] as const satisfies readonly Channel[];

export const CHANNEL_ICONS: Readonly<Record<Channel, IconName>> = {
  live_chat: 'chat',
  email: 'mail',
  gmail: 'mail',
  sms: 'phone',
  messenger: 'social',
  instagram: 'social',
  social_dm: 'social',
};

export const isMail = (channel: Channel): boolean => channel === 'email' || channel === 'gmail';
