import { isoText } from '#core/schema/columns.ts';
import type { InferKyselyDB } from '@mikro-orm/postgresql';
import type { Kysely, RawBuilder, SelectQueryBuilder } from 'kysely';
import { AGENCY } from '#lib/id.ts';
import type { Actor, View } from '#core/work.ts';
import { isCluster, type Rows } from '#platform/database/cluster/nodes.ts';
import { queryBuilder, queryRows } from '#platform/database/query-builder.ts';
import type { AuditEntryTable } from '#platform/database/work/audit-entry.entity.ts';
import type { SubAccountTable } from '../sub-accounts/sub-account.entity.ts';

/** An audited change: the actor, the operation and the record. */
export interface AuditRow {
  readonly id: string;
  readonly at: string;
  /** Endpoint id or command path. */
  readonly operation: string;
  readonly actorKind: Actor['kind'];
  /** Key id, email address of a user, operating-system user or job name. */
  readonly actor: string;
  readonly keyPrefix: string | null;
  /** The program of an agent, as it names itself; null for other actors. */
  readonly client: string | null;
  readonly requestId: string;
  readonly recordId: string;
  /** Null for a change by the agency as a whole. */
  readonly subAccountId: string | null;
  /** The fields of the record before and after, where one record was changed; secrets are masked. */
  readonly changes: Readonly<
    Record<string, { readonly from: unknown; readonly to: unknown }>
  > | null;
}

interface AuditFilter {
  readonly subAccountId?: string | undefined;
  readonly requestId?: string | undefined;
  /** A key's id, or the prefix that logs and lists show. */
  readonly key?: string | undefined;
  readonly recordId?: string | undefined;
  /** An email address, key id, operating-system user or job name. */
  readonly actor?: string | undefined;
  /** Only entries that are older than this one. */
  readonly before?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** An endpoint id or command path, or its end after a dot: `delete` finds `contacts.delete`. */
  readonly operation?: string | undefined;
  readonly limit: number;
}

/** Returns the last changes of a sub-account, or of the whole installation, newest first. */
export async function findAudit(view: View, filter: AuditFilter): Promise<AuditRow[]> {
  const { db, sql } = await queryBuilder<typeof AuditEntryTable | typeof SubAccountTable>();
  const { subAccountId, limit } = filter;
  const lastOf = (owner?: RawBuilder<string>) => lastEntries(db, filter, owner);
  const owners = sql<{ id: string }>`(
    select id from sub_accounts union all select ${AGENCY}::uuid
  )`;
  const isOneDatabase = subAccountId === undefined && !(await isCluster(rowsOf(view)));
  const owner = subAccountId === undefined ? undefined : sql<string>`${subAccountId}::uuid`;
  const entries = isOneDatabase
    ? // The last of each owner, then the last of those: no index has them all in one order.
      db
        .selectFrom(owners.as('owner'))
        .innerJoinLateral(lastOf(sql`owner.id`).as('a'), (join) => join.onTrue())
    : // Of all owners, every shard finds its last ones: a node cannot limit those of each owner.
      db.selectFrom(lastOf(owner).as('a'));
  return queryRows<AuditRow>(
    view,
    (entries as SelectQueryBuilder<any, any, any>)
      .select([
        sql.raw(isoText('a.at')).as('at'),
        sql`nullif(a.sub_account_id, ${AGENCY})`.as('subAccountId'),
      ])
      .select(['a.id', 'a.operation', 'a.actor', 'a.actor_kind as actorKind'])
      .select([
        'a.key_prefix as keyPrefix',
        'a.request_id as requestId',
        'a.record_id as recordId',
        'a.client',
        'a.changes',
      ])
      .orderBy('a.id', 'desc')
      .limit(limit),
  );
}

const rowsOf =
  (view: View): Rows =>
  (text, values = []) =>
    view.rows(text, values);

type AuditTables = InferKyselyDB<typeof AuditEntryTable | typeof SubAccountTable>;

/** The last entries of an owner, or of all. */
function lastEntries(
  db: Kysely<AuditTables>,
  { requestId, key, recordId, actor, before, since, until, operation, limit }: AuditFilter,
  owner: RawBuilder<string> | undefined,
) {
  let last = db.selectFrom('audit_entries').selectAll();
  if (owner !== undefined) {
    last = last.where('sub_account_id', '=', owner);
  }
  if (requestId !== undefined) {
    last = last.where('request_id', '=', requestId);
  }
  if (key !== undefined) {
    last = last
      .where('actor_kind', 'in', ['key', 'agent'])
      .where((or) => or.or([or('actor', '=', key), or('key_prefix', '=', key)]));
  }
  if (recordId !== undefined) {
    last = last.where('record_id', '=', recordId);
  }
  if (actor !== undefined) {
    last = last.where('actor', '=', actor);
  }
  if (before !== undefined) {
    last = last.where('id', '<', before);
  }
  if (since !== undefined) {
    last = last.where('at', '>=', since);
  }
  if (until !== undefined) {
    last = last.where('at', '<', until);
  }
  if (operation !== undefined) {
    last = last.where((or) =>
      or.or([
        or('operation', '=', operation),
        or('operation', 'like', `%.${operation.replaceAll(/[%_\\]/g, '\\$&')}`),
      ]),
    );
  }
  return last.orderBy('id', 'desc').limit(limit);
}
