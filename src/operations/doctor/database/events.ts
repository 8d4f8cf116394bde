import { counted } from '#lib/counted.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { oldestUnpublished } from '../../operation-status.ts';
import { ok, warn, type Check } from '../check.ts';

/** Workers publish within milliseconds. */
const LATE_MS = MINUTE_MS;

/** Checks that events are published. */
export const events: Check = {
  name: 'events',
  async examine({ rows }) {
    const { unpublished, since } = await oldestUnpublished({ rows });
    if (since === null) {
      return ok('all published');
    }
    const message = `${counted(unpublished, 'event')} not published, the oldest since ${since.toISOString()}`;
    return Date.now() - since.getTime() > LATE_MS
      ? warn(message, 'check that a worker runs; its log says why it publishes nothing')
      : ok(message);
  },
};
