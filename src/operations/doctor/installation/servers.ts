import { processesOf } from '../../operation-status.ts';
import { ok, warn, type Check } from '../check.ts';

/** Checks that a server answers requests: one reported within 45 seconds and has not died since. */
export const servers: Check = {
  name: 'servers',
  async examine({ rows, nothingRuns }) {
    const processes = await processesOf({ rows });
    const living = processes.filter(({ kind, hasDied }) => kind !== 'worker' && !hasDied);
    return living.length > 0
      ? ok('running')
      : warn('no server is running: requests are not answered', nothingRuns ?? START);
  },
};

const START = 'start frontdesk serve';
