import { createHash } from 'node:crypto';
import type { Document } from '#core/endpoint/reply.ts';
import { orNotFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { DAY_MS } from '#lib/duration.ts';
import { openGate } from '#lib/gate.ts';
import { openShares } from '#lib/shares.ts';
import { version } from '#platform/process/version.ts';
import { APPOINTMENT_EVENT, feedIcs, ICS_TYPE } from './appointment-ics.ts';

interface CurrentFeed {
  /** The version of the feed, without its content. */
  readonly document: Document;
  /** Returns the feed with its content. */
  readonly build: () => Promise<Document>;
}

/** Returns the version of a feed: upcoming appointments and those of the last month, except cancelled ones. */
export async function currentFeed(view: View, ownerId: string): Promise<CurrentFeed> {
  const values = [view.subAccountId, ownerId, new Date(view.now.getTime() - PAST_MS)];
  const [row] = await view.rows<{ hash: string }>(HASH, values);
  const { hash } = orNotFound(row, 'feed');
  return { document: documentOf(hash, ''), build: () => buildOnce(view, values, hash) };
}

const PAST_MS = 31 * DAY_MS;

let release: string | undefined;

function documentOf(hash: string, body: string | Buffer): Document {
  // Another release may write the same appointments in another way.
  release ??= version();
  const headers = { etag: `"${release}/${hash}"`, 'cache-control': 'private, no-cache' };
  return { type: ICS_TYPE, body, headers };
}

/** Each takes a few megabytes. */
const BUILDS_AT_ONCE = 8;

const builds = openGate({ shares: openShares<string>(BUILDS_AT_ONCE) });

/** The feeds that this process is writing, by their address and hash. */
const building = new Map<string, Promise<Document>>();

/** Concurrent requests for the same version of a feed share its text. */
function buildOnce(view: View, values: readonly unknown[], hash: string): Promise<Document> {
  const { subAccountId } = view;
  const key = `${subAccountId}/${String(values[1])}/${hash}`;
  const known = building.get(key);
  if (known) {
    return known;
  }
  const built = builds
    .run(subAccountId, () => buildFeed(view, values))
    .finally(() => building.delete(key));
  building.set(key, built);
  return built;
}

/** An appointment of the feed, with times in epoch milliseconds. */
interface Entry {
  readonly id: string;
  readonly title: string;
  readonly start: number;
  readonly end: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly isConfirmed: boolean;
}

async function buildFeed(view: View, values: readonly unknown[]): Promise<Document> {
  const [row] = await view.rows<{ feed: string }>(FEED, values);
  const { feed } = orNotFound(row, 'feed');
  const { name, entries } = JSON.parse(feed) as { name: string; entries: Entry[] };
  const text = await feedIcs(view.subAccountId, {
    name,
    entries: entries.map(({ start, end, createdAt, updatedAt, ...entry }) => ({
      ...entry,
      start: new Date(start),
      end: new Date(end),
      createdAt: new Date(createdAt),
      updatedAt: new Date(updatedAt),
    })),
  });
  // The hash of the rows that were read: the feed may have changed since its version was.
  return documentOf(createHash('sha256').update(feed).digest('hex'), Buffer.from(text));
}

/** Calendar programs read the whole feed every few minutes. */
const ENTRIES_MAX = 5_000;

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

const NAME = `select name from calendars where sub_account_id = $1 and id = $2
  union all select name from team_members where sub_account_id = $1 and id = $2`;

const msOf = (column: string): string => `floor(extract(epoch from ${column}) * 1000)::bigint`;

/** Everything that the text of a feed contains. */
const FEED = `select json_build_object('name', n.name, 'entries', e.entries)::text as feed
  from (${NAME}) as n cross join (
    select coalesce(json_agg(json_build_object(
        'id', id, 'title', title, 'start', ${msOf('start')}, 'end', ${msOf('"end"')},
        'createdAt', ${msOf('"createdAt"')}, 'updatedAt', ${msOf('"updatedAt"')},
        'isConfirmed', "isConfirmed"
      ) order by start, id), '[]') as entries
    from (${ENTRIES}) as listed
  ) as e`;

/** Unlike times of changes, it differs for each change of the text: names, blocks, and the passing of time. */
const HASH = `select encode(sha256(convert_to(feed, 'UTF8')), 'hex') as hash from (${FEED}) as f`;
