import type { LookupAddress } from 'node:dns';
import { isIPv6 } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addressRefusal,
  isPublic,
  readAllowList,
  usableAddresses,
} from '#platform/outbound/guard.ts';

const NONE = readAllowList([]);
const found = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));

describe('an address is called', () => {
  test.each([
    ['1.1.1.1'],
    ['8.8.8.8'],
    ['11.0.0.0'],
    ['100.63.255.255'],
    ['100.128.0.0'],
    ['126.255.255.255'],
    ['128.0.0.1'],
    ['172.15.255.255'],
    ['172.32.0.0'],
    ['192.167.255.255'],
    ['198.17.255.255'],
    ['198.20.0.0'],
    ['223.255.255.255'],
    ['2606:4700:4700::1111'],
    ['2001:4860:4860::8888'],
    ['2a00:1450:4001:81b::200e'],
  ])('that is public: %s', (address) => {
    expect(addressRefusal(address, NONE)).toBeUndefined();
  });
});

describe('an address is refused', () => {
  test.each([
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private', '10.0.0.1'],
    ['private', '10.255.255.255'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.0.1'],
    ['CGNAT', '100.64.0.1'],
    ['CGNAT, a cloud’s metadata', '100.100.100.200'],
    ['CGNAT', '100.127.255.255'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['link-local, a cloud’s metadata', '169.254.169.254'],
    ['protocol assignments, a cloud’s metadata', '192.0.0.192'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.7'],
    ['documentation', '203.0.113.9'],
    ['6to4 relays', '192.88.99.1'],
    ['AS112', '192.175.48.1'],
    ['AMT', '192.52.193.1'],
    ['benchmarking', '198.18.0.1'],
    ['benchmarking', '198.19.255.255'],
    ['multicast', '224.0.0.1'],
    ['multicast', '239.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['Azure’s host agent', '168.63.129.16'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4-compatible', '::7f00:1'],
    ['IPv4-compatible of a public one', '::808:808'],
    ['IPv4-mapped', '::ffff:127.0.0.1'],
    ['IPv4-mapped', '::ffff:a00:1'],
    ['IPv4-mapped of a public one', '::ffff:8.8.8.8'],
    ['IPv4-translated', '::ffff:0:808:808'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['NAT64 of a public one', '64:ff9b::8.8.8.8'],
    ['local NAT64', '64:ff9b:1::808:808'],
    ['discard', '100::1'],
    ['Teredo', '2001::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['benchmarking', '2001:2::1'],
    ['ORCHID', '2001:20::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['6to4', '2002:7f00:1::'],
    ['6to4 of a public one', '2002:808:808::1'],
    ['not given out', '4000::1'],
    ['segment routing', '5f00::1'],
    ['unique-local', 'fc00::1'],
    ['unique-local, a cloud’s metadata', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%lo'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
  ])('that is %s: %s', (_kind, address) => {
    expect(addressRefusal(address, NONE)).toBe(`the address ${address} is not public`);
  });

  test.each([[''], ['localhost'], ['0x7f.1'], ['127.1'], ['010.0.0.1'], ['8.8.8.8 '], ['[::1]']])(
    'that no system writes so: %j',
    (address) => {
      expect(addressRefusal(address, readAllowList(['127.0.0.0/8', '::/0']))).toBeDefined();
    },
  );

  test('whatever IPv4 address an IPv6 one embeds', () => {
    const part = fc.integer({ min: 0, max: 0xffff }).map((n) => n.toString(16));
    fc.assert(
      fc.property(part, part, (high, low) => {
        const embedding = [
          `::${high}:${low}`,
          `::ffff:${high}:${low}`,
          `::ffff:0:${high}:${low}`,
          `64:ff9b::${high}:${low}`,
          `64:ff9b:1::${high}:${low}`,
          `2002:${high}:${low}::1`,
          `2001:0:${high}:${low}::1`,
        ];
        expect(embedding.filter(isPublic)).toEqual([]);
      }),
    );
  });
});

describe('the allow list', () => {
  const ALLOW = readAllowList(['127.0.0.0/8', '10.1.0.0/16', 'fd00::/8', '::ffff:10.2.0.0/112']);

  test.each([['127.0.0.1'], ['127.9.9.9'], ['10.1.255.1'], ['fd12::1'], ['::ffff:10.2.0.1']])(
    'lets %s through',
    (address) => {
      expect(addressRefusal(address, ALLOW)).toBeUndefined();
    },
  );

  test.each([['10.2.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['::7f00:1'], ['fc00::1']])(
    'leaves %s refused',
    (address) => {
      expect(addressRefusal(address, ALLOW)).toBe(`the address ${address} is not public`);
    },
  );

  test('takes only CIDRs', () => {
    expect(() => readAllowList(['10.0.0.0'])).toThrow(/CIDR/);
  });
});

describe('of a name’s addresses', () => {
  const ALLOW = readAllowList(['127.0.0.0/8']);

  test.each([
    ['all, where all are public', ['8.8.8.8', '2606:4700::1'], ['8.8.8.8', '2606:4700::1']],
    ['only the allowed ones, where there are some', ['::1', '127.0.0.1'], ['127.0.0.1']],
    ['the allowed one beside a public one', ['8.8.8.8', '127.0.0.1'], ['127.0.0.1']],
    ['none, where one of several is private', ['8.8.8.8', '10.0.0.1'], []],
    ['none, where the last is private', ['8.8.8.8', '2606:4700::1', '::1'], []],
    ['none, where there are none', [], []],
  ])('%s are used', (_rule, given, usable) => {
    expect(usableAddresses(found(...given), ALLOW)).toEqual(found(...usable));
  });
});
