import { pageQuery, pageSize } from '#core/endpoint/paging.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { orNotFound } from '#core/fault.ts';
import { recordSchema } from '#core/schema/record.ts';
import { textOf } from '#core/schema/wire-row.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { queryBuilder, queryWirePage } from '#platform/database/query-builder.ts';
import type { PublishedEventTable } from '#platform/notify/published-event.entity.ts';
import { Type, type Static } from 'typebox';
import { contactNameOf } from '../../contacts/contact.store.ts';
import type { Account, StoredEvent } from '../../webhooks/feed/event-body.ts';
import { encodePage } from '#platform/database/pages.ts';

export const eventListQuery = (eventNames: readonly string[]) =>
  s.request({ ...pageQuery, event: Type.Optional(s.oneOf(eventNames)) });
type EventListQuery = Static<ReturnType<typeof eventListQuery>>;

/** An event without its body: a page of bodies could have 50 MB. */
export const listedEventSchema = s.response({
  id: s.uuid(),
  event: Type.String({ examples: ['contact.created'] }),
  timestamp: s.isoTime(),
  contactId: s.nullable(s.uuid()),
  contactName: s.nullable(
    Type.String({ description: 'null for members who may not read contacts' }),
  ),
  title: s.nullable(Type.String({ description: 'of an opportunity or a task' })),
  recordId: s.nullable(
    Type.String({ description: 'of what the event is about, such as the message' }),
  ),
});

const COMPUTED = {
  event: 'e.name',
  timestamp: 'e.occurred_at',
  title: `coalesce(e.data ->> 'title', e.data ->> 'name')`,
  recordId: `coalesce(e.data ->> (split_part(e.name, '.', 1) || 'Id'), e.contact_id::text)`,
};
const named = recordSchema(listedEventSchema, 'e', {
  ...COMPUTED,
  contactName: contactNameOf('e'),
});
const nameless = recordSchema(listedEventSchema, 'e', { ...COMPUTED, contactName: 'null::text' });

interface ListEventsInput {
  readonly query: EventListQuery;
  /** The position before which the page begins. */
  readonly after: string | undefined;
  readonly withNames: boolean;
}

/** Returns the published events, newest first. */
export async function listEvents(
  view: View,
  { query, after, withNames }: ListEventsInput,
): Promise<Reply> {
  const size = pageSize(query);
  const record = withNames ? named : nameless;
  const { db, sql, membersOf } = await queryBuilder<typeof PublishedEventTable>();
  let page = db
    .selectFrom('events as e')
    .select(membersOf(record, view.subAccountId))
    .select('e.position')
    .where('e.sub_account_id', '=', view.subAccountId)
    .where('e.position', 'is not', null);
  if (query.event !== undefined) {
    page = page.where('e.name', '=', query.event);
  }
  if (after !== undefined) {
    page = page.where('e.position', '<', Number(after));
  }
  const newest = page.orderBy('e.position', 'desc').limit(sql.lit(size + 1));
  const found = await queryWirePage(view, newest, size);
  const { rows, hasMore } = found;
  return {
    data: await encodePage(view, record, found, 0),
    next: hasMore ? textOf(rows.at(-1), record.width) : null,
  };
}

/** A published event with its body. */
export interface ReadEvent extends StoredEvent, Account {
  readonly position: number;
}

/** Returns a published event of the last 30 days. Throws NOT_FOUND. */
export async function readEvent(view: View, id: string): Promise<ReadEvent> {
  const [event] = await view.rows<ReadEvent>(ONE, [view.subAccountId, id]);
  return orNotFound(event, 'event');
}

const ONE = `select s.id as "subAccountId", s.location_id as "locationId", e.position, e.name,
    e.contact_id as "contactId", e.data::text, e.occurred_at as "occurredAt"
  from sub_accounts s
  join events e on e.sub_account_id = s.id
  where s.id = $1 and e.sub_account_id = $1 and e.id = $2 and e.position is not null`;
