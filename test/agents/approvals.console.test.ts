import { describe, expect, test, type TestService } from '../support/service.ts';
import { signInAs } from '../support/people.ts';
import { newCampaign, clients, setUpCampaigns } from '../campaigns/campaigns.support.ts';
import { askToDelete, jobsOf, runJobs } from './approvals.support.ts';
import { connectAgent } from './agents.support.ts';

const ROWS = 'GET /console/api/v1/approvals';

describe('the approvals of the console', () => {
  test('are rows with who asks, for what, and until when', async ({ service }) => {
    const { contactId, keyId, approvalId } = await askToDelete(service);
    const { call } = await signInAs(service, 'admin');
    const { body } = await call(ROWS);
    expect(body.data).toEqual([
      {
        id: approvalId,
        status: 'pending',
        tool: 'run_action',
        operation: 'contacts.delete',
        arguments: { contactId },
        risk: 'destroys',
        summary: 'Delete a contact: Ada Byron',
        effects: {},
        keyId,
        keyName: 'agent',
        subAccountId: service.subAccountId,
        client: 'scripted agent 1.2',
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        decidedBy: null,
        decidedAt: null,
        outcome: null,
        refusal: null,
      },
    ]);
    const [{ createdAt, expiresAt }] = body.data;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(24 * 3_600_000);
    expect(body.meta).toEqual({ hasMore: false, cursor: null });
  });

  test('are filtered by status and read page by page', async ({ service }) => {
    const asked: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      asked.unshift((await askToDelete(service)).approvalId);
    }
    const { call } = await signInAs(service, 'owner');
    await call(`POST /console/api/v1/approvals/${asked[1]}/deny`);
    const idsOf = async (query: string, as = call) => {
      const { body } = await as(`${ROWS}?${query}`);
      return { ids: body.data.map(({ id }: any) => id), cursor: body.meta.cursor };
    };
    const first = await idsOf('status=pending&limit=3');
    expect(first.ids).toEqual([asked[0], asked[2], asked[3]]);
    const second = await idsOf(`status=pending&limit=3&cursor=${first.cursor}`);
    expect(second).toEqual({ ids: [asked[4]], cursor: null });
    expect((await idsOf('status=approved,denied,expired')).ids).toEqual([asked[1]]);
    service.clock.advance(24 * 3_600_000);
    const later = await signInAs(service, 'owner');
    expect((await idsOf('status=pending', later.call)).ids).toEqual([]);
    expect((await idsOf('status=expired', later.call)).ids).toHaveLength(4);
    expect((await later.call(`${ROWS}?status=maybe`)).status).toBe(400);
  });

  test.for(['agent', 'viewer'] as const)(
    'are refused to the role %s',
    async (role, { service }) => {
      const { approvalId } = await askToDelete(service);
      const { call } = await signInAs(service, role);
      const path = `/console/api/v1/approvals/${approvalId}`;
      for (const line of [ROWS, `GET ${path}`, `POST ${path}/approve`, `POST ${path}/deny`]) {
        expect([line, (await call(line)).status]).toEqual([line, 403]);
      }
      const owner = await signInAs(service, 'owner');
      expect((await owner.call(`GET ${path}`)).body.data.status).toBe('pending');
    },
  );

  test('run once they are approved, and name who decided', async ({ service }) => {
    const { contactId, approvalId, remove } = await askToDelete(service);
    const { call, email } = await signInAs(service, 'admin');
    const path = `/console/api/v1/approvals/${approvalId}`;
    const approved = await call(`POST ${path}/approve`);
    expect(approved.body.data).toMatchObject({
      status: 'approved',
      decidedBy: email,
      decidedAt: expect.any(String),
      outcome: null,
    });
    expect(await runJobs(service)).toBe(1);
    expect((await call(`GET ${path}`)).body.data).toMatchObject({ outcome: 'done', refusal: null });
    expect((await service.call(`GET /api/v1/contacts/${contactId}`)).status).toBe(404);
    expect((await remove()).content).toMatchObject({ status: 'approved', data: { deleted: true } });
    const audited = (await call('GET /console/api/v1/audit')).body.data;
    expect(audited).toContainEqual(
      expect.objectContaining({
        operation: 'approvals.approve',
        actorKind: 'user',
        actor: email,
        recordId: approvalId,
      }),
    );
    expect(audited).toContainEqual(
      expect.objectContaining({
        operation: 'contacts.delete',
        actorKind: 'agent',
        client: 'scripted agent 1.2',
      }),
    );
  });

  test('show why the call was refused when it ran', async ({ service }) => {
    const { contactId, approvalId } = await askToDelete(service);
    await service.call(`DELETE /api/v1/contacts/${contactId}`);
    const { call } = await signInAs(service, 'admin');
    await call(`POST /console/api/v1/approvals/${approvalId}/approve`);
    await runJobs(service);
    const { body } = await call(`GET /console/api/v1/approvals/${approvalId}`);
    expect(body.data).toMatchObject({ outcome: 'refused', refusal: 'contact not found' });
  });

  test('are decided once', { repeats: 19 }, async ({ service }) => {
    const { approvalId, contactId } = await askToDelete(service);
    const [one, other] = [await signInAs(service, 'admin'), await signInAs(service, 'owner')];
    const path = `POST /console/api/v1/approvals/${approvalId}`;
    const outcomes = await Promise.all([
      one.call(`${path}/approve`),
      other.call(`${path}/approve`),
      other.call(`${path}/deny`),
    ]);
    const statuses = outcomes.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 409, 409]);
    const refused = outcomes.find(({ status }) => status === 409);
    expect(refused?.body.error).toMatchObject({
      code: 'ALREADY_DECIDED',
      details: { reason: 'already_decided' },
    });
    const isApproved = outcomes[2]?.status === 409;
    expect(await runJobs(service)).toBe(isApproved ? 1 : 0);
    const deleted = await service.database.rows(
      `select from audit_entries where record_id = $1 and operation = 'contacts.delete'`,
      [contactId],
    );
    expect(deleted).toHaveLength(isApproved ? 1 : 0);
  });

  test(
    'of a job that runs twice at once are executed once',
    { repeats: 19 },
    async ({ service }) => {
      const { approvalId, contactId } = await askToDelete(service);
      const { call } = await signInAs(service, 'admin');
      await call(`POST /console/api/v1/approvals/${approvalId}/approve`);
      await Promise.all([runJobs(service), runJobs(service), runJobs(service)]);
      const deleted = await service.database.rows(
        `select from audit_entries where record_id = $1 and operation = 'contacts.delete'`,
        [contactId],
      );
      expect(deleted).toHaveLength(1);
    },
  );

  test('that reach many people need a recent sign-in', async ({ service }) => {
    await setUpCampaigns(service);
    await clients(service, ['a@example.com']);
    const campaignId = await newCampaign(service);
    const agent = await connectAgent(service.url, service.keys.full);
    const { content } = await agent.call('run_action', {
      action: 'campaigns.send',
      arguments: { campaignId },
    });
    const { approvalId: small } = await askToDelete(service);
    const { call } = await signInAs(service, 'owner');
    service.clock.advance(10 * 60_000);
    for (const verb of ['approve', 'deny']) {
      const old = await call(`POST /console/api/v1/approvals/${content.approvalId}/${verb}`);
      expect([verb, old.status, old.body.error.details]).toEqual([
        verb,
        403,
        { reason: 'prove_again' },
      ]);
    }
    expect((await call(`POST /console/api/v1/approvals/${small}/deny`)).status).toBe(200);
    const recent = await signInAs(service, 'owner');
    const decided = await recent.call(
      `POST /console/api/v1/approvals/${content.approvalId}/approve`,
    );
    expect(decided.body.data).toMatchObject({ status: 'approved', risk: 'mass' });
  });

  test('are void once the key is revoked', async ({ service }) => {
    const { approvalId, keyId, contactId } = await askToDelete(service);
    const { call } = await signInAs(service, 'owner');
    await call(`POST /console/api/v1/keys/${keyId}/revoke`);
    const late = await call(`POST /console/api/v1/approvals/${approvalId}/approve`);
    expect(late.status).toBe(409);
    expect(late.body.error.details.status).toBe('expired');
    expect((await service.call(`GET /api/v1/contacts/${contactId}`)).status).toBe(200);
  });

  test('do not run if the key is revoked between the decision and the call', async ({
    service,
  }) => {
    const { approvalId, keyId, contactId } = await askToDelete(service);
    const { call } = await signInAs(service, 'owner');
    await call(`POST /console/api/v1/approvals/${approvalId}/approve`);
    await call(`POST /console/api/v1/keys/${keyId}/revoke`);
    await runJobs(service);
    const { body } = await call(`GET /console/api/v1/approvals/${approvalId}`);
    expect(body.data).toMatchObject({ status: 'approved', outcome: 'refused' });
    expect((await service.call(`GET /api/v1/contacts/${contactId}`)).status).toBe(200);
  });
});

test('the mail that asks is in the language of the sub-account', async ({ service }) => {
  const { subAccountId, actor } = service;
  await service.transact(subAccountId, actor, (work) =>
    work.rows(`update sub_accounts set locale = 'de' where id = $1`, [subAccountId]),
  );
  const { approvalId } = await askToDelete(service);
  const [mail] = await jobsOf(service, 'accounts/notify-admins', approvalId);
  expect(mail).toMatchObject({
    subject: expect.stringMatching(/^Freigabe nötig: Delete a contact/),
    text: expect.stringContaining('Geben Sie es innerhalb von 24 Stunden frei'),
  });
});

describe('the mailed link', () => {
  test('leads to the approval, and a changed one is refused', async ({ service }) => {
    const { approvalId } = await askToDelete(service);
    const { approvalId: other } = await askToDelete(service);
    const link = await mailedLink(service, approvalId);
    expect(link.pathname).toBe(`/console/${service.subAccountId}/approvals/${approvalId}`);
    const token = link.searchParams.get('token') ?? '';
    const { call } = await signInAs(service, 'admin');
    const open = (id: string, value: string) =>
      call(`GET /console/api/v1/approvals/${id}?token=${value}`);
    expect((await open(approvalId, token)).body.data.id).toBe(approvalId);
    for (const [id, value] of [
      [other, token],
      [approvalId, `${token.slice(0, -2)}AA`],
      [approvalId, ''],
    ] as const) {
      const refused = await open(id, value);
      expect([refused.status, refused.body.error.details]).toEqual([
        403,
        { reason: 'foreign_link' },
      ]);
    }
    const session = await call(`GET /console/api/v1/approvals/${approvalId}?token=${token}`, {
      headers: { cookie: '' },
    });
    expect(session.status).toBe(401);
  });
});

async function mailedLink(service: TestService, approvalId: string): Promise<URL> {
  const [mail] = await jobsOf(service, 'accounts/notify-admins', approvalId);
  return new URL(/https?:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? '');
}
