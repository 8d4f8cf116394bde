import { pageSize } from '#core/endpoint/paging.ts';
import type { DeferredData, Reply } from '#core/endpoint/reply.ts';
import { orNotFound } from '#core/fault.ts';
import type { Json } from '#core/schema/json.ts';
import type { RecordSchema } from '#core/schema/record.ts';
import { pageWithTotal, readPage, type Page } from './pages.ts';
import { textOf } from '#core/schema/wire-row.ts';
import type { PointRead, View, Work } from '#core/work.ts';
import { LockMode, type EntityName } from '@mikro-orm/core';

/** A table of a sub-account whose rows are shown until they are deleted. */
export interface LiveRecords {
  readonly table: string;
  /** The name of the table in the SQL of the record and of filters. */
  readonly alias: string;
  readonly record: RecordSchema;
  /** Rows are never deleted: cancelled ones are shown like the others. */
  readonly isKept?: true;
}

const shown = ({ alias, isKept }: LiveRecords): string =>
  isKept ? 'true' : `${alias}.deleted_at is null`;

/** Returns a function that reads a live record by id. It throws NOT_FOUND if there is none. */
export function readerOf(noun: string, records: LiveRecords) {
  const { table, alias: a, record } = records;
  const read: PointRead = {
    record,
    // One sub-account at a time: in a cluster, a single node answers then.
    text: `select ${a}.id, ${record.members} from ${table} ${a}
      where ${a}.sub_account_id = $1 and ${a}.id = any($2::uuid[]) and ${shown(records)}`,
  };
  return async (view: View, id: string): Promise<Json> => {
    return orNotFound(await view.point(read, id), noun);
  };
}

/** Responds to a change with the record as it is afterwards. */
export const answerOf =
  (read: ReturnType<typeof readerOf>) =>
  (id: string): DeferredData =>
  (view) =>
    read(view, id);

interface ChangeCall<B> {
  readonly work: Work;
  readonly params: { readonly id: string };
  readonly body: B;
}

/** Returns the write of an endpoint that changes one record and responds with it. */
export const changeOf =
  <B>(
    change: (work: Work, id: string, body: B) => Promise<unknown>,
    the: (id: string) => DeferredData,
  ) =>
  async ({ work, params: { id }, body }: ChangeCall<B>): Promise<Reply> => {
    await change(work, id, body);
    return { data: the(id) };
  };

type Bind = (value: unknown) => string;

/** A call of an endpoint that lists records. */
export interface ListCall<Q> {
  readonly view: View;
  readonly query: Q;
  /** The id after which the page begins. */
  readonly after: string | undefined;
}

interface LiveRecordsQuery {
  readonly query: { readonly limit?: number };
  /** The id after which the page begins. */
  readonly after: string | undefined;
  /** SQL conditions on the alias, or false; `bind` returns the placeholder of a value. */
  readonly filters: (bind: Bind) => readonly (string | false)[];
  /** One of the filters is a search: the number of matches cannot be estimated. */
  readonly isSearch?: boolean;
}

/**
 * Returns a page of live records, newest first. `total` counts every match; without filters it is
 * the sum of the table's row counts. Hot (bench: list-contacts, search-contacts, ten-times-rows),
 * hence SQL: Kysely would add 20 µs to each call and 22 MB to each server.
 */
export async function findLive(
  view: View,
  records: LiveRecords,
  { query, after, filters, isSearch = false }: LiveRecordsQuery,
): Promise<Reply> {
  const values: unknown[] = [view.subAccountId];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const { table, alias, record } = records;
  const chosen = filters(bind).filter((filter) => filter !== false);
  const live = `${alias}.sub_account_id = $1 and ${shown(records)}`;
  const matches = `${table} ${alias} where ${[live, ...chosen].join(' and ')}`;
  const size = pageSize(query);
  const place = after === undefined ? undefined : bind(after);
  const window = windowOf(size, place);
  if (isSearch) {
    const hits = await view.wirePage(searching(records, matches, window), values, size);
    return replyOf(await readPage(view, record, hits));
  }
  const total = chosen.length === 0 ? rowCountOf(table) : `select count(*) from ${matches}`;
  const text = `select (${total}) as total, ${record.members} from ${matches} ${window}`;
  const page = await view.wirePage(text, values, size);
  if (page.rows.length === 0 && place !== undefined) {
    // The rest of the list was deleted since the previous page: no row has the total.
    const [counted] = await view.wireRows(total, values.slice(0, -1));
    return { data: [], meta: { total: Number(textOf(counted, 0)) }, next: null };
  }
  return replyOf(await readPage(view, record, page));
}

const replyOf = ({ data, total, next }: Page): Reply => ({ data, meta: { total }, next });

/**
 * The size is part of the text, and the first page has a text of its own: with parameters for them,
 * PostgreSQL would plan the statement at every call.
 */
const windowOf = (size: number, after: string | undefined): string =>
  `${after === undefined ? '' : `and id < ${after}::uuid`} order by id desc limit ${size + 1}`;

/**
 * Finds every matching id first, then the newest of them: given the limit at once, the planner would
 * test row after row, which takes a second for a rare word.
 */
const searching = (
  { table, alias, record }: LiveRecords,
  matches: string,
  window: string,
): string => {
  const newest = `select id from hits where true ${window}`;
  const records = `select ${record.members} from (${newest}) as newest
    join ${table} ${alias} on ${alias}.sub_account_id = $1 and ${alias}.id = newest.id`;
  return `with hits as materialized (select ${alias}.id from ${matches})
    ${pageWithTotal('select count(*) from hits', records)}`;
};

const rowCountOf = (
  table: string,
): string => `select coalesce(sum(difference), 0)::int8 from tallies
  where sub_account_id = $1 and noun = '${table}'`;

/**
 * A condition: the column contains the search text, ignoring case and accents. The subselect makes a
 * generic plan compute the pattern once instead of once per row.
 */
export const isLike = (column: string, search: string, bind: Bind): string =>
  `${column} like (select containing(${bind(search.trim())}))`;

/** Returns a function that locks a live record until the transaction ends, or throws NOT_FOUND. */
export const lockerOf =
  <E extends object>(noun: string, entity: EntityName<E>) =>
  async (work: Work, id: string): Promise<E> => {
    return orNotFound(await lockLive(work, entity, id), noun);
  };

/** Locks a live record until the transaction ends. Returns null if it does not exist. */
export function lockLive<E extends object>(
  { em, subAccountId }: Work,
  entity: EntityName<E>,
  id: string,
): Promise<E | null> {
  const live = { subAccountId, id, deletedAt: null } as never;
  return em.findOne(entity, live, { lockMode: LockMode.PESSIMISTIC_WRITE });
}
