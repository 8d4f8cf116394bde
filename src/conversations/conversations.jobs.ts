import { defineJob } from '#core/job.ts';
import * as s from '#core/schema/schema.ts';
import { Type } from '#core/schema/type.ts';

/** Hands one message that waits to whoever carries its channel. */
export const sendMessage = defineJob({
  name: 'conversations/send-message',
  payload: s.request({
    subAccountId: s.uuid(),
    messageId: s.uuid(),
    attempt: Type.Optional(Type.Integer({ minimum: 1, description: 'from 1, which it is unset' })),
  }),
  maxAttempts: 25,
  lane: 'peers',
});

/** Asks what became of messages that their provider took long ago. */
export const fetchStatuses = defineJob({
  name: 'conversations/ask-underway',
  payload: s.request({ subAccountId: s.uuid() }),
  // The clock asks again soon.
  maxAttempts: 1,
  lane: 'peers',
});

/** Has every sub-account that has such messages ask. */
export const fetchAllStatuses = defineJob({
  name: 'conversations/ask-all-underway',
  payload: s.request({}),
  maxAttempts: 1,
});
