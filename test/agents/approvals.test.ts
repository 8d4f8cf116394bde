import { describe, expect, test, type TestService } from '../support/service.ts';
import {
  clients,
  newCampaign,
  recipientsOf,
  setUpCampaigns,
} from '../campaigns/campaigns.support.ts';
import { dispatchDue } from '../../src/campaigns/dispatch-campaigns.ts';
import { resumeCampaign } from '../../src/campaigns/pause-resume-cancel.ts';
import { decideApproval } from '../../src/agents/approvals/decide-approval.ts';
import { runApproved } from '../../src/agents/approvals/run-approved.ts';
import { findApproval, type ApprovalRow } from '../../src/agents/approvals/approval.store.ts';
import { revokeKey } from '../../src/accounts/keys/revoke-key.ts';
import { setAgentPolicy } from '../../src/accounts/keys/set-agent-policy.ts';
import { setKeyScopes } from '../../src/accounts/keys/set-key-scopes.ts';
import { agentCatalogue } from '#registry/agents.ts';
import { AGENCY } from '#lib/id.ts';
import { connectAgent, issueKey } from './agents.support.ts';

const newContact = async (service: TestService): Promise<string> => {
  const body = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };
  const created = await service.call('POST /api/v1/contacts', { body });
  await service.events();
  return created.body.data.id;
};

const rowOf = async (service: TestService, id: string): Promise<ApprovalRow> =>
  (await findApproval(service.openView(service.subAccountId, service.clock()), id)) as ApprovalRow;

const decide = async (
  service: TestService,
  id: string,
  decision: 'approved' | 'denied',
): Promise<ApprovalRow> => {
  await service.transact(service.subAccountId, service.actor, (work) =>
    decideApproval(work, id, decision),
  );
  const deps = {
    ...service,
    baseUrl: () => service.url,
    cursorSecret: service.secrets.derive('cursors'),
    actions: agentCatalogue().callable,
  };
  return runApproved(deps, await rowOf(service, id));
};

/** An agent that asked to delete a contact. */
const asked = async (service: TestService) => {
  const contactId = await newContact(service);
  const { key, keyId } = await issueKey(service, { scopes: ['contacts:write', 'contacts:read'] });
  const { call } = await connectAgent(service.url, key);
  const remove = () => call('run_action', { action: 'contacts.delete', arguments: { contactId } });
  return { contactId, keyId, remove, first: await remove() };
};

describe('an action that needs an approval', () => {
  test('does nothing yet, and shows its effects', async ({ service }) => {
    const { first, contactId } = await asked(service);
    expect(first.isError).toBe(false);
    expect(first.content).toEqual({
      status: 'awaiting_approval',
      approvalId: expect.any(String),
      summary: 'Delete a contact: Ada Byron',
      effects: {},
      url: expect.stringMatching(/\/console\/[\da-f-]{36}\/approvals\/[\da-f-]{36}$/),
      expiresAt: expect.any(String),
    });
    expect(await service.eventNames()).toEqual([]);
    expect((await service.call(`GET /api/v1/contacts/${contactId}`)).status).toBe(200);
  });

  test('asks once, however often the agent repeats it', async ({ service }) => {
    const { first, remove } = await asked(service);
    expect((await remove()).content).toEqual(first.content);
    const jobs = await service.database.rows(
      `select payload from graphile_worker._private_jobs
       where payload->>'subAccountId' = $1 and payload->>'text' like '%/approvals/%'`,
      [service.subAccountId],
    );
    expect(jobs).toHaveLength(1);
  });

  test('runs once when it is approved, and the agent learns the outcome', async ({ service }) => {
    const { first, remove, contactId } = await asked(service);
    const row = await decide(service, first.content.approvalId, 'approved');
    expect(row).toMatchObject({ status: 'approved', responseStatus: 200, decidedBy: 'operator' });
    expect((await service.call(`GET /api/v1/contacts/${contactId}`)).status).toBe(404);
    const again = await remove();
    expect(again.content).toMatchObject({
      status: 'approved',
      data: { id: contactId, deleted: true },
    });
    const audited = await service.database.rows(
      'select actor_kind, operation from audit_entries where record_id = $1 and operation = $2',
      [contactId, 'contacts.delete'],
    );
    expect(audited).toEqual([{ actor_kind: 'agent', operation: 'contacts.delete' }]);
  });

  test('is refused when it is denied', async ({ service }) => {
    const { first, remove, contactId } = await asked(service);
    await decide(service, first.content.approvalId, 'denied');
    const again = await remove();
    expect(again.content.error).toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'approval_denied' },
    });
    expect((await service.call(`GET /api/v1/contacts/${contactId}`)).status).toBe(200);
  });

  test('is decided once', { repeats: 19 }, async ({ service }) => {
    const { first } = await asked(service);
    const { approvalId } = first.content;
    const outcomes = await Promise.allSettled([
      decide(service, approvalId, 'approved'),
      decide(service, approvalId, 'denied'),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'ALREADY_DECIDED', status: 409 },
    });
  });

  test('expires after 24 hours', async ({ service }) => {
    const { first, remove } = await asked(service);
    service.clock.advance(24 * 3_600_000 + 1);
    expect((await rowOf(service, first.content.approvalId)).status).toBe('expired');
    await expect(decide(service, first.content.approvalId, 'approved')).rejects.toMatchObject({
      code: 'ALREADY_DECIDED',
    });
    expect((await remove()).content.error.details.reason).toBe('approval_expired');
  });

  test.for([
    ['revoked', (keyId: string) => (work: any) => revokeKey(work, { keyId })],
    [
      'loses a scope',
      (keyId: string) => async (work: any) => {
        await setKeyScopes(work, { keyId, scopes: ['contacts:read'] });
      },
    ],
    [
      'denies it',
      (keyId: string) => async (work: any) => {
        await setAgentPolicy(work, { keyId, agentPolicy: { destroys: 'deny' } });
      },
    ],
  ] as const)('is void when the key is %s', async ([, change], { service }) => {
    const { first, keyId } = await asked(service);
    await service.transact(service.subAccountId, service.actor, change(keyId));
    expect((await rowOf(service, first.content.approvalId)).status).toBe('expired');
  });

  test('shows how many mails a campaign would send', async ({ service }) => {
    await setUpCampaigns(service);
    await clients(service, ['a@example.com', 'b@example.com', 'c@example.com']);
    const campaignId = await newCampaign(service);
    const { call } = await connectAgent(service.url, service.keys.full);
    const sent = await call('run_action', { action: 'campaigns.send', arguments: { campaignId } });
    expect(sent.content).toMatchObject({ status: 'awaiting_approval', effects: { mails: 4 } });
    const row = await decide(service, sent.content.approvalId, 'approved');
    expect(row.responseStatus).toBe(200);
    // The demo contact of the set-up is on the list, too.
    expect(await recipientsOf(service, campaignId)).toHaveLength(4);
  });

  test.for([
    [10, 'sending', null],
    [12, 'held', 'approval_outgrown'],
  ] as const)(
    'lets an approved campaign with 10 mails and %i at its time be %s',
    async ([contacts, status, heldBecause], { service }) => {
      const { database, subAccountId } = service;
      await setUpCampaigns(service);
      const names = Array.from({ length: contacts }, (_, index) => `c${index}@example.com`);
      // The demo contact of the set-up is on the list, too.
      await clients(service, names.slice(0, 9));
      const campaignId = await newCampaign(service);
      const { call } = await connectAgent(service.url, service.keys.full);
      const scheduledAt = service.clock().getTime() + 60_000;
      const first = await call('run_action', {
        action: 'campaigns.schedule',
        arguments: { campaignId, scheduledAt },
      });
      expect(first.content.effects).toEqual({ mails: 10 });
      const row = await decide(service, first.content.approvalId, 'approved');
      expect(row.responseStatus).toBe(200);
      await clients(service, names.slice(9, contacts - 1));
      await database.rows(
        `update campaigns set scheduled_at = now() - interval '1 s' where id = $1`,
        [campaignId],
      );
      const dispatched = await dispatchDue(service, service.actor);
      expect(dispatched).toEqual([{ id: campaignId, subAccountId, status, heldBecause }]);
      expect(await recipientsOf(service, campaignId)).toHaveLength(status === 'held' ? 0 : 10);
      if (status === 'held') {
        await service.transact(subAccountId, service.actor, (work) =>
          resumeCampaign(work, campaignId),
        );
        expect(await recipientsOf(service, campaignId)).toHaveLength(contacts);
      }
    },
  );

  test('mails no more contacts than approved, except a tenth', async ({ service }) => {
    await setUpCampaigns(service);
    await clients(service, ['a@example.com']);
    const campaignId = await newCampaign(service);
    const { call } = await connectAgent(service.url, service.keys.full);
    const send = (more = {}) =>
      call('run_action', { action: 'campaigns.send', arguments: { campaignId }, ...more });
    const first = await send();
    await clients(service, ['b@example.com']);
    const row = await decide(service, first.content.approvalId, 'approved');
    expect(row.responseStatus).toBe(403);
    expect(await recipientsOf(service, campaignId)).toEqual([]);
    expect((await send()).content.error.details).toMatchObject({
      reason: 'approval_outgrown',
      mails: first.content.effects.mails + 1,
    });
    const names = Array.from({ length: 20 }, (_, index) => `c${index}@example.com`);
    await clients(service, names);
    const again = await send({ repeat: true });
    await clients(service, ['d@example.com']);
    await decide(service, again.content.approvalId, 'approved');
    expect(await recipientsOf(service, campaignId)).toHaveLength(again.content.effects.mails + 1);
  });
});

describe('a read that needs an approval', () => {
  test('returns nothing before it, not even as a dry run', async ({ service }) => {
    const contactId = await newContact(service);
    const { key } = await issueKey(service, {
      scopes: ['contacts:read'],
      agentPolicy: { read: 'ask' },
    });
    const { call } = await connectAgent(service.url, key);
    const given = { action: 'contacts.get', arguments: { contactId } };
    const first = await call('run_action', given);
    expect(first.content).toMatchObject({ status: 'awaiting_approval' });
    expect(first.content.data).toBeUndefined();
    const dry = await call('run_action', { ...given, dryRun: true });
    expect(dry.content.data).toBeUndefined();
    await decide(service, first.content.approvalId, 'approved');
    expect((await call('run_action', given)).content).toMatchObject({
      status: 'approved',
      data: { id: contactId },
    });
    expect(await service.eventNames()).toEqual([]);
  });
});

describe('a denied action', () => {
  test('is not listed, not found and refused', async ({ service }) => {
    const { key } = await issueKey(service, {
      scopes: ['contacts:write', 'appointments:write'],
      agentPolicy: { destroys: 'deny', tells: 'deny' },
    });
    const { client, call } = await connectAgent(service.url, key);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['save_contact', 'find_action', 'run_action']);
    const found = await call('find_action', { query: 'delete a contact' });
    expect(found.content.actions.map(({ action }: any) => action)).not.toContain('contacts.delete');
    const refused = await call('run_action', {
      action: 'contacts.delete',
      arguments: { contactId: AGENCY },
    });
    expect(refused.content.error).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('its risk is "destroys"'),
      details: { reason: 'denied_by_policy' },
    });
    const booking = await call('book_appointment', {
      appointmentTypeId: AGENCY,
      startTime: 1,
      endTime: 2,
    });
    expect(booking.content.error.code).toBe('FORBIDDEN');
  });

  test('and one without a scope are refused before their arguments', async ({ service }) => {
    const { key } = await issueKey(service, {
      scopes: ['contacts:write'],
      agentPolicy: { destroys: 'deny' },
    });
    const { call } = await connectAgent(service.url, key);
    const codeOf = async (action: string) =>
      (await call('run_action', { action, arguments: {} })).content.error.code;
    expect(await codeOf('contacts.delete')).toBe('FORBIDDEN');
    expect(await codeOf('opportunities.get')).toBe('FORBIDDEN');
    expect(await codeOf('contacts.update')).toBe('VALIDATION_ERROR');
  });
});
