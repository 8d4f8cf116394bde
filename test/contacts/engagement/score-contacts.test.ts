import type { JobContext } from '#core/job.ts';
import { DAY_MS } from '#lib/duration.ts';
import { newId } from '#lib/id.ts';
import { publishAll } from '#platform/notify/publisher.ts';
import { handleScoreContacts } from '../../../src/contacts/engagement/score-contacts.ts';
import { contactOf, dealOf } from '../../support/pipelines.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../../support/service.ts';

const NOW = new Date();
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

/** Runs the job at a time, after the waiting events are published. */
async function score({ database, openView, transact }: TestService, now = NOW): Promise<void> {
  await publishAll(database);
  await handleScoreContacts.handle({}, {
    openView,
    transact,
    actor: OPERATOR,
    clock: () => now,
    signal: new AbortController().signal,
  } as unknown as JobContext);
}

const contact = async ({ call }: TestService, id: string) =>
  (await call(`GET /api/v1/contacts/${id}`)).body.data;
const scoreOf = async (service: TestService, id: string): Promise<number | null> =>
  (await contact(service, id)).engagementScore;

/** Returns how many rows of the sub-account are left to do, and how many contacts have a score. */
async function left({ database, subAccountId }: TestService) {
  const [row] = await database.rows(
    `select (select count(*)::int from engagement_marks where sub_account_id = $1) as marks,
       (select count(*)::int from engagement_scores where sub_account_id = $1) as scores`,
    [subAccountId],
  );
  return row;
}

/** Inserts rows without the records they belong to, and the event of the change. */
async function happened(
  { database, subAccountId }: TestService,
  contactId: string,
  { event, inserts }: { event: string; inserts: readonly (readonly [string, unknown[]])[] },
) {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    // On a cluster the nodes must know, too.
    await client.query(`set local citus.propagate_set_commands = 'local'`);
    await client.query('set local session_replication_role = replica');
    for (const [text, values] of inserts) {
      await client.query(text, [subAccountId, contactId, ...values]);
    }
    await client.query(
      `insert into outbox (sub_account_id, id, name, contact_id, data, occurred_at)
       values ($1, gen_random_uuid(), $2, $3, '{}', now())`,
      [subAccountId, event, contactId],
    );
    await client.query('commit');
  } finally {
    client.release();
  }
}

const messaged = (service: TestService, contactId: string, at: Date, direction = 'inbound') => {
  const thread = newId(at);
  const conversation = `insert into conversations (sub_account_id, contact_id, id, channel, status,
    last_message_at, created_at, updated_at) values ($1, $2, $3, 'live_chat', 'closed', $4, $4, $4)`;
  const message = `insert into messages (sub_account_id, id, conversation_id, channel, direction,
    body_text, status, created_at)
    values ($1, coalesce($3, $2::uuid), $4, 'live_chat', $5, 'Hi', 'delivered', $6)`;
  return happened(service, contactId, {
    event: 'message.received',
    inserts: [
      [conversation, [thread, at]],
      [message, [newId(at), thread, direction, at]],
    ],
  });
};

const kept = (service: TestService, contactId: string, at: Date, status = 'completed') =>
  happened(service, contactId, {
    event: `appointment.${status}`,
    inserts: [
      [
        `insert into appointments (sub_account_id, contact_id, id, calendar_id, start_time, end_time,
           status, assigned_at, created_at, updated_at)
         values ($1, $2, $3, $3, $4::timestamptz, $4::timestamptz + interval '1 h', $5, $4, $4, $4)`,
        [newId(at), at, status],
      ],
    ],
  });

const submitted = (service: TestService, contactId: string, at: Date) =>
  happened(service, contactId, {
    event: 'form.submitted',
    inserts: [
      [
        `insert into form_submissions (sub_account_id, contact_id, id, form_id, fields, created_at)
         values ($1, $2, $3, $3, '{}', $4)`,
        [newId(at), at],
      ],
    ],
  });

describe('the engagement score', () => {
  test('is null where there was nothing, and counts each kind of activity', async ({ service }) => {
    const quiet = await contactOf(service);
    const [message, appointment, submission] = await Promise.all([
      contactOf(service),
      contactOf(service),
      contactOf(service),
    ]);
    await messaged(service, message, NOW);
    await kept(service, appointment, NOW);
    await submitted(service, submission, NOW);
    const { contactId: deal } = await dealOf(service);
    for (const id of [quiet, message, deal]) {
      await score(service);
      expect(await scoreOf(service, id)).toBe(id === quiet ? null : id === deal ? 15 : 5);
    }
    expect(await scoreOf(service, appointment)).toBe(20);
    expect(await scoreOf(service, submission)).toBe(10);
  });

  test('counts recent activity more, halving in 30 days, and none after 90', async ({
    service,
  }) => {
    const ages = [0, 30, 60, 89, 91];
    const ids = await Promise.all(ages.map(() => contactOf(service)));
    for (const [index, id] of ids.entries()) {
      await kept(service, id, daysAgo(ages[index] ?? 0));
    }
    await score(service);
    const scores = await Promise.all(ids.map((id) => scoreOf(service, id)));
    expect(scores).toEqual([20, 10, 5, 3, null]);
  });

  test('is at least 1 and at most 100', async ({ service }) => {
    const [old, keen] = await Promise.all([contactOf(service), contactOf(service)]);
    await messaged(service, old, daysAgo(89.9));
    for (let n = 0; n < 7; n += 1) {
      await kept(service, keen, NOW);
    }
    await score(service);
    expect([await scoreOf(service, old), await scoreOf(service, keen)]).toEqual([1, 100]);
  });

  test('ignores outbound messages and appointments that were not kept', async ({ service }) => {
    const id = await contactOf(service);
    await messaged(service, id, NOW, 'outbound');
    await kept(service, id, NOW, 'no_show');
    await score(service);
    expect(await scoreOf(service, id)).toBeNull();
  });

  test('fires no event and leaves updatedAt unchanged', async ({ service }) => {
    const id = await contactOf(service);
    const { updatedAt } = await contact(service, id);
    await messaged(service, id, NOW);
    await score(service);
    // The message has the time at which the file began, which may be before the contact's.
    const fired = (await service.eventNames()).toSorted();
    expect(fired).toEqual(['contact.created', 'message.received']);
    expect(await contact(service, id)).toMatchObject({ engagementScore: 5, updatedAt });
  });

  test('decays every day, and becomes null when nothing is left', async ({ service }) => {
    const [id, quiet] = await Promise.all([contactOf(service), contactOf(service)]);
    await kept(service, id, NOW);
    await score(service);
    await service.database.rows('update contacts set title = $1 where id = $2', ['x', quiet]);
    await score(service, new Date(NOW.getTime() + DAY_MS / 2));
    expect(await scoreOf(service, id)).toBe(20);
    await score(service, new Date(NOW.getTime() + 30 * DAY_MS));
    expect(await scoreOf(service, id)).toBe(10);
    await score(service, new Date(NOW.getTime() + 91 * DAY_MS));
    expect(await scoreOf(service, id)).toBeNull();
    expect(await left(service)).toEqual({ marks: 0, scores: 0 });
  });

  test('of a merged contact counts the activity of both', async ({ service }) => {
    const [one, other] = await Promise.all([contactOf(service), contactOf(service)]);
    await submitted(service, one, NOW);
    await submitted(service, other, NOW);
    await messaged(service, other, NOW);
    await score(service);
    expect([await scoreOf(service, one), await scoreOf(service, other)]).toEqual([10, 15]);
    await service.call(`POST /api/v1/contacts/${one}/merge`, { body: { contactId: other } });
    await score(service);
    expect(await scoreOf(service, one)).toBe(25);
  });

  test('of a deleted contact is not computed any more', async ({ service }) => {
    const id = await contactOf(service);
    await submitted(service, id, NOW);
    await score(service);
    await submitted(service, id, NOW);
    await service.call(`DELETE /api/v1/contacts/${id}`);
    await score(service);
    const [row] = await service.database.rows<any>(
      'select engagement_score as score from contacts where id = $1',
      [id],
    );
    expect(row.score).toBe(10);
    expect(await left(service)).toEqual({ marks: 0, scores: 0 });
  });

  test('is right for many contacts at once, in batches', async ({ service }) => {
    const { database, subAccountId } = service;
    const id = await contactOf(service);
    await database.rows(
      `insert into contacts (sub_account_id, id, first_name, last_name, lifecycle_stage, created_at,
         updated_at)
       select $1, gen_random_uuid(), 'Guest', 'L', 'lead', now(), now()
       from generate_series(1, 1200)`,
      [subAccountId],
    );
    await submitted(service, id, NOW);
    await database.rows(
      `insert into engagement_marks (sub_account_id, contact_id)
       select sub_account_id, id from contacts where sub_account_id = $1`,
      [subAccountId],
    );
    await score(service);
    expect(await scoreOf(service, id)).toBe(10);
    expect(await left(service)).toEqual({ marks: 0, scores: 1 });
  });
});
