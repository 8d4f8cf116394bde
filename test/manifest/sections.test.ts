import { Type } from 'typebox';
import { nullable, request } from '#core/schema/schema.ts';
import { defineSection, key, type Section } from '#core/section.ts';
import { sections } from '#registry/sections.ts';
import { exportManifest } from '../../src/manifest/export-manifest.ts';
import { apply, exported } from '../support/manifest.ts';
import { describe, expect, test } from '../support/service.ts';

interface Room {
  slug: string;
  host: string | null;
  doorCode: string | null;
}

/** Features of other sections: references, nested ids, a secret. */
function roomsSection(rooms: Room[], fail?: () => void): Section {
  return defineSection({
    name: 'rooms',
    summary: 'Rooms.',
    match: 'slug',
    schema: request({
      slug: key(),
      host: Type.Optional(nullable(key())),
      doorCode: Type.Optional(Type.String()),
    }),
    secrets: /\/doorCode$/,
    environment: { path: /^\/doorCode$/, label: 'doorCode of a room' },
    references: ({ host }) => (host ? [{ section: 'team', key: host, path: '/host' }] : []),
    complete: (given, stored: Room | undefined) => {
      return { host: null, doorCode: stored?.doorCode ?? null, ...given };
    },
    load: () => Promise.resolve([...rooms]),
    valueOf: (room: Room) => ({ ...room }),
    idOf: ({ slug }) => `room ${slug}`,
    nestedIdsOf: ({ slug }) => ({ doors: { [`${slug}/front`]: `door ${slug}` } }),
    create(_, wanted, slug, idOf) {
      fail?.();
      const room = { ...wanted, slug, host: wanted.host && idOf('team', wanted.host) };
      rooms.push(room);
      return room;
    },
    update: (_, room, wanted) => void Object.assign(room, wanted),
    remove: (_, room) => void rooms.splice(rooms.indexOf(room), 1),
  });
}

const ANNA = { key: 'anna', name: 'Anna' };

describe('a section', () => {
  test('that fails late rolls back everything before it', async ({ service }) => {
    const before = await exported(service);
    const failing = roomsSection([], () => {
      throw new Error('no such room');
    });
    const manifest = {
      subAccount: { name: 'Changed' },
      team: [ANNA],
      customFields: [{ name: 'insurance' }],
      customValues: { link: 'x' },
      rooms: [{ slug: 'blue' }],
    };
    const applied = apply(service, manifest, { sections: [...sections, failing] });
    await expect(applied).rejects.toThrow('no such room');
    expect(await exported(service)).toEqual(before);
  });

  test('refers to entries of the same file by their ids', async ({ service }) => {
    const rooms: Room[] = [];
    const wanted = { sections: [...sections, roomsSection(rooms)] };
    const outcome = await apply(
      service,
      { team: [ANNA], rooms: [{ slug: 'a', host: 'anna' }] },
      wanted,
    );
    expect(rooms[0]?.host).toBe(outcome.ids['team']?.['anna']);
    expect(outcome.ids).toMatchObject({
      rooms: { a: 'room a' },
      doors: { 'a/front': 'door a' },
    });
  });

  test('refers to what is stored, unless it is pruned by the same apply', async ({ service }) => {
    await apply(service, { team: [ANNA] });
    const wanted = { sections: [...sections, roomsSection([])], dryRun: true };
    const text = 'rooms:\n  - slug: a\n    host: anna\n';
    expect((await apply(service, text, wanted)).created).toHaveLength(1);
    await expect(apply(service, text, { ...wanted, prune: true })).rejects.toThrow(
      'test.yaml:3:5: /rooms/0/host names anna, which team does not have',
    );
  });

  test('is refused with its line for a reference to a missing entry', async ({ service }) => {
    const text = 'team: [{key: anna, name: A}]\nrooms:\n  - slug: a\n    host: ben\n';
    const wanted = { sections: [...sections, roomsSection([])] };
    await expect(apply(service, text, wanted)).rejects.toThrow(
      'test.yaml:4:5: /rooms/0/host names ben, which team does not have; it has anna',
    );
    const team = Array.from({ length: 12 }, (_, index) => ({ key: `m${index}`, name: 'M' }));
    const rooms = [{ slug: 'a', host: 'unknown' }];
    await expect(apply(service, { team, rooms }, wanted)).rejects.toThrow(
      'which team does not have; it has m0, m1, m2, m3, m4, m5, m6, m7, m8, m9 and 2 more',
    );
    expect(await exported(service)).not.toHaveProperty('team');
  });

  test('is refused for a key that differs from a stored one in case only', async ({ service }) => {
    await apply(service, { team: [ANNA] });
    await expect(apply(service, 'team:\n  - {key: ANNA, name: A}\n')).rejects.toThrow(
      'test.yaml:2:6: /team/0/key differs only in case from the stored anna',
    );
  });

  test('is refused for a nested key that differs from a stored one in case only', async ({
    service,
  }) => {
    const pipeline = (...keys: readonly string[]) => ({
      pipelines: [{ key: 'sales', name: 'Sales', stages: keys.map((key) => ({ key, name: key })) }],
    });
    const { ids } = await apply(service, pipeline('new', 'WON'));
    await expect(apply(service, pipeline('won', 'new'))).rejects.toThrow(
      '/pipelines/0/stages/0/key differs only in case from the stored WON',
    );
    expect((await apply(service, pipeline('WON', 'other', 'new'))).ids).toMatchObject({
      stages: ids['stages'],
    });
    const calendar = (type: string) => ({
      calendars: [
        { key: 'c', name: 'C', hours: {}, types: [{ key: type, name: 'T', duration: 30 }] },
      ],
    });
    await apply(service, calendar('YOGA'));
    await expect(apply(service, calendar('yoga'))).rejects.toThrow(
      '/calendars/0/types/0/key differs only in case from the stored YOGA',
    );
  });

  test('never exports its secrets, and keeps omitted ones', async ({ service }) => {
    const rooms: Room[] = [];
    const all = [...sections, roomsSection(rooms)];
    const manifest = 'rooms: [{slug: a, doorCode: "${env:CODE}"}]';
    await apply(service, manifest, { sections: all, variables: { CODE: '4711' } });
    expect(rooms[0]?.doorCode).toBe('4711');
    const written = await service.transact(service.subAccountId, service.actor, (work) =>
      exportManifest(work, all),
    );
    expect(written).toMatchObject({ rooms: [{ slug: 'a', doorCode: '${env:CODE}' }] });
    expect(JSON.stringify(written)).not.toContain('4711');
    const without = { rooms: [{ slug: 'a' }] };
    expect((await apply(service, without, { sections: all })).updated).toEqual([]);
    expect(rooms[0]?.doorCode).toBe('4711');
  });

  test('is pruned before the entries it refers to', async ({ service }) => {
    const all = [...sections, roomsSection([{ slug: 'a', host: null, doorCode: null }])];
    await apply(service, { team: [ANNA] });
    const { removed } = await apply(service, {}, { sections: all, prune: true });
    expect(removed.map(({ section }) => section)).toEqual(['rooms', 'team']);
  });
});
