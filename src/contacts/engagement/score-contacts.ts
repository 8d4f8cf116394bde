import { defineJob, handle } from '#core/job.ts';
import { request } from '#core/schema/schema.ts';
import { DAY_MS } from '#lib/duration.ts';
import { firstIdAt } from '#lib/id.ts';

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
 * scores decay. Changes of a score fire no event and leave `updatedAt` unchanged.
 */
export const handleScoreContacts = handle(scoreContacts, async (_, { execute, clock, signal }) => {
  for (const statement of [SCORE_MARKED, SCORE_AGED]) {
    let found = BATCH;
    while (found === BATCH && !signal.aborted) {
      const now = clock();
      const since = new Date(now.getTime() - WINDOW_MS);
      const dayAgo = new Date(now.getTime() - DAY_MS);
      found = await execute(statement, [now, since, firstIdAt(since), dayAgo]);
    }
  }
});

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
     where sub_account_id = v.sub_account_id and conversation_id = v.id and id >= $3
       and direction = 'inbound'
     order by id desc limit ${LATEST}
   ) as m
   where v.sub_account_id = c.sub_account_id and v.contact_id = c.id and v.deleted_at is null
     and m.created_at > $2
   order by m.created_at desc limit ${LATEST})
  union all
  (select ${POINTS.submission}, created_at from form_submissions
   where sub_account_id = c.sub_account_id and contact_id = c.id and created_at > $2
   order by id desc limit ${LATEST})
  union all
  (select ${POINTS.opportunity}, created_at from opportunities
   where sub_account_id = c.sub_account_id and contact_id = c.id and deleted_at is null
     and created_at > $2
   order by id desc limit ${LATEST})
  union all
  (select ${POINTS.appointment}, start_time from appointments
   where sub_account_id = c.sub_account_id and contact_id = c.id and status = 'completed'
     and start_time > $2
   order by start_time desc limit ${LATEST})`;

const SCORE = `
  select case when count(*) > 0 then
    least(100, greatest(1, round(sum(points * power(0.5,
      greatest(0, extract(epoch from $1::timestamptz - at)) / (86400 * ${HALF_LIFE_DAYS}.0))))))::int
  end as score from (${ACTIVITY}) as activity`;

/**
 * Scores the contacts of `due`, in the order in which merges lock contacts. SQL: it has to stay cheap
 * for a million contacts.
 */
const scoring = (due: string, done: string): string => `
  with due as materialized (${due}),
  locked as materialized (
    select sub_account_id, id from contacts
    where (sub_account_id, id) in (select sub_account_id, contact_id from due) and deleted_at is null
    order by sub_account_id, id for no key update
  ), scored as materialized (
    select c.sub_account_id, c.id, s.score from locked c cross join lateral (${SCORE}) as s
  ), updated as (
    update contacts c set engagement_score = s.score from scored s
    where c.sub_account_id = s.sub_account_id and c.id = s.id
      and c.engagement_score is distinct from s.score
  ), kept as (
    insert into engagement_scores (sub_account_id, contact_id, scored_at)
    select sub_account_id, id, $1 from scored where score is not null
    on conflict (sub_account_id, contact_id) do update set scored_at = excluded.scored_at
  ), forgotten as (
    delete from engagement_scores e
    where (e.sub_account_id, e.contact_id) in (select sub_account_id, contact_id from due)
      and not exists (
        select from scored s
        where s.sub_account_id = e.sub_account_id and s.id = e.contact_id and s.score is not null
      )
  )
  ${done}`;

const SCORE_MARKED = scoring(
  `select sub_account_id, id, contact_id from engagement_marks
   where $4::timestamptz is not null order by sub_account_id, id limit ${BATCH}
   for update skip locked`,
  `delete from engagement_marks
   where (sub_account_id, id) in (select sub_account_id, id from due)`,
);

const SCORE_AGED = scoring(
  `select sub_account_id, contact_id from engagement_scores
   where scored_at <= $4 order by scored_at limit ${BATCH} for update skip locked`,
  'select from due',
);
