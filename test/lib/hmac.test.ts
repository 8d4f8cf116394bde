import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hmacKey, signerOf } from '#lib/hmac.ts';

const expected = (secret: Buffer, text: string) => createHmac('sha256', secret).update(text);

test.each([1, 30, 63, 64, 65, 200])(
  'signs as node:crypto does, with a key of %i bytes',
  (length) => {
    const secret = randomBytes(length);
    const sign = signerOf('{"name":"Zoë 🎈"}');
    const key = hmacKey(secret);
    const text = '1764000000000.{"name":"Zoë 🎈"}';
    expect(sign(key, '1764000000000.', 'hex')).toBe(expected(secret, text).digest('hex'));
    expect(sign(key, '1764000000000.', 'base64')).toBe(expected(secret, text).digest('base64'));
  },
);

test.each([0, 1, 16_383, 16_384, 16_385, 1_000_000])('signs a body of %i bytes', (length) => {
  const secret = randomBytes(46);
  const body = 'x'.repeat(length);
  expect(signerOf(body)(hmacKey(secret), '', 'hex')).toBe(expected(secret, body).digest('hex'));
});

test('one body is signed with several keys and starts', () => {
  const secrets = [randomBytes(46), randomBytes(30)];
  const starts = ['', 'a'.repeat(96), '.'];
  const sign = signerOf('body');
  const found = secrets.flatMap((secret) => {
    const key = hmacKey(secret);
    return starts.map(
      (start) => sign(key, start, 'hex') === expected(secret, `${start}body`).digest('hex'),
    );
  });
  expect(found).toEqual(Array.from({ length: 6 }, () => true));
});
