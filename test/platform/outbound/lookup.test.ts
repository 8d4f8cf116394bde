import { expect, test } from 'vitest';
import { shareLookups, type Lookup } from '#platform/outbound/lookup.ts';
import { inActivity, workFor } from '#platform/process/activity.ts';

const ADDRESSES = [{ address: '93.184.216.34', family: 4 }];
const PLACES = 12;
const HALF = PLACES / 2;
const A_THIRD = PLACES / 3;

/** Names below `hangs.example`, and of domains that end with `.hangs`, are looked up until `release` is called. */
function openLookups() {
  const released = Promise.withResolvers<void>();
  const begun: string[] = [];
  const slow: Lookup = async (hostname) => {
    begun.push(hostname);
    await (/hangs/.test(hostname) ? released.promise : undefined);
    return ADDRESSES;
  };
  const lookup = shareLookups(slow, PLACES);
  const of = (subAccountId: string, hostname: string) =>
    inActivity({ kind: 'job', id: 'job-1', subAccountId }, () => lookup(hostname));
  const hangMany = (count: number, nameOf: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => of('busy', nameOf(n)));
  return { lookup, of, hangMany, begun, release: () => released.resolve() };
}

test('names of a domain that hang take a third of the lookups, and the others wait', async () => {
  const { of, hangMany, begun, release } = openLookups();
  const hanging = hangMany(100, (n) => `n${n}.hangs.example`);
  expect(begun).toHaveLength(A_THIRD);
  expect(await of('busy', 'hooks.example.com')).toEqual(ADDRESSES);
  release();
  expect(new Set(await Promise.all(hanging))).toEqual(new Set([ADDRESSES]));
  expect(begun).toHaveLength(101);
});

test('names of many domains of one sub-account take half of the lookups', async () => {
  const { of, lookup, hangMany, begun, release } = openLookups();
  const hanging = hangMany(100, (n) => `www.domain${n}.hangs`);
  expect(begun).toHaveLength(HALF);
  expect(await of('other', 'hooks.example.com')).toEqual(ADDRESSES);
  expect(await of('other', 'www.domain1.example')).toEqual(ADDRESSES);
  expect(await lookup('localhost')).toEqual(ADDRESSES);
  release();
  await Promise.all(hanging);
});

test('a request counts for its sub-account once that is known', async () => {
  const { lookup, hangMany, begun, release } = openLookups();
  const hanging = hangMany(100, (n) => `www.domain${n}.hangs`);
  const late = inActivity({ kind: 'request', id: 'r-1' }, () => {
    workFor('busy');
    return lookup('hooks.example.com');
  });
  expect(begun).not.toContain('hooks.example.com');
  release();
  await Promise.all([late, ...hanging]);
});

test('a lookup that fails gives its place back', async () => {
  const lookup = shareLookups(() => Promise.reject(new Error('no such name')), 3);
  const failing = Array.from({ length: 50 }, (_, n) => lookup(`n${n}.example.com`));
  const ended = await Promise.allSettled(failing);
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['rejected']));
});

test('lookups are refused once 200 of their domain wait', async () => {
  const { of, hangMany, release } = openLookups();
  const hanging = hangMany(A_THIRD + 200, (n) => `n${n}.hangs.example`);
  await expect(of('busy', 'more.hangs.example')).rejects.toThrow(
    'too many calls of busy/hangs.example wait',
  );
  expect(await of('other', 'more.example.com')).toEqual(ADDRESSES);
  release();
  await Promise.all(hanging);
});
