import { headerSafe } from '#lib/header-safe.ts';
import type { Secrets } from '#core/secrets.ts';
import type { View, Work } from '#core/work.ts';
import { defineLease } from '#platform/database/lease.ts';
import type { AgentReceiver } from '../agents/agent-request.ts';
import { safeCursor } from '../agents/safe-cursor.ts';
import type { Account } from '../feed/event-body.ts';
import type { Health } from '../subscriptions/health.ts';
import { secretPlace } from '../subscriptions/subscription.store.ts';
import { signingKey, type SigningKeys } from './signature.ts';

/** Why a subscription gets no more events. */
export type Ended = 'disabled' | 'deleted';

/** The exclusive right of one job to serve a subscription. */
export interface SubscriptionLease {
  readonly subAccountId: string;
  readonly subscriptionId: string;
  /** Identifies the job: when its worker has died, the same job continues at once. */
  readonly holder: string;
}

export const subscriptionLease = defineLease({
  table: 'webhook_subscriptions',
  holder: 'turn',
  until: 'turn_until',
  durationS: 10,
});

/** The parameters of the lease's statements: keys and holder. */
export const heldBy = ({ subAccountId, subscriptionId, holder }: SubscriptionLease) => [
  subAccountId,
  subscriptionId,
  holder,
];

/** The data of a subscription that deliveries need. */
export interface Target extends Account, Health {
  readonly subscriptionId: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly isActive: boolean;
  /** Changes whenever a caller changes the subscription. */
  readonly version: string;
  /** Served up to this position of the sub-account's events. */
  readonly position: number;
  readonly userAgent: string;
  readonly keys: SigningKeys;
  readonly lastSuccessAt: Date | null;
  /** Set if an agent subscribed over MCP. */
  readonly agent?: AgentReceiver | undefined;
}

/**
 * Acquires the lease of a subscription and returns its target. Returns `gone` if the subscription or
 * its sub-account is deleted, and `leased` if another job has, or had, the lease.
 */
export async function acquireLease(
  view: View,
  secrets: Secrets,
  lease: SubscriptionLease,
): Promise<Target | 'gone' | 'leased'> {
  const { subscriptionId } = lease;
  const row = await acquireRow(view, lease);
  if (typeof row === 'string') {
    return row;
  }
  const { secret, previousSecret, brand, status, agent, ...target } = row;
  const keyOf = (sealed: Buffer) => signingKey(secrets.open(sealed, secretPlace(subscriptionId)));
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
    ...(agent && { agent: { ...agent, cursor: await safeCursor(view, secrets, subscriptionId) } }),
  };
}

async function acquireRow(
  { rows }: View,
  lease: SubscriptionLease,
): Promise<TargetRow | 'gone' | 'leased'> {
  const { subAccountId, subscriptionId } = lease;
  const [acquired] = await rows<TargetRow>(ACQUIRE, heldBy(lease));
  if (acquired) {
    return acquired;
  }
  const live = await rows(IS_LIVE, [subAccountId, subscriptionId]);
  return live.length > 0 ? 'leased' : 'gone';
}

/**
 * Marks a subscription that another job has for another run after its time slice. Until this work ends,
 * that job cannot end its lease. Returns false if the lease has ended.
 */
export const askAgain = async ({ rows }: Work, lease: SubscriptionLease): Promise<boolean> =>
  (await rows(ASK_AGAIN, heldBy(lease))).length > 0;

interface TargetRow extends Omit<Target, 'isActive' | 'userAgent' | 'keys' | 'agent'> {
  readonly agent: Omit<AgentReceiver, 'cursor'> | null;
  readonly status: string;
  readonly brand: string;
  readonly secret: Buffer;
  readonly previousSecret: Buffer | null;
}

/** SQL over subscription `s`. */
const VERSION = `extract(epoch from s.updated_at)::text`;

const ms = (interval: string): string => `(extract(epoch from ${interval}) * 1000)::float8`;

/**
 * One statement, so that exactly one of several concurrent jobs gets the lease; it is a part of every
 * delivery (bench scenario `first-attempt`). The update returns plain columns: a cluster accepts
 * nothing that depends on the time or on settings there.
 */
const ACQUIRE = `with s as (
    update webhook_subscriptions s set
      ${subscriptionLease.acquire('$3')}, asked_again = false
    from sub_accounts a
    where s.sub_account_id = $1 and s.id = $2 and a.id = s.sub_account_id
      and s.deleted_at is null and a.deleted_at is null
      and not ${subscriptionLease.isHeldElsewhere('s', '$3')}
    returning s.url, s.events, s.status, s.position, s.secret, s.updated_at,
      s.previous_secret, s.previous_until, s.consecutive_failures, s.failing_since, s.paused_until,
      s.last_success_at, s.key_id, s.handle, s.arguments, s.expires_at,
      a.location_id, a.brand, a.name
  )
  select s.url, s.events, s.status, s.position, s.secret,
    ${VERSION} as version,
    case when s.previous_until > now() then s.previous_secret end as "previousSecret",
    s.consecutive_failures as "consecutiveFailures",
    ${ms('now() - s.failing_since')} as "failingForMs",
    case when s.paused_until > now() then ${ms('s.paused_until - now()')} end as "pauseMs",
    s.last_success_at as "lastSuccessAt", s.location_id as "locationId",
    coalesce(s.brand, s.name) as brand,
    case when s.key_id is not null then json_build_object('keyId', s.key_id, 'handle', s.handle,
      'arguments', s.arguments, 'isExpired', coalesce(s.expires_at <= now(), false)) end as agent
  from s`;

const ASK_AGAIN = `update webhook_subscriptions s set asked_again = true from sub_accounts a
  where s.sub_account_id = $1 and s.id = $2 and a.id = s.sub_account_id
    and s.deleted_at is null and a.deleted_at is null
    and ${subscriptionLease.isHeldElsewhere('s', '$3')}
  returning s.id`;

const IS_LIVE = `select s.id from webhook_subscriptions s join sub_accounts a on a.id = s.sub_account_id
  where s.sub_account_id = $1 and s.id = $2 and s.deleted_at is null and a.deleted_at is null`;

/** Returns the User-Agent of a brand, without characters that headers cannot contain (contract 6). */
export const userAgentOf = (brand: string): string =>
  `${headerSafe(brand).trim() || 'Frontdesk'}-Webhooks/1.0`;

interface LeaseEnd {
  /** Whether another job came during the lease. */
  readonly askedAgain: boolean;
  /** Whether the subscription was disabled or deleted during the lease. */
  readonly ended: Ended | null;
}

export async function releaseLease(work: Work, lease: SubscriptionLease): Promise<LeaseEnd> {
  const [end] = await work.rows<LeaseEnd>(RELEASE, heldBy(lease));
  return end ?? { askedAgain: false, ended: null };
}

const RELEASE = subscriptionLease.release(`asked_again as "askedAgain",
    case when deleted_at is not null then 'deleted' when status = 'disabled' then 'disabled' end
      as ended`);

/** An attempt starts only after a check that is not older than this. */
const CHECK_VALID_MS = 100;
/** A check older than this is renewed in the background, so that busy subscriptions need not wait. */
const CHECK_AGAIN_AFTER_MS = 50;

interface TargetWatch {
  /** Checks whether the target is unchanged, unless a recent check is still valid. */
  check(): Promise<void> | undefined;
  isChanged(): boolean;
}

/**
 * Detects that a caller has changed or deleted the subscription during the lease. Attempts that have
 * not started by then use its new secret and URL, or are not made.
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
        // The next caller that has to wait for a check gets a failure.
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
