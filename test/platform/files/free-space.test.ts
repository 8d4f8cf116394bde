import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freeSpaceFor, openSpace } from '#platform/files/storage/free-space.ts';

const MB = 1e6;
const GB = 1e9;

/** A guard of a disk, the figures of which a test changes. */
function spaceOf(bytes: number, ofBytes: number) {
  const disk = { bytes, ofBytes, measured: 0, now: 0 };
  const measure = async () => {
    disk.measured += 1;
    return { bytes: disk.bytes, ofBytes: disk.ofBytes };
  };
  return { disk, hasSpace: openSpace({ measure, now: () => disk.now }) };
}

describe('a file is accepted', () => {
  test.for([
    ['a large disk', 500 * GB, 1_010, 1_009, 510, 509],
    ['a small disk', 10 * GB, 1_010, 1_009, 510, 509],
    ['a smaller disk', 2 * GB, 210, 209, 110, 109],
    ['a tiny disk', 0.7 * GB, 80, 79, 74, 73],
  ] as const)(
    'from visitors and the team while %s has its reserve',
    async ([, size, visitor, tooFew, team, tooFewForTeam]) => {
      const file = 10 * MB;
      const isAccepted = (free: number, uploader: 'visitor' | 'team') =>
        spaceOf(free * MB, size).hasSpace(file, uploader);
      expect([
        await isAccepted(visitor, 'visitor'),
        await isAccepted(tooFew, 'visitor'),
        await isAccepted(team, 'team'),
        await isAccepted(tooFewForTeam, 'team'),
      ]).toEqual([true, false, true, false]);
    },
  );

  test('only as long as those before it left enough, also before the next measurement', async () => {
    const { disk, hasSpace } = spaceOf(1_025 * MB, 500 * GB);
    const accepted = [];
    for (let count = 0; count < 4; count += 1) {
      accepted.push(await hasSpace(10 * MB, 'visitor'));
    }
    expect([accepted, disk.measured]).toEqual([[true, true, false, false], 1]);
    disk.now += 2_000;
    expect([await hasSpace(10 * MB, 'visitor'), disk.measured]).toEqual([true, 2]);
  });

  test('if the space is unknown', async () => {
    expect(await openSpace({ measure: async () => undefined })(GB, 'visitor')).toBe(true);
    expect(await spaceOf(0, 0).hasSpace(GB, 'visitor')).toBe(true);
  });
});

test('a folder that does not exist yet has the space of its parent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-space-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { ofBytes } = (await freeSpaceFor(join(folder, 'new', 'files'))) ?? {};
  expect(ofBytes).toBe((await freeSpaceFor(folder))?.ofBytes);
  expect(ofBytes).toBeGreaterThan(0);
});
