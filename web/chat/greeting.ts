import { makeBubble } from './bubble.ts';
import type { Configuration } from './configuration.ts';
import { words } from './words.ts';

/** The welcome as the first bubble, as if somebody had said it. */
export function makeGreeting({ title, welcomeMessage }: Configuration): HTMLElement[] {
  if (!welcomeMessage) {
    return [];
  }
  const { root, show } = makeBubble({
    isOwn: false,
    sender: title || words.title,
    text: welcomeMessage,
  });
  show({ isFirst: false, isLast: true, foot: { kind: 'sent' } });
  return [root];
}
