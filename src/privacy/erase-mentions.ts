import type { Actor, Transact, View, Work } from '#core/work.ts';
import { AGENCY } from '#lib/id.ts';
import { publishOwn } from '#platform/notify/publish-own.ts';
import { END_OF_JOB_BATCH, ERASE_FROM_JOBS } from '#platform/queue/private-tables.ts';
import { ERASED, fullNames, namePatterns, PATTERN_MAX } from './address-pattern.ts';
import { bound, type Bindings } from './bound.ts';
import { countRows, eraseRows, JSON_COLUMNS, NOTHING, type ErasedRows } from './erase-rows.ts';
import { bindingsOf, ownAddresses, type Person } from './person.ts';
import { personalTables, type PersonalTable } from './personal-data.ts';

/** Where erasing mentions continues: after the row with this key, for the addresses of this group. */
interface ErasurePlace {
  readonly group: number;
  readonly table: string;
  readonly after: readonly string[];
  /** Rows of the next batch. */
  readonly size?: number;
}

/** A person whose mentions are being erased; without a place, from the beginning. */
export interface Erasure {
  readonly person: Person;
  readonly place?: ErasurePlace;
}

type Unfinished = Required<Erasure>;

interface ErasureContext {
  readonly view: View;
  readonly transact: Transact;
  readonly actor: Actor;
  /** Later attempts read smaller batches: the last one may have ended by its timeout. */
  readonly attempt?: number;
}

/** Queues the rest and returns true, within the transaction of a batch, to end there. */
export type Pause = (work: Work, rest: Unfinished, hasMoreRecords: boolean) => boolean;

/** Rows of the first batch of a table, which may be large, and the most in one. */
const BATCH = 50;
const BATCH_MAX = 2_000;
/** Batches of a table become larger until they take this much longer than the shortest of them. */
const QUICK_MS = 200;

/**
 * Erases what only reading all rows or texts of a sub-account finds: events, and texts that mention the
 * person. Each batch of rows is a transaction of its own. It may be interrupted and repeated at any place.
 * Returns what was erased by table.
 */
export async function eraseMentions(
  { view, transact, actor, attempt = 1 }: ErasureContext,
  erasure: Erasure,
  pause: Pause = () => false,
): Promise<ErasedRows[]> {
  // Other transactions must not wait for rows of the outbox.
  await (erasure.place ? undefined : publishOwn(view));
  const sums = new Map<string, ErasedRows>();
  let shortestMs = Infinity;
  let { person, place = firstPlace } = erasure;
  for (;;) {
    const startedAt = performance.now();
    const current = { person, place };
    const { size = BATCH } = place;
    const { rows, rest, isPaused } = await transact(view.subAccountId, actor, async (work) => {
      const batch = await eraseBatch(work, current, size);
      const hasMore = batch.rest !== undefined && batch.rest.person !== person;
      return { ...batch, isPaused: batch.rest !== undefined && pause(work, batch.rest, hasMore) };
    });
    addRows(sums, rows);
    if (!rest || isPaused) {
      return [...sums.values()];
    }
    const tookMs = performance.now() - startedAt;
    const isSameTable = rest.place.table === place.table;
    shortestMs = isSameTable ? Math.min(shortestMs, tookMs) : Infinity;
    const isQuick = tookMs - shortestMs < QUICK_MS;
    const next = isQuick ? Math.min(2 * size, BATCH_MAX >> (attempt - 1)) : size >> 1;
    person = rest.person;
    place = isSameTable ? { ...rest.place, size: Math.max(BATCH, next) } : rest.place;
  }
}

/** Adds numbers of rows to those of their table. */
export function addRows(sums: Map<string, ErasedRows>, rows: ErasedRows): void {
  const sum = sums.get(rows.table) ?? NOTHING;
  if (rows.deleted + rows.blanked + rows.replaced > 0) {
    sums.set(rows.table, {
      table: rows.table,
      deleted: rows.deleted + sum.deleted,
      blanked: rows.blanked + sum.blanked,
      replaced: rows.replaced + sum.replaced,
    });
  }
}

/** The columns of primary keys other than `id`, after the sub-account, and their types. */
const KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  idempotency_keys: { key_id: 'uuid', path: 'text', key: 'text' },
  agent_calls: { key_id: 'uuid', call_hash: 'text' },
  jobs: { id: 'bigint' },
};
const START: Readonly<Record<string, string>> = { uuid: AGENCY, text: '', bigint: '0' };

const keyOfRows = (table: string) => Object.entries(KEYS[table] ?? { id: 'uuid' });

const tables: readonly PersonalTable[] = [
  ...personalTables.filter(({ rowsInBatches, texts }) => rowsInBatches ?? texts),
  { table: 'jobs', erase: 'own' },
];

const placeAt = (group: number, table: string): ErasurePlace => ({
  group,
  table,
  after: keyOfRows(table).map(([, type]) => START[type] ?? ''),
});

const firstPlace = placeAt(0, tables[0]?.table ?? 'jobs');

interface Batch {
  readonly rows: ErasedRows;
  /** Undefined once nothing is left. */
  readonly rest: Unfinished | undefined;
}

async function eraseBatch(work: Work, { person, place }: Unfinished, size: number): Promise<Batch> {
  const index = Math.max(
    0,
    tables.findIndex(({ table }) => table === place.table),
  );
  const table = tables[index] as PersonalTable;
  const group = await groupOf(work, person, place.group);
  const { after } = place;
  const until = await lastKey(work, table, { after, size });
  const bindings = { ...bindingsOf(work, group), after, until };
  const erased = await (table.table === 'jobs'
    ? eraseJobs(work, bindings, group.names)
    : eraseRange(work, table, bindings));
  const next = until
    ? { ...place, table: table.table, after: until }
    : nextPlace(person, place.group, index);
  const known = new Set(person.records);
  const added = erased.records.filter((id) => !known.has(id));
  const rest = added.length > 0 ? { ...person, records: [...person.records, ...added] } : person;
  return {
    rows: { ...erased.rows, table: table.table },
    rest: next && { person: rest, place: next },
  };
}

/** Returns the person with the names of a group, and the addresses that no contact of today has, too. */
async function groupOf(view: View, person: Person, group: number): Promise<Person> {
  const of = <T>(all: readonly T[]) => all.slice(group * PATTERN_MAX, (group + 1) * PATTERN_MAX);
  const { contactIds } = person;
  const addresses = await ownAddresses(view, { contactIds, addresses: of(person.addresses) });
  return { ...person, addresses, names: of(fullNames(person.names)) };
}

function nextPlace(person: Person, group: number, index: number): ErasurePlace | undefined {
  const table = tables[index + 1];
  if (table) {
    return placeAt(group, table.table);
  }
  const most = Math.max(person.addresses.length, fullNames(person.names).length);
  return (group + 1) * PATTERN_MAX < most ? { ...firstPlace, group: group + 1 } : undefined;
}

/** Returns the key of the last row of a batch, or undefined if no rows follow it. */
async function lastKey(
  work: Work,
  { table }: PersonalTable,
  { after, size }: { readonly after: readonly string[]; readonly size: number },
): Promise<readonly string[] | undefined> {
  if (table === 'jobs') {
    const [job] = await work.rows<{ id: string }>(END_OF_JOB_BATCH, [after[0], size]);
    return job && [job.id];
  }
  const columns = keyOfRows(table).map(([column]) => column);
  const { text, values } = bound(
    `select array[${columns.map((column) => `t.${column}::text`).join(', ')}] as key
     from ${table} t where t.sub_account_id = :sub and ${compared(table, '>', ':after')}
     order by ${columns.map((column) => `t.${column}`).join(', ')}`,
    { sub: work.subAccountId, contacts: [], addresses: [], records: [], patterns: [], after },
  );
  const [row] = await work.rows<{ key: string[] }>(
    `${text} offset $${values.length + 1}::int - 1 limit 1`,
    [...values, size],
  );
  return row?.key;
}

/** A condition that compares the keys of rows with a key. */
function compared(table: string, operator: '>' | '<=', key: string): string {
  const columns = keyOfRows(table);
  const names = columns.map(([column]) => `t.${column}`).join(', ');
  const values = columns.map(([, type], index) => `(${key})[${index + 1}]::${type}`).join(', ');
  return `(${names}) ${operator} (${values})`;
}

interface ErasedInBatch {
  readonly rows: Omit<ErasedRows, 'table'>;
  /** The ids of records that were found by their texts. */
  readonly records: readonly string[];
}

async function eraseRange(
  work: Work,
  one: PersonalTable,
  bindings: Bindings,
): Promise<ErasedInBatch> {
  const { table, rowsInBatches, export: name } = one;
  const lower = compared(table, '>', ':after');
  const range = bindings.until ? `${lower} and ${compared(table, '<=', ':until')}` : lower;
  const condition = `${range} and ${rowsInBatches ?? 'false'}`;
  const isRead = rowsInBatches !== undefined;
  const records =
    isRead && name !== undefined ? await recordsIn(work, one, condition, bindings) : [];
  const erased = isRead ? await eraseRows(work, one, condition, bindings) : NOTHING;
  const replaced = await replaceAddresses(work, one, range, bindings);
  return { rows: { ...erased, replaced }, records };
}

async function recordsIn(
  work: Work,
  { table }: PersonalTable,
  condition: string,
  bindings: Bindings,
): Promise<string[]> {
  const { text, values } = bound(
    `select t.id::text as id from ${table} t where ${condition}`,
    bindings,
  );
  return (await work.rows<{ id: string }>(text, values)).map(({ id }) => id);
}

/** Returns the number of rows about others that mentioned an address. */
async function replaceAddresses(
  work: Work,
  { table, texts = [] }: PersonalTable,
  range: string,
  bindings: Bindings,
): Promise<number> {
  if (bindings.patterns.length === 0 || texts.length === 0) {
    return 0;
  }
  const pattern = '(:patterns)[1]';
  const values = texts.map((column) => {
    const replaced = `regexp_replace(t.${column}::text, ${pattern}, '${ERASED}', 'gi')`;
    return `${column} = ${JSON_COLUMNS.has(column) ? `${replaced}::json` : replaced}`;
  });
  const found = texts.map((column) => `t.${column}::text ~* ${pattern}`).join(' or ');
  const statement = `update ${table} t set ${values.join(', ')}
    where t.sub_account_id = :sub and ${range} and (${found})`;
  return countRows(work, statement, bindings);
}

/** Queued mails to admins, and errors of servers that repeat an address. */
async function eraseJobs(
  work: Work,
  { sub, contacts, patterns, after, until }: Bindings,
  names: readonly string[],
): Promise<ErasedInBatch> {
  const pattern = [...patterns, ...namePatterns(names)].join('|') || null;
  const values = [sub, pattern, contacts, ERASED, after?.[0], until?.[0] ?? null];
  const [erased] = await work.rows<{ deleted: number; replaced: number }>(ERASE_FROM_JOBS, values);
  return { rows: { ...NOTHING, ...erased }, records: [] };
}
