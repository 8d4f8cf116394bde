import { Type } from 'typebox';
import { defineJob } from '#core/job.ts';
import { request, uuid } from '#core/schema/schema.ts';

const MAX_ATTEMPTS = 25;

/**
 * Offers the free slots of a sub-account to those who wait for them, and ends offers that have expired.
 * With `after`, it continues behind that place.
 */
export const offerWaiting = defineJob({
  name: 'booking/offer-waiting',
  payload: request({ subAccountId: uuid(), after: Type.Optional(uuid()) }),
  keyFrom: ['subAccountId'],
  maxAttempts: MAX_ATTEMPTS,
});

/** Mails the link of a new place. */
export const confirmWaiting = defineJob({
  name: 'booking/confirm-waiting',
  payload: request({ subAccountId: uuid(), placeId: uuid() }),
  maxAttempts: MAX_ATTEMPTS,
});

/** Queues `offerWaiting` for every sub-account with a waiting list: slots also become free without an event. */
export const checkWaiting = defineJob({
  name: 'booking/check-waiting',
  payload: request({}),
  maxAttempts: 1,
});
