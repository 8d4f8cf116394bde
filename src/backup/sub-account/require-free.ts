import { Fault } from '#core/fault.ts';
import { FIND_TAKEN_JOB_KEY } from '#platform/queue/private-tables.ts';
import { ownerOf, quoted, type Ask } from '../catalogue.ts';
import type { TableHead } from '../format.ts';
import { incoming } from './incoming.ts';

interface Index {
  readonly table: string;
  readonly columns: readonly string[];
}

/**
 * Refuses rows that have what others have already, where that is looked up, or unique, in the
 * installation as a whole: hashes of keys, ids that are found without their sub-account.
 */
export async function requireFree(
  ask: Ask,
  tables: readonly TableHead[],
  subAccountId: string,
): Promise<void> {
  const owned = new Set(tables.map(({ table }) => table));
  const taken: string[] = [];
  for (const { table, columns } of await ask<Index>(GLOBAL_INDEXES)) {
    const isOurs = owned.has(table) && !columns.includes(ownerOf(table));
    if (isOurs && (await isTaken(ask, { table, columns }, subAccountId))) {
      taken.push(`${table} (${columns.join(', ')})`);
    }
  }
  const [job] = await ask(FIND_TAKEN_JOB_KEY, [subAccountId]);
  if (job) {
    taken.push('jobs (key)');
  }
  if (taken.length > 0) {
    throw new Fault(
      'VALIDATION_ERROR',
      `other sub-accounts of this installation have the same already: ${taken.join(', ')}; nothing was written`,
    );
  }
}

async function isTaken(ask: Ask, { table, columns }: Index, subAccountId: string) {
  const alike = columns.map((name) => `mine.${quoted(name)} = other.${quoted(name)}`).join(' and ');
  const others = await ask(
    `select from ${incoming(table)} mine join ${quoted(table)} other on ${alike}
     where other.${ownerOf(table)} is distinct from $1::uuid limit 1`,
    [subAccountId],
  );
  return others.length > 0;
}

/** Unique ones, and those of ids alone: somebody looks there without saying whose it is. */
const GLOBAL_INDEXES = `
  select c.relname as table, array(
    select a.attname::text from unnest(i.indkey[0:i.indnkeyatts - 1]) with ordinality as k (number, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
    order by k.place
  ) as columns
  from pg_index i join pg_class c on c.oid = i.indrelid
  where c.relnamespace = 'public'::regnamespace and i.indexprs is null and (
    i.indisunique or i.indnkeyatts = 1 and exists (
      select from pg_attribute a
      where a.attrelid = i.indrelid and a.attnum = i.indkey[0] and a.attname = 'id'
    )
  )`;
