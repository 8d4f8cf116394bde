import { expect, test } from 'vitest';
import type { JobContext } from '#core/job.ts';
import { handleReadEvents } from '../../src/workflows/triggers/read-events.ts';
import { workflows as doctor } from '../../src/operations/doctor/workflows.ts';
import { startDelivering } from '../support/deliveries.ts';
import { OPERATOR } from '../support/service.ts';
import { applyTo, contactIn, runsIn, workflowOf } from './workflows.support.ts';

/** Failures in a row after which events are read one by one. */
const LAST = 5;

/** Refuses runs of the workflow `bad`, except for events about other contacts. */
const REFUSE = [
  `create function refuse_run() returns trigger language plpgsql as $$
  begin
    if new.data ->> 'email' like 'poison%' and exists (
      select from workflows w
      where w.sub_account_id = new.sub_account_id and w.id = new.workflow_id and w.slug = 'bad'
    ) then
      raise exception 'poison';
    end if;
    return new;
  end $$`,
  `create trigger refuse_run before insert on workflow_runs
  for each row execute function refuse_run()`,
];

async function withTwoWorkflows() {
  const service = await startDelivering();
  const sub = await service.subAccount();
  const triggers = [{ on: 'contact.created' }];
  const flow = (slug: string, steps: object[]) =>
    workflowOf(steps, { slug, name: slug, triggers }).workflows[0];
  const steps = [{ goal: { event: 'contact.created' } }, { end: true }];
  await applyTo(service, sub, {
    workflows: [flow('bad', [{ addTag: 'x' }]), flow('good', steps)],
  });
  for (const statement of REFUSE) {
    await service.database.rows(statement);
  }
  const happen = async (email: string) => {
    const id = await contactIn(service, sub, { email });
    await service.database.rows('select publish_events(1000)');
    return id;
  };
  const warned: object[] = [];
  const log = { ...service.log, warn: (about: object) => warned.push(about) };
  const read = (over: object = {}) =>
    handleReadEvents.handle({ subAccountId: sub }, {
      ...service,
      log,
      actor: OPERATOR,
      attempt: 1,
      signal: new AbortController().signal,
      ...over,
    } as unknown as JobContext);
  const runs = async (slug: string) =>
    (await runsIn(service, sub, slug))
      .map(({ status, error }) => [status, error])
      .toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
  return { service, sub, happen, read, runs, warned };
}

test('an event that fails for a workflow is skipped for it alone, after five failures', async () => {
  const { service, happen, read, runs, warned } = await withTwoWorkflows();
  await happen('ada@example.com');
  await happen('poison@example.com');
  await happen('grace@example.com');
  for (let failure = 1; failure < LAST; failure += 1) {
    await expect(read()).rejects.toThrow('poison');
    expect([await runs('bad'), await runs('good')]).toEqual([[], []]);
  }
  // New events reset the attempts of the job, but not this count.
  await happen('edsger@example.com');
  await read();
  const running = ['running', null];
  const skipped = ['failed', 'event skipped: poison'];
  expect(await runs('bad')).toEqual([skipped, running, running, running]);
  expect(await runs('good')).toEqual([running, running, running, running]);
  expect(warned).toMatchObject([{ event: 'contact.created' }]);

  await read();
  expect([(await runs('bad')).length, (await runs('good')).length]).toEqual([4, 4]);
  const rows = (text: string) => service.database.rows(text);
  const { message } = await doctor.examine({ rows } as never);
  expect(message).toBe(
    '1 run failed in the last 24 hours, 0 runs without progress for an hour; the latest error: event skipped: poison',
  );
});

test('the next such event is skipped at once; a good one resets the count', async () => {
  const { happen, read, runs } = await withTwoWorkflows();
  await happen('poison@example.com');
  for (let failure = 1; failure < LAST; failure += 1) {
    await expect(read()).rejects.toThrow('poison');
  }
  await read();
  await happen('poison2@example.com');
  await read();
  expect(await runs('bad')).toHaveLength(2);
  await happen('ada@example.com');
  await read();
  await happen('poison3@example.com');
  await expect(read()).rejects.toThrow('poison');
});

test('an unavailable database is no failure of an event', async () => {
  const { service, sub, happen, read } = await withTwoWorkflows();
  await happen('poison@example.com');
  const away = Object.assign(new Error('away'), { code: '57P01' });
  for (let failure = 0; failure <= LAST; failure += 1) {
    await expect(read({ transact: () => Promise.reject(away) })).rejects.toThrow('away');
  }
  const [reader] = await service.database.rows<{ failures: number }>(
    'select failures from workflow_readers where sub_account_id = $1',
    [sub],
  );
  expect(reader?.failures).toBe(0);
});

test('events that end their workers are found one by one, and skipped', async () => {
  const { service, sub, happen, read, runs, warned } = await withTwoWorkflows();
  await happen('ada@example.com');
  await happen('grace@example.com');
  await happen('edsger@example.com');
  const state = async () => {
    const [row] = await service.database.rows<{ position: string; failures: number }>(
      'select position, failures from workflow_readers where sub_account_id = $1',
      [sub],
    );
    return row!;
  };
  const giveUp = () =>
    handleReadEvents.giveUp?.({ subAccountId: sub }, {
      ...service,
      log: { ...service.log, warn: (about: object) => warned.push(about) },
      actor: OPERATOR,
    } as unknown as JobContext);
  const { position } = await state();
  await giveUp();
  expect((await state()).position).toBe(position);
  // Reading one by one, workers ended again: at the first event.
  await giveUp();
  // On a cluster, the events of one sub-account have no consecutive positions.
  const [next] = await service.database.rows<{ position: number }>(
    'select min(position) as position from events where sub_account_id = $1 and position > $2',
    [sub, position],
  );
  expect(Number((await state()).position)).toBe(next?.position);
  expect(warned).toMatchObject([{ subAccountId: sub, position: next?.position }]);
  await read();
  expect((await runs('good')).length).toBe(2);
  expect((await state()).failures).toBe(0);
  const jobs = await service.database.rows(
    `select from graphile_worker.jobs where key = 'workflows/read-events:' || $1::text`,
    [sub],
  );
  expect(jobs).toHaveLength(1);
});
