import type { AgentPolicy, Risk } from '#core/agent.ts';
import type { Caller, KeyAccess, KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import { Fault } from '#core/fault.ts';
import { AGENCY } from '#lib/id.ts';
import type { Rate, RateLimiter, Spent } from '#core/rate-limit.ts';
import { setRateHeaders, type Headers } from './response.ts';

/** An accepted key. */
export interface Admitted {
  readonly keyId: string;
  readonly keyPrefix: string;
  readonly isAgency: boolean;
  /** The sub-account that the key belongs to; null for an agency key. */
  readonly boundTo: string | null;
  /** A program got the key with OAuth: its user decided what it may do without asking. */
  readonly isGrant: boolean;
  readonly sandbox: boolean;
  readonly scopes: ReadonlySet<string>;
  /** Decisions about calls by agents. */
  readonly agentPolicy: AgentPolicy;
  /** The key's own rates, if it has any. */
  readonly rates: { readonly read?: Rate | undefined; readonly write?: Rate | undefined };
  /** Returns the sub-account of this call. Throws a Fault if the key has no access to it. */
  subAccount(header: string | undefined): string | Promise<string>;
}

/** Identifies a key. Throws UNAUTHORIZED, KEY_EXPIRED or KEY_REVOKED. */
export type Identify = (key: string) => Admitted | Promise<Admitted>;

/** What limits the calls of keys and users. */
export interface CallLimits {
  readonly limiter: RateLimiter;
  readonly rates: { readonly read: Rate; readonly write: Rate };
  readonly clock: () => Date;
}

export interface AdmissionDeps extends CallLimits {
  readonly identify: Identify;
}

/** The requirements of an endpoint. */
interface AdmissionInput {
  readonly access: KeyAccess;
  readonly rate: KeyedEndpoint['rate'];
  /** How many requests the call counts as. */
  readonly cost: number;
  /** What the call does; undefined for calls over MCP, which check the policy themselves. */
  readonly risk?: Risk;
  /** Called with the key once it is known, also if the call is then refused: for the log. */
  readonly onKey?: (key: Admitted) => void;
}

/** An admitted call: the key, and how much of the call's cost was granted. */
export interface Admission {
  readonly caller: Caller;
  readonly granted: number;
}

interface Credentials {
  readonly authorization: string | undefined;
  readonly subAccountHeader: string | undefined;
}

/**
 * Checks the key, then the scope, then the rate, then the sub-account, which is looked up like an id
 * (contract 4). Every response after authentication has the rate headers, including 403.
 */
export async function admit(
  deps: AdmissionDeps,
  { access, rate: kind, cost, risk, onKey }: AdmissionInput,
  given: Credentials,
  headers: Headers,
): Promise<Admission> {
  const admitted = await identified(deps, given);
  onKey?.(admitted);
  const rates = {
    read: admitted.rates.read ?? deps.rates.read,
    write: admitted.rates.write ?? deps.rates.write,
  };
  const rate = rates[kind];
  const refusal = scopeRefusal(access, admitted) ?? policyRefusal(risk, admitted);
  const spent = await deps.limiter.consume(`${admitted.keyId}:${kind}`, rate, refusal ? 0 : cost);
  setRateHeaders(headers, rate.limit, spent);
  if (refusal) {
    throw refusal;
  }
  if (spent.granted === 0) {
    throw rateExceeded(spent, rate, deps.clock());
  }
  const { keyId, keyPrefix, sandbox } = admitted;
  const subAccountId = await subAccountOf(access, admitted, given.subAccountHeader);
  return { caller: { keyId, keyPrefix, sandbox, subAccountId, rates }, granted: spent.granted };
}

/** Throws a Fault if the key of an admitted call has ended since, or lost what the call needs. */
export async function admitKeyAgain(
  deps: Pick<AdmissionDeps, 'identify'>,
  { access, risk }: Pick<AdmissionInput, 'access' | 'risk'>,
  given: Credentials,
): Promise<void> {
  const admitted = await identified(deps, given);
  const refusal = scopeRefusal(access, admitted) ?? policyRefusal(risk, admitted);
  if (refusal) {
    throw refusal;
  }
  await subAccountOf(access, admitted, given.subAccountHeader);
}

async function identified(
  { identify }: Pick<AdmissionDeps, 'identify'>,
  { authorization }: Pick<Credentials, 'authorization'>,
): Promise<Admitted> {
  return identify(bearerKey(authorization));
}

/** Returns the key of an Authorization header. Throws UNAUTHORIZED, with these headers, if it has none. */
export function bearerKey(
  authorization: string | undefined,
  headers?: Readonly<Record<string, string>>,
): string {
  const key = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (key === undefined) {
    const message = 'send an API key: Authorization: Bearer <API_KEY>';
    throw new Fault('UNAUTHORIZED', message, undefined, headers);
  }
  return key;
}

function subAccountOf(
  { kind }: KeyAccess,
  admitted: Admitted,
  header: string | undefined,
): string | Promise<string> {
  const isUnnamed = kind === 'any' && admitted.isAgency && !header;
  return kind === 'agency' || isUnnamed ? AGENCY : admitted.subAccount(header);
}

/** Returns the refusal of a key without the scope of an endpoint. */
export function scopeRefusal(
  access: KeyAccess,
  { isAgency, scopes }: Pick<Admitted, 'isAgency' | 'scopes'>,
): Fault | undefined {
  if (access.kind === 'agency') {
    return isAgency
      ? undefined
      : new Fault(
          'FORBIDDEN',
          'this endpoint needs an agency key; a key of a sub-account cannot call it',
        );
  }
  return access.kind === 'any' || scopes.has(access.scope)
    ? undefined
    : new Fault(
        'FORBIDDEN',
        `this key lacks the scope ${access.scope}; an operator can set its scopes with frontdesk admin key scopes`,
      );
}

/** The API has no approvals: a program does there only what its grant allows without asking. */
function policyRefusal(
  risk: Risk | undefined,
  { isGrant, agentPolicy }: Admitted,
): Fault | undefined {
  if (!isGrant || risk === undefined || agentPolicy[risk] === 'allow') {
    return undefined;
  }
  const what = `this call has the risk "${risk}"`;
  return new Fault(
    'FORBIDDEN',
    agentPolicy[risk] === 'ask'
      ? `${what}, so a person must approve it; use the tools of /mcp`
      : `${what}, which the policy of this program denies`,
    { reason: 'denied_by_policy', risk },
  );
}

/** The wait is at most a window: the clock of the store may differ from that of the process. */
export const rateExceeded = ({ resetsAt }: Spent, { windowMs }: Rate, now: Date): Fault =>
  rateLimited(Math.min(resetsAt - now.getTime(), windowMs));

export function rateLimited(waitMs: number): Fault {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const message = `too many requests; try again in ${seconds} s`;
  return new Fault('RATE_LIMITED', message, undefined, { 'retry-after': String(seconds) });
}
