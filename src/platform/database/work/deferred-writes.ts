import type { Occurrence, EventType } from '#core/event.ts';
import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import type { FieldChanges } from './field-changes.ts';

/** A data-changing statement with its values, deferred to the end of a Work. */
export interface Write {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The tables that a statement inserts new rows into, and those whose rows it changes. */
interface Effects {
  readonly inserted: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
}

const CACHED_MAX = 500;
const effectsByText = new Map<string, Effects>();
const joinedTexts = new Map<string, string>();

/**
 * Joins writes into one statement, so that a change costs one round trip and is atomic without
 * BEGIN and COMMIT. It returns the columns of `wanted`, which return a row each. Throws if two writes
 * change rows of one table: each sees the tables as they were before all of them, so PostgreSQL would
 * apply one of two changes to a row and silently drop the other.
 */
export function joinWrites(writes: readonly Write[], wanted: readonly Write[] = []): Write {
  const key = writes.map((write) => (wanted.includes(write) ? '+' : '') + write.text).join('\0');
  const text = remembered(joinedTexts, key, () => joinTexts(writes, wanted));
  return { text, values: writes.flatMap(({ values }) => values) };
}

/** Returns the first table that two writes name and at least one of them changes rows of. */
export function sharedTable(writes: readonly Write[]): string | undefined {
  if (onlyInserts(writes)) {
    return undefined;
  }
  const inserted = new Set<string>();
  const changed = new Set<string>();
  for (const effects of writes.map(({ text }) => effectsOf(text))) {
    const shared =
      [...effects.changed].find((table) => changed.has(table) || inserted.has(table)) ??
      [...effects.inserted].find((table) => changed.has(table));
    if (shared !== undefined) {
      return shared;
    }
    effects.inserted.forEach((table) => inserted.add(table));
    effects.changed.forEach((table) => changed.add(table));
  }
  return undefined;
}

/** Returns whether the writes change no existing row, so several Works may share a statement. */
export const onlyInserts = (writes: readonly Write[]): boolean =>
  writes.every(({ text }) => effectsOf(text).changed.size === 0);

const effectsOf = (text: string): Effects =>
  remembered(effectsByText, text, () => {
    const inserted = new Set(namesAfter(INSERTS, text));
    const changed = new Set([...namesAfter(UPDATES, text), ...namesAfter(DELETES, text)]);
    // An upsert changes rows of the table that it inserts into.
    return /\bdo\s+update\b/i.test(text)
      ? { inserted: new Set<string>(), changed: new Set([...inserted, ...changed]) }
      : { inserted, changed };
  });

const INSERTS = /\binsert\s+into\s+([\w."]+)/gi;
const DELETES = /\bdelete\s+from\s+(?:only\s+)?([\w."]+)/gi;
/** Not `for update`, `for no key update` and `do update`. */
const UPDATES = /(?<!\b(?:for|key|do)\s+)\bupdate\s+(?:only\s+)?([\w."]+)/gi;

const namesAfter = (pattern: RegExp, text: string): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name.toLowerCase());

function remembered<V>(cache: Map<string, V>, key: string, compute: () => V): V {
  const known = cache.get(key);
  if (known !== undefined) {
    return known;
  }
  const value = compute();
  if (cache.size < CACHED_MAX) {
    cache.set(key, value);
  }
  return value;
}

function joinTexts(writes: readonly Write[], wanted: readonly Write[]): string {
  const shared = sharedTable(writes);
  if (shared !== undefined) {
    throw new Error(`two joined statements change rows of ${shared}: run them one after another`);
  }
  let shift = 0;
  const parts = writes.map(({ text, values }, index) => {
    const by = shift;
    shift += values.length;
    return `w${index} as (${text.replaceAll(/\$(\d+)/g, (_, n: string) => `$${Number(n) + by}`)})`;
  });
  // PostgreSQL skips a plain select that nothing refers to; inserts, updates and deletes always run.
  const selects = writes.flatMap(({ text }, index) =>
    /^\s*select\b/i.test(text) ? [`(select count(*) from w${index})`] : [],
  );
  const returning = wanted.map((write) => `w${writes.indexOf(write)}`);
  const columns = [...returning.map((name) => `${name}.*`), ...selects].join(', ');
  const from = returning.length > 0 ? ` from ${returning.join(', ')}` : '';
  // PostgreSQL runs the last part first: events are written once the change has locked its rows.
  return `with ${parts.toReversed().join(', ')} select ${columns || '1'}${from}`;
}

/** An event to be inserted into the outbox. */
export type EventRow = readonly [name: string, contactId: string | null, data: string, at: Date];

export function eventRow(
  at: Date,
  { name }: EventType,
  { contactId, tags, data }: Occurrence<object>,
): EventRow {
  const fields = tags && tags.length > 0 ? { ...data, tags } : data;
  return [name, contactId, JSON.stringify(fields), at];
}

/** Hot (bench: create-contact), hence SQL. */
const INSERT_EVENTS = `insert into outbox (sub_account_id, id, name, contact_id, data, occurred_at)
  select $1, fact.id, fact.name, fact.contact_id, fact.data::json, fact.at
  from unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::timestamptz[])
    as fact (id, name, contact_id, data, at)`;

/** Most changes have one event. On a cluster, selected rows would pass through the coordinator. */
const INSERT_EVENT = `insert into outbox (sub_account_id, id, name, contact_id, data, occurred_at)
  values ($1, $2, $3, $4, $5, $6)`;

/**
 * One statement for any number of events, so that few joined statements are prepared. Ids are of the end of
 * the change: it may have waited for another change of the same record.
 */
export function writeOfEvents(subAccountId: string, events: readonly EventRow[]): Write {
  const ids = events.map(([, , , at]) => newId(at));
  const [only, ...others] = events;
  if (only && others.length === 0) {
    return { text: INSERT_EVENT, values: [subAccountId, ids[0], ...only] };
  }
  const column = (index: 0 | 1 | 2 | 3) => events.map((row) => row[index]);
  const values = [subAccountId, ids, column(0), column(1), column(2), column(3)];
  return { text: INSERT_EVENTS, values };
}

const INSERT_AUDIT = `insert into audit_entries
  (sub_account_id, id, at, operation, actor_kind, actor, key_prefix, request_id, record_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
/** Apart from the others: a backup of an earlier release is restored before its audit has them. */
const INSERT_AUDIT_OF_CHANGES = `insert into audit_entries
  (sub_account_id, id, at, operation, actor_kind, actor, key_prefix, request_id, record_id, client,
    changes)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
const INSERT_AUDIT_OF_AGENT = `insert into audit_entries
  (sub_account_id, id, at, operation, actor_kind, actor, key_prefix, request_id, record_id, client)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

export function writeOfAudit(
  { subAccountId, now, actor }: Pick<Work, 'subAccountId' | 'now' | 'actor'>,
  recordId: string,
  changes?: FieldChanges,
): Write {
  const { operation, kind, name, keyPrefix, requestId, client } = actor;
  const key = keyPrefix ?? null;
  const values = [subAccountId, newId(now), now, operation, kind, name, key, requestId, recordId];
  if (changes !== undefined) {
    const added = [client ?? null, JSON.stringify(changes)];
    return { text: INSERT_AUDIT_OF_CHANGES, values: [...values, ...added] };
  }
  return client === undefined
    ? { text: INSERT_AUDIT, values }
    : { text: INSERT_AUDIT_OF_AGENT, values: [...values, client] };
}
