import { isoText } from '#kit/columns.ts';
import type { View } from '#kit/work.ts';

/** Who changed which record, by what. */
export interface AuditRow {
  readonly id: string;
  readonly at: string;
  /** Endpoint id or command path. */
  readonly operation: string;
  readonly actorKind: 'key' | 'cli' | 'job';
  /** Key id, operating-system user or job name. */
  readonly actor: string;
  readonly keyPrefix: string | null;
  readonly requestId: string;
  readonly recordId: string;
  /** Null for what the agency as a whole did. */
  readonly subAccountId: string | null;
}

interface AuditFilter {
  readonly subAccountId?: string | undefined;
  readonly limit: number;
}

/** The last changes, of a sub-account or of the whole installation, newest first. */
export const findAudit = (view: View, { subAccountId, limit }: AuditFilter): Promise<AuditRow[]> =>
  subAccountId === undefined
    ? view.rows(`${SELECT} order by id desc limit $1`, [limit])
    : view.rows(`${SELECT} where sub_account_id = $2 order by id desc limit $1`, [
        limit,
        subAccountId,
      ]);

const SELECT = `select id, ${isoText('at')} as at, operation, actor_kind as "actorKind", actor,
    key_prefix as "keyPrefix", request_id as "requestId", record_id as "recordId",
    sub_account_id as "subAccountId"
  from audit_entries`;
