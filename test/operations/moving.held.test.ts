import { expect, test } from 'vitest';
import { WAITING } from '../support/locks.ts';
import { withDatabase } from './backup.support.ts';
import { exported, newPlace, populated } from './moving.support.ts';

test('an import that fails does not resume the workers that another one has paused', async () => {
  const from = await newPlace();
  const to = await newPlace(from.secretKey);
  const [there, other] = [await populated(from), await populated(from)];
  const [again, first] = [
    await exported(from, there.subAccountId),
    await exported(from, other.subAccountId),
  ];
  const load = (file: string) => to.admin('sub-account', 'import', file, '--hold');
  expect(await to.admin('sub-account', 'import', again.file)).toMatchObject({ code: 0 });
  await withDatabase(to.url, async (client) => {
    const waiting = async () => (await client.query(WAITING)).rowCount;
    await client.query('begin');
    await client.query('select from sub_accounts where id = $1 for update', [there.subAccountId]);
    const refused = load(again.file);
    await expect.poll(waiting).toBe(1);
    let isOver = false;
    const loaded = load(first.file).finally(() => (isOver = true));
    await expect.poll(async () => isOver || (await waiting()) === 2).toBe(true);
    await client.query('commit');
    expect(await refused).toMatchObject({ code: 1 });
    expect(await loaded).toMatchObject({ code: 0, json: { held: true } });
    const { rows } = await client.query('select held_since is not null as "isPaused" from holding');
    expect(rows).toEqual([{ isPaused: true }]);
  });
});
