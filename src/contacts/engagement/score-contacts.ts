import { defineJob, handle, type JobContext } from '#core/job.ts';
import { request } from '#core/schema/schema.ts';
import { DAY_MS } from '#lib/duration.ts';
import { AGENCY, firstIdAt } from '#lib/id.ts';
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
    const due = await rows<{ id: string; score: number | null }>(statement, values);
    const scored = new Set(due.flatMap(({ id, score }) => (score === null ? [] : [id])));
    if (scored.size > 0) {
      await rows(KEEP, [subAccountId, [...scored], now]);
    }
    return due.length;
  });

const KEEP = `insert into engagement_scores (sub_account_id, contact_id, scored_at)
  select $1::uuid, id, $3::timestamptz from unnest($2::uuid[]) as scored (id)
  on conflict (sub_account_id, contact_id) do update set scored_at = excluded.scored_at`;

/** The points of an activity today. They halve every 30 days. */
const POINTS = { message: 5, submission: 10, opportunity: 15, appointment: 20 } as const;
const HALF_LIFE_DAYS = 30;
/** The latest activities of a kind that count; it bounds the cost of one contact. */
const LATEST = 20;

/** The activity of contact `c` in the window, as points and time. Ids are ordered by time. */
const ACTIVITY = `
  (select ${POINTS.message} as points, m.created_at as at
   from conversations v
   cross join lateral (
     select created_at from messages
     where sub_account_id = $5 and conversation_id = v.id and id >= $3
       and direction = 'inbound'
     order by id desc limit ${LATEST}
   ) as m
   where v.sub_account_id = $5 and v.contact_id = c.id and v.deleted_at is null
     and m.created_at > $2
   order by m.created_at desc limit ${LATEST})
  union all
  (select ${POINTS.submission}, created_at from form_submissions
   where sub_account_id = $5 and contact_id = c.id and created_at > $2
   order by id desc limit ${LATEST})
  union all
  (select ${POINTS.opportunity}, created_at from opportunities
   where sub_account_id = $5 and contact_id = c.id and deleted_at is null
     and created_at > $2
   order by id desc limit ${LATEST})
  union all
  (select ${POINTS.appointment}, start_time from appointments
   where sub_account_id = $5 and contact_id = c.id and status = 'completed'
     and start_time > $2
   order by start_time desc limit ${LATEST})`;

const SCORE = `
  select case when count(*) > 0 then
    least(100, greatest(1, round(sum(points * power(0.5,
      greatest(0, extract(epoch from $1::timestamptz - at)) / (86400 * ${HALF_LIFE_DAYS}.0))))))::int
  end as score from (${ACTIVITY}) as activity`;

/**
 * Scores the contacts of `due` of the sub-account $5, in the order in which merges lock contacts.
 * SQL: it has to stay cheap for a million contacts.
 */
const scoring = (due: string, done = ''): string => `
  with due as materialized (${due}),
  locked as materialized (
    select id from contacts
    where sub_account_id = $5 and id in (select contact_id from due) and deleted_at is null
    order by id for no key update
  ), scored as materialized (
    select c.id, s.score from locked c cross join lateral (${SCORE}) as s
  ), updated as (
    update contacts c set engagement_score = s.score from scored s
    where c.sub_account_id = $5 and c.id = s.id and c.engagement_score is distinct from s.score
  ), forgotten as (
    delete from engagement_scores e
    where e.sub_account_id = $5 and e.contact_id in (select contact_id from due)
      and not exists (select from scored s where s.id = e.contact_id and s.score is not null)
  )${done}
  select due.contact_id as id, scored.score from due left join scored on scored.id = due.contact_id`;

const MARKED = {
  find: `select distinct sub_account_id as id from engagement_marks
    where $1::timestamptz is not null order by 1`,
  score: scoring(
    `select id, contact_id from engagement_marks
     where sub_account_id = $5 and $4::timestamptz is not null order by id limit ${BATCH}
     for update skip locked`,
    `, done as (
      delete from engagement_marks where sub_account_id = $5 and id in (select id from due)
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
