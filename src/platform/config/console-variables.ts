import { readClaimRoles } from '#core/open-id.ts';
import { defineVariable } from '#core/variable.ts';

/** The variables of the console and of signing in there (contract 11). */
export const CONSOLE_VARIABLES = {
  console: defineVariable({
    name: 'FRONTDESK_CONSOLE',
    meaning: 'Whether the server serves the console, the web app of your team, below /console.',
    takes: 'on or off',
    default: 'on',
    parse: (text) => (text === 'on' || text === 'off' ? text : undefined),
  }),
  oidcIssuer: defineVariable({
    name: 'FRONTDESK_OIDC_ISSUER',
    meaning:
      'The OpenID provider at which users of the console may sign in. It needs FRONTDESK_OIDC_CLIENT_ID and FRONTDESK_OIDC_CLIENT_SECRET.',
    takes: 'its https:// address, as the provider states it; http:// on this machine only',
    otherwise: 'none; users sign in with links and passkeys',
    secret: 'url',
    parse: readIssuer,
  }),
  oidcClientId: defineVariable({
    name: 'FRONTDESK_OIDC_CLIENT_ID',
    meaning: 'The id of Frontdesk at the OpenID provider.',
    takes: 'printable characters',
    otherwise: 'none',
    parse: (text) => (/^[\x20-\x7e]+$/.test(text.trim()) ? text.trim() : undefined),
  }),
  oidcClientSecret: defineVariable({
    name: 'FRONTDESK_OIDC_CLIENT_SECRET',
    meaning: 'The secret of Frontdesk at the OpenID provider.',
    takes: 'printable characters',
    otherwise: 'none',
    secret: true,
    parse: (text) => (/^[\x20-\x7e]+$/.test(text.trim()) ? text.trim() : undefined),
  }),
  oidcRoles: defineVariable({
    name: 'FRONTDESK_OIDC_ROLES',
    meaning:
      'Roles that claims of the OpenID provider grant, applied at each sign-in. A role whose claim is gone is removed.',
    takes:
      'comma-separated CLAIM:VALUE=owner or CLAIM:VALUE=ROLE@SUB-ACCOUNT with the roles admin, agent, viewer, integrator, for example groups:office=agent@0198c0de-0000-7000-8000-000000000000',
    otherwise: 'none; roles are given in the console and on the command line',
    parse: readClaimRoles,
  }),
} as const;

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** A token that travels without TLS could be read and changed: `http:` is for this machine. */
function readIssuer(text: string): string | undefined {
  const url = /^https?:\/\//.test(text.trim()) ? URL.parse(text.trim()) : null;
  const isSafe = url && (url.protocol === 'https:' || LOOPBACK.test(url.hostname));
  return isSafe && !url.search && !url.hash && !url.username && !url.password
    ? text.trim()
    : undefined;
}
