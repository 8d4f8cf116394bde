import { defineJob } from '#kit/job.ts';
import * as s from '#kit/schema.ts';

/** Hands one message that waits to whoever carries its channel. */
export const sendMessage = defineJob({
  name: 'conversations/send-message',
  payload: s.strict({ subAccountId: s.uuid(), messageId: s.uuid() }),
  maxAttempts: 25,
  lane: 'peers',
});
