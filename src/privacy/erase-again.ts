import { handle, keyOf } from '#core/job.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { erasePerson } from './erase-person.ts';
import { refreshed, type Person } from './person.ts';
import { eraseAgain } from './privacy.jobs.ts';
import { queueErasingMentions } from './run-erasing-mentions.ts';
import { opened, sealed } from './seal-erasure.ts';

/** By then every request, job and attempt that read the person's data before has ended. */
const AGAIN_AFTER_MS = 15 * MINUTE_MS;

/**
 * Queues a second erasure: a request or job that has read the person's data may write it after the first.
 * The addresses by which texts are found stay until then, encrypted.
 */
export function queueErasureAgain(work: Work, secrets: Secrets, person: Person): void {
  const { subAccountId } = work;
  const payload = {
    subAccountId,
    person: sealed(secrets, { job: eraseAgain, subAccountId }, person),
  };
  work.enqueue(eraseAgain, payload, {
    waitMs: AGAIN_AFTER_MS,
    key: keyOf(eraseAgain, payload, person.contactIds[0] ?? crypto.randomUUID()),
  });
}

/** Erases what is stored about a person now. What they did after they came back stays. */
export const handleEraseAgain = handle(
  eraseAgain,
  async ({ subAccountId, person: text }, { transact, openView, clock, actor, tools, log }) => {
    const person = opened(tools.secrets, { job: eraseAgain, subAccountId }, text) as
      | Person
      | undefined;
    if (!person) {
      log.warn({ subAccountId }, 'a second erasure was queued by an installation with another key');
      return;
    }
    const current = await refreshed(openView(subAccountId, clock()), person);
    const tables = await transact(subAccountId, actor, (work) => {
      queueErasingMentions(work, tools.secrets, { person: current });
      return erasePerson(work, current);
    });
    log.info({ subAccountId, contactIds: person.contactIds, tables }, 'erased a second time');
  },
);
