import { createHmac } from 'node:crypto';
import { describe, expect, test } from '../support/service.ts';
import { outcome, setUp, slugOf, STEPS } from './calls.support.ts';
import { applyTo, secretOf, signed, workflowOf } from './workflows.support.ts';

describe('a signature', () => {
  const body = { email: 'a@example.com' };

  test('that is missing, wrong or for other bytes returns 401 and starts no run', async ({
    service,
  }) => {
    const { post, secret, runs } = await setUp(service);
    const right = signed(secret, JSON.stringify(body));
    for (const given of [
      '',
      'sha256=',
      right.slice(7),
      right.replace(/.$/, 'x'),
      signed('x', JSON.stringify(body)),
      signed(secret, `${JSON.stringify(body)} `),
    ]) {
      const headers = { 'x-webhook-signature': given };
      expect(outcome(await post('workflow', body, headers))).toEqual([401, 'UNAUTHORIZED']);
      expect(outcome(await post('event', { eventType: 'paid' }, headers))).toEqual([
        401,
        'UNAUTHORIZED',
      ]);
    }
    expect(await runs()).toEqual([]);
    expect(
      (
        await post('workflow', body, {
          'x-webhook-signature': right.toUpperCase().replace('SHA', 'sha'),
        })
      ).status,
    ).toBe(200);
  });

  test('that is wrong is refused with the name of the secret', async ({ service }) => {
    const { post, secret, slug } = await setUp(service);
    const text = JSON.stringify(body);
    const now = String(service.clock().getTime());
    const messageOf = async (headers: object) =>
      (await post('workflow', body, headers)).body.error.message;
    expect(await messageOf({ 'x-webhook-signature': signed('x', text) })).toBe(
      `X-Webhook-Signature does not match this body: sign its raw bytes with the secret of the workflow ${slug}`,
    );
    expect(
      await messageOf({
        'x-webhook-signature': signed(secret, text),
        'x-webhook-timestamp': now,
        'x-webhook-signature-v2': signed(secret, text),
      }),
    ).toBe(
      `X-Webhook-Signature-V2 does not match: sign the value of X-Webhook-Timestamp, a dot and the raw body with the secret of the workflow ${slug}`,
    );
  });

  test('is refused if the workflow has no secret yet, or another one', async ({ service }) => {
    const slug = slugOf(service);
    await applyTo(service, service.subAccountId, workflowOf(STEPS, { slug }));
    const call = (secret: string) =>
      service.call(`POST /webhooks/workflow/${slug}`, {
        key: null,
        body,
        headers: { 'x-webhook-signature': signed(secret, JSON.stringify(body)) },
      });
    expect((await call('')).status).toBe(401);
    const before = await secretOf(service, service.subAccountId, slug);
    expect((await call(before)).status).toBe(200);
    const after = await secretOf(service, service.subAccountId, slug);
    expect([(await call(before)).status, (await call(after)).status]).toEqual([401, 200]);
  });

  test('with a timestamp counts once, and only within five minutes', async ({ service }) => {
    const { post, secret } = await setUp(service, { reenter: true });
    const now = service.clock().getTime();
    const at = (ms: number) => ({ 'x-webhook-timestamp': String(ms) });
    const v2 = (ms: number) => ({
      ...at(ms),
      'x-webhook-signature-v2': `sha256=${createHmac('sha256', secret)
        .update(`${ms}.${JSON.stringify(body)}`)
        .digest('hex')}`,
    });
    const said = async (headers: object) => {
      const answer = await post('workflow', body, headers);
      return answer.status === 200 ? answer.body.triggered : answer.status;
    };
    expect(await said(at(now - 301_000))).toBe(401);
    expect(await said(at(now + 301_000))).toBe(401);
    expect(await said({ 'x-webhook-timestamp': 'yesterday' })).toBe(401);
    expect(await said(v2(now))).toBe(1);
    expect(await said(v2(now))).toBe(0);
    expect(await said({ ...v2(now), ...at(now + 1) })).toBe(401);
    expect(await said(v2(now + 1))).toBe(1);
    // Removing or changing the timestamp of a recorded call starts no run.
    expect(await said({})).toBe(0);
    expect(await said(at(now + 2))).toBe(0);
  });

  test.for(['workflow', 'event'] as const)(
    'says that it was skipped if it repeats a %s call',
    async (kind, { service }) => {
      const { post } = await setUp(service);
      const given = kind === 'workflow' ? body : { eventType: 'paid' };
      const again = { 'x-webhook-timestamp': String(service.clock().getTime()) };
      const first = await post(kind, given, again);
      const second = await post(kind, given, again);
      expect(first.body).not.toHaveProperty('skipped');
      expect(second.body).toEqual({ ok: true, triggered: 0, skipped: 'repeated' });
    },
  );

  test('without a timestamp may be repeated', async ({ service }) => {
    const { post } = await setUp(service, { reenter: true });
    const said = async () => (await post('workflow', body)).body.triggered;
    expect([await said(), await said()]).toEqual([1, 1]);
  });
});
