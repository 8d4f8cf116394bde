import { describe, expect, test, type TestService } from '../../support/service.ts';
import { pathOf } from './callbacks.support.ts';
import { setUpMeta, VERIFY_TOKEN } from '../providers/providers.support.ts';

describe("Meta's challenge", () => {
  const asked = (service: TestService, query: Record<string, string>, channel = 'messenger') =>
    service.call(
      `GET ${pathOf(service, channel, 'inbound')}?${new URLSearchParams(query).toString()}`,
      { key: null },
    );
  const right = {
    'hub.mode': 'subscribe',
    'hub.verify_token': VERIFY_TOKEN,
    'hub.challenge': '1158<b>',
  };

  test('is returned as plain text for the right token', async ({ service }) => {
    await setUpMeta(service);
    const { status, headers, body } = await asked(service, right);
    expect([status, body]).toEqual([200, '1158<b>']);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.for([
    { ...right, 'hub.verify_token': 'guessed' },
    { ...right, 'hub.verify_token': '' },
    { ...right, 'hub.mode': 'unsubscribe' },
    { 'hub.challenge': '1' },
  ])('is 403 for %j', async (query, { service }) => {
    await setUpMeta(service);
    const { status, body } = await asked(service, query);
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
  });

  test('is 404 without a configured page', async ({ service }) => {
    await setUpMeta(service);
    expect((await asked(service, right, 'instagram')).status).toBe(404);
    expect((await asked(service, right, 'sms')).status).toBe(404);
  });
});
