export const CHANNELS = [
  'sms',
  'email',
  'messenger',
  'instagram',
  'gmail',
  'live_chat',
  'social_dm',
] as const;
export type Channel = (typeof CHANNELS)[number];
