import { handle, keyOf } from '#core/job.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { SECOND_MS } from '#lib/duration.ts';
import { eraseMentions, type Erasure, type Pause } from './erase-mentions.ts';
import { eraseMentionsJob } from './privacy.jobs.ts';
import { opened, sealed } from './seal-erasure.ts';

/** The length of a time slice; then jobs of other sub-accounts get the worker. */
const SLICE_MS = 3 * SECOND_MS;

/**
 * Queues the erasing of mentions, or the rest of it with the same `runId`. The addresses stay until it
 * ends, encrypted.
 */
export function queueErasingMentions(
  work: Work,
  secrets: Secrets,
  erasure: Erasure,
  runId: string = crypto.randomUUID(),
): void {
  const { subAccountId } = work;
  const person = sealed(secrets, { job: eraseMentionsJob, subAccountId }, erasure);
  const payload = { subAccountId, runId, person };
  work.enqueue(eraseMentionsJob, payload, { key: keyOf(eraseMentionsJob, payload) });
}

/** Erases mentions for one time slice, and queues the rest. */
export const handleEraseMentions = handle(
  eraseMentionsJob,
  async ({ subAccountId, runId, person: text }, context) => {
    const { transact, openView, clock, actor, tools, log, signal, attempt } = context;
    const place = { job: eraseMentionsJob, subAccountId };
    const erasure = opened(tools.secrets, place, text) as Erasure | undefined;
    if (!erasure) {
      log.warn({ subAccountId }, 'an erasure was queued by an installation with another key');
      return;
    }
    const view = openView(subAccountId, clock());
    const until = clock().getTime() + SLICE_MS;
    const pause: Pause = (work, rest, hasMoreRecords) => {
      signal.throwIfAborted();
      // The found records are kept together with the erasing of their texts: no later attempt finds them.
      const isOver = hasMoreRecords || clock().getTime() >= until;
      if (isOver) {
        queueErasingMentions(work, tools.secrets, rest, runId);
      }
      return isOver;
    };
    const tables = await eraseMentions({ view, transact, actor, attempt }, erasure, pause);
    log.info({ subAccountId, contactIds: erasure.person.contactIds, tables }, 'erased mentions');
  },
);
