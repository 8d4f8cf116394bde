import { releaseWork, readPause } from '#platform/queue/pause.ts';
import { defineCommand } from '#core/command.ts';
import { counted } from '#lib/counted.ts';
import { AGENCY } from '#lib/id.ts';
import { queueStatus, type QueueStatus } from '../../operations/queue-status.ts';
import type { AdminContext } from '../open-admin.ts';

const status = defineCommand<AdminContext>()({
  path: 'admin queue status',
  summary: 'Show how many jobs are due, since when, and which fail',
  examples: ['frontdesk admin queue status', 'frontdesk admin queue status --json'],
  context: 'service',
  async run({ openView, clock, database }) {
    const found = await queueStatus(openView(AGENCY, clock()));
    const { heldSince, reason } = await readPause(database);
    const paused = heldSince
      ? `workers are paused since ${heldSince.toISOString()}: ${reason}; frontdesk admin release resumes them\n`
      : '';
    return { json: { ...found, heldSince, reason }, text: `${paused}${textOf(found)}` };
  },
});

function textOf({ depth, oldest, failing, failingJobs, unpublished }: QueueStatus): string {
  const failures = failingJobs.map(({ task, attempts, isGivenUp, lastError, runAt }) => {
    const next = isGivenUp ? 'given up' : `next at ${runAt}`;
    return `  ${task}, ${counted(attempts, 'attempt')}, ${next}: ${lastError.split('\n')[0]}`;
  });
  const more = failing - failures.length;
  return [
    `${counted(depth - unpublished, 'job')} due${oldest === null ? '' : `, the oldest since ${oldest}`}`,
    `${counted(unpublished, 'event')} not published yet`,
    `${counted(failing, 'job')} failing${failing > 0 ? ', the latest first:' : ''}`,
    ...failures,
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ].join('\n');
}

const release = defineCommand<AdminContext>()({
  path: 'admin release',
  summary: 'Resume workers that are paused, as after a restore',
  examples: ['frontdesk admin release', 'frontdesk admin release --json'],
  context: 'service',
  async run({ transact, actor, database }) {
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

export const queueCommands = [status, release];
