import { createHash } from 'node:crypto';
import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';
import { Type } from 'typebox';
import { notFound, orNotFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { DAY_MS } from '#lib/duration.ts';
import { APPOINTMENT_EVENT, ICS_TYPE, feedIcs, type FeedEntry } from './appointment-ics.ts';
import {
  rotationOf,
  FEED_TOKEN,
  feedOwner,
  isFeedToken,
  type FeedOwner,
} from './feed-addresses.ts';

const SUFFIX = '.ics';

/** Feeds that calendar programs subscribe to, at addresses that cannot be guessed. */
export const feedPages = [
  definePageEndpoint({
    id: 'calendar.feed',
    method: 'GET',
    path: '/calendar/:file',
    summary: 'The iCalendar feed of a calendar or a team member',
    limit: 'public_read',
    params: s.request({ file: Type.String({ pattern: `^${FEED_TOKEN}\\.ics$` }) }),
    documents: ['text/calendar'],
    async owner({ params, view, tools }) {
      const token = tokenIn(params.file);
      const owner = ownerOf(token);
      const rotation = await rotationOf(view, owner);
      // A wrong token and a missing feed must be indistinguishable.
      if (!isFeedToken(tools.secrets, token, rotation ?? 0) || rotation === undefined) {
        throw notFound('feed');
      }
      return owner.subAccountId;
    },
    async read({ view, params }) {
      const { name, entries } = await readFeed(view, ownerOf(tokenIn(params.file)).ownerId);
      const body = await feedIcs(name, entries);
      const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
      const headers = { etag, 'cache-control': 'private, no-cache' };
      return { data: null, document: { type: ICS_TYPE, body, headers } };
    },
  }),
];

function ownerOf(token: string): FeedOwner {
  return orNotFound(feedOwner(token), 'feed');
}

const tokenIn = (file: string): string => file.slice(0, -SUFFIX.length);

const PAST_MS = 31 * DAY_MS;
/** Calendar programs read the whole feed every few minutes. */
const ENTRIES_MAX = 5_000;

interface Feed {
  readonly name: string;
  readonly entries: readonly FeedEntry[];
}

/** Returns upcoming appointments and those of the last month; cancelled ones are left out. */
async function readFeed(view: View, ownerId: string): Promise<Feed> {
  const { subAccountId, now } = view;
  const [owner] = await view.rows<{ name: string }>(NAME, [subAccountId, ownerId]);
  const since = new Date(now.getTime() - PAST_MS);
  const entries = await view.rows<FeedEntry>(ENTRIES, [subAccountId, ownerId, since]);
  return { name: owner?.name ?? '', entries };
}

const NAME = `select name from calendars where sub_account_id = $1 and id = $2
  union all select name from team_members where sub_account_id = $1 and id = $2`;

const ENTRIES = `select ${APPOINTMENT_EVENT}, a.status <> 'scheduled' as "isConfirmed"
  from appointments a
  left join contacts c on c.sub_account_id = a.sub_account_id and c.id = a.contact_id
    and c.deleted_at is null
  where a.sub_account_id = $1 and a.start_time >= $3 and a.status <> 'cancelled' and (
    a.calendar_id = $2 or a.assigned_to = $2
    or exists (
      select from appointment_blocks b
      where b.sub_account_id = a.sub_account_id and b.appointment_id = a.id and b.member_id = $2
    )
  )
  order by a.start_time, a.id limit ${ENTRIES_MAX}`;
