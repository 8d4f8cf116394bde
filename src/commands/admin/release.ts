import { defineCommand } from '#core/command.ts';
import { AGENCY } from '#lib/id.ts';
import { readPause } from '#platform/queue/pause.ts';
import type { AdminContext } from '../context.ts';

const release = defineCommand<AdminContext>()({
  path: 'admin release',
  summary: 'Resume workers that are paused, as after a restore',
  options: {},
  examples: ['frontdesk admin release', 'frontdesk admin release --json'],
  context: 'service',
  async run({ transact, actor, database }) {
    const { releaseWork } = await import('../../operations/release-work.ts');
    const { heldSince, reason } = await readPause(database);
    await transact(AGENCY, actor, releaseWork);
    return {
      json: { released: true, heldSince, reason },
      text: heldSince
        ? `workers resumed; they were paused since ${heldSince.toISOString()}: ${reason}`
        : 'the queue was not paused; workers started with --hold run jobs now',
    };
  },
});

export const releaseCommands = [release];
