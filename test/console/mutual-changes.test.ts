import { inviteAs, SAME_ORIGIN, browserOf, cookieOf, type Browser } from '../support/people.ts';
import type { Role } from '#core/role.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const ROUNDS = 20;
const LONG_MS = 600_000;
const rounds = Array.from({ length: ROUNDS }, (_, n) => n);

interface Person extends Browser {
  readonly userId: string;
}

async function signedIn(service: TestService, role: Role): Promise<Person> {
  const { token, email, userId } = await inviteAs(service, role);
  const headers = SAME_ORIGIN;
  const link = { key: null, headers, body: { token } };
  const cookie = cookieOf(await service.call('POST /console/api/sign-in/link', link));
  return { ...browserOf(service, email, cookie), userId };
}

/** Lets two people change each other at once. Returns how many calls succeeded, how many were refused, and how many people have access. */
async function changeEachOther(
  people: readonly [Person, Person],
  change: (by: Person, other: Person) => ReturnType<Person['call']>,
  keepsAccess: (person: Person) => Promise<boolean>,
) {
  const [one, other] = people;
  const answers = await Promise.all([change(one, other), change(other, one)]);
  const left = await Promise.all(people.map(keepsAccess));
  const changed = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => [401, 403].includes(status));
  return [changed.length, refused.length, left.filter(Boolean).length];
}

const OUTCOME = [1, 1, 1];

describe('of two people who change each other at once, one keeps their access', () => {
  test('owners who disable or demote each other', { timeout: LONG_MS }, async ({ service }) => {
    for (const round of rounds) {
      const people = [await signedIn(service, 'owner'), await signedIn(service, 'owner')] as const;
      const body = round % 2 === 0 ? { isOwner: false } : { status: 'disabled' };
      const outcome = await changeEachOther(
        people,
        (by, { userId }) => by.call(`PATCH /console/api/agency/users/${userId}`, { body }),
        async (person) => (await person.call('GET /console/api/agency/users')).status === 200,
      );
      expect([round, ...outcome]).toEqual([round, ...OUTCOME]);
    }
  });

  test('admins who remove or demote each other', { timeout: LONG_MS }, async ({ service }) => {
    for (const round of rounds) {
      const people = [await signedIn(service, 'admin'), await signedIn(service, 'admin')] as const;
      const outcome = await changeEachOther(
        people,
        (by, { userId }) =>
          round % 2 === 0
            ? by.call(`DELETE /console/api/v1/users/${userId}`)
            : by.call(`PATCH /console/api/v1/users/${userId}`, { body: { role: 'viewer' } }),
        async (person) => (await person.call('GET /console/api/v1/users')).status === 200,
      );
      expect([round, ...outcome]).toEqual([round, ...OUTCOME]);
    }
  });
});
