import { notFound } from '#core/fault.ts';
import type { CachedRead, View } from '#core/work.ts';
import { DEFAULT_BRAND_COLOR } from '#lib/brand-palette.ts';
import type { AddedLanguages } from '#lib/translate.ts';
import { languagesIn, type ChatLanguages } from './chat-languages.ts';
import { isWithin, type BusinessHours } from './business-hours.ts';

/** The stored settings. Null: the default is that of the sub-account, or none. */
export interface ChatSettings {
  readonly enabled: boolean;
  readonly title: string | null;
  readonly welcomeMessage: string | null;
  readonly color: string | null;
  readonly position: 'left' | 'right';
  readonly requireName: boolean;
  readonly requireEmail: boolean;
  readonly legalText: string | null;
  readonly businessHours: BusinessHours | null;
  readonly timezone: string | null;
}

/** Defaults of settings that the manifest omits. */
export const CHAT_DEFAULTS: ChatSettings = {
  enabled: true,
  title: null,
  welcomeMessage: null,
  color: null,
  position: 'right',
  requireName: true,
  requireEmail: false,
  legalText: null,
  businessHours: null,
  timezone: null,
};

/** The settings, with defaults from the sub-account. */
export type Chat = ChatSettings & {
  readonly brand: string;
  readonly title: string;
  readonly color: string;
  readonly timezone: string;
  /** The widget's texts in the languages that the sub-account added. */
  readonly languages: ChatLanguages;
};

/** Reads the cached settings. Without the section the chat is disabled. Throws NOT_FOUND. */
export async function chatOf(view: View): Promise<Chat> {
  const [row] = await view.cached(SET_UP);
  if (!row) {
    throw notFound('sub-account');
  }
  const settings = { ...CHAT_DEFAULTS, ...(row.settings ?? { enabled: false }) };
  return {
    ...settings,
    brand: row.brand,
    title: settings.title ?? row.brand,
    color: settings.color ?? row.brandColor ?? DEFAULT_BRAND_COLOR,
    timezone: settings.timezone ?? row.timezone,
    languages: languagesIn(row.languages),
  };
}

/** Throws NOT_FOUND if the chat is disabled or its sub-account is gone. */
export async function requireEnabledChat(view: View): Promise<void> {
  const { enabled } = await chatOf(view);
  if (!enabled) {
    throw notFound('chat');
  }
}

interface SetUp {
  readonly brand: string;
  readonly brandColor: string | null;
  readonly timezone: string;
  readonly languages: AddedLanguages;
  readonly settings: Partial<ChatSettings> | null;
}

const SET_UP: CachedRead<SetUp> = {
  tables: ['sub_accounts', 'chat_settings'],
  text: `select coalesce(a.brand, a.name) as brand, a.brand_color as "brandColor", a.timezone,
      a.languages, c.settings
    from sub_accounts a left join chat_settings c on c.sub_account_id = a.id
    where a.id = $1 and a.deleted_at is null`,
};

/** Returns the configuration of the widget. */
export async function readConfig(view: View) {
  const chat = await chatOf(view);
  const { businessHours, timezone } = chat;
  const isOpen = businessHours === null || isWithin(businessHours, timezone, view.now);
  return { subAccountId: view.subAccountId, ...chat, online: chat.enabled && isOpen };
}
