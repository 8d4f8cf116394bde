import { AGENCY, newId } from '#lib/id.ts';
import { createSubAccount } from '../../src/accounts/sub-accounts/create-sub-account.ts';
import { deleteSubAccount } from '../../src/accounts/sub-accounts/delete-sub-account.ts';
import { findAudit } from '../../src/accounts/audit/find-audit.ts';
import {
  findSubAccount,
  findSubAccounts,
} from '../../src/accounts/sub-accounts/sub-account.store.ts';
import type { SubAccountCreate } from '../../src/accounts/sub-accounts/sub-account.schema.ts';
import { updateSubAccount } from '../../src/accounts/sub-accounts/update-sub-account.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const agency = ({ openView, clock }: TestService) => openView(AGENCY, clock());

const create = ({ transact, actor, clock }: TestService, input: SubAccountCreate) =>
  transact(newId(clock()), actor, (work) => createSubAccount(work, input));

const auditOf = (service: TestService, subAccountId: string) =>
  findAudit(agency(service), { subAccountId, limit: 100 });

describe('a new sub-account', () => {
  test('stores the given fields', async ({ service }) => {
    const given = { name: 'Harbour', timezone: 'Europe/Berlin', currency: 'EUR', locale: 'de-AT' };
    const { id } = await create(service, { ...given, sandbox: true });

    const { locale, ...shown } = given;
    expect(await findSubAccount(agency(service), id)).toMatchObject({ ...shown, sandbox: true });
    const [row] = await service.database.rows('select locale from sub_accounts where id = $1', [
      id,
    ]);
    expect(row).toEqual({ locale });
  });

  test('is live, in UTC, in US dollars and in English by default', async ({ service }) => {
    const created = await create(service, { name: 'Plain' });

    expect(created).toMatchObject({
      timezone: 'UTC',
      currency: 'USD',
      locale: 'en',
      sandbox: false,
      features: null,
      admins: [],
    });
  });

  test('gets a unique public id of 20 characters', async ({ service }) => {
    const made = await Promise.all(['A', 'B'].map((name) => create(service, { name })));

    expect(made.map(({ locationId }) => locationId)).toEqual([
      expect.stringMatching(/^[\dA-Za-z]{20}$/),
      expect.stringMatching(/^[\dA-Za-z]{20}$/),
    ]);
    expect(made[0]?.locationId).not.toBe(made[1]?.locationId);
  });

  test.for([
    ['no name', { name: ' ' }, '/name'],
    ['an unknown time zone', { name: 'X', timezone: 'Mars/Base' }, '/timezone'],
    ['an offset instead of a time zone', { name: 'X', timezone: '+02:00' }, '/timezone'],
    ['an unknown currency', { name: 'X', currency: 'EURO' }, '/currency'],
    ['a malformed locale', { name: 'X', locale: 'german!' }, '/locale'],
    ['an unknown field', { name: 'X', colour: 'red' }, '/colour'],
  ] as const)('is refused with %s', async ([, input, path], { service }) => {
    await expect(create(service, input as never)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [expect.objectContaining({ path })] },
    });
  });

  test('is audited under its own id', async ({ service }) => {
    const { id } = await create(service, { name: 'Audited' });

    expect(await auditOf(service, id)).toMatchObject([{ recordId: id, subAccountId: id }]);
  });
});

describe('changing a sub-account', () => {
  test('changes the given fields only', async ({ service }) => {
    const { transact, actor, subAccountId } = service;
    const before = await findSubAccount(agency(service), subAccountId);
    await transact(subAccountId, actor, (work) => updateSubAccount(work, { currency: 'CHF' }));

    expect(await findSubAccount(agency(service), subAccountId)).toEqual({
      ...before,
      currency: 'CHF',
    });
  });

  test('without a difference leaves no audit row', async ({ service }) => {
    const { transact, actor, subAccountId } = service;
    const before = await auditOf(service, subAccountId);
    await transact(subAccountId, actor, (work) => updateSubAccount(work, { timezone: 'UTC' }));

    expect(await auditOf(service, subAccountId)).toEqual(before);
  });

  test('is refused for an unknown sub-account', async ({ service }) => {
    const change = service.transact(newId(service.clock()), service.actor, (work) =>
      updateSubAccount(work, { name: 'Unknown' }),
    );
    await expect(change).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('deleting a sub-account', () => {
  test('removes it from the list, keeps its row, and works once', async ({ service }) => {
    const { transact, actor, subAccountId } = service;
    await transact(subAccountId, actor, deleteSubAccount);

    const listed = await findSubAccounts(agency(service));
    expect(listed.map(({ id }) => id)).not.toContain(subAccountId);
    expect(await findSubAccount(agency(service), subAccountId)).toMatchObject({
      deletedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await expect(transact(subAccountId, actor, deleteSubAccount)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

test('a malformed id finds nothing', async ({ service }) => {
  expect(await findSubAccount(agency(service), 'nonsense')).toBeUndefined();
  expect(await findSubAccount(agency(service), newId(service.clock()))).toBeUndefined();
});

test('sub-accounts are listed newest first', async ({ service }) => {
  const older = await create(service, { name: 'Older' });
  const newer = await create(service, { name: 'Newer' });

  const ids = (await findSubAccounts(agency(service))).map(({ id }) => id);
  expect(ids.indexOf(newer.id)).toBeLessThan(ids.indexOf(older.id));
});
