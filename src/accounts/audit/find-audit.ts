import { isoText } from '#core/schema/columns.ts';
import { AGENCY } from '#lib/id.ts';
import type { Actor, View } from '#core/work.ts';

/** An audited change: the actor, the operation and the record. */
export interface AuditRow {
  readonly id: string;
  readonly at: string;
  /** Endpoint id or command path. */
  readonly operation: string;
  readonly actorKind: Actor['kind'];
  /** Key id, operating-system user or job name. */
  readonly actor: string;
  readonly keyPrefix: string | null;
  readonly requestId: string;
  readonly recordId: string;
  /** Null for a change by the agency as a whole. */
  readonly subAccountId: string | null;
}

interface AuditFilter {
  readonly subAccountId?: string | undefined;
  readonly requestId?: string | undefined;
  /** A key's id, or the prefix that logs and lists show. */
  readonly key?: string | undefined;
  readonly recordId?: string | undefined;
  readonly since?: Date | undefined;
  readonly limit: number;
}

/** Returns the last changes of a sub-account or of the whole installation, newest first. */
export const findAudit = (view: View, filter: AuditFilter): Promise<AuditRow[]> => {
  const { subAccountId, requestId, key, recordId, since, limit } = filter;
  const values = [limit, subAccountId ?? AGENCY, requestId, key, recordId, since];
  return view.rows(
    subAccountId === undefined ? LAST_OF_ALL : LAST_OF_ONE,
    values.map((value) => value ?? null),
  );
};

const lastOf = (owner: string): string =>
  `select * from audit_entries where sub_account_id = ${owner}
    and ($3::text is null or request_id = $3)
    and ($4::text is null or actor_kind = 'key' and (actor = $4 or key_prefix = $4))
    and ($5::text is null or record_id = $5)
    and ($6::timestamptz is null or at >= $6)
  order by id desc limit $1`;

const ROW = `a.id, ${isoText('a.at')} as at, a.operation, a.actor_kind as "actorKind", a.actor,
  a.key_prefix as "keyPrefix", a.request_id as "requestId", a.record_id as "recordId",
  nullif(a.sub_account_id, '${AGENCY}') as "subAccountId"`;

const LAST_OF_ONE = `select ${ROW} from (${lastOf('$2::uuid')}) as a order by a.id desc`;

/** The last rows per sub-account, then the last of those: no index orders all rows by id. */
const LAST_OF_ALL = `select ${ROW}
  from (select id from sub_accounts union all select $2::uuid) as owner (id)
  cross join lateral (${lastOf('owner.id')}) as a
  order by a.id desc limit $1`;
