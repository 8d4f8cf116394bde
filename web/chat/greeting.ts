import { makeBubble } from './bubble.ts';
import type { Configuration } from './api.ts';
import { texts } from './texts.ts';

/** Creates the welcome text as the first bubble. */
export function makeGreeting({ brand, title, welcomeMessage }: Configuration): HTMLElement[] {
  if (!welcomeMessage) {
    return [];
  }
  const { root, show } = makeBubble({
    isOwn: false,
    sender: brand || title || texts.title,
    text: welcomeMessage,
  });
  show({ isFirst: false, isLast: true, foot: { kind: 'sent' } });
  return [root];
}
