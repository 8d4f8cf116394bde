import { expect, test } from 'vitest';
import { shareLookups, type Lookup } from '#platform/outbound/lookup.ts';

const ADDRESSES = [{ address: '93.184.216.34', family: 4 }];
const PLACES = 8;

/** Names below `hangs.example` are looked up until `release` is called. */
function openLookups() {
  const released = Promise.withResolvers<void>();
  const begun: string[] = [];
  const slow: Lookup = async (hostname) => {
    begun.push(hostname);
    await (hostname.endsWith('hangs.example') ? released.promise : undefined);
    return ADDRESSES;
  };
  const lookup = shareLookups(slow, PLACES);
  const hang = (count: number) =>
    Array.from({ length: count }, (_, n) => lookup(`n${n}.hangs.example`));
  return { lookup, hang, begun, release: () => released.resolve() };
}

test('names of a domain that hang take half of the lookups, and the others wait', async () => {
  const { hang, begun, release } = openLookups();
  const hanging = hang(100);
  expect(begun).toHaveLength(PLACES / 2);
  release();
  expect(new Set(await Promise.all(hanging))).toEqual(new Set([ADDRESSES]));
  expect(begun).toHaveLength(100);
});

test('a name of another domain is looked up at once', async () => {
  const { lookup, hang, release } = openLookups();
  const hanging = hang(100);
  expect(await lookup('hooks.example.com')).toEqual(ADDRESSES);
  expect(await lookup('localhost')).toEqual(ADDRESSES);
  release();
  await Promise.all(hanging);
});

test('a lookup that fails gives its place back', async () => {
  const lookup = shareLookups(() => Promise.reject(new Error('no such name')), 2);
  const failing = Array.from({ length: 50 }, (_, n) => lookup(`n${n}.example.com`));
  const ended = await Promise.allSettled(failing);
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['rejected']));
});

test('lookups are refused once 200 of their domain wait', async () => {
  const { lookup, hang, release } = openLookups();
  const hanging = hang(PLACES / 2 + 200);
  await expect(lookup('more.hangs.example')).rejects.toThrow(
    'too many calls of hangs.example wait',
  );
  expect(await lookup('hooks.example.com')).toEqual(ADDRESSES);
  release();
  await Promise.all(hanging);
});
