import { SCOPES, type Scope } from './scope.ts';

/**
 * The roles of users, the most powerful first (contract 11). An owner has the whole installation. An
 * integrator has the page Webhooks alone, and nothing that a viewer has.
 */
export const ROLES = ['owner', 'admin', 'agent', 'viewer', 'integrator'] as const;

export type Role = (typeof ROLES)[number];

/** A role in one sub-account. */
export const MEMBER_ROLES = [
  'admin',
  'agent',
  'viewer',
  'integrator',
] as const satisfies readonly Role[];

export type MemberRole = (typeof MEMBER_ROLES)[number];

const AGENT_SCOPES: readonly Scope[] = [
  'contacts:read',
  'contacts:write',
  'conversations:read',
  'conversations:write',
  'availability:read',
  'appointments:read',
  'appointments:write',
  'opportunities:read',
  'opportunities:write',
  'tasks:read',
  'tasks:write',
  'service-types:read',
  'booking-estimates:read',
  'booking-appointments:read',
  'booking-appointments:write',
];

/** The scopes that a role grants in its sub-account. */
export const SCOPES_OF_ROLE: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  owner: new Set(SCOPES),
  admin: new Set(SCOPES),
  agent: new Set(AGENT_SCOPES),
  viewer: new Set(AGENT_SCOPES.filter((scope) => scope.endsWith(':read'))),
  integrator: new Set<Scope>(['webhooks:manage']),
};

/** Returns whether `role` may do what `least` may. */
export const coversRole = (role: Role, least: Role): boolean =>
  ROLES.indexOf(role) <= ROLES.indexOf(least);
