import type { View } from '#core/work.ts';
import { isWithin } from './business-hours.ts';
import { chatOf } from './chat-settings.ts';

/** What the widget is told before anybody has said a word. */
export async function readConfig(view: View) {
  const chat = await chatOf(view);
  const { businessHours, timezone } = chat;
  const isOpen = businessHours === null || isWithin(businessHours, timezone, view.now);
  return { subAccountId: view.subAccountId, ...chat, online: chat.enabled && isOpen };
}
