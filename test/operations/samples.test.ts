import { readFile } from 'node:fs/promises';
import { totals } from '#platform/metrics/counters.ts';
import { readSamples, RANGES, startSampler } from '../../src/operations/samples/process-samples.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const HEALTH = 'GET /console/api/health';

const viewOf = ({ openView, subAccountId, clock }: TestService) => openView(subAccountId, clock());
const sumOf = (points: readonly { readonly value: number }[]) =>
  points.reduce((sum, { value }) => sum + value, 0);

describe('the samples of the processes', () => {
  test('add up over several processes, by minute and in steps of a week', async ({ service }) => {
    const { database, log, clock, call } = service;
    const before = sumOf((await readSamples(viewOf(service), RANGES.day)).requests);
    const one = startSampler({ database, log, clock });
    const other = startSampler({ database, log, clock });
    const start = totals().requests;
    await call('GET /api/v1/contacts');
    await call('GET /api/v1/contacts');
    const made = totals().requests - start;
    expect(made).toBeGreaterThanOrEqual(2);
    await Promise.all([one.sample(), other.sample()]);
    await Promise.all([one.stop(), other.stop()]);
    // Both samplers of the test count the same process.
    for (const range of [RANGES.day, RANGES.week]) {
      const { requests, latencyMs, queueDepth } = await readSamples(viewOf(service), range);
      expect(sumOf(requests) - before).toBe(2 * made);
      expect(requests.every(({ at }) => at % range.stepMs === 0)).toBe(true);
      expect(latencyMs.at(-1)?.value).toBeGreaterThan(0);
      expect(queueDepth.at(-1)?.value).toBeGreaterThanOrEqual(0);
    }
  });

  test('older than the range are left out', async ({ service }) => {
    const { database, clock } = service;
    const old = new Date(clock().getTime() - 2 * 24 * 3_600_000);
    await database.rows(
      `insert into process_samples values ($1, gen_random_uuid(), 7, 0, 7, 0, 0)`,
      [old],
    );
    const day = await readSamples(viewOf(service), RANGES.day);
    const week = await readSamples(viewOf(service), RANGES.week);
    expect(sumOf(week.requests) - sumOf(day.requests)).toBe(7);
  });
});

describe('the health of the installation', () => {
  test('has the checks of doctor and the series, for owners only', async ({ service }) => {
    const owner = await signInAs(service, 'owner');
    const { status, body } = await owner.call(HEALTH);
    expect(status).toBe(200);
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(body.data.version).toBe(version);
    expect(body.data.waitingDeliveries).toBeTypeOf('number');
    const names = body.data.checks.map(({ name }: any) => name);
    expect(names).toEqual(expect.arrayContaining(['database', 'migrations', 'backups', 'queue']));
    expect(Object.keys(body.data.series)).toEqual([
      'queueDepth',
      'deliveries',
      'requests',
      'errors',
      'latencyMs',
    ]);
    const admin = await signInAs(service, 'admin');
    expect((await admin.call(HEALTH)).status).toBe(403);
  });
});
