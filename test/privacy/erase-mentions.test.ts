import { onTestFinished, vi } from 'vitest';
import type { Transact, Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { publishAll } from '#platform/notify/publisher.ts';
import { eraseMentions } from '../../src/privacy/erase-mentions.ts';
import { erasePerson } from '../../src/privacy/erase-person.ts';
import { findPerson, type Person } from '../../src/privacy/person.ts';
import { eraseMentionsJob } from '../../src/privacy/privacy.jobs.ts';
import {
  handleEraseMentions,
  queueErasingMentions,
} from '../../src/privacy/run-erasing-mentions.ts';
import { jobsOf } from '../agents/approvals.support.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../support/service.ts';
import { contextOf, runErasureOfMentions } from './run-erasure.support.ts';

const EMAIL = 'ada.erased@example.com';

const personWith = (addresses: readonly string[]): Person => ({
  contactIds: [],
  liveIds: [],
  addresses,
  shared: 0,
  names: [],
  records: [],
});

/** Events about others, each of which mentions one of the addresses. */
const mention = (
  { database, subAccountId }: TestService,
  addresses: readonly string[],
  events: number,
) =>
  database.rows(
    `insert into events (sub_account_id, id, name, contact_id, data, occurred_at)
     select $1, gen_random_uuid(), 'task.created', $4,
       json_build_object('title', 'Call ' || ($2::text[])[1 + n % $3]), now()
     from generate_series(1, $5) as n`,
    [subAccountId, addresses, addresses.length, newId(new Date()), events],
  );

const mentionsLeft = async ({ database, subAccountId }: TestService): Promise<number> =>
  (
    await database.rows(
      `select from events where sub_account_id = $1 and data::text like '%@example.com%'`,
      [subAccountId],
    )
  ).length;

const queue = (service: TestService, person: Person) =>
  service.transact(service.subAccountId, OPERATOR, async (work) => {
    queueErasingMentions(work, service.secrets, { person });
  });

const partsOf = ({ openView, transact, subAccountId, clock }: TestService) => ({
  view: openView(subAccountId, clock()),
  transact,
  actor: OPERATOR,
});

describe('while a person is erased', () => {
  /** Fails instead of waiting for a lock. */
  const publish = ({ database }: TestService) =>
    database.together((on) =>
      publishAll({
        rows: async (text, values) => (await on.query(text, [...(values ?? [])])).rows,
      }),
    );
  const waiting = async ({ database }: TestService, subAccountId: string): Promise<number> =>
    (await database.rows('select from outbox where sub_account_id = $1', [subAccountId])).length;
  const create = async ({ call }: TestService, key: string, email: string): Promise<string> => {
    const body = { firstName: 'Ada', lastName: 'Lovelace', email };
    return (await call('POST /api/v1/contacts', { key, body })).body.data.id;
  };

  test('the events of other sub-accounts are published', async ({ service }) => {
    const { subAccountId, otherSubAccountId, transact, openView, clock } = service;
    const contactId = await create(service, 'full', EMAIL);
    await create(service, 'other', 'other@example.com');
    const person = await findPerson(openView(subAccountId, clock()), { contactId });
    expect(await waiting(service, otherSubAccountId)).toBe(1);
    await transact(subAccountId, OPERATOR, async (work) => {
      await erasePerson(work, person);
      await publish(service);
    });
    expect(await waiting(service, otherSubAccountId)).toBe(0);
  });

  test('events that its sub-account fires meanwhile are published during each batch', async ({
    service,
  }) => {
    const { subAccountId, openView, clock } = service;
    const contactId = await create(service, 'full', EMAIL);
    const person = await findPerson(openView(subAccountId, clock()), { contactId });
    const left: number[] = [];
    const transact: Transact = (id, actor, change, conclude) =>
      service.transact(
        id,
        actor,
        async (work) => {
          await create(service, 'full', `other${left.length}@example.com`);
          const result = await change(work);
          await publish(service);
          left.push(await waiting(service, subAccountId));
          return result;
        },
        conclude,
      );
    await eraseMentions({ ...partsOf(service), transact }, { person });
    expect(left.length).toBeGreaterThan(10);
    expect(new Set(left)).toEqual(new Set([0]));
  });
});

describe('mentions of a person', () => {
  test('are all erased, and no statement gets a pattern of more than 50 addresses', async ({
    service,
  }) => {
    const addresses = Array.from({ length: 300 }, (_, index) => `ada${index}@example.com`);
    await mention(service, addresses, 3_000);
    const sizes = new Set<number>();
    const transact: Transact = (subAccountId, actor, change, conclude) => {
      const noted = (work: Work): Work => {
        const rows: Work['rows'] = (text, values) => {
          const patterns = values.flat().filter((value) => String(value).startsWith('(?<!'));
          patterns.forEach((pattern) => sizes.add(String(pattern).split('|').length));
          return work.rows(text, values);
        };
        return Object.create(work, { rows: { value: rows } });
      };
      return service.transact(subAccountId, actor, (work) => change(noted(work)), conclude);
    };
    const tables = await eraseMentions(
      { ...partsOf(service), transact },
      { person: personWith(addresses) },
    );
    expect(tables).toEqual([{ table: 'events', deleted: 0, blanked: 0, replaced: 3_000 }]);
    expect(await mentionsLeft(service)).toBe(0);
    expect([...sizes]).toEqual([50]);
  });

  test('are erased in growing batches, however long each of them takes at least', async ({
    service,
  }) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    await mention(service, [EMAIL], 3_000);
    let batches = 0;
    const transact: Transact = (...args) => {
      batches += 1;
      vi.advanceTimersByTime(1_000);
      return service.transact(...args);
    };
    await eraseMentions({ ...partsOf(service), transact }, { person: personWith([EMAIL]) });
    expect(await mentionsLeft(service)).toBe(0);
    // Batches of 50 rows would be 60, beside one or two of each other table.
    expect(batches).toBeLessThan(50);
  });

  test('are erased to the end after an interruption', async ({ service }) => {
    await mention(service, [EMAIL], 500);
    await queue(service, personWith([EMAIL]));
    const [payload] = await jobsOf(service, eraseMentionsJob.name);
    let batches = 0;
    const transact: Transact = async (...change) => {
      batches += (await mentionsLeft(service)) < 500 ? 1 : 0;
      if (batches > 1) {
        throw new Error('the connection was lost');
      }
      return service.transact(...change);
    };
    const run = (context: object) =>
      handleEraseMentions.handle(payload, contextOf(service, context));
    await expect(run({ transact })).rejects.toThrow('the connection was lost');
    const left = await mentionsLeft(service);
    expect([left > 0, left < 500]).toEqual([true, true]);
    await run({});
    expect(await mentionsLeft(service)).toBe(0);
  });

  test('are erased in time slices, each of which continues where the last one ended', async ({
    service,
  }) => {
    await mention(service, [EMAIL], 500);
    await queue(service, personWith([EMAIL]));
    let now = service.clock().getTime();
    const clock = () => new Date((now += 5_000));
    const read: string[] = [];
    const transact: Transact = async (...change) => {
      read.push(String(await mentionsLeft(service)));
      return service.transact(...change);
    };
    const jobs = await runErasureOfMentions(service, { clock, transact });
    expect(jobs).toBe(read.length);
    expect(jobs).toBeGreaterThan(20);
    expect(await mentionsLeft(service)).toBe(0);
  });

  test('of form submissions without a contact are found by the ids of those, too', async ({
    service,
  }) => {
    const { database, subAccountId, call, clock } = service;
    const hook = await call('POST /api/v1/webhooks', {
      body: { url: 'https://receiver.example/hook', events: ['contact.created'] },
    });
    const sent = await call(`POST /api/v1/webhooks/${hook.body.data.id}/test`);
    const [id, formId] = [newId(clock()), newId(clock())];
    await database.rows(
      `insert into forms (sub_account_id, id, key, name, captcha, fields, created_at, updated_at)
       values ($1, $2, 'enquiry', 'Enquiry', false, '[]', now(), now())`,
      [subAccountId, formId],
    );
    await database.rows(
      `insert into form_submissions (sub_account_id, id, form_id, fields, created_at)
       values ($1, $2, $3, $4, now())`,
      [subAccountId, id, formId, JSON.stringify({ email: EMAIL })],
    );
    await database.rows(
      `update webhook_deliveries set response_body = 'stored ' || $3
       where sub_account_id = $1 and id = $2`,
      [subAccountId, sent.body.data.id, id],
    );
    await queue(service, personWith([EMAIL]));
    expect(await runErasureOfMentions(service)).toBe(2);
    const rows = await database.rows(
      `select fields, response_body as response from form_submissions s, webhook_deliveries d
       where s.sub_account_id = $1 and d.sub_account_id = $1 and s.id = $2 and d.id = $3`,
      [subAccountId, id, sent.body.data.id],
    );
    expect(rows).toEqual([{ fields: {}, response: null }]);
  });
});
