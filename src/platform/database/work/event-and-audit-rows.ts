import type { Occurrence, EventType } from '#core/event.ts';
import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import type { Write } from './deferred-writes.ts';

/** An event to be inserted into the outbox. */
export type EventRow = readonly [id: string, name: string, contactId: string | null, data: string];

export function eventRow(
  now: Date,
  { name }: EventType,
  { contactId, tags, data }: Occurrence<object>,
): EventRow {
  const fields = tags && tags.length > 0 ? { ...data, tags } : data;
  return [newId(now), name, contactId, JSON.stringify(fields)];
}

const INSERT_EVENTS = `insert into outbox (sub_account_id, id, name, contact_id, data, occurred_at)
  select $1, fact.id, fact.name, fact.contact_id, fact.data::json, $2
  from unnest($3::uuid[], $4::text[], $5::uuid[], $6::text[]) as fact (id, name, contact_id, data)`;

/** One statement for any number of events, so that few joined statements are prepared. */
export function writeOfEvents({ subAccountId, now }: Work, events: readonly EventRow[]): Write {
  const column = (index: 0 | 1 | 2 | 3) => events.map((row) => row[index]);
  const values = [subAccountId, now, column(0), column(1), column(2), column(3)];
  return { text: INSERT_EVENTS, values };
}

const INSERT_AUDIT = `insert into audit_entries
  (sub_account_id, id, at, operation, actor_kind, actor, key_prefix, request_id, record_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

export function writeOfAudit(
  { subAccountId, now, actor }: Pick<Work, 'subAccountId' | 'now' | 'actor'>,
  recordId: string,
): Write {
  const { operation, kind, name, keyPrefix, requestId } = actor;
  return {
    text: INSERT_AUDIT,
    values: [
      subAccountId,
      newId(now),
      now,
      operation,
      kind,
      name,
      keyPrefix ?? null,
      requestId,
      recordId,
    ],
  };
}
