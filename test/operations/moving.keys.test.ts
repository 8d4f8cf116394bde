import { expect, test } from 'vitest';
import { ENQUEUE_TICK } from '#platform/queue/private-tables.ts';
import { schedule } from '#registry/schedule.ts';
import { withDatabase } from './backup.support.ts';
import { exported, newPlace, populated, type Place } from './moving.support.ts';

const LAST = new Date('2026-03-01T12:00:00Z');
const NEXT = new Date('2026-03-01T12:05:00Z');

interface CraftedJob {
  readonly task: string;
  readonly payload: object;
  readonly key: string;
}

const queue = ({ url }: Place, jobs: readonly CraftedJob[]) =>
  withDatabase(url, async (client) => {
    for (const { task, payload, key } of jobs) {
      await client.query(
        `select graphile_worker.add_job($1, $2, job_key => $3, run_at => now() + interval '9 d')`,
        [task, JSON.stringify(payload), key],
      );
    }
  });

const keysOf = ({ url }: Place, task: string) =>
  withDatabase(url, async (client) => {
    const { rows } = await client.query<{ key: string | null }>(
      'select key from graphile_worker.jobs where task_identifier = $1 order by key',
      [task],
    );
    return rows.map(({ key }) => key);
  });

/** Queues the jobs of the next tick, and returns the names of those that were queued. */
const tickAll = ({ url }: Place) =>
  withDatabase(url, async (client) => {
    const names: string[] = [];
    for (const { job } of schedule) {
      await client.query(ENQUEUE_TICK, [job.name, LAST, 1]);
      const { rows } = await client.query(ENQUEUE_TICK, [job.name, NEXT, 1]);
      names.push(...rows.map(() => job.name));
    }
    return names;
  });

test('imported jobs with the keys of ticks keep no periodic job from being queued', async () => {
  const from = await newPlace();
  const to = await newPlace(from.secretKey);
  const { subAccountId } = await populated(from);
  const task = 'campaigns/mail';
  await queue(
    from,
    schedule.map(({ job }) => ({
      task,
      payload: { subAccountId },
      key: `${job.name}@2026-03-01T12:00:00Z`,
    })),
  );
  const { file } = await exported(from, subAccountId);
  expect(await to.admin('sub-account', 'import', file)).toMatchObject({ code: 0 });
  expect(await keysOf(to, task)).toEqual(schedule.map(() => null));
  expect(await tickAll(to)).toEqual(schedule.map(({ job }) => job.name));
});

test('an import keeps keys that come from the payload of the job, and drops all others', async () => {
  const from = await newPlace();
  const to = await newPlace(from.secretKey);
  const { subAccountId } = await populated(from);
  const other = crypto.randomUUID();
  const reminder = { appointmentId: crypto.randomUUID(), before: 60, channel: 'sms' };
  const own = [
    [`campaigns/mail:${subAccountId}`, {}],
    [`booking/remind:${reminder.appointmentId}:60:sms`, reminder],
    [`booking/offer-waiting:${subAccountId}:`, {}],
    [`booking/offer-waiting:${subAccountId}:1790000000000`, {}],
  ] as const;
  const foreign = [
    [`campaigns/mail:${other}`, {}, 'campaigns/mail'],
    [`campaigns/mail:${subAccountId}0`, {}, 'campaigns/mail'],
    [`campaigns/mail:${subAccountId}:1`, {}, 'tasks/remind'],
    [`booking/remind:${reminder.appointmentId}:30:sms`, reminder, 'booking/remind'],
    [`accounts/mail-person:${subAccountId}`, {}, 'accounts/mail-person'],
    ['tasks/remind:', {}, 'tasks/remind'],
  ] as const;
  await queue(from, [
    ...own.map(([key, payload]) => ({
      key,
      payload: { ...payload, subAccountId },
      task: key.split(':')[0] ?? '',
    })),
    ...foreign.map(([key, payload, task]) => ({
      key,
      payload: { ...payload, subAccountId },
      task,
    })),
  ]);
  const { file } = await exported(from, subAccountId);
  expect(await to.admin('sub-account', 'import', file)).toMatchObject({ code: 0 });
  expect(await keysOf(to, 'campaigns/mail')).toEqual([own[0][0], null, null]);
  expect(await keysOf(to, 'booking/remind')).toEqual([own[1][0], null]);
  expect(await keysOf(to, 'booking/offer-waiting')).toEqual([own[2][0], own[3][0]]);
  expect(await keysOf(to, 'accounts/mail-person')).toEqual([null]);
  expect((await keysOf(to, 'tasks/remind')).filter((key) => key === null)).toHaveLength(2);
});
