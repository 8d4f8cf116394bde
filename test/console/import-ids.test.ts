import { expect, test } from 'vitest';
import { newId } from '#lib/id.ts';
import { mailCampaigns } from '../../src/campaigns/campaigns.jobs.ts';
import { changeContactsJob } from '../../src/console/contacts/bulk-change.jobs.ts';
import { importContactsJob } from '../../src/console/imports/imports.jobs.ts';
import { idOfLine } from '../../src/console/imports/run-import.ts';

test('the ids of lines follow the order of the file', () => {
  const importId = newId(new Date());
  const ids = [2, 3, 4_095, 4_096, 4_097, 1_000_000].map((line) => idOfLine(importId, line));
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) {
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  }
  expect(idOfLine(importId, 2)).toBe(ids[0]);
  expect(idOfLine(newId(new Date()), 2)).not.toBe(ids[0]);
});

test('imports and changes of contacts share no lane with campaigns', () => {
  const lanes = [importContactsJob, changeContactsJob, mailCampaigns].map(({ lane }) => lane);
  expect(lanes).toEqual(['imports', 'imports', 'mail']);
});
