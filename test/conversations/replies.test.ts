import { jsonText } from '#core/schema/json.ts';
import { findReplies } from '../../src/conversations/replies/find-replies.ts';
import { apply } from '../support/manifest.ts';
import { expect, test } from '../support/service.ts';

test('the manifest’s saved replies are listed by name, changed and pruned', async ({ service }) => {
  const { openView, subAccountId, otherSubAccountId, clock } = service;
  const repliesOf = async (id: string) =>
    JSON.parse(jsonText((await findReplies(openView(id, clock()))).data));
  const late = { key: 'late', name: 'running late', body: 'Sorry {{firstName|there}}, …' };
  const hours = { key: 'hours', name: 'Hours', body: 'We open at nine.' };
  await apply(service, { replies: [late, hours] });
  expect(await repliesOf(subAccountId)).toEqual([
    { id: expect.any(String), ...hours },
    { id: expect.any(String), ...late },
  ]);
  expect(await repliesOf(otherSubAccountId)).toEqual([]);
  await apply(service, { replies: [{ ...hours, body: 'We open at eight.' }] }, { prune: true });
  expect(await repliesOf(subAccountId)).toMatchObject([{ body: 'We open at eight.' }]);
  expect(await service.eventNames()).toEqual([]);
});
