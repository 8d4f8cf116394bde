import type { AgentPolicy } from '#core/agent.ts';
import type { Scope } from '#core/scope.ts';
import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { grantToken } from './grant-token.ts';
import { OauthGrant } from './oauth-grant.entity.ts';

/** How long a program has to redeem a code. */
const CODE_MS = MINUTE_MS;

export interface ProgramInput {
  readonly userId: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly scopes: readonly Scope[];
  readonly agentPolicy: Partial<AgentPolicy>;
}

/** Gives a program access to the work's sub-account. Returns the code that it redeems for tokens. */
export function allowProgram(work: Work, input: ProgramInput): string {
  const { em, subAccountId, now } = work;
  const { token, tokenHash } = grantToken('code', subAccountId);
  const grant = em.create(OauthGrant, {
    ...input,
    scopes: [...input.scopes],
    subAccountId,
    id: newId(now),
    codeHash: tokenHash,
    codeExpiresAt: new Date(now.getTime() + CODE_MS),
    redeemedAt: null,
    createdAt: now,
  });
  em.persist(grant);
  work.audit(grant.id);
  return token;
}
