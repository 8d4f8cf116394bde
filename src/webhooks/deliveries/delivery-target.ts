import { createSecretKey } from 'node:crypto';
import type { Secrets } from '#core/secrets.ts';
import { headerSafe } from '#lib/header-safe.ts';
import type { View } from '#core/work.ts';
import type { Account } from '../feed/event-body.ts';
import type { Health } from '../subscriptions/health.ts';
import type { SigningKeys } from './signature.ts';
import { HELD_ELSEWHERE, LEASE_END, type Lease } from './lease.ts';

/** A subscription as the delivery needs it. */
export interface Target extends Account, Health {
  readonly subscriptionId: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly isActive: boolean;
  /** Another one once somebody has changed it. */
  readonly version: string;
  /** Served up to this position of the sub-account's events. */
  readonly position: number;
  readonly userAgent: string;
  readonly keys: SigningKeys;
}

/** Where the sealed secrets of a subscription lie; they open nowhere else. */
export const secretPlace = (subscriptionId: string): string =>
  `webhook_subscriptions/${subscriptionId}/secret`;

/**
 * Takes the turn of serving a subscription for a job, and answers what it needs for that. Undefined
 * where another job has the turn, which then learns that it was asked again, or where the
 * subscription or its sub-account is gone.
 */
export async function acquireLease(
  view: View,
  secrets: Secrets,
  { subscriptionId, lease }: Lease,
): Promise<Target | undefined> {
  const [row] = await view.rows<TargetRow>(TAKE, [view.subAccountId, subscriptionId, lease]);
  if (!row?.isMine) {
    return undefined;
  }
  const { secret, previousSecret, brand, status, ...target } = row;
  const keyOf = (sealed: Buffer) =>
    createSecretKey(secrets.open(sealed, secretPlace(subscriptionId)), 'utf8');
  return {
    ...target,
    subAccountId: view.subAccountId,
    subscriptionId,
    isActive: status === 'active',
    userAgent: userAgentOf(brand),
    keys: {
      current: keyOf(secret),
      previous: previousSecret ? keyOf(previousSecret) : undefined,
    },
  };
}

interface TargetRow extends Omit<Target, 'isActive' | 'userAgent' | 'keys'> {
  readonly isMine: boolean;
  readonly status: string;
  readonly brand: string;
  readonly secret: Buffer;
  readonly previousSecret: Buffer | null;
}

/** SQL over subscription `s`: every change of it by somebody gives another. */
export const VERSION = `extract(epoch from s.updated_at)::text`;

/** One statement decides between jobs that come at the same time. */
const TAKE = `update webhook_subscriptions s set
    turn = case when ${HELD_ELSEWHERE} then s.turn else $3 end,
    turn_until = case when ${HELD_ELSEWHERE} then s.turn_until else ${LEASE_END} end,
    asked_again = ${HELD_ELSEWHERE}
  from sub_accounts a
  where s.sub_account_id = $1 and s.id = $2 and a.id = s.sub_account_id
    and s.deleted_at is null and a.deleted_at is null
  returning s.turn = $3 as "isMine", s.url, s.events, s.status, s.position, s.secret,
    ${VERSION} as version,
    case when s.previous_until > now() then s.previous_secret end as "previousSecret",
    s.consecutive_failures as "consecutiveFailures", s.failing_since as "failingSince",
    s.paused_until as "pausedUntil", s.last_delivery_at as "lastDeliveryAt",
    s.last_success_at as "lastSuccessAt", a.location_id as "locationId",
    coalesce(a.brand, a.name) as brand`;

/** Without what no header can hold (contract 6). */
export const userAgentOf = (brand: string): string =>
  `${headerSafe(brand).trim() || 'Frontdesk'}-Webhooks/1.0`;
