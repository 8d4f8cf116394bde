import { execFileSync } from 'node:child_process';
import type { LookupAddress } from 'node:dns';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findAddresses } from '#platform/outbound/lookup.ts';
import { openOutbound } from '#platform/outbound/client.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'example.com': ['93.184.215.14'],
  'inside.example.com': ['10.0.0.7'],
  'both.example.com': ['93.184.215.14', '10.0.0.7'],
  'half.example.com': ['10.0.0.7', '93.184.215.14'],
  localhost: ['127.0.0.1'],
  'localhost.': ['127.0.0.1'],
  'app.localhost': ['127.0.0.1'],
};

async function lookup(hostname: string): Promise<LookupAddress[]> {
  const addresses = NAMES[hostname];
  if (!addresses) {
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
  }
  return addresses.map((address) => ({ address, family: 4 }));
}

/** What follows the refusal of this machine's addresses. */
const HINT =
  'to receive events on your own machine, run frontdesk webhook listen, or have the operator allow its network: FRONTDESK_OUTBOUND_ALLOW=127.0.0.0/8,::1/128 npm start';

/** What follows the refusal of other addresses that are not public. */
const NETWORK_HINT =
  'the operator can allow its network with FRONTDESK_OUTBOUND_ALLOW, for example 10.0.0.0/8';

const refusal = (url: string, ...allow: string[]): Promise<string | undefined> =>
  openOutbound({ allow, lookup }).refusal(url);

describe('a URL is refused', () => {
  test.each([
    ['', 'the URL is not valid'],
    ['example.com/hook', 'the URL is not valid'],
    ['https://', 'the URL is not valid'],
    ['https://exa mple.com', 'the URL is not valid'],
    ['https://1.2.3.4.5', 'the URL is not valid'],
    ['https://256.0.0.1', 'the URL is not valid'],
    ['https://[fe80::1%25lo]/', 'the URL is not valid'],
    ['ftp://example.com', 'the URL does not begin with https:// or http://'],
    ['javascript:alert(1)', 'the URL does not begin with https:// or http://'],
    ['file:///etc/passwd', 'the URL does not begin with https:// or http://'],
    ['https://user@example.com', 'the URL contains a user name or a password'],
    ['https://:secret@example.com', 'the URL contains a user name or a password'],
    ['https://example.com@10.0.0.1/', 'the URL contains a user name or a password'],
  ])('where %s', async (url, reason) => {
    expect(await refusal(url)).toBe(reason);
  });

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['0x7f.0.0.1', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['017700000001', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['127.0.1', '127.0.0.1'],
    ['0X7F.1', '127.0.0.1'],
    ['%31%32%37.0.0.1', '127.0.0.1'],
    ['１２７.０.０.１', '127.0.0.1'],
    ['①②⑦。0。0。1', '127.0.0.1'],
    ['0', '0.0.0.0'],
    ['10.1', '10.0.0.1'],
    ['0xa9fea9fe', '169.254.169.254'],
    ['169.16689662', '169.254.169.254'],
    ['[::1]', '::1'],
    ['[0:0:0:0:0:0:0:1]', '::1'],
    ['[::]', '::'],
    ['[::127.0.0.1]', '::7f00:1'],
    ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
    ['[::FFFF:7F00:0001]', '::ffff:7f00:1'],
    ['[64:ff9b::10.0.0.1]', '64:ff9b::a00:1'],
    ['[2002:a00:1::]', '2002:a00:1::'],
    ['[fd00::1]', 'fd00::1'],
  ])('whose host spells a private address: %s', async (host, address) => {
    const isLoopback = address === '::1' || address.startsWith('127.');
    expect(await refusal(`https://${host}:8443/hook`)).toBe(
      `the address ${address} is not public; ${isLoopback ? HINT : NETWORK_HINT}`,
    );
  });

  test.each([['inside.example.com'], ['both.example.com'], ['INSIDE.example.com']])(
    'whose name leads inside, unsaid where: %s',
    async (host) => {
      const name = host.toLowerCase();
      const reason = `the name ${name} resolves to an address that is not public; ${NETWORK_HINT}`;
      expect(await refusal(`https://${host}/`)).toBe(reason);
    },
  );

  test.each([
    ['localhost'],
    ['localhost.'],
    ['LOCALHOST'],
    ['ｌocalhost'],
    ['app.localhost'],
    ['unknown.localhost'],
    ['unknown.localhost.'],
  ])('whose name is local, known or not: %s', async (host) => {
    expect(await refusal(`https://${host}/`)).toMatch(
      /resolves to an address that is not public; /,
    );
  });
});

const PLAIN =
  'http:// is only allowed if every address of the host is in FRONTDESK_OUTBOUND_ALLOW; use https://';

describe('http:// is refused', () => {
  test.each([
    ['http://example.com/', `${PLAIN} for example.com`],
    ['http://8.8.8.8/', `${PLAIN} for 8.8.8.8`],
    ['http://half.example.com/', `${PLAIN} for half.example.com`],
    ['http://unknown.example.com/', `the name unknown.example.com does not resolve, and ${PLAIN}`],
    ['http://127.0.0.1/', `the address 127.0.0.1 is not public; ${HINT}`],
    ['http://localhost/', `the name localhost resolves to an address that is not public; ${HINT}`],
    ['http://unknown.localhost/', /resolves to an address that is not public; /],
  ])('where an address of %s is in no allowed network', async (url, reason) => {
    expect(await refusal(url, '10.0.0.0/8')).toMatch(reason);
  });
});

test.each([
  ['http://inside.example.com/', '10.0.0.0/8'],
  ['http://127.0.0.1:3000/hook', '127.0.0.0/8'],
  ['http://localhost:3000/hook', '127.0.0.0/8'],
])('http:// is taken where every address is allowed: %s', async (url, allowed) => {
  expect(await refusal(url, allowed)).toBeUndefined();
});

describe('a URL is taken', () => {
  test.each([
    ['https://example.com'],
    ['https://example.com:8443/a?b=c#d'],
    ['https://8.8.8.8/'],
    ['https://[2606:4700:4700::1111]/'],
    ['https://not-yet-there.example.com/'],
  ])('where it is public or does not resolve now: %s', async (url) => {
    expect(await refusal(url)).toBeUndefined();
  });

  test.each([
    ['https://127.0.0.1/'],
    ['https://2130706433/'],
    ['https://localhost/'],
    ['https://app.localhost:8443/'],
  ])('where the operator allows its network: %s', async (url) => {
    expect(await refusal(url, '127.0.0.0/8')).toBeUndefined();
  });

  test('not where it embeds an allowed address', async () => {
    expect(await refusal('https://[::ffff:127.0.0.1]/', '127.0.0.0/8')).toBeDefined();
    expect(await refusal('https://unknown.localhost/', '127.0.0.0/8')).toBeDefined();
  });
});

test('a name that is not answered for in time counts as unknown', async () => {
  const never = Promise.withResolvers<LookupAddress[]>();
  expect(await findAddresses('slow.example.com', () => never.promise, 1)).toEqual([]);
});

test('refusing loads no HTTP client', () => {
  const script = `
    import { createRequire } from 'node:module';
    import { openOutbound } from '#platform/outbound/client.ts';
    const isLoaded = () =>
      Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes('/undici/'));
    const outbound = openOutbound({ allow: [] });
    const refusal = await outbound.refusal('https://127.0.0.1/');
    const before = isLoaded();
    await outbound.send({ url: 'http://127.0.0.1/', method: 'GET', headers: {}, timeoutMs: 9_000, readMaxBytes: 0 });
    console.log(JSON.stringify({ refusal, before, after: isLoaded() }));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(JSON.parse(said)).toEqual({
    refusal: `the address 127.0.0.1 is not public; ${HINT}`,
    before: false,
    after: true,
  });
});
