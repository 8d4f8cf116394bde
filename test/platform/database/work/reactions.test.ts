import { Type } from 'typebox';
import { internalEvent } from '#core/event.ts';
import { defineJob, keyOf } from '#core/job.ts';
import { reactTo, type Reaction, type Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { transactor } from '#platform/database/work/transact.ts';
import { entityManagers } from '#platform/database/orm.ts';
import { contactCreated } from '../../../../src/contacts/contact.events.ts';
import { createContact } from '../../../../src/contacts/create-contact.ts';
import { traceEffects } from '../../../../src/workflows/runs/effects.ts';
import { expect, OPERATOR, test, type TestService } from '../../../support/service.ts';

const greeted = internalEvent({
  name: 'test.greeted',
  summary: 'made up here',
  data: Type.Object({ by: Type.String() }),
});

const ada = { firstName: 'Ada', lastName: 'Lovelace' };

/** The same service with reactions of the test's own. */
const reacting = (service: TestService, ...reactions: Reaction[]) =>
  transactor({
    ...service,
    onEvents: () => undefined,
    reactions,
    entityManagers: entityManagers(),
  });

const followUp = (work: Work) => createContact(work, { firstName: 'Follow', lastName: 'Up' });

test('a reaction runs in the transaction of its event, and may emit further events', async ({
  service,
}) => {
  const seen: string[] = [];
  const transact = reacting(
    service,
    reactTo(contactCreated, async (work, { contactId, data }) => {
      if (data.firstName === 'Ada') {
        await work.emit(greeted, { contactId, data: { by: 'reaction' } });
      }
    }),
    reactTo(greeted, async (work, { data }) => {
      seen.push(data.by);
      await followUp(work);
    }),
  );
  await transact(service.subAccountId, OPERATOR, (work) => createContact(work, ada));

  expect(seen).toEqual(['reaction']);
  expect(await service.eventNames()).toEqual(['contact.created', 'contact.created']);
});

test('a failing reaction rolls the change back', async ({ service }) => {
  const transact = reacting(
    service,
    reactTo(contactCreated, () => Promise.reject(new Error('refused'))),
  );
  await expect(
    transact(service.subAccountId, OPERATOR, (work) => createContact(work, ada)),
  ).rejects.toThrow('refused');

  expect(await service.eventNames()).toEqual([]);
  expect((await service.call('GET /api/v1/contacts')).body.meta.total).toBe(0);
});

test('a job is queued only if its change commits', async ({ service }) => {
  const job = defineJob({
    name: 'test/job',
    payload: Type.Object({ id: Type.String() }),
    keyFrom: ['id'],
    maxAttempts: 1,
  });
  const payload = { id: newId(new Date()) };
  const key = keyOf(job, payload);
  const attempt = (fails: boolean) =>
    service.transact(service.subAccountId, OPERATOR, async (work) => {
      work.enqueue(job, payload, { key });
      if (fails) {
        throw new Error('changed my mind');
      }
    });
  const queued = () =>
    service.database.rows('select 1 from graphile_worker.jobs where key = $1', [key]);

  await expect(attempt(true)).rejects.toThrow('changed my mind');
  expect(await queued()).toHaveLength(0);
  await attempt(false);
  expect(await queued()).toHaveLength(1);
});

test('events of a reaction count as caused by the workflow run that triggered it', async ({
  service,
}) => {
  const { subAccountId, database } = service;
  const transact = reacting(
    service,
    reactTo(contactCreated, (work, { contactId }) =>
      work.emit(greeted, { contactId, data: { by: 'reaction' } }),
    ),
  );
  const root = newId(new Date());
  const id = await transact(subAccountId, OPERATOR, async (work) => {
    const effects = traceEffects(work);
    const created = await createContact(work, ada);
    effects.record({ depth: 3, root });
    return created.id;
  });
  const kept = await database.rows(
    `select split_part(key, ':', 1) as name, depth, root from workflow_effects
     where sub_account_id = $1 and key like '%:' || $2 || ':%' order by 1`,
    [subAccountId, id],
  );
  expect(kept).toEqual([
    { name: 'contact.created', depth: 3, root },
    { name: 'test.greeted', depth: 3, root },
  ]);
});
