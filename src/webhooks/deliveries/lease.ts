import { headerSafe } from '#lib/merge-fields.ts';
import { createSecretKey } from 'node:crypto';
import type { Secrets } from '#core/secrets.ts';
import type { View, Work } from '#core/work.ts';
import { defineLease } from '#platform/database/lease.ts';
import type { Account } from '../feed/event-body.ts';
import type { Health } from '../subscriptions/health.ts';
import { secretPlace } from '../subscriptions/subscription.store.ts';
import type { SigningKeys } from './signature.ts';

/** The reason why a subscription gets no more events. */
export type Ended = 'disabled' | 'deleted';

/** The right of one job to serve a subscription. */
export interface SubscriptionLease {
  readonly subAccountId: string;
  readonly subscriptionId: string;
  /** Names the job: the same job, run again after its worker died, continues at once. */
  readonly holder: string;
}

export const subscriptionLease = defineLease({
  table: 'webhook_subscriptions',
  keys: ['sub_account_id', 'id'],
  holder: 'turn',
  until: 'turn_until',
  durationS: 10,
});

/** The keys and the holder, as the statements of the lease take them. */
export const heldBy = ({ subAccountId, subscriptionId, holder }: SubscriptionLease) => [
  subAccountId,
  subscriptionId,
  holder,
];

/** A subscription as the delivery needs it. */
export interface Target extends Account, Health {
  readonly subscriptionId: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly isActive: boolean;
  /** Differs after every change of the subscription by a caller. */
  readonly version: string;
  /** Served up to this position of the sub-account's events. */
  readonly position: number;
  readonly userAgent: string;
  readonly keys: SigningKeys;
}

/**
 * Acquires the lease of a subscription for a job and returns what the delivery needs. Returns `gone`
 * if the subscription or its sub-account is gone, and `leased` if another job has the lease: that job
 * learns that it was asked again, and continues.
 */
export async function acquireLease(
  view: View,
  secrets: Secrets,
  lease: SubscriptionLease,
): Promise<Target | 'gone' | 'leased'> {
  const { subscriptionId } = lease;
  const [row] = await view.rows<TargetRow>(ACQUIRE, heldBy(lease));
  if (!row?.isMine) {
    return row ? 'leased' : 'gone';
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

/** SQL over subscription `s`. */
const VERSION = `extract(epoch from s.updated_at)::text`;

/** One statement, so that of several jobs at the same time exactly one gets the lease. */
const ACQUIRE = `update webhook_subscriptions s set
    ${subscriptionLease.acquire('s', '$3')},
    asked_again = ${subscriptionLease.isHeldElsewhere('s', '$3')}
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

/** Characters that no header can hold are removed (contract 6). */
export const userAgentOf = (brand: string): string =>
  `${headerSafe(brand).trim() || 'Frontdesk'}-Webhooks/1.0`;

interface LeaseEnd {
  /** Another job came during the lease and left. */
  readonly askedAgain: boolean;
  /** What happened to the subscription during the lease. */
  readonly ended: Ended | null;
}

export async function releaseLease(work: Work, lease: SubscriptionLease): Promise<LeaseEnd> {
  const [end] = await work.rows<LeaseEnd>(RELEASE, heldBy(lease));
  return end ?? { askedAgain: false, ended: null };
}

const RELEASE = subscriptionLease.release(`asked_again as "askedAgain",
    case when deleted_at is not null then 'deleted' when status = 'disabled' then 'disabled' end
      as ended`);

/** No attempt begins on a check that is older than this. */
const CHECK_VALID_MS = 100;
/** A check older than this is renewed in the background, so that a busy lease need not wait. */
const CHECK_AGAIN_AFTER_MS = 50;

interface TargetWatch {
  /** Checks whether the target is unchanged, unless it was checked a moment ago. */
  check(): Promise<void> | undefined;
  isChanged(): boolean;
}

/**
 * Notices that a caller has changed or deleted the subscription during the lease: attempts that have
 * not begun by then belong to its new secret and URL, or are not made.
 */
export function watchTarget(viewNow: () => View, target: Target): TargetWatch {
  let checkedAt = performance.now();
  let isChanged = false;
  let checking: Promise<void> | undefined;
  const read = async () => {
    const startedAt = performance.now();
    isChanged ||= !(await isSame(viewNow(), target));
    checkedAt = startedAt;
  };
  return {
    check() {
      const ageMs = performance.now() - checkedAt;
      if (ageMs < CHECK_AGAIN_AFTER_MS) {
        return undefined;
      }
      checking ??= read().finally(() => {
        checking = undefined;
      });
      if (ageMs < CHECK_VALID_MS) {
        // A failure here is found by the next caller, which has to wait for a check.
        checking.catch(() => undefined);
        return undefined;
      }
      return checking;
    },
    isChanged: () => isChanged,
  };
}

async function isSame(
  view: View,
  { subAccountId, subscriptionId, version }: Target,
): Promise<boolean> {
  const found = await view.rows(SAME, [subAccountId, subscriptionId, version]);
  return found.length > 0;
}

const SAME = `select from webhook_subscriptions s
  where s.sub_account_id = $1 and s.id = $2 and ${VERSION} = $3`;
