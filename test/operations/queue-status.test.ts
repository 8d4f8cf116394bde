import { AGENCY } from '#lib/id.ts';
import { queueStatus } from '../../src/operations/queue-status.ts';
import { createContact } from '../../src/contacts/create-contact.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const status = ({ openView }: TestService) => queueStatus(openView(AGENCY, new Date()));

/** Queues jobs and puts them into a state, as the queue itself would. */
const jobs = ({ database }: TestService, ...states: readonly string[]) =>
  Promise.all(
    states.map((state, index) =>
      database
        .rows(
          `with job as (select (graphile_worker.add_job($1, max_attempts => 3)).id)
         select id from job`,
          [`test/${index}`],
        )
        .then(([job]) =>
          database.rows(`update graphile_worker._private_jobs set ${state} where id = $1`, [
            (job as { id: string }).id,
          ]),
        ),
    ),
  );

describe('the queue', () => {
  test('is empty at first', async ({ service }) => {
    await service.database.rows('delete from outbox');
    expect(await status(service)).toEqual({
      depth: 0,
      oldest: null,
      failing: 0,
      givenUp: 0,
      failingJobs: [],
      unpublished: 0,
    });
  });

  test('counts due and running jobs, not later ones or those that failed for good', async ({
    service,
  }) => {
    await service.database.rows('delete from outbox');
    await jobs(
      service,
      `run_at = '2026-01-01T10:00:00Z'`,
      `run_at = '2026-01-01T09:00:00Z', locked_at = now(), locked_by = 'w', attempts = 3`,
      `run_at = now() + interval '1 h'`,
      `run_at = '2026-01-01T08:00:00Z', attempts = 3, last_error = E'no such host\\nat line 1'`,
      `run_at = '2099-01-01T08:00:00Z', attempts = 1, last_error = 'later', updated_at = now() + interval '1 s'`,
    );
    expect(await status(service)).toMatchObject({
      depth: 2,
      oldest: '2026-01-01T09:00:00.000Z',
      failing: 2,
      givenUp: 1,
      failingJobs: [
        {
          task: 'test/4',
          attempts: 1,
          isGivenUp: false,
          lastError: 'later',
          runAt: '2099-01-01T08:00:00.000Z',
        },
        {
          task: 'test/3',
          attempts: 3,
          isGivenUp: true,
          lastError: 'no such host\nat line 1',
          runAt: '2026-01-01T08:00:00.000Z',
        },
      ],
    });
  });

  test('lists the latest twenty failures, and counts all', async ({ service }) => {
    await service.database.rows('delete from graphile_worker._private_jobs');
    await jobs(service, ...Array.from({ length: 25 }, () => `last_error = 'no'`));
    const { failing, failingJobs } = await status(service);
    expect([failing, failingJobs.length]).toEqual([25, 20]);
  });

  test('counts an event that is not published, also in its depth', async ({ service }) => {
    const { transact, subAccountId, actor } = service;
    const before = await status(service);
    await transact(subAccountId, actor, (work) =>
      createContact(work, { firstName: 'Ada', lastName: 'Lovelace' }),
    );
    expect(await status(service)).toMatchObject({
      unpublished: before.unpublished + 1,
      depth: before.depth + 1,
    });
  });
});
