import { describe, expect, test } from 'vitest';
import { ApiKey } from '../../src/accounts/keys/api-key.entity.ts';
import { keyIssues } from '../../src/accounts/keys/create-key.ts';
import { endOf } from '../../src/accounts/keys/identify-key.ts';
import { SCOPES } from '#core/scope.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const BEFORE = new Date(NOW.getTime() - 1);
const AFTER = new Date(NOW.getTime() + 1);

describe('the state of a key', () => {
  test.for([
    ['active', null, null],
    ['active', AFTER, null],
    ['expired', NOW, null],
    ['expired', BEFORE, null],
    ['revoked', null, BEFORE],
    ['revoked', AFTER, NOW],
    ['revoked', BEFORE, NOW],
    // Revoked by a machine whose clock runs ahead.
    ['revoked', null, AFTER],
  ] as const)('is %s when it expires %s and was revoked %s', ([state, expiresAt, revokedAt]) => {
    const key = Object.assign(Object.create(ApiKey.prototype) as ApiKey, { expiresAt, revokedAt });
    expect(key.stateAt(NOW)).toBe(state);
  });
});

describe('the end of a key', () => {
  test.for([
    ['never', false, null, null, Infinity, 'expiry'],
    ['its expiry', false, 100, null, 100, 'expiry'],
    ['at once if it is revoked', true, null, null, -Infinity, 'revocation'],
    ['a revocation even if it has expired', true, 100, null, -Infinity, 'revocation'],
    ['the end of the grace time for the previous value', false, null, 50, 50, 'rotation'],
    ['the end of the grace time before its expiry', false, 100, 50, 50, 'rotation'],
    ['its expiry before the end of the grace time', false, 40, 50, 40, 'expiry'],
  ] as const)('is %s', ([, isRevoked, expiresAt, replacedAt, atMs, by]) => {
    expect(endOf({ isRevoked, expiresAt, replacedAt })).toEqual({ atMs, by });
  });
});

describe('a key can be issued', () => {
  const fine = { name: 'Website', scopes: SCOPES };

  test.for([
    ['with all required fields', fine, []],
    ['with everything', { ...fine, expiresAt: AFTER, rateRead: '5/30s', rateWrite: '1/1h' }, []],
    ['not without a name', { ...fine, name: '  ' }, ['/name']],
    ['not without a scope', { ...fine, scopes: [] }, ['/scopes']],
    ['not with an unknown scope', { ...fine, scopes: ['calendars:read'] }, ['/scopes']],
    ['not for a time that has passed', { ...fine, expiresAt: NOW }, ['/expiresAt']],
    ['not with an invalid expiry', { ...fine, expiresAt: new Date('soon') }, ['/expiresAt']],
    [
      'not with malformed rates',
      { ...fine, rateRead: '5', rateWrite: '0/1m' },
      ['/rateRead', '/rateWrite'],
    ],
  ] as const)('%s', ([, input, paths]) => {
    expect(keyIssues(input as never, NOW).map(({ path }) => path)).toEqual(paths);
  });
});
