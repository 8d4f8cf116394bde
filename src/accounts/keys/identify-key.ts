import { Fault, invalid, notFound } from '#core/fault.ts';
import { policyOf, type AgentPolicy } from '#core/agent.ts';
import { parseRate } from '#core/rate-limit.ts';
import { isId } from '#lib/id.ts';
import type { Logger } from '#platform/config/logger.ts';
import type { Database } from '#platform/database/database.ts';
import { notifiedCache } from '#platform/database/notified-cache.ts';
import type { Admitted, Identify } from '#platform/http/admission.ts';
import type { Changes } from '#platform/notify/changes.ts';
import { hashOf, isGrantKind, isSandboxKind, isWellFormed, type KeyKind } from './key-value.ts';

interface KnownKey extends Admitted {
  readonly end: KeyEnd;
  /** Whether the used value was replaced by a rotation. */
  readonly isPrevious: boolean;
}

interface ReachableSubAccount {
  readonly id: string;
  readonly sandbox: boolean;
}

type FindSubAccount = (
  id: string,
) => ReachableSubAccount | undefined | Promise<ReachableSubAccount | undefined>;

export interface IdentifyDeps {
  readonly database: Database;
  readonly changes: Changes;
  readonly clock: () => Date;
  readonly keyUse: KeyUse;
}

/** Returns a lookup of keys in a cache that is invalidated when a key or sub-account changes. */
export function identifyKeys({ database, changes, clock, keyUse }: IdentifyDeps): Identify {
  const subAccountById = notifiedCache(changes, ['sub_accounts'], async (id) => {
    const [row] = await database.rows<ReachableSubAccount>(FIND_SUB_ACCOUNT, [id]);
    return row;
  });
  const keyByHash = notifiedCache(changes, ['api_keys', 'sub_accounts'], async (hash) => {
    const [row] = await database.rows<KeyRow>(FIND_KEY, [hash]);
    return row && knownKey(row, subAccountById);
  });

  return async (key) => {
    const known = isWellFormed(key) ? await keyByHash(hashOf(key)) : undefined;
    if (!known) {
      throw new Fault(
        'UNAUTHORIZED',
        'unknown API key; send the whole key, as it was shown once, to the server that created it',
      );
    }
    const now = clock().getTime();
    if (known.end.atMs <= now) {
      throw ENDED[known.end.by]();
    }
    keyUse.note(known.keyId, now, known.isPrevious);
    return known;
  };
}

const ENDED: Readonly<Record<KeyEnd['by'], () => Fault>> = {
  expiry: () => new Fault('KEY_EXPIRED', 'this API key has expired'),
  revocation: () => new Fault('KEY_REVOKED', 'this API key was revoked'),
  rotation: () =>
    new Fault('KEY_REVOKED', 'this value of the API key was replaced; use its new value'),
};

function ownSubAccount(boundTo: string, header: string | undefined): string {
  if (header && header.toLowerCase() !== boundTo) {
    throw notFound('sub-account');
  }
  return boundTo;
}

/** Throws the same fault for unknown and deleted sub-accounts, and for sandbox with a live key or the reverse. */
async function reach(
  sandbox: boolean,
  header: string | undefined,
  subAccountById: FindSubAccount,
): Promise<string> {
  if (!header) {
    const message = 'is required for agency keys';
    throw invalid([{ in: 'header', path: '/X-Sub-Account-Id', message }]);
  }
  const id = header.toLowerCase();
  const found = isId(id) ? await subAccountById(id) : undefined;
  if (found?.sandbox !== sandbox) {
    throw notFound('sub-account');
  }
  return found.id;
}

interface KeyRow {
  readonly id: string;
  readonly subAccountId: string | null;
  readonly kind: KeyKind;
  readonly prefix: string;
  readonly scopes: string[];
  readonly rateRead: string | null;
  readonly rateWrite: string | null;
  readonly agentPolicy: Partial<AgentPolicy> | null;
  readonly expiresAt: number | null;
  /** Also true if the sub-account was deleted. */
  readonly isRevoked: boolean;
  /** When the used value stops working; set if a rotation has replaced it. */
  readonly replacedAt: number | null;
}

function knownKey(row: KeyRow, subAccountById: FindSubAccount): KnownKey {
  const sandbox = isSandboxKind(row.kind);
  const boundTo = row.subAccountId;
  return {
    keyId: row.id,
    keyPrefix: row.prefix,
    isPrevious: row.replacedAt !== null,
    isAgency: boundTo === null,
    boundTo,
    isGrant: isGrantKind(row.kind),
    sandbox,
    scopes: new Set(row.scopes),
    agentPolicy: policyOf(row.agentPolicy),
    rates: {
      read: parseRate(row.rateRead ?? ''),
      write: parseRate(row.rateWrite ?? ''),
    },
    subAccount: (header) =>
      boundTo === null ? reach(sandbox, header, subAccountById) : ownSubAccount(boundTo, header),
    end: endOf(row),
  };
}

/** When a key stops working (epoch milliseconds, Infinity for never), and why. */
export interface KeyEnd {
  readonly atMs: number;
  readonly by: 'expiry' | 'revocation' | 'rotation';
}

/** A revoked key ends at once, whatever the local clock says; revocation wins over expiry. */
export function endOf(key: Pick<KeyRow, 'isRevoked' | 'expiresAt' | 'replacedAt'>): KeyEnd {
  const expiresAt = key.expiresAt ?? Infinity;
  if (key.isRevoked) {
    return { atMs: -Infinity, by: 'revocation' };
  }
  const replacedAt = key.replacedAt ?? Infinity;
  return replacedAt <= expiresAt && key.replacedAt !== null
    ? { atMs: replacedAt, by: 'rotation' }
    : { atMs: expiresAt, by: 'expiry' };
}

const EPOCH_MS = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

/** Run for keys that are not cached; measured with every API scenario, such as `get-contact`. */
const FIND_KEY = `
  select k.id, k.sub_account_id as "subAccountId", k.kind, k.scopes,
    case when k.previous_hash = $1 then coalesce(k.previous_prefix, k.prefix) else k.prefix end as prefix,
    k.rate_read as "rateRead", k.rate_write as "rateWrite", k.agent_policy as "agentPolicy",
    ${EPOCH_MS('least(k.expires_at, case when k.hash = $1 then k.token_expires_at end)')} as "expiresAt",
    k.revoked_at is not null or s.deleted_at is not null as "isRevoked",
    case when k.previous_hash = $1 then ${EPOCH_MS('k.previous_expires_at')} end as "replacedAt"
  from api_keys k left join sub_accounts s on s.id = k.sub_account_id
  where k.hash = $1 or k.previous_hash = $1`;

const FIND_SUB_ACCOUNT =
  'select id, sandbox from sub_accounts where id = $1 and deleted_at is null';

const WRITE_EVERY_MS = 5_000;

/** Collects when keys were last used and stores it every 5 seconds, for all keys at once. */
export interface KeyUse {
  /** `isPrevious`: the value before the last rotation was used. */
  note(keyId: string, atMs: number, isPrevious: boolean): void;
  close(): Promise<void>;
}

export function openKeyUse(database: Database, log: Logger): KeyUse {
  let used = new Map<string, LastUse>();
  const write = async () => {
    if (used.size === 0) {
      return;
    }
    const noted = used;
    used = new Map();
    const times = (which: keyof LastUse) =>
      [...noted.values()].map((use) => (use[which] === undefined ? null : new Date(use[which])));
    await database
      .rows(WRITE_USE, [[...noted.keys()], times('any'), times('previous')])
      .catch((error: unknown) => log.debug({ err: error }, 'the last use of keys was not written'));
  };
  const timer = setInterval(() => void write(), WRITE_EVERY_MS).unref();
  return {
    note(keyId, atMs, isPrevious) {
      const previous = isPrevious ? atMs : used.get(keyId)?.previous;
      used.set(keyId, { any: atMs, previous });
    },
    async close() {
      clearInterval(timer);
      await write();
    },
  };
}

/** When a key was last used, in epoch milliseconds, and when the value before its last rotation was. */
interface LastUse {
  readonly any: number;
  readonly previous: number | undefined;
}

/** Ordered, so that servers that store the same keys do not deadlock. */
const WRITE_USE = `
  update api_keys k set last_used_at = greatest(k.last_used_at, used.at),
    previous_used_at = greatest(k.previous_used_at, used.previous_at)
  from (
    select held.id, noted.at, noted.previous_at
    from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as noted (id, at, previous_at)
    join api_keys held on held.id = noted.id
    order by held.id for no key update of held
  ) as used
  where k.id = used.id`;
