import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Opportunity } from '../../sdk/src/main.ts';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { SALES } from '../support/pipelines.ts';

let installation: Installation;
let folder: string;
let deal: Opportunity;

const applyFile = async (manifest: object, ...more: string[]) => {
  const path = join(folder, 'manifest.json');
  await writeFile(path, JSON.stringify(manifest));
  const { admin, subAccountId } = installation;
  return admin(`apply --sub-account ${subAccountId} -f`, path, ...more);
};

beforeAll(async () => {
  installation = await startInstallation();
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-opportunity-'));
  const { json } = await applyFile({ pipelines: [SALES] });
  const contactId = await installation.createContact();
  const pipelineId = json.ids.pipelines.sales;
  const { opportunities } = installation.client;
  deal = await opportunities.create({ name: 'Implant', value: 9, pipelineId, contactId });
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await installation.close();
});

const setStatus = (...more: string[]) => installation.admin('opportunity set-status', ...more);

const names = async () => (await installation.client.events.list()).data.map(({ event }) => event);

test('set-status returns the opportunity and fires an event that the API does not', async () => {
  const won = await setStatus(deal.id.toUpperCase(), 'won');
  expect([won.code, won.json]).toMatchObject([0, { id: deal.id, status: 'won', lostReason: null }]);
  const lost = await setStatus(deal.id, 'lost', '--lost-reason', 'too expensive');
  expect(lost.json).toMatchObject({ status: 'lost', lostReason: 'too expensive' });
  expect((await setStatus(deal.id, 'lost')).json).toEqual(lost.json);
  await expect
    .poll(names)
    .toEqual([
      'contact.created',
      'opportunity.created',
      'opportunity.updated',
      'opportunity.won',
      'opportunity.updated',
      'opportunity.lost',
    ]);
});

test('set-status exits 2 for an unknown status, and 1 for a refused change', async () => {
  const unknown = await setStatus(deal.id, 'paused');
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('abandoned')]);
  const nobody = await setStatus(crypto.randomUUID(), 'won');
  expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('no opportunity')]);
  expect((await setStatus('x', 'won')).code).toBe(1);
  const reason = await setStatus(deal.id, 'won', '--lost-reason', 'x');
  expect([reason.code, reason.stderr]).toEqual([1, expect.stringContaining('lostReason')]);
});

test('apply --prune exits 1 for a pipeline that holds opportunities, and says how many', async () => {
  const { code, stderr } = await applyFile({}, '--prune', '--yes');
  expect([code, stderr]).toEqual([1, expect.stringContaining('holds 1 opportunity')]);
  expect(await installation.client.pipelines.list()).toHaveLength(1);
});
