import { AGENCY } from '#lib/id.ts';
import { endpoints } from '#registry/endpoints.ts';
import {
  callersOf,
  signedRequest,
  unsigned,
} from './conversations/inbound/signed-calls.support.ts';
import { traces } from './support/samples.ts';
import { describe, expect, test, type Answer } from './support/service.ts';

/** They want no key, and so have neither scope, rate, sub-account header nor repeats. */
const SIGNED = endpoints
  .filter(({ kind }) => kind === 'signed')
  .flatMap((endpoint) =>
    callersOf(endpoint).map((caller) => [`${endpoint.id} by ${caller}`, endpoint, caller] as const),
  );

function expectRefusal({ status, headers, body }: Answer, wanted: number, code: string): void {
  expect({ status, code: body.error.code }).toEqual({ status: wanted, code });
  expect(headers.get('x-api-version')).toBe('v1');
  expect(headers.get('x-request-id')).toBeTruthy();
  expect(headers.get('x-ratelimit-limit')).toBeNull();
}

describe.for(SIGNED)('%s', ([, endpoint, caller]) => {
  test('answers success with every header but those of a key', async ({ service }) => {
    const { line, options } = await signedRequest(endpoint, service, caller);
    const answer = await service.call(line, options);
    expect(answer.status).toBe(endpoint.status ?? 200);
    expect(answer.headers.get('x-api-version')).toBe('v1');
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
  });

  test('returns 401 without the signature, 403 without the token of a challenge, even with a key', async ({
    service,
  }) => {
    const { line, options } = unsigned(await signedRequest(endpoint, service, caller));
    const before = await traces(service);
    for (const key of [null, 'full', 'agency']) {
      const answer = await service.call(line, { ...options, key });
      const [status, code] = endpoint.method === 'GET' ? [403, 'FORBIDDEN'] : [401, 'UNAUTHORIZED'];
      expectRefusal(answer, status, code);
    }
    expect(await traces(service)).toBe(before);
  });

  test('returns the same 404 for a foreign, an unknown and a malformed sub-account', async ({
    service,
  }) => {
    const { line, options } = await signedRequest(endpoint, service, caller);
    const before = await traces(service);
    const ids = [
      service.otherSubAccountId,
      crypto.randomUUID(),
      AGENCY,
      'unknown',
      '%00',
      "'%20or%20''='",
    ];
    for (const id of ids) {
      const answer = await service.call(line.replace(service.subAccountId, id), options);
      expectRefusal(answer, 404, 'NOT_FOUND');
    }
    expect(await traces(service)).toBe(before);
  });

  test('accepts the sub-account in capital letters', async ({ service }) => {
    const { line, options } = await signedRequest(endpoint, service, caller);
    const { subAccountId } = service;
    const upperCase = line.replace(subAccountId, subAccountId.toUpperCase());
    const { status } = await service.call(upperCase, options);
    // Twilio signs the exact URL, and slugs are case-sensitive.
    const expected = endpoint.path.includes(':slug') ? 404 : (endpoint.status ?? 200);
    expect(status).toBe(caller === 'twilio' ? 401 : expected);
  });
});

test('every signed endpoint has a test caller', () => {
  const signed = endpoints.filter(({ kind }) => kind === 'signed');
  expect(signed.filter((endpoint) => callersOf(endpoint).length === 0)).toEqual([]);
  expect(SIGNED.length).toBeGreaterThanOrEqual(2);
});
