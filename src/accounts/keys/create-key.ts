import { invalid, type Issue } from '#core/fault.ts';
import { AGENCY, newId } from '#lib/id.ts';
import type { AgentPolicy } from '#core/agent.ts';
import { parseRate } from '#core/rate-limit.ts';
import { isBlank } from '#core/schema/formats.ts';
import { isScope, type Scope } from '#core/scope.ts';
import type { Work } from '#core/work.ts';
import { ApiKey } from './api-key.entity.ts';
import { newKeyValue, type KeyKind } from './key-value.ts';
import { loadSubAccount } from '../sub-accounts/sub-account.store.ts';

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date | undefined;
  /** The key's own rates, such as `600/1m`; by default the installation's. */
  readonly rateRead?: string | undefined;
  readonly rateWrite?: string | undefined;
  /** Decisions about the calls of agents, where they differ from the defaults. */
  readonly agentPolicy?: Partial<AgentPolicy> | undefined;
  /** Limits an agency key to sandbox sub-accounts. Ignored for a sub-account's key. */
  readonly sandbox?: boolean | undefined;
  /** Of a key that a program gets with OAuth: its id, and when its first access token ends. */
  readonly grant?: { readonly id: string; readonly tokenExpiresAt: Date } | undefined;
}

/** A key's record with its value, which is not stored and cannot be shown again. */
export interface IssuedKey {
  readonly apiKey: ApiKey;
  readonly key: string;
}

/** Issues a key to the work's sub-account, or an agency key if the work is agency-wide. */
export async function createKey(work: Work, input: NewKey): Promise<IssuedKey> {
  const issues = keyIssues(input, work.now);
  if (issues.length > 0) {
    throw invalid(issues);
  }
  const kind = await kindOf(work, input);
  const { key, prefix, hash } = newKeyValue(kind);
  const apiKey = work.em.create(ApiKey, {
    id: input.grant?.id ?? newId(work.now),
    subAccountId: work.subAccountId === AGENCY ? null : work.subAccountId,
    kind,
    name: input.name,
    prefix,
    hash,
    previousHash: null,
    previousExpiresAt: null,
    scopes: [...new Set(input.scopes)],
    rateRead: input.rateRead ?? null,
    rateWrite: input.rateWrite ?? null,
    agentPolicy: input.agentPolicy ?? null,
    expiresAt: input.expiresAt ?? null,
    tokenExpiresAt: input.grant?.tokenExpiresAt ?? null,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: work.now,
  });
  work.em.persist(apiKey);
  work.audit(apiKey.id);
  return { apiKey, key };
}

async function kindOf(work: Work, input: Pick<NewKey, 'sandbox' | 'grant'>): Promise<KeyKind> {
  if (work.subAccountId === AGENCY) {
    return input.sandbox ? 'agency_test' : 'agency_live';
  }
  const { sandbox } = await loadSubAccount(work);
  if (input.grant) {
    return sandbox ? 'oauth_test' : 'oauth_live';
  }
  return sandbox ? 'test' : 'live';
}

/** Returns why a key cannot be issued; empty if it can. */
export function keyIssues(input: NewKey, now: Date): Issue[] {
  const { name, scopes, expiresAt } = input;
  return [
    ...(isBlank(name) ? [issue('/name', 'must not be blank')] : []),
    ...scopeIssues(scopes),
    ...(expiresAt && !(expiresAt > now) ? [issue('/expiresAt', 'must lie in the future')] : []),
    ...rateIssues(input),
  ];
}

export function scopeIssues(scopes: readonly string[]): Issue[] {
  return scopes.length === 0
    ? [issue('/scopes', 'must name at least one scope')]
    : scopes
        .filter((name) => !isScope(name))
        .map((name) => issue('/scopes', `has ${name}, which is not a scope`));
}

interface Rates {
  readonly rateRead?: string | null | undefined;
  readonly rateWrite?: string | null | undefined;
}

/** Returns which rates are not rates. */
export const rateIssues = ({ rateRead, rateWrite }: Rates): Issue[] =>
  Object.entries({ rateRead, rateWrite })
    .filter(([, text]) => text !== undefined && text !== null && !parseRate(text))
    .map(([name]) => issue(`/${name}`, RATE_MESSAGE));

const RATE_MESSAGE = 'must be a rate such as 600/1m';

const issue = (path: string, message: string): Issue => ({ in: 'body', path, message });
