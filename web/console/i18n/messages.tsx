import { createContext, use } from 'react';
import type { Messages } from './message-types.ts';

export const MessagesContext = createContext<Messages | null>(null);

/** Returns the texts in the user's language. */
export function useMessages(): Messages {
  const messages = use(MessagesContext);
  if (messages === null) {
    throw new Error('useMessages needs a MessagesContext above it');
  }
  return messages;
}
