import { lockerOf } from '#platform/database/lock-live.ts';
import { Conversation } from './conversation.entity.ts';

export const lockConversation = lockerOf<Conversation>('conversation', Conversation);
