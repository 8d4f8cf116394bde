import type { MemberRole } from './role.ts';

/** The claims of a signed-in person, as the provider states them. */
export type Claims = Readonly<Record<string, unknown>>;

/** A role that a claim grants: `groups:front-office=agent@SUB`. */
export interface ClaimRole {
  /** Name and value of the claim, joined by a colon; both may contain colons themselves. */
  readonly claim: string;
  readonly role: MemberRole | 'owner';
  /** Undefined for `owner`. */
  readonly subAccountId?: string;
}

/** What the sign-in page says if a sign-in with OpenID Connect fails. */
export type OpenIdRefusal =
  /** The provider does not respond, or its settings do not fit. */
  | 'unavailable'
  /** The person or the provider cancelled the sign-in. */
  | 'denied'
  /** The sign-in began more than 10 minutes ago, or in another browser. */
  | 'expired'
  /** The response of the provider is not valid. */
  | 'failed'
  /** The provider does not say that the email address is verified. */
  | 'unverified'
  /** The email address belongs to no user, and no claim grants a role. */
  | 'unknown'
  | 'disabled';

/** The values that connect the start of a sign-in with its end. */
export interface OpenIdAttempt {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE. */
  readonly verifier: string;
}

export type OpenIdResult<T> = T | { readonly refused: OpenIdRefusal };

/** The OpenID provider at which users may sign in. */
export interface OpenId {
  /** False if the installation has no provider. */
  readonly isSetUp: boolean;
  readonly roles: readonly ClaimRole[];
  /** Returns the address at which the person signs in. Never rejects. */
  begin(attempt: OpenIdAttempt): Promise<OpenIdResult<{ readonly url: string }>>;
  /** Returns the claims of the person who comes back with these parameters. Never rejects. */
  finish(
    attempt: OpenIdAttempt,
    parameters: URLSearchParams,
  ): Promise<OpenIdResult<{ readonly claims: Claims }>>;
}

const ROLE =
  /^(?:(owner)|(admin|agent|viewer|integrator)@([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))$/i;

/** Parses `CLAIM:VALUE=owner,CLAIM:VALUE=agent@SUB`. Returns undefined if it is malformed. */
export function readClaimRoles(text: string): readonly ClaimRole[] | undefined {
  const roles = text.split(',').map((one) => readClaimRole(one.trim()));
  return roles.every((one) => one !== undefined) ? roles : undefined;
}

function readClaimRole(text: string): ClaimRole | undefined {
  const end = text.lastIndexOf('=');
  const claim = text.slice(0, Math.max(end, 0)).trim();
  const [, owner, role, subAccountId] = ROLE.exec(text.slice(end + 1).trim()) ?? [];
  if (!/^.+:.+$/.test(claim) || (owner ?? role) === undefined) {
    return undefined;
  }
  return owner
    ? { claim, role: 'owner' }
    : {
        claim,
        role: role?.toLowerCase() as MemberRole,
        subAccountId: subAccountId?.toLowerCase() ?? '',
      };
}

/** Returns the roles that the claims grant. */
export const rolesOfClaims = (claims: Claims, roles: readonly ClaimRole[]): readonly ClaimRole[] =>
  roles.filter(({ claim }) => claimNames(claim).some((name) => hasValue(claims, claim, name)));

/** Returns the possible names of the claim: names and values may contain colons. */
export function claimNames(claim: string): readonly string[] {
  const parts = claim.split(':');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join(':'));
}

/** A claim is one value, or a list of values as for groups. */
function hasValue(claims: Claims, claim: string, name: string): boolean {
  const value = claim.slice(name.length + 1);
  const found = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return [found].flat().some((one) => SIMPLE.has(typeof one) && String(one) === value);
}

/** Claims that are objects have no text to compare. */
const SIMPLE: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);
