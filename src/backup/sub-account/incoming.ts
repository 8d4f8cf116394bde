import type { Client } from 'pg';
import { listOf, ownerOf, OWNERS, quoted } from '../catalogue.ts';
import { copyTables } from '../copy-tables.ts';
import type { TableHead, Trailer } from '../format.ts';
import { STAGE_JOBS } from '#platform/queue/private-tables.ts';
import type { Pieces } from '../read/read-backup.ts';
import { Altered } from '../explain.ts';

/** Where the rows of a table wait before they are looked at: `incoming_contacts`. */
export const incoming = (table: string): string => quoted(`incoming_${table}`);

/** Reads a file into tables of this session alone, which take whatever stands in it. */
export async function stageTables(
  client: Client,
  tables: readonly TableHead[],
  pieces: Pieces,
): Promise<Trailer> {
  for (const { table, columns } of tables) {
    await client.query(
      `create temporary table ${incoming(table)} on commit drop as
       select ${listOf(columns)} from ${quoted(table)} with no data`,
    );
  }
  await client.query(STAGE_JOBS);
  const trailer = await copyTables(client, tables, pieces, incoming);
  for (const { table } of tables) {
    await client.query(`analyze ${incoming(table)}`);
  }
  return trailer;
}

/** A checksum can be made by anybody: no row of the file may be another's than its head says. */
export async function requireOwn(
  client: Client,
  tables: readonly TableHead[],
  subAccountId: string,
): Promise<void> {
  const foreign = tables.map(
    ({ table }) =>
      `exists (select from ${incoming(table)} where ${ownerOf(table)} is distinct from $1::uuid)`,
  );
  const { rows } = await client.query<{ isOwn: boolean }>(
    `select not (${foreign.join(' or ')})
       and not exists (select from staged_jobs
         where (payload ->> 'subAccountId') is distinct from $1::uuid::text)
       and (select count(*) from ${incoming(OWNERS)}) = 1 as "isOwn"`,
    [subAccountId],
  );
  if (!rows[0]?.isOwn) {
    throw new Altered();
  }
}
