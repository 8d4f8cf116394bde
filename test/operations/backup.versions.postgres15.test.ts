import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { urlOf } from '../support/urls.ts';
import { contentOf, newDatabase, newFolder, run } from './backup.support.ts';
import { exported, newPlace, populated, rowsOf } from './moving.support.ts';
import { on, startPostgres15, type Postgres15 } from '../support/postgres-15.ts';

let installation: Installation;
let older: Postgres15;
beforeAll(async () => {
  [installation, older] = await Promise.all([startInstallation(), startPostgres15()]);
  const { admin, subAccountId, createContact } = installation;
  await admin(`apply -f config/demo.yaml --sub-account ${subAccountId}`);
  await createContact('Zoë');
});
afterAll(async () => {
  await Promise.all([installation.close(), older.stop()]);
});

describe('between PostgreSQL 15 and 18', () => {
  test('a backup is restored in both directions, without superusers', async () => {
    const file = join(await newFolder(), 'one.backup');
    await run(['backup', file], installation.databaseUrl);
    await on(older.url, 'create role plain login');
    await on(older.url, 'create database there owner plain');
    const there = new URL(urlOf(older.url, 'there'));
    there.username = 'plain';
    expect(await run(['restore', file], there.href)).toMatchObject({
      code: 0,
      json: { held: true },
    });
    const before = await contentOf(installation.databaseUrl);
    expect(before['contacts']?.length).toBe(1);
    expect(await contentOf(there.href)).toEqual(before);

    expect(await run(['backup', file], there.href)).toMatchObject({ code: 0 });
    const back = await newDatabase();
    expect(await run(['restore', file], back)).toMatchObject({ code: 0 });
    expect(await contentOf(back)).toEqual(before);
  });

  test('a sub-account moves in both directions', async () => {
    const here = await newPlace();
    await on(older.url, 'create database moved');
    const there = await newPlace(here.secretKey, urlOf(older.url, 'moved'));
    const { subAccountId } = await populated(here);
    const before = await rowsOf(here, subAccountId);
    const { file } = await exported(here, subAccountId);
    expect(await there.admin('sub-account', 'import', file)).toMatchObject({ code: 0 });
    expect(await rowsOf(there, subAccountId)).toEqual(before);
    const back = await exported(there, subAccountId);
    const elsewhere = await newPlace(here.secretKey);
    expect(await elsewhere.admin('sub-account', 'import', back.file)).toMatchObject({ code: 0 });
    expect(await rowsOf(elsewhere, subAccountId)).toEqual(before);
  });
});
