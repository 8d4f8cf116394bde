import { expect, test } from '../support/service.ts';
import { signedInLongAgo, signInAs } from '../support/people.ts';

test('a new scope of a key needs a recent sign-in; fewer scopes and rates do not', async ({
  service,
}) => {
  const { call, email } = await signInAs(service, 'admin');
  const made = await call('POST /console/api/v1/keys', {
    body: { name: 'bot', scopes: ['tasks:read', 'tasks:write'] },
  });
  const change = (body: object) =>
    call(`PATCH /console/api/v1/keys/${made.body.data.id}`, { body });
  await signedInLongAgo(service, email);
  const refused = await change({ scopes: ['tasks:read', 'contacts:read'] });
  expect([refused.status, refused.body.error.details]).toEqual([403, { reason: 'prove_again' }]);
  const narrowed = await change({ scopes: ['tasks:read'], rateRead: '5/1m' });
  expect(narrowed.body.data).toMatchObject({ scopes: ['tasks:read'], rateRead: '5/1m' });
  const { call: callAgain } = await signInAs(service, 'admin');
  const widened = await callAgain(`PATCH /console/api/v1/keys/${made.body.data.id}`, {
    body: { scopes: ['tasks:read', 'contacts:read'] },
  });
  expect(widened.body.data.scopes).toEqual(['tasks:read', 'contacts:read']);
});

test('a policy that permits agents more needs a recent sign-in; a stricter one does not', async ({
  service,
}) => {
  const { call, email } = await signInAs(service, 'admin');
  const made = await call('POST /console/api/v1/keys', {
    body: { name: 'agent', scopes: ['conversations:write'] },
  });
  const { id, agentPolicy } = made.body.data;
  const change = (policy: object) =>
    call(`PATCH /console/api/v1/keys/${id}`, { body: { agentPolicy: policy } });
  await signedInLongAgo(service, email);
  const narrowed = await change({ tells: 'ask' });
  expect(narrowed.body.data.agentPolicy).toEqual({ ...agentPolicy, tells: 'ask' });
  expect(await service.eventNames()).toEqual([]);
  const refused = await change({ tells: 'allow', mass: 'deny' });
  expect([refused.status, refused.body.error.details]).toEqual([403, { reason: 'prove_again' }]);
  const { body: audit } = await call(`GET /console/api/v1/audit?actor=${email}`);
  expect(audit.data.map((row: any) => row.operation)).toEqual(['keys.update', 'keys.create']);
});
