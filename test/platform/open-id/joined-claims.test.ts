import { expect, test } from 'vitest';
import { joinedClaims } from '#platform/open-id/provider.ts';

const ADA = 'ada@example.com';
const EVE = 'eve@example.com';

test.for([
  ['an address of the user info', {}, { email: ADA, email_verified: true }, ADA, true],
  ['an address of the ID token', { email: ADA, email_verified: true }, {}, ADA, true],
  ['the same address in both', { email: ADA }, { email: ADA, email_verified: true }, ADA, true],
  ['another address', { email: ADA }, { email: EVE, email_verified: true }, ADA, undefined],
  ['no address', { email: ADA }, { email_verified: true }, ADA, undefined],
  [
    'another address that is verified, too',
    { email: ADA, email_verified: false },
    { email: EVE, email_verified: true },
    ADA,
    false,
  ],
] as const)('user info verifies only its own address: %s', ([, stated, info, email, verified]) => {
  const claims = joinedClaims(stated, { ...info, name: 'Ada' });
  expect([claims['email'], claims['email_verified'], claims['name']]).toEqual([
    email,
    verified,
    'Ada',
  ]);
});
