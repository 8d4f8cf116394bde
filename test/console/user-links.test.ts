import { inviteUser } from '../../src/accounts/users/invite-user.ts';
import { inviteAs, SAME_ORIGIN, signInAs } from '../support/people.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../support/service.ts';

const freshEmail = () => `new-${crypto.randomUUID()}@example.com`;

const signIn = ({ call }: TestService, token: string) =>
  call('POST /console/api/sign-in/link', { key: null, headers: SAME_ORIGIN, body: { token } });

describe('a new sign-in link of a member', () => {
  test('can be repeated for a person who lost the link', async ({ service }) => {
    const admin = await signInAs(service, 'admin');
    const email = freshEmail();
    const invited = await admin.call('POST /console/api/v1/users', {
      body: { email, role: 'agent' },
    });
    const { id } = invited.body.data;
    const { status, body } = await admin.call(`POST /console/api/v1/users/${id}/link`);
    expect([status, body.data]).toMatchObject([200, { id, email, role: 'agent' }]);
    expect(body.data.link).toMatch(`${service.url}/console/sign-in#`);
    expect((await signIn(service, body.data.link.split('#')[1])).status).toBe(200);
    // Once they have signed in, the link would be theirs alone.
    const again = await admin.call(`POST /console/api/v1/users/${id}/link`);
    expect([again.status, again.body.data.link]).toEqual([200, null]);
    const agent = await signInAs(service, 'agent');
    const foreign = await agent.call(`POST /console/api/v1/users/${id}/link`);
    expect(foreign.status).toBe(403);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is refused after five mails in an hour, so that a mailbox is not flooded', async ({
    service,
  }) => {
    const admin = await signInAs(service, 'admin');
    const body = { email: freshEmail(), role: 'agent' };
    const { id } = (await admin.call('POST /console/api/v1/users', { body })).body.data;
    const mailed = `insert into sign_in_links (token_hash, user_id, purpose, created_at, expires_at)
      select sha256(gen_random_uuid()::text::bytea), $1, 'mail', $2, $2 from generate_series(1, $3)`;
    await service.database.rows(mailed, [id, service.clock(), 4]);
    const again = () => admin.call(`POST /console/api/v1/users/${id}/link`);
    expect((await again()).status).toBe(200);
    await service.database.rows(mailed, [id, service.clock(), 1]);
    const refused = await again();
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    service.clock.advance(3_601_000);
    const later = await signInAs(service, 'admin');
    expect((await later.call(`POST /console/api/v1/users/${id}/link`)).status).toBe(200);
  });

  test('is not shown for members with access elsewhere, or for owners', async ({ service }) => {
    const admin = await signInAs(service, 'admin');
    const email = freshEmail();
    const { user } = await service.transact(service.otherSubAccountId, OPERATOR, (work) =>
      inviteUser(work, { email, role: 'viewer' }),
    );
    await admin.call('POST /console/api/v1/users', { body: { email, role: 'agent' } });
    const elsewhere = await admin.call(`POST /console/api/v1/users/${user.id}/link`);
    expect([elsewhere.status, elsewhere.body.data.link]).toEqual([200, null]);
    const owner = await inviteAs(service, 'owner');
    const refused = await admin.call(`POST /console/api/v1/users/${owner.userId}/link`);
    expect(refused.status).toBe(403);
  });
});

test('an owner creates a new sign-in link for a user, unless they are disabled', async ({
  service,
}) => {
  const owner = await signInAs(service, 'owner');
  const { userId } = await inviteAs(service, 'agent');
  const { status, body } = await owner.call(`POST /console/api/agency/users/${userId}/link`);
  expect(status).toBe(200);
  const token = body.data.link.split('#')[1];
  const signedIn = await signIn(service, token);
  expect(signedIn.body.data.userId).toBe(userId);
  const audited = await service.database.rows(
    'select actor from audit_entries where record_id = $1 and operation = $2',
    [userId, 'agency.link-user'],
  );
  expect(audited).toEqual([{ actor: owner.email }]);
  await owner.call(`PATCH /console/api/agency/users/${userId}`, { body: { status: 'disabled' } });
  expect((await owner.call(`POST /console/api/agency/users/${userId}/link`)).status).toBe(400);
  const admin = await signInAs(service, 'admin');
  expect((await admin.call(`POST /console/api/agency/users/${userId}/link`)).status).toBe(403);
});
