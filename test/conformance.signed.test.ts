import { AGENCY } from '#kit/id.ts';
import { endpoints } from '#registry/endpoints.ts';
import { signedRequest } from './conversations/callbacks.support.ts';
import { traces } from './support/samples.ts';
import { describe, expect, test, type Answer } from './support/service.ts';

/** They want no key, and so have neither scope, rate, sub-account header nor repeats. */
const SIGNED = endpoints
  .filter(({ access }) => access.kind === 'signed')
  .map((endpoint) => [endpoint.id, endpoint] as const);

function expectRefusal({ status, headers, body }: Answer, wanted: number, code: string): void {
  expect({ status, code: body.error.code }).toEqual({ status: wanted, code });
  expect(headers.get('x-api-version')).toBe('v1');
  expect(headers.get('x-request-id')).toBeTruthy();
  expect(headers.get('x-ratelimit-limit')).toBeNull();
}

describe.for(SIGNED)('%s', ([, endpoint]) => {
  test('answers success with every header but those of a key', async ({ service }) => {
    const { line, options } = await signedRequest(endpoint, service);
    const answer = await service.call(line, options);
    expect(answer.status).toBe(endpoint.status ?? 200);
    expect(answer.headers.get('x-api-version')).toBe('v1');
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
  });

  test('answers 401 without the signature, whatever key comes along', async ({ service }) => {
    const { line, options } = await signedRequest(endpoint, service);
    const before = await traces(service);
    for (const key of [null, 'full', 'agency']) {
      const answer = await service.call(line, { ...options, key, headers: {} });
      expectRefusal(answer, 401, 'UNAUTHORIZED');
    }
    expect(await traces(service)).toBe(before);
  });

  test('answers 404 alike to a sub-account that is foreign, unknown or malformed', async ({
    service,
  }) => {
    const { line, options } = await signedRequest(endpoint, service);
    const before = await traces(service);
    const ids = [service.strangerId, crypto.randomUUID(), AGENCY, 'nobody', '%00', "'%20or%20''='"];
    for (const id of ids) {
      const answer = await service.call(line.replace(service.subAccountId, id), options);
      expectRefusal(answer, 404, 'NOT_FOUND');
    }
    expect(await traces(service)).toBe(before);
  });

  test('takes the sub-account in capital letters', async ({ service }) => {
    const { line, options } = await signedRequest(endpoint, service);
    const { subAccountId } = service;
    const loud = line.replace(subAccountId, subAccountId.toUpperCase());
    expect((await service.call(loud, options)).status).toBe(endpoint.status ?? 200);
  });
});

test('an endpoint is either signed or wants a key, and has the parts of its kind', () => {
  expect(SIGNED.length).toBeGreaterThanOrEqual(2);
  for (const { id, access, rate, read, write, prove, receive } of endpoints) {
    const isSigned = access.kind === 'signed';
    const parts = [rate, read ?? write, prove, receive].map((part) => part !== undefined);
    expect([id, ...parts]).toEqual([id, !isSigned, !isSigned, isSigned, isSigned]);
  }
});
