import { MINUTE_MS } from '#lib/duration.ts';
import { counted } from '#lib/counted.ts';
import { readPause } from '#platform/queue/pause.ts';
import { queueStatus } from '../../queue-status.ts';
import { fail, ok, warn, type Check } from '../check.ts';

const WARN_MS = MINUTE_MS;
const FAIL_MS = 15 * MINUTE_MS;

export const queue: Check = {
  name: 'queue',
  async examine({ rows }) {
    const { depth, unpublished, oldest, failing, givenUp, failingJobs } = await queueStatus({
      rows: (text, values) => rows(text, values),
    });
    const age = oldest === null ? 0 : Date.now() - Date.parse(oldest);
    const message = `${counted(depth - unpublished, 'job')} due${oldest === null ? '' : `, the oldest since ${oldest}`}, ${failing} failing${givenUp === 0 ? '' : ` (${givenUp} will not be retried)`}`;
    if (age > WARN_MS) {
      const { heldSince } = await readPause({ rows });
      if (heldSince) {
        return warn(
          message,
          'workers are paused: check the installation, then run frontdesk admin release',
        );
      }
      const fix = 'check that a worker runs; if it is overloaded, run more workers';
      return age > FAIL_MS ? fail(message, fix) : warn(message, fix);
    }
    const [latest] = failingJobs;
    return latest
      ? warn(
          `${message}; ${latest.task}: ${latest.lastError.split('\n')[0]}`,
          'see the failing jobs: frontdesk admin queue status',
        )
      : ok(message);
  },
};
