import { defineJob, handle, type JobContext } from '#core/job.ts';
import { request } from '#core/schema/schema.ts';
import { DAY_MS } from '#lib/duration.ts';
import { AGENCY, firstIdAt } from '#lib/id.ts';
import { isAmong } from '#platform/database/is-among.ts';
import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';

export const scoreContacts = defineJob({
  name: 'contacts/score',
  payload: request({}),
  maxAttempts: 1,
});

/** Contacts in one statement, so that none holds many locks. */
const BATCH = 500;

/** Older activity does not count. */
const WINDOW_MS = 90 * DAY_MS;

/**
 * Computes the score of contacts with new activity, and once a day that of every contact with a score:
 * scores decay. Changes of a score fire no event and leave `updatedAt` unchanged. A statement scores
 * contacts of one sub-account: in a cluster its node has them.
 */
export const handleScoreContacts = handle(scoreContacts, async (_, context) => {
  const { openView, clock, signal } = context;
  for (const { find, score } of [MARKED, AGED]) {
    const dayAgo = new Date(clock().getTime() - DAY_MS);
    const due = await openView(AGENCY, clock()).rows<{ id: string }>(find, [dayAgo]);
    for (const { id } of due) {
      let found = BATCH;
      while (found === BATCH && !signal.aborted) {
        found = await scoreBatch(context, { subAccountId: id, statement: score, dayAgo });
      }
    }
  }
});

interface Scoring {
  readonly subAccountId: string;
  readonly statement: string;
  readonly dayAgo: Date;
}

/** Returns how many were due. */
const scoreBatch = (
  { transact, actor, clock }: JobContext,
  { subAccountId, statement, dayAgo }: Scoring,
): Promise<number> =>
  transact(subAccountId, actor, async ({ rows }) => {
    const now = clock();
    const since = new Date(now.getTime() - WINDOW_MS);
    const values = [now, since, firstIdAt(since), dayAgo, subAccountId];
    const [batch] = await rows<{ due: number; scored: string[] }>(statement, values);
    const { due = 0, scored = [] } = batch ?? {};
    if (scored.length > 0) {
      await rows(KEEP, [subAccountId, scored, now]);
    }
    return due;
  });

const KEEP = `insert into engagement_scores (sub_account_id, contact_id, scored_at)
  select $1::uuid, id, $3::timestamptz from unnest($2::uuid[]) as scored (id)
  on conflict (sub_account_id, contact_id) do update set scored_at = excluded.scored_at`;

/** The points of an activity today. They halve every 30 days. */
const POINTS = { message: 5, submission: 10, opportunity: 15, appointment: 20 } as const;
const HALF_LIFE_DAYS = 30;
/** The latest activities of a kind that count; it bounds the cost of one contact. */
const LATEST = 20;

const OF_CONTACTS = isAmong('contact_id', 'select id from locked');

/** The points and time of the latest activities of a kind, by contact. */
const latest = (kind: keyof typeof POINTS, { of, at, order = at }: Activities): string => `
  select contact_id, ${POINTS[kind]} as points, at from (
    select contact_id, ${at} as at,
      row_number() over (partition by contact_id order by ${order} desc) as place
    from ${of} and ${at} > $2
  ) as a where place <= ${LATEST}`;

interface Activities {
  readonly of: string;
  readonly at: string;
  readonly order?: string;
}

/** The activity of the contacts in `locked` in the window, as points and time. Ids are ordered by time. */
const ACTIVITY = [
  latest('message', {
    of: `conversations v
    cross join lateral (
      select m.created_at as received_at from messages m
      where m.sub_account_id = $5 and m.conversation_id = v.id and m.id >= $3
        and m.direction = 'inbound'
      order by m.id desc limit ${LATEST}
    ) as m
    where v.sub_account_id = $5 and ${OF_CONTACTS} and v.deleted_at is null`,
    at: 'received_at',
  }),
  `select c.id, ${POINTS.submission}, s.created_at from locked c cross join lateral (
    select created_at from form_submissions
    where sub_account_id = $5 and contact_id = c.id and created_at > $2
    order by id desc limit ${LATEST}
  ) as s`,
  latest('opportunity', {
    of: `opportunities where sub_account_id = $5 and ${OF_CONTACTS} and deleted_at is null`,
    at: 'created_at',
    order: 'id',
  }),
  latest('appointment', {
    of: `appointments where sub_account_id = $5 and ${OF_CONTACTS} and status = 'completed'`,
    at: 'start_time',
  }),
].join(' union all ');

/** A contact without activity has no score. */
const SCORES = `
  select id, case when count(at) > 0 then
    least(100, greatest(1, round(sum(points * power(0.5,
      greatest(0, extract(epoch from $1::timestamptz - at)) / (86400 * ${HALF_LIFE_DAYS}.0))))))::int
  end as score
  from (select id, null::int as points, null::timestamptz as at from locked union all ${ACTIVITY}) as a
  group by id`;

/**
 * Scores the contacts of `due` of the sub-account $5, in the order in which merges lock contacts.
 * SQL: it has to stay cheap for a million contacts.
 */
const scoring = (due: string, done = ''): string => `
  with due as materialized (${due}),
  locked as materialized (
    select id from contacts
    where sub_account_id = $5 and ${isAmong('id', 'select contact_id from due')} and deleted_at is null
    order by id for no key update
  ), scored as materialized (${SCORES}
  ), updated as (
    update contacts c set engagement_score = s.score from scored s
    where c.sub_account_id = $5 and ${isAmong('c.id', 'select id from scored')} and c.id = s.id
      and c.engagement_score is distinct from s.score
  ), forgotten as (
    delete from engagement_scores
    where sub_account_id = $5 and ${isAmong('contact_id', 'select contact_id from due')}
      and (contact_id in (select id from scored where score is not null)) is not true
  )${done}
  select (select count(*) from due)::int as due,
    array(select id from scored where score is not null) as scored`;

const MARKED = {
  find: `select distinct sub_account_id as id from engagement_marks
    where $1::timestamptz is not null order by 1`,
  score: scoring(
    `select id, contact_id from engagement_marks
     where sub_account_id = $5 and $4::timestamptz is not null order by id limit ${BATCH}
     for update skip locked`,
    `, done as (
      delete from engagement_marks where sub_account_id = $5 and ${isAmong('id', 'select id from due')}
    )`,
  ),
};

const AGED = {
  find: `select distinct sub_account_id as id from engagement_scores
    where scored_at <= $1 order by 1`,
  score: scoring(
    `select contact_id from engagement_scores
     where sub_account_id = $5 and scored_at <= $4 order by scored_at limit ${BATCH}
     for update skip locked`,
  ),
};

/** The kept contact has the activity of both. Other changes are marked when their events are published. */
export const markMergedContact = async (
  work: Work,
  { contactId }: Occurrence<unknown>,
): Promise<void> => work.write(MARK, [work.subAccountId, contactId]);

const MARK = 'insert into engagement_marks (sub_account_id, contact_id) values ($1, $2)';
