import { invalid, type Issue } from '#core/fault.ts';
import { AGENCY, newId } from '#lib/id.ts';
import { parseRate } from '#core/endpoint/rate.ts';
import { isScope, type Scope } from '#core/scope.ts';
import type { Work } from '#core/work.ts';
import { ApiKey } from './api-key.entity.ts';
import { newKeyValue, type KeyKind } from './key-value.ts';
import { loadSubAccount } from '../sub-accounts/load-sub-account.ts';

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date | undefined;
  /** The key's own rates, as `600/1m`; the installation's where left out. */
  readonly rateRead?: string | undefined;
  readonly rateWrite?: string | undefined;
  /** Of an agency key: reaches sandbox sub-accounts only. A sub-account's key is of its world. */
  readonly sandbox?: boolean | undefined;
}

/** A key's record with `key`, its value, which is known now and never again. */
export interface IssuedKey {
  readonly apiKey: ApiKey;
  readonly key: string;
}

/** Issues a key to the work's sub-account, or an agency key where the work is agency-wide. */
export async function createKey(work: Work, input: NewKey): Promise<IssuedKey> {
  const issues = wrongWithKey(input, work.now);
  if (issues.length > 0) {
    throw invalid(issues);
  }
  const kind = await kindOf(work, input.sandbox ?? false);
  const { key, prefix, hash } = newKeyValue(kind);
  const apiKey = work.em.create(ApiKey, {
    id: newId(work.now),
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
    expiresAt: input.expiresAt ?? null,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: work.now,
  });
  work.em.persist(apiKey);
  work.audit(apiKey.id);
  return { apiKey, key };
}

async function kindOf(work: Work, sandbox: boolean): Promise<KeyKind> {
  if (work.subAccountId === AGENCY) {
    return sandbox ? 'agency_test' : 'agency_live';
  }
  const subAccount = await loadSubAccount(work);
  return subAccount.sandbox ? 'test' : 'live';
}

/** What stands against a key that somebody asks for; nothing where it can be issued. */
export function wrongWithKey(input: NewKey, now: Date): Issue[] {
  const { name, scopes, expiresAt, rateRead, rateWrite } = input;
  const isRate = (text: string | undefined) => text === undefined || parseRate(text);
  return [
    ...(/\S/.test(name) ? [] : [issue('/name', 'must not be blank')]),
    ...wrongWithScopes(scopes),
    ...(expiresAt && !(expiresAt > now) ? [issue('/expiresAt', 'must lie in the future')] : []),
    ...(isRate(rateRead) ? [] : [issue('/rateRead', RATE_SAYS)]),
    ...(isRate(rateWrite) ? [] : [issue('/rateWrite', RATE_SAYS)]),
  ];
}

export function wrongWithScopes(scopes: readonly string[]): Issue[] {
  return scopes.length === 0
    ? [issue('/scopes', 'must name at least one scope')]
    : scopes
        .filter((name) => !isScope(name))
        .map((name) => issue('/scopes', `${name} is not a scope`));
}

const RATE_SAYS = 'must be a rate, for example 600/1m';

const issue = (path: string, message: string): Issue => ({ in: 'body', path, message });
