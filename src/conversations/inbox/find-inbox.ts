import { pageSize } from '#core/endpoint/paging.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { isoText } from '#core/schema/columns.ts';
import { recordSchema } from '#core/schema/record.ts';
import { textOf, type WireRow } from '#core/schema/wire-row.ts';
import type { View } from '#core/work.ts';
import { isLike } from '#platform/database/live-records.ts';
import { isLiveByPhone } from '../../contacts/find-by-phone.ts';
import { computedMembers } from '../threads/conversation.store.ts';
import { inboxRowSchema, type InboxQuery } from './inbox.schema.ts';
import { encodePage } from '#platform/database/pages.ts';

const PREVIEW_CHARACTERS = 500;

/** Notes are for the team; the list shows what was said to or by the contact. */
const LAST_MESSAGE = `(select json_build_object(
    'bodyText', left(coalesce(nullif(m.body_text, ''), (
      select f.name from files f
      where f.sub_account_id = $1 and f.message_id = m.id order by f.position limit 1
    ), m.body_text), ${PREVIEW_CHARACTERS}),
    'direction', m.direction, 'authorId', m.author_id, 'isAutomatic', m.is_automatic,
    'createdAt', ${isoText('m.created_at')})
  from messages m
  where m.sub_account_id = $1 and m.conversation_id = v.id and not m.is_internal
  order by m.id desc limit 1)`;

const inboxRecord = recordSchema(inboxRowSchema, 'v', {
  ...computedMembers,
  lastMessage: LAST_MESSAGE,
});

const ACTIVITY = 'coalesce(v.last_message_at, v.created_at)';

/** The indexes hold the hour; the conversations of an hour are sorted. */
const BY_ACTIVITY = `v.activity_hour desc, ${ACTIVITY} desc, v.id desc`;

type Bind = (value: unknown) => string;

/**
 * Returns a page of conversations with their last message, newest first by creation or by activity.
 * The records are read after the page was chosen: a preview costs a look into the messages.
 */
export async function findInbox(
  view: View,
  query: InboxQuery,
  { after, memberId }: { readonly after: string | undefined; readonly memberId: string | null },
): Promise<Reply> {
  const values: unknown[] = [view.subAccountId];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const matches = `v.sub_account_id = $1 and v.deleted_at is null${filtersOf(query, memberId, bind)
    .map((filter) => ` and ${filter}`)
    .join('')}`;
  const counted = [...values];
  const size = pageSize(query);
  const { order, older } = orderOf(query, after, bind);
  const text = `select (select count(*) from conversations v where ${matches}) as total,
      ${isoText(ACTIVITY)} as activity, ${inboxRecord.members}
    from (
      select v.sub_account_id, v.id from conversations v where ${matches}${older}
      order by ${order} limit ${size + 1}
    ) as page
    join conversations v on v.id = page.id
    where v.sub_account_id = $1
    order by ${order}`;
  const page = await view.wirePage(text, values, size);
  const { rows, hasMore } = page;
  const data = await encodePage(view, inboxRecord, page, COUNTED);
  const total = rows[0] ? Number(textOf(rows[0], 0)) : await countOf(view, matches, counted);
  return {
    data,
    meta: { total },
    next: hasMore ? positionOf(query, rows.at(-1)) : null,
  };
}

/** The columns before those of the record: total and activity. */
const COUNTED = 2;

/** An empty page has no row with the total. */
async function countOf(view: View, matches: string, values: readonly unknown[]): Promise<number> {
  const text = `select count(*)::int as total from conversations v where ${matches}`;
  const [row] = await view.rows<{ total: number }>(text, values);
  return row?.total ?? 0;
}

function orderOf({ order }: InboxQuery, after: string | undefined, bind: Bind) {
  if (order !== 'activity') {
    const older = after === undefined ? '' : ` and v.id < ${bind(after)}::uuid`;
    return { order: 'v.id desc', older };
  }
  const [at, id] = (after ?? '').split(' ');
  if (after === undefined) {
    return { order: BY_ACTIVITY, older: '' };
  }
  const time = `${bind(at)}::timestamptz`;
  const older = ` and v.activity_hour <= floor(extract(epoch from ${time}) / 3600)::integer
    and (${ACTIVITY}, v.id) < (${time}, ${bind(id)}::uuid)`;
  return { order: BY_ACTIVITY, older };
}

/** The columns are total, activity and the record, whose first member is its id. */
const positionOf = ({ order }: InboxQuery, row: WireRow | undefined): string => {
  const [activity, id] = [textOf(row, 1), textOf(row, 2)];
  return order === 'activity' ? `${activity} ${id}` : `${id}`;
};

function filtersOf(query: InboxQuery, memberId: string | null, bind: Bind): string[] {
  const { status, channel, contactId, assignedTo, view, unread, q, phone } = query;
  const archived = query.archived ?? (view === undefined ? undefined : false);
  const filters = [
    status !== undefined && `v.status = ${bind(status)}`,
    channel !== undefined && `v.channel = ${bind(channel)}`,
    contactId !== undefined && `v.contact_id = ${bind(contactId)}::uuid`,
    assignedTo !== undefined && `v.assigned_to = ${bind(assignedTo)}::uuid`,
    view === 'mine' && (memberId === null ? 'false' : `v.assigned_to = ${bind(memberId)}::uuid`),
    view === 'unassigned' && 'v.assigned_to is null',
    archived !== undefined && (archived ? 'v.is_archived' : 'not v.is_archived'),
    unread !== undefined && (unread ? 'v.is_unread' : 'not v.is_unread'),
    q !== undefined && matching(q, bind),
    phone !== undefined && isLiveByPhone('v.contact_id', bind(phone)),
  ];
  return filters.filter((filter) => filter !== false);
}

/** The contacts come from their search index. Texts of messages have none: it would slow every message. */
const matching = (q: string, bind: Bind): string => `v.contact_id = any(array(
    select c.id from contacts c
    where c.sub_account_id = $1 and c.deleted_at is null and ${isLike('c.search_text', q, bind)}
  ))`;

/** Returns how many conversations of each view are open and unread; archived ones do not count. */
export async function countInbox(view: View, memberId: string | null): Promise<Reply> {
  const [counted] = await view.rows<{ counts: object }>(COUNTS, [view.subAccountId, memberId]);
  return { data: counted?.counts };
}

const numbers = (filter: string): string => `json_build_object(
    'open', count(*) filter (where ${filter}),
    'unread', count(*) filter (where v.is_unread and ${filter}))`;

const COUNTS = `select json_build_object(
    'mine', ${numbers('v.assigned_to = $2::uuid')},
    'unassigned', ${numbers('v.assigned_to is null')},
    'all', ${numbers('true')}) as counts
  from conversations v
  where v.sub_account_id = $1 and v.deleted_at is null and v.status = 'open' and not v.is_archived`;
