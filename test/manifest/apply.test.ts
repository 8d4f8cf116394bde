import { readFile } from 'node:fs/promises';
import { apply, exported } from '../support/manifest.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const CLINIC = {
  subAccount: { name: 'Clinic', timezone: 'Europe/Berlin', features: ['campaigns'] },
  team: [
    { key: 'anna', name: 'Anna Weber', email: 'anna@harbour.example' },
    { key: 'ben', name: 'Ben Krause' },
  ],
  customFields: [
    { name: 'insurance', type: 'select', options: ['public', 'private'] },
    { name: 'recall', type: 'number' },
  ],
  customValues: { booking_link: 'https://harbour.example/book' },
};

const auditOf = async ({ database, subAccountId }: TestService) => {
  const rows = await database.rows<{ record: string }>(
    `select record_id as record from audit_entries where sub_account_id = $1 order by id`,
    [subAccountId],
  );
  return rows.map(({ record }) => record);
};

describe('apply', () => {
  test('creates the entries of the manifest and returns their ids', async ({ service }) => {
    const outcome = await apply(service, CLINIC);
    expect(outcome).toEqual({
      created: [
        { section: 'team', key: 'anna' },
        { section: 'team', key: 'ben' },
        { section: 'customFields', key: 'insurance' },
        { section: 'customFields', key: 'recall' },
        { section: 'customValues', key: 'booking_link' },
      ],
      updated: [
        {
          section: 'subAccount',
          key: 'subAccount',
          fields: ['name', 'timezone', 'features'],
          changes: expect.objectContaining({ timezone: { from: 'UTC', to: 'Europe/Berlin' } }),
        },
      ],
      unchanged: 0,
      removed: [],
      skipped: [],
      ids: expect.objectContaining({
        team: { anna: expect.any(String), ben: expect.any(String) },
        pipelines: {},
      }),
    });
    const contact = { firstName: 'Jo', lastName: 'Lee', assignedTo: outcome.ids['team']?.['anna'] };
    expect(await service.call('POST /api/v1/contacts', { body: contact })).toMatchObject({
      status: 201,
    });
  });

  test('finds everything unchanged the second time, and writes no audit row', async ({
    service,
  }) => {
    const first = await apply(service, CLINIC);
    const audit = await auditOf(service);
    const second = await apply(service, CLINIC, { prune: true });
    expect(second).toEqual({
      created: [],
      updated: [],
      unchanged: 6,
      removed: [],
      skipped: [],
      ids: first.ids,
    });
    expect(await auditOf(service)).toEqual(audit);
  });

  test('writes one audit row and no event for a change', async ({ service }) => {
    const before = await auditOf(service);
    await apply(service, CLINIC);
    expect(await auditOf(service)).toEqual([...before, service.subAccountId]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('lists the fields that differ, with their values before and after', async ({ service }) => {
    await apply(service, CLINIC);
    const outcome = await apply(service, {
      team: [{ key: 'anna', name: 'Anna Berg', email: 'anna@harbour.example' }],
      customValues: { booking_link: 'https://harbour.example/now' },
    });
    expect(outcome.updated).toEqual([
      {
        section: 'team',
        key: 'anna',
        fields: ['name'],
        changes: { name: { from: 'Anna Weber', to: 'Anna Berg' } },
      },
      {
        section: 'customValues',
        key: 'booking_link',
        fields: ['value'],
        changes: { value: { from: expect.any(String), to: 'https://harbour.example/now' } },
      },
    ]);
  });

  test('keeps entries that the manifest does not name, without --prune', async ({ service }) => {
    await apply(service, CLINIC);
    const outcome = await apply(service, { team: [{ key: 'cleo', name: 'Cleo' }] });
    expect(outcome.removed).toEqual([]);
    expect(Object.keys(outcome.ids['team'] ?? {})).toEqual(['anna', 'ben', 'cleo']);
    expect(await exported(service)).toMatchObject({ customValues: CLINIC.customValues });
  });

  test('an omitted field takes its default', async ({ service }) => {
    await apply(service, CLINIC);
    await apply(service, { team: [{ key: 'anna', name: 'Anna Weber' }] });
    expect((await exported(service)).team[0]).toEqual({ key: 'anna', name: 'Anna Weber' });
  });

  test('an omitted setting stays, but omitted features means all features', async ({ service }) => {
    await apply(service, CLINIC);
    const { updated } = await apply(service, { subAccount: { currency: 'EUR' } });
    expect(updated).toMatchObject([
      { section: 'subAccount', key: 'subAccount', fields: ['currency', 'features'] },
    ]);
    expect((await exported(service)).subAccount).toMatchObject({
      name: 'Clinic',
      timezone: 'Europe/Berlin',
      currency: 'EUR',
    });
    expect((await exported(service)).subAccount).not.toHaveProperty('features');
  });

  test('the same manifest for another sub-account changes only that one', async ({ service }) => {
    await apply(service, CLINIC);
    const own = await exported(service);
    await apply(
      service,
      { team: [{ key: 'anna', name: 'Another' }] },
      { to: service.otherSubAccountId },
    );
    await apply(service, {}, { to: service.otherSubAccountId, prune: true });
    expect(await exported(service)).toEqual(own);
    expect(await exported(service, service.otherSubAccountId)).toEqual({
      subAccount: expect.objectContaining({ name: 'Elsewhere' }),
    });
  });

  test('two at once run one after the other', async ({ service }) => {
    const outcomes = await Promise.all([apply(service, CLINIC), apply(service, CLINIC)]);
    expect(outcomes.map(({ created }) => created.length).sort((a, b) => a - b)).toEqual([0, 5]);
    expect(outcomes[0]?.ids).toEqual(outcomes[1]?.ids);
  });

  test('a deleted sub-account is not found', async ({ service }) => {
    const { database, otherSubAccountId } = service;
    await database.rows('update sub_accounts set deleted_at = now() where id = $1', [
      otherSubAccountId,
    ]);
    const refused = { code: 'NOT_FOUND' };
    await expect(apply(service, CLINIC, { to: otherSubAccountId })).rejects.toMatchObject(refused);
    await expect(
      apply(service, CLINIC, { to: otherSubAccountId, dryRun: true }),
    ).rejects.toMatchObject(refused);
  });

  test('the demo manifest needs no environment', async ({ service }) => {
    const demo = await readFile('config/demo.yaml', 'utf8');
    const { created } = await apply(service, demo);
    expect(created.length).toBeGreaterThan(5);
  });
});

describe('a dry run', () => {
  test('reports what an apply then does, and changes nothing', async ({ service }) => {
    const before = await exported(service);
    const audit = await auditOf(service);
    const plan = await apply(service, CLINIC, { dryRun: true });
    expect(await exported(service)).toEqual(before);
    expect(await auditOf(service)).toEqual(audit);
    expect(Object.values(plan.ids).flatMap(Object.keys)).toEqual([]);
    expect(await apply(service, CLINIC)).toEqual({ ...plan, ids: expect.anything() });
  });

  test('lists what --prune would remove', async ({ service }) => {
    await apply(service, CLINIC);
    const plan = await apply(service, { team: CLINIC.team }, { dryRun: true, prune: true });
    expect(plan.removed).toEqual([
      { section: 'customValues', key: 'booking_link' },
      { section: 'customFields', key: 'insurance' },
      { section: 'customFields', key: 'recall' },
    ]);
    expect((await apply(service, CLINIC)).unchanged).toBe(6);
  });
});

describe('prune', () => {
  test('removes entries that are not named, including whole sections, but no settings', async ({
    service,
  }) => {
    await apply(service, CLINIC);
    const outcome = await apply(service, { team: [CLINIC.team[1]] }, { prune: true });
    expect(outcome.removed).toEqual([
      { section: 'customValues', key: 'booking_link' },
      { section: 'customFields', key: 'insurance' },
      { section: 'customFields', key: 'recall' },
      { section: 'team', key: 'anna' },
    ]);
    expect(Object.keys(outcome.ids['team'] ?? {})).toEqual(['ben']);
    const { subAccount, ...rest } = await exported(service);
    expect(subAccount).toMatchObject({ name: 'Clinic', timezone: 'Europe/Berlin' });
    expect(rest).toEqual({ team: [{ key: 'ben', name: 'Ben Krause' }] });
  });

  test('unassigns the contacts of a removed member', async ({ service }) => {
    const { ids } = await apply(service, CLINIC);
    const body = { firstName: 'Jo', lastName: 'Lee', assignedTo: ids['team']?.['anna'] };
    const { id } = (await service.call('POST /api/v1/contacts', { body })).body.data;
    await apply(service, { ...CLINIC, team: [] }, { prune: true });
    const { body: answer } = await service.call(`GET /api/v1/contacts/${id}`);
    expect(answer.data.assignedTo).toBeNull();
  });
});
