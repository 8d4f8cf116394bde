import { describe, expect, test } from '../support/service.ts';
import { runValues } from '../../src/workflows/steps/merge-values.ts';
import { outcome, setUp, STEPS } from './calls.support.ts';
import { applyTo, begin, contactIn, workflowOf } from './workflows.support.ts';

describe('POST /webhooks/workflow/{slug}', () => {
  test('starts a run for a contact, returns a bare body, and fires no event', async ({
    service,
  }) => {
    const { post, runs } = await setUp(service);
    const contactId = await contactIn(service, service.subAccountId);
    await service.eventNames();
    const answer = await post('workflow', { contactId, customData: { amount: 5 } });
    expect(outcome(answer)).toEqual([200, { ok: true, triggered: 1 }]);
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
    expect(await runs()).toMatchObject([
      { contactId, trigger: 'inbound_webhook', status: 'running' },
    ]);
    expect(await service.eventNames()).toEqual([]);
    expect(outcome(await post('workflow', { contactId }))).toEqual([
      200,
      { ok: true, triggered: 0, skipped: 'already_running' },
    ]);
  });

  test('finds a contact by any of its emails, and creates one for an unknown email', async ({
    service,
  }) => {
    const { post, runs } = await setUp(service);
    const known = await contactIn(service, service.subAccountId, {
      additionalEmails: ['Ada@Example.com'],
    });
    await service.eventNames();
    await post('workflow', { email: 'ada@example.COM' });
    expect((await runs()).map(({ contactId }) => contactId)).toEqual([known]);
    expect(await service.eventNames()).toEqual([]);
    expect(outcome(await post('workflow', { email: 'New@example.com' }))).toEqual([
      200,
      { ok: true, triggered: 1 },
    ]);
    expect(await service.events()).toMatchObject([
      { name: 'contact.created', data: { email: 'New@example.com', source: 'workflow' } },
    ]);
    expect(await runs()).toHaveLength(2);
  });

  test.for([
    ['on the trigger', { triggers: [{ on: 'inbound_webhook', createContact: false }] }],
    ['on the workflow', { createContact: false }],
  ] as const)(
    'with createContact: false %s refuses an unknown email',
    async ([, over], { service }) => {
      const { post, runs } = await setUp(service, over);
      expect(outcome(await post('workflow', { email: 'new@example.com' }))).toEqual([
        404,
        'NOT_FOUND',
      ]);
      expect(await runs()).toEqual([]);
      expect(await service.eventNames()).toEqual([]);
    },
  );

  test('starts a run for the kept contact if the contact is merged at the same time, twenty times', async ({
    service,
  }) => {
    const { post, runs } = await setUp(service, { createContact: false, reenter: true });
    for (let round = 0; round < 20; round += 1) {
      const email = `ada-${round}@example.com`;
      const contactId = await contactIn(service, service.subAccountId, { email });
      const kept = await contactIn(service, service.subAccountId);
      const answers = await Promise.all([
        service.call(`POST /api/v1/contacts/${kept}/merge`, { body: { contactId } }),
        ...[1, 2, 3].map((n) => post('workflow', { email, customData: { n } })),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const about = (await runs()).filter((run) => [kept, contactId].includes(run.contactId ?? ''));
      expect(about.map((run) => run.contactId)).toEqual([kept, kept, kept]);
    }
  });

  test('starts a run for the kept contact if the contact was merged', async ({ service }) => {
    const { post, runs } = await setUp(service);
    const contactId = await contactIn(service, service.subAccountId);
    const kept = await contactIn(service, service.subAccountId);
    await service.call(`POST /api/v1/contacts/${kept}/merge`, { body: { contactId } });
    await service.eventNames();
    const begun = await post('workflow', { contactId });
    expect([begun.status, begun.body]).toEqual([200, { ok: true, triggered: 1 }]);
    expect((await runs()).map((run) => run.contactId)).toEqual([kept]);
    const response = await post('event', { eventType: 'nothing', contactId });
    expect([response.status, response.body]).toEqual([200, { ok: true, triggered: 0 }]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('refuses an unknown contact, a missing one and unknown fields', async ({ service }) => {
    const { post, runs } = await setUp(service);
    const foreign = await contactIn(service, service.otherSubAccountId);
    for (const [body, status] of [
      [{ contactId: foreign }, 404],
      [{ contactId: crypto.randomUUID() }, 404],
      [{}, 400],
      ['', 400],
      ['x', 400],
      ['[]', 400],
      ['{"email":"a@example.com","customData":5}', 400],
      [{ email: 'a@example.com', more: 1 }, 400],
      [{ email: 'invalid' }, 400],
    ] as const) {
      expect([body, (await post('workflow', body)).status]).toEqual([body, status]);
    }
    expect(await runs()).toEqual([]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('treats null like a missing field', async ({ service }) => {
    const { post } = await setUp(service);
    const email = 'ada@example.com';
    const begun = await post('workflow', { contactId: null, email, customData: null });
    expect([begun.status, begun.body]).toEqual([200, { ok: true, triggered: 1 }]);
    expect((await post('workflow', { contactId: null, email: null })).status).toBe(400);
    const response = await post('event', { eventType: 'nothing', contactId: null, data: null });
    expect([response.status, response.body]).toEqual([200, { ok: true, triggered: 0 }]);
  });

  test('creates one contact and starts one run for concurrent calls with the same email', async ({
    service,
  }) => {
    const { post, runs } = await setUp(service);
    const calls = Array.from({ length: 12 }, () => post('workflow', { email: 'new@example.com' }));
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.reduce((sum, { body }) => sum + body.triggered, 0)).toBe(1);
    expect(await runs()).toHaveLength(1);
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('refuses a body above the limit', async ({ service }) => {
    const { post } = await setUp(service);
    const customData = { text: 'x'.repeat(2 ** 20) };
    expect((await post('workflow', { email: 'a@example.com', customData })).status).toBe(413);
  });

  test('runs a step with any customData, of which lists are texts', async ({ service }) => {
    const values = runValues({
      data: { list: ['ok', 1, null, { toString: 1, valueOf: 1 }, [{ toString: 1 }]] },
      contactId: null,
    });
    expect(values).toEqual({
      'data.list': 'ok, 1, null, {"toString":1,"valueOf":1}, [{"toString":1}]',
      contactId: null,
    });
    const { post } = await setUp(service);
    const customData = { list: [{ toString: 1, valueOf: 1 }] };
    expect((await post('workflow', { email: 'a@example.com', customData })).status).toBe(200);
  });

  test('merges the data and the id of the contact into the message of a step', async ({
    service,
  }) => {
    const { subAccountId, database } = service;
    const sms = {
      provider: 'http',
      apiBaseUrl: 'https://bridge.example/send',
      secret: 'a'.repeat(32),
    };
    await applyTo(service, subAccountId, { channels: { sms } });
    const body = '{{data.plan}} of {{contactId}}';
    const { post, step } = await setUp(service, {}, [{ send: { channel: 'sms', body } }]);
    const contactId = await contactIn(service, subAccountId, { phone: '+4930123456' });
    await service.eventNames();
    await post('workflow', { contactId, customData: { plan: 'gold' } });
    await step();
    const sent = await database.rows<{ text: string }>(
      'select body_text as text from messages where sub_account_id = $1',
      [subAccountId],
    );
    expect(sent).toEqual([{ text: `gold of ${contactId}` }]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('applies a filter to customData', async ({ service }) => {
    const { post } = await setUp(service, {
      triggers: [{ on: 'inbound_webhook', where: { plan: 'gold' } }],
    });
    const said = async (plan: string) =>
      (await post('workflow', { email: 'a@example.com', customData: { plan } })).body;
    expect([await said('silver'), await said('gold')]).toEqual([
      { ok: true, triggered: 0 },
      { ok: true, triggered: 1 },
    ]);
  });

  test('returns 404 unless the workflow is active and has an inbound webhook trigger', async ({
    service,
  }) => {
    const body = { email: 'a@example.com' };
    const { post } = await setUp(service, { triggers: [{ on: 'contact.created' }] });
    const refused = await post('workflow', body);
    expect(refused.status).toBe(404);
    expect(refused.body.error.message).toBe(
      'no such workflow: exactly one active workflow must have this slug and the trigger inbound_webhook',
    );
    expect((await post('event', { eventType: 'paid' })).status).toBe(200);
    const inactive = await setUp(service, { active: false });
    expect((await inactive.post('workflow', body)).status).toBe(404);
    expect((await inactive.post('event', { eventType: 'paid' })).status).toBe(404);
  });

  test('returns 404 for both workflows with a shared slug, and apply warns about it', async ({
    service,
  }) => {
    const { slug, post, secret } = await setUp(service);
    const body = { email: 'a@example.com' };
    expect((await post('workflow', body)).status).toBe(200);
    const { cautions } = await applyTo(
      service,
      service.otherSubAccountId,
      workflowOf(STEPS, { slug }),
    );
    expect(cautions).toEqual([
      expect.stringContaining(`${slug} is also the slug of an active workflow`),
    ]);
    expect((await post('workflow', body)).status).toBe(404);
    expect((await post('event', { eventType: 'paid' })).status).toBe(404);
    expect((await post('workflow', body, { 'x-webhook-signature': 'x' })).status).toBe(404);
    await applyTo(service, service.otherSubAccountId, workflowOf(STEPS, { slug, active: false }));
    expect((await post('workflow', body)).status).toBe(200);
    expect(secret).toMatch(/^wfsec_\w{40}$/);
  });
});

describe('POST /webhooks/event/{slug}', () => {
  test('continues only the runs that wait for the event', async ({ service }) => {
    const { post, runs, step, slug } = await setUp(service);
    const [one, two] = [
      await contactIn(service, service.subAccountId),
      await contactIn(service, service.subAccountId),
    ];
    await begin(service, service.subAccountId, [one, two], slug);
    await step();
    expect((await runs()).map(({ waitingFor }) => waitingFor)).toEqual(['paid', 'paid']);
    await service.eventNames();
    expect((await post('event', { eventType: 'other' })).body).toEqual({ ok: true, triggered: 0 });
    expect((await post('event', { eventType: 'paid', contactId: one })).body).toEqual({
      ok: true,
      triggered: 1,
    });
    expect((await post('event', { eventType: 'paid' })).body).toEqual({ ok: true, triggered: 1 });
    expect(await service.eventNames()).toEqual([]);
    expect(
      (await post('event', { eventType: 'paid', contactId: crypto.randomUUID() })).status,
    ).toBe(404);
    expect((await post('event', {})).status).toBe(400);
    await step();
    expect((await runs()).map(({ place }) => place)).toEqual(['/1', '/1']);
  });

  test('is stored for a run that reaches the goal later, and returns 0', async ({ service }) => {
    const { post, runs, step, slug } = await setUp(service, {}, [{ addTag: 'a' }, ...STEPS]);
    const contact = await contactIn(service, service.subAccountId);
    await begin(service, service.subAccountId, [contact], slug);
    expect((await post('event', { eventType: 'paid' })).body).toEqual({ ok: true, triggered: 0 });
    await step();
    await step();
    await step();
    await step();
    expect((await runs()).map(({ status }) => status)).toEqual(['completed']);
  });
});
