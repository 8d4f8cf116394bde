import { readClaimRoles } from '#core/open-id.ts';
import { setRole } from '../../src/accounts/users/set-role.ts';
import { loadUser } from '../../src/accounts/users/user.store.ts';
import { inviteAs } from '../support/people.ts';
import { describe, expect, OPERATOR, test } from '../support/service.ts';
import { opened } from './open-id.support.ts';

describe('roles by claims', () => {
  const memberships = async (session: () => Promise<{ body: any }>) =>
    (await session()).body.data.memberships.map(({ subAccountId, role }: any) => [
      subAccountId,
      role,
    ]);

  test('create the user, and follow the claims at each sign-in', async ({ service }) => {
    const { subAccountId, otherSubAccountId } = service;
    const { signIn, session, provider, server, email } = await opened(service, {
      roles: `groups:front=viewer@${subAccountId}, groups:lead=admin@${subAccountId},groups:all:other=agent@${otherSubAccountId},groups:front=agent@${crypto.randomUUID()}`,
    });
    provider.claims['groups'] = ['front', 'lead'];
    expect((await signIn()).url).toBe(`${server.url}/console`);
    expect((await session()).body.data.user).toMatchObject({ email, name: 'Ada Lovelace' });
    expect(await memberships(session)).toEqual([[subAccountId, 'admin']]);
    provider.claims['groups'] = ['front', 'all:other'];
    await signIn();
    expect(await memberships(session)).toEqual([
      [otherSubAccountId, 'agent'],
      [subAccountId, 'viewer'],
    ]);
    provider.claims['groups'] = [];
    await signIn();
    expect(await memberships(session)).toEqual([]);
  });

  test('make an owner, and take that away with the claim', async ({ service }) => {
    const { signIn, session, provider } = await opened(service, { roles: 'groups:boss=owner' });
    provider.claims['groups'] = 'boss';
    await signIn();
    expect((await session()).body.data.isOwner).toBe(true);
    delete provider.claims['groups'];
    await signIn();
    expect((await session()).body.data.isOwner).toBe(false);
  });

  test('leave alone what a person gave', async ({ service }) => {
    const { subAccountId, otherSubAccountId } = service;
    const { signIn, session, email } = await opened(service, {
      roles: `groups:front=agent@${subAccountId},groups:boss=owner`,
    });
    await inviteAs(service, 'viewer', email);
    await service.transact(otherSubAccountId, OPERATOR, async (work) =>
      setRole(work, await loadUser(work, email), 'admin'),
    );
    await signIn();
    expect(await memberships(session)).toEqual([
      [otherSubAccountId, 'admin'],
      [subAccountId, 'viewer'],
    ]);
  });

  test.for([
    ['viewer', 'agent', 'agent'],
    ['admin', 'agent', 'admin'],
    ['agent', 'agent', 'agent'],
  ] as const)(
    'beside %s that a person gave, %s counts as %s until the claim is gone',
    async ([given, claimed, both], { service }) => {
      const { subAccountId } = service;
      const roles = `groups:front=${claimed}@${subAccountId}`;
      const { signIn, session, provider, email } = await opened(service, { roles });
      await inviteAs(service, given, email);
      for (const [groups, role] of [
        [['front'], both],
        [['front'], both],
        [[], given],
        [['front'], both],
        [[], given],
      ] as const) {
        provider.claims['groups'] = groups;
        await signIn();
        expect(await memberships(session)).toEqual([[subAccountId, role]]);
      }
    },
  );

  test.for([
    ['groups:a=owner', [{ claim: 'groups:a', role: 'owner' }]],
    [
      'https://x.example/roles:a b=Owner',
      [{ claim: 'https://x.example/roles:a b', role: 'owner' }],
    ],
    ['groups=owner', undefined],
    ['groups:a=boss', undefined],
    ['groups:a=agent', undefined],
    ['groups:a=owner@0198c0de-0000-7000-8000-000000000000', undefined],
    ['groups:a=agent@harbour', undefined],
    ['', undefined],
  ])('are read from %s', ([text, roles]) => {
    expect(readClaimRoles(text as string)).toEqual(roles);
  });
});
