import { defineCommand } from '#kit/command.ts';
import { AGENCY } from '#kit/id.ts';
import { readHolding } from '#platform/holding.ts';
import type { AdminContext } from '../context.ts';

const release = defineCommand<AdminContext>()({
  path: 'admin release',
  summary: 'Let workers go on that are held, as they are after a restore',
  options: {},
  examples: ['frontdesk admin release', 'frontdesk admin release --json'],
  context: 'service',
  async run({ transact, actor, database }) {
    const { releaseWork } = await import('../../operations/release-work.ts');
    const { heldSince, reason } = await readHolding(database);
    await transact(AGENCY, actor, releaseWork);
    return {
      json: { released: true, heldSince, reason },
      text: heldSince
        ? `workers go on; they were held since ${heldSince.toISOString()}: ${reason}`
        : 'nothing was held, but for workers started with --hold: they go on now',
    };
  },
});

export const releaseCommands = [release];
