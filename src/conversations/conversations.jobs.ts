import { defineJob } from '#kit/job.ts';
import * as s from '#kit/schema.ts';
import { Type } from '#kit/type.ts';

/** Hands one message that waits to whoever carries its channel. */
export const sendMessage = defineJob({
  name: 'conversations/send-message',
  payload: s.strict({
    subAccountId: s.uuid(),
    messageId: s.uuid(),
    attempt: Type.Optional(Type.Integer({ minimum: 1, description: 'from 1, which it is unset' })),
  }),
  maxAttempts: 25,
  lane: 'peers',
});
