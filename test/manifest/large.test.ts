import { inSlices, slices } from '#lib/in-slices.ts';
import { sequenceOf } from '../../src/manifest/sequence.ts';
import { cpuMs } from '../support/cpu-time.ts';
import { busy, cyclesDuring } from '../support/cycles.ts';
import { apply, exported, run } from '../support/manifest.ts';
import { describe, expect, test } from '../support/service.ts';

describe('a long computation lets other work run', () => {
  test('in slices', async () => {
    const pieces = [1, 2, 3, 4, 5];
    expect(await cyclesDuring(inSlices('one', pieces, () => busy(12)))).toBeGreaterThanOrEqual(4);
  });

  test('between awaited steps', async () => {
    const steps = async () => {
      const slice = slices('one');
      for (let step = 0; step < 5; step += 1) {
        busy(12);
        await slice();
      }
    };
    expect(await cyclesDuring(steps())).toBeGreaterThanOrEqual(4);
  });
});

describe('a large manifest', () => {
  test('of 8,000 custom values is applied, changed and pruned', async ({ service }) => {
    const values = (suffix: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, `${at}${suffix}`]));
    const created = await apply(service, { customValues: values('', 8_000) });
    const changed = await apply(service, { customValues: values('x', 4_000) }, { prune: true });
    const counts = [created.created.length, changed.updated.length, changed.removed.length];
    expect(counts).toEqual([8_000, 4_000, 4_000]);
    expect((await exported(service)).customValues).toEqual(values('x', 4_000));
  });

  test('warns of the first unknown merge fields of each text, and names similar ones of some', async ({
    service,
  }) => {
    const names = Array.from({ length: 500 }, (_, at) => `custom_number_${at}`);
    const customValues = Object.fromEntries(names.map((name) => [name, 'x']));
    const misspelt = names.map((name) => `{{custom_values.${name.replace('number', 'nmber')}}}`);
    const replies = [
      { key: 'all', name: 'All', body: misspelt.join(' ') },
      ...misspelt.slice(0, 60).map((body, at) => ({ key: `r${at}`, name: `R${at}`, body })),
    ];
    const { cautions } = await run(service, { customValues, replies }, { dryRun: true });
    const ofAll = cautions.filter((caution) => caution.startsWith('replies: all:'));
    expect(ofAll).toHaveLength(21);
    expect(ofAll.at(-1)).toBe('replies: all: 480 more merge fields are always empty');
    expect(cautions).toHaveLength(81);
    const withName = cautions.filter((caution) => caution.includes('did you mean'));
    expect(withName).toHaveLength(50);
  });

  test('has its order in time that grows with its size', () => {
    const keys = (count: number) => Array.from({ length: count }, (_, at) => `k${at}`);
    const [few, many] = [keys(1_000), keys(64_000)];
    const short = cpuMs(() => {
      for (let round = 0; round < 64; round += 1) {
        sequenceOf(few.slice(500), few);
      }
    });
    expect(cpuMs(() => sequenceOf(many.slice(32_000), many))).toBeLessThan(8 * short + 200);
  });
});
