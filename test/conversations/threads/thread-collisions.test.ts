import { describe, expect, test } from 'vitest';
import { CHANNELS } from '../../../src/contacts/channels.ts';
import { CONVERSATION_STATUSES } from '../../../src/conversations/threads/conversation.schema.ts';
import {
  collisionsOf,
  type Thread,
} from '../../../src/conversations/threads/conversations-of-contact.ts';

const thread = (id: string, channel: string, status: string): Thread => ({
  id,
  contactId: id.startsWith('m') ? 'merged' : 'kept',
  channel: channel as Thread['channel'],
  status: status as Thread['status'],
});

const PAIRS = CONVERSATION_STATUSES.flatMap((moving) =>
  CONVERSATION_STATUSES.map((staying) => [moving, staying] as const),
);

describe('merging two contacts', () => {
  test.for(CHANNELS.filter((one) => one !== 'sms' && one !== 'live_chat'))(
    'closes only the second open thread by %s',
    (channel) => {
      for (const [moving, staying] of PAIRS) {
        const threads = [thread('m', channel, moving), thread('k', channel, staying)];
        const closed = moving === 'open' && staying === 'open' ? ['m'] : [];
        expect(collisionsOf(threads, 'merged')).toEqual({ closed, united: undefined });
      }
    },
  );

  test('unites the threads by sms, whatever their status', () => {
    for (const [moving, staying] of PAIRS) {
      const threads = [thread('k', 'sms', staying), thread('m', 'sms', moving)];
      expect(collisionsOf(threads, 'merged')).toEqual({
        closed: [],
        united: { from: 'm', into: 'k' },
      });
    }
  });

  test('changes no live chats, other channels or threads of one contact only', () => {
    const none = { closed: [], united: undefined };
    for (const threads of [
      [thread('m', 'live_chat', 'open'), thread('k', 'live_chat', 'open')],
      [thread('m', 'email', 'open'), thread('k', 'gmail', 'open')],
      [thread('m', 'sms', 'open'), thread('m2', 'email', 'open')],
      [thread('k', 'sms', 'open')],
      [],
    ]) {
      expect(collisionsOf(threads, 'merged')).toEqual(none);
    }
  });
});
