import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { apply } from '../../support/manifest.ts';
import { CHECKUP, ANNA, BEN } from '../../support/calendars.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';

/** Without the decompression of fetch. */
async function get({ url }: TestService, path: string, encoding?: string, more: object = {}) {
  const { statusCode, headers, body } = await request(url + path, {
    headers: { ...(encoding !== undefined && { 'accept-encoding': encoding }), ...more },
  });
  return { status: statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) };
}

async function bookingPage(service: TestService): Promise<string> {
  await apply(service, { team: [ANNA, BEN], calendars: [CHECKUP] });
  return `/book/${service.subAccountId}/check-up`;
}

describe('a page', () => {
  test('is compressed for browsers, to less than a third, and says what it depends on', async ({
    service,
  }) => {
    const path = await bookingPage(service);
    const plain = await get(service, path);
    const packed = await get(service, path, 'gzip, deflate, br');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(packed.bytes.length),
      'content-type': plain.headers['content-type'],
    });
    for (const { headers } of [plain, packed]) {
      expect(headers['vary']).toMatch(/accept-encoding/i);
    }
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3);
  });

  test.for(['gzip;q=0', 'identity', 'br', ''])(
    'is not compressed for %s',
    async (encoding, { service }) => {
      const { headers, bytes } = await get(service, await bookingPage(service), encoding);
      expect(headers['content-encoding']).toBeUndefined();
      expect(bytes.toString()).toContain('<!doctype html>');
    },
  );
});

test('a script is compressed with the same content each time', async ({ service }) => {
  const answers = await Promise.all([1, 2, 3].map(() => get(service, '/chat/widget.js', 'gzip')));
  const plain = await get(service, '/chat/widget.js');
  for (const { headers, bytes } of answers) {
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(bytes).equals(plain.bytes)).toBe(true);
  }
});

test('records of the API and small documents are not compressed', async ({ service }) => {
  const authorization = `Bearer ${service.keys.full}`;
  const record = await get(service, '/api/v1/contacts', 'gzip', { authorization });
  const small = await get(service, '/robots.txt', 'gzip');
  expect([record.status, small.status]).toEqual([200, 200]);
  expect(record.headers['content-encoding']).toBeUndefined();
  expect(small.headers['content-encoding']).toBeUndefined();
});
