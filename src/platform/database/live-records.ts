import { pageSize } from '#core/endpoint/paging.ts';
import type { DeferredData, Reply } from '#core/endpoint/reply.ts';
import { notFound } from '#core/fault.ts';
import type { Json } from '#core/schema/json.ts';
import { pageWithTotal, readPage, type RecordSchema } from '#core/schema/record.ts';
import type { PointRead, View } from '#core/work.ts';

/** Rows of a sub-account that are shown until they are deleted. */
export interface LiveRecords {
  readonly table: string;
  /** What the table is called in the SQL of the record and of filters. */
  readonly alias: string;
  readonly record: RecordSchema;
  /** Rows that nobody deletes: cancelled ones are shown like the others. */
  readonly isKept?: true;
}

const shown = ({ alias, isKept }: LiveRecords): string =>
  isKept ? 'true' : `${alias}.deleted_at is null`;

/** Reads one by id; throws NOT_FOUND for the noun where there is none, or none any more. */
export function readerOf(noun: string, records: LiveRecords) {
  const { table, alias: a, record } = records;
  const read: PointRead = {
    record,
    text: `select wanted.n, ${record.members}
      from unnest($1::uuid[], $2::uuid[]) with ordinality as wanted (sub_account_id, id, n)
      join ${table} ${a} on ${a}.sub_account_id = wanted.sub_account_id and ${a}.id = wanted.id
      where ${shown(records)}`,
  };
  return async (view: View, id: string): Promise<Json> => {
    const found = await view.point(read, id);
    if (!found) {
      throw notFound(noun);
    }
    return found;
  };
}

/** Answers a change with the record as it is after it. */
export const answerOf =
  (read: ReturnType<typeof readerOf>) =>
  (id: string): DeferredData =>
  (view) =>
    read(view, id);

type Bind = (value: unknown) => string;

interface LiveRecordsQuery {
  readonly query: { readonly limit?: number };
  /** The id behind which the page begins. */
  readonly after: string | undefined;
  /** Conditions in SQL over the alias, false where there is none; `bind` gives a value's place. */
  readonly filters: (bind: Bind) => readonly (string | false)[];
  /** One of the filters is a search, which finds few or many: nobody knows beforehand. */
  readonly isSearch?: boolean;
}

/**
 * A page of them, newest first. `total` counts every match; without filters it is the sum of the
 * table's tallies.
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
  const window = windowOf(size, after === undefined ? undefined : bind(after));
  const text = isSearch
    ? searching(records, matches, window)
    : pageWithTotal(
        chosen.length === 0 ? tallyOf(table) : `select count(*) from ${matches}`,
        `select ${record.members} from ${matches} ${window}`,
      );
  const { data, total, next } = readPage(record, await view.texts(text, values), size);
  return { data, meta: { total }, next };
}

/**
 * Which rows of the order a page wants. Sizes stand in the text and the first page has a text of
 * its own: with a parameter for either, PostgreSQL plans the statement anew at every call.
 */
const windowOf = (size: number, after: string | undefined): string =>
  `${after === undefined ? '' : `and id < ${after}::uuid`} order by id desc limit ${size + 1}`;

/**
 * First every matching id, then the newest of them: with a limit in sight the planner would walk
 * the list and test row after row, which takes a second where the word is rare.
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

const tallyOf = (table: string): string => `select coalesce(sum(difference), 0)::int8 from tallies
  where sub_account_id = $1 and noun = '${table}'`;

/**
 * A condition: the text holds what is looked for, without case or accents. The select: worked out
 * once, where a general plan would do it for each row that it looks at.
 */
export const isLike = (column: string, search: string, bind: Bind): string =>
  `${column} like (select containing(${bind(search.trim())}))`;
