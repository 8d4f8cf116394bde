import { DEFAULT_POLICY, type AgentPolicy } from '#core/agent.ts';
import { isoText } from '#core/schema/columns.ts';
import { FORMATS } from '#core/schema/formats.ts';
import type { View, Work } from '#core/work.ts';
import { type KeyState, ApiKey } from './api-key.entity.ts';
import type { KeyKind } from './key-value.ts';
import { LockMode } from '@mikro-orm/core';
import { Fault, orNotFound } from '#core/fault.ts';
import { AGENCY } from '#lib/id.ts';
import { loadSubAccount } from '../sub-accounts/sub-account.store.ts';

/** A key without its value. */
export interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly kind: KeyKind;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly state: KeyState;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
  /** Null for an agency key. */
  readonly subAccountId: string | null;
  readonly rateRead: string | null;
  readonly rateWrite: string | null;
  /** Decisions about the calls of agents, complete. */
  readonly agentPolicy: AgentPolicy;
  /** Until when the value before the last rotation works; null if it does not. */
  readonly previousExpiresAt: string | null;
  /** The prefix of that value, and when it was last used; null without a rotation. */
  readonly previousPrefix: string | null;
  readonly previousUsedAt: string | null;
  /** The program that got the key with OAuth, and the email address of the user who allowed it. */
  readonly clientId: string | null;
  readonly grantedBy: string | null;
  /** When its access token ends. */
  readonly tokenExpiresAt: string | null;
}

/** Returns the keys of a sub-account, or of the whole installation, newest first. */
export const findKeys = (view: View, subAccountId?: string): Promise<KeyRow[]> =>
  subAccountId === undefined
    ? view.rows(`${selectOf('k.sub_account_id')} ${NEWEST_FIRST}`, [view.now])
    : view.rows(`${selectOf('$2')} where k.sub_account_id = $2 ${NEWEST_FIRST}`, [
        view.now,
        subAccountId,
      ]);

export async function findKey(view: View, id: string): Promise<KeyRow | undefined> {
  if (!FORMATS['uuid']?.test(id)) {
    return undefined;
  }
  const [row] =
    view.subAccountId === AGENCY
      ? await view.rows<KeyRow>(`${selectOf('k.sub_account_id')} where k.id = $2`, [view.now, id])
      : await view.rows<KeyRow>(`${selectOf('$3')} where k.id = $2`, [
          view.now,
          id,
          view.subAccountId,
        ]);
  return row;
}

/** One node of a cluster is asked for the grants only if the sub-account is a value. */
const selectOf = (own: string): string => `select k.id, k.name, k.kind, k.prefix, k.scopes,
    case when k.revoked_at is not null or s.deleted_at is not null then 'revoked'
      when k.expires_at <= $1 then 'expired' else 'active' end as state,
    ${isoText('k.expires_at')} as "expiresAt", ${isoText('k.last_used_at')} as "lastUsedAt",
    ${isoText('k.created_at')} as "createdAt", k.sub_account_id as "subAccountId",
    k.rate_read as "rateRead", k.rate_write as "rateWrite",
    '${JSON.stringify(DEFAULT_POLICY)}'::jsonb || coalesce(k.agent_policy, '{}') as "agentPolicy",
    case when k.previous_expires_at > $1 and k.revoked_at is null and s.deleted_at is null then ${isoText('k.previous_expires_at')} end
      as "previousExpiresAt", k.previous_prefix as "previousPrefix",
    ${isoText('k.previous_used_at')} as "previousUsedAt", g.client_id as "clientId", u.email as "grantedBy",
    ${isoText('k.token_expires_at')} as "tokenExpiresAt"
  from api_keys k left join sub_accounts s on s.id = k.sub_account_id
  left join oauth_grants g on g.sub_account_id = ${own} and g.id = k.id
  left join users u on u.id = g.user_id`;

const NEWEST_FIRST = 'order by k.created_at desc, k.id desc';

/** Returns a key of the work's sub-account or of the agency, locked. Throws `NOT_FOUND`. */
export async function loadKey({ em, subAccountId }: Work, id: string): Promise<ApiKey> {
  const owner = subAccountId === AGENCY ? null : subAccountId;
  return orNotFound(
    await em.findOne(ApiKey, { id, subAccountId: owner }, { lockMode: LockMode.PESSIMISTIC_WRITE }),
    'API key',
  );
}

/** Returns an active key, locked. Throws for an expired or revoked key: neither can be reactivated. */
export async function loadActiveKey(work: Work, id: string): Promise<ApiKey> {
  if (work.subAccountId !== AGENCY) {
    await loadSubAccount(work);
  }
  const key = await loadKey(work, id);
  const state = key.stateAt(work.now);
  if (state !== 'active') {
    throw new Fault(
      'VALIDATION_ERROR',
      `this API key is ${state} and cannot be changed; create a new key`,
    );
  }
  return key;
}
