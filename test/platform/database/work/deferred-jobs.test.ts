import { queueMailing } from '../../../../src/campaigns/campaigns.jobs.ts';
import { syncAppointment } from '../../../../src/booking/notices/booking.jobs.ts';
import { queueDelivery } from '../../../../src/webhooks/deliveries/webhooks.jobs.ts';
import { queueReading } from '../../../../src/workflows/runs/workflows.jobs.ts';
import { keyOf } from '#core/job.ts';
import type { JobTime, Work } from '#core/work.ts';
import { HOUR_MS } from '#lib/duration.ts';
import { newId } from '#lib/id.ts';
import { writesOfJobs } from '../../../../src/platform/database/work/deferred-jobs.ts';
import { databaseNow, expectWait, SKEWS } from '../../../support/clock-skew.ts';
import { expect, test, type TestService } from '../../../support/service.ts';
import { onTestFinished } from 'vitest';

const queueSync = (work: Work, appointmentId: string, runAt?: Date): void => {
  const payload = { subAccountId: work.subAccountId, appointmentId };
  const key = keyOf(syncAppointment, payload);
  work.enqueue(syncAppointment, payload, { key, ...(runAt && { runAt }) });
};

const queued = ({ database, subAccountId }: TestService) =>
  database.rows<any>(
    `select j.key, p.payload, j.max_attempts as "maxAttempts", j.run_at <= now() as "isDue"
     from graphile_worker.jobs j join graphile_worker._private_jobs p on p.id = j.id
     where p.payload ->> 'subAccountId' = $1 order by j.key`,
    [subAccountId],
  );

test('many jobs of one kind are queued like single ones, and replace queued ones', async ({
  service,
}) => {
  const { transact, subAccountId, actor } = service;
  const ids = Array.from({ length: 30 }, () => newId(new Date()));
  const [first = ''] = ids;
  const later = new Date(Date.now() + HOUR_MS);
  await transact(subAccountId, actor, async (work) => queueSync(work, first, later));
  expect(await queued(service)).toMatchObject([{ isDue: false }]);
  await transact(subAccountId, actor, async (work) => {
    for (const id of [...ids, first]) {
      queueSync(work, id);
    }
  });
  const { maxAttempts } = syncAppointment;
  expect(await queued(service)).toEqual(
    ids.toSorted().map((appointmentId) => ({
      key: `booking/hold:${appointmentId}`,
      payload: { subAccountId, appointmentId },
      maxAttempts,
      isDue: true,
    })),
  );
});

test('jobs are queued in the order of their keys, and only many alike share a statement', () => {
  const job = (name: string, n: number, runAt?: Date) => ({
    name,
    payload: '{}',
    runAt,
    waitMs: undefined,
    maxAttempts: 25,
    key: `${name}:${String(n).padStart(2, '0')}`,
    isWakeUp: false,
  });
  const many = (name: string, runAt?: Date) =>
    Array.from({ length: 30 }, (_, n) => job(name, 29 - n, runAt));
  const keys = ({ values }: { readonly values: readonly unknown[] }) => values[4] ?? values[1];
  const of = (name: string) =>
    many(name)
      .map(({ key }) => key)
      .toSorted();
  expect(writesOfJobs([job('c', 1), ...many('b'), job('a', 1)]).map(keys)).toEqual([
    'a:01',
    of('b'),
    'c:01',
  ]);
  expect(writesOfJobs(many('later', new Date())).map(keys)).toEqual(of('later'));
  const unkeyed = many('b').map((one) => ({ ...one, key: undefined }));
  expect(writesOfJobs(unkeyed)).toHaveLength(30);
});

test.for([
  ['deliveries', (work: Work, when?: JobTime) => queueDelivery(work, work.subAccountId, when)],
  ['campaign mails', queueMailing],
  ['workflows that read events', queueReading],
] as const)('a later job for %s does not delay a queued job', async ([, queue], { service }) => {
  const { transact, subAccountId, actor } = service;
  const queueIn = (when?: JobTime) =>
    transact(subAccountId, actor, async (work) => queue(work, when));
  await queueIn();
  await queueIn({ runAt: new Date(Date.now() + HOUR_MS) });
  await queueIn({ waitMs: HOUR_MS });
  expect(await queued(service)).toMatchObject([{ isDue: true }]);
  await service.database.rows(`select graphile_worker.remove_job(key) from graphile_worker.jobs`);
  await queueIn({ waitMs: HOUR_MS });
  expect(await queued(service)).toMatchObject([{ isDue: false }]);
  await queueIn();
  expect(await queued(service)).toMatchObject([{ isDue: true }]);
});

const RUN_AT = `select run_at as "runAt" from graphile_worker.jobs where key = $1`;

test.for(SKEWS)(
  'waits are counted by the database for a process whose clock is %s',
  async ([, skewMs], { service }) => {
    const { clock, database, transact, subAccountId, actor } = service;
    clock.advance(skewMs);
    onTestFinished(() => clock.advance(-skewMs));
    const queueIn = async (when: JobTime) => {
      await transact(subAccountId, actor, async (work) => queueDelivery(work, subAccountId, when));
      const [job] = await database.rows<{ runAt: Date }>(RUN_AT, [
        `webhooks/deliver:${subAccountId}`,
      ]);
      await database.rows(`select graphile_worker.remove_job(key) from graphile_worker.jobs`);
      return job?.runAt;
    };
    const since = await databaseNow(service);
    await expectWait(service, await queueIn({ waitMs: 90_000 }), { since, waitMs: 90_000 });
    await expectWait(service, await queueIn({ waitMs: 0 }), { since, waitMs: 0 });
    const [before, after] = [since - HOUR_MS, since + HOUR_MS].map((time) => new Date(time));
    const later = await queueIn({ runAt: before, waitMs: 90_000 });
    await expectWait(service, later, { since, waitMs: 90_000 });
    expect(await queueIn({ runAt: after, waitMs: 90_000 })).toEqual(after);
  },
);
