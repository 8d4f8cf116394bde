import { Type } from 'typebox';
import { defineJob } from '#core/job.ts';
import * as s from '#core/schema/schema.ts';

/** Sends one pending message by the carrier of its channel. */
export const sendMessage = defineJob({
  name: 'conversations/send-message',
  payload: s.request({
    subAccountId: s.uuid(),
    messageId: s.uuid(),
    /** Default: 1. */
    attempt: Type.Optional(Type.Integer({ minimum: 1 })),
    /** When the message began to wait for its place, in epoch milliseconds. Default: when the job was queued. */
    queuedAt: Type.Optional(Type.Integer()),
  }),
  keyFrom: ['messageId'],
  maxAttempts: 25,
  lane: 'peers',
});

/** Fetches the statuses of messages that a provider has not reported on. */
export const fetchStatuses = defineJob({
  name: 'conversations/ask-underway',
  payload: s.request({ subAccountId: s.uuid() }),
  // The schedule queues it again soon.
  keyFrom: ['subAccountId'],
  maxAttempts: 1,
  lane: 'peers',
});

/** Fetches the content of a file from the provider of its message. */
export const fetchFile = defineJob({
  name: 'conversations/fetch-file',
  payload: s.request({
    subAccountId: s.uuid(),
    fileId: s.uuid(),
    /** Default: 1. */
    attempt: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  keyFrom: ['fileId'],
  maxAttempts: 25,
  lane: 'files',
});

/** Opens snoozed conversations of all sub-accounts whose time has come. */
export const openSnoozed = defineJob({
  name: 'conversations/open-snoozed',
  payload: s.request({}),
  // The schedule queues it again soon.
  maxAttempts: 1,
});

/** Queues `fetchStatuses` for every sub-account with such messages. */
export const fetchAllStatuses = defineJob({
  name: 'conversations/ask-all-underway',
  payload: s.request({}),
  maxAttempts: 1,
});
