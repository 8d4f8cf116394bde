import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { paid } from './invoices.support.ts';

let installation: Installation;
let folder: string;

beforeAll(async () => {
  installation = await startInstallation();
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-invoice-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await installation.close();
});

const record = (...more: string[]) =>
  installation.admin(`invoice record --sub-account ${installation.subAccountId}`, ...more);

async function applyFile(manifest: object, ...more: string[]) {
  const path = join(folder, 'manifest.json');
  await writeFile(path, JSON.stringify(manifest));
  return installation.admin(`apply --sub-account ${installation.subAccountId} -f`, path, ...more);
}

const events = async () => (await installation.call('GET /api/v1/events')).body.data;

test('record reports whether it recorded, and fires once', async () => {
  const options = ['--invoice-id', 'INV-1', '--amount', '89.50', '--currency', 'eur'];
  const first = await record(...options, '--paid-at', '2026-11-20T09:00:00Z');
  expect([first.code, first.json]).toEqual([0, { invoiceId: 'INV-1', recorded: true }]);
  const again = await record(...options, '--email', 'jo@example.com');
  expect([again.code, again.json]).toEqual([0, { invoiceId: 'INV-1', recorded: false }]);
  await expect.poll(events, { timeout: 60_000 }).toMatchObject([
    {
      event: 'invoice.paid',
      data: {
        invoiceId: 'INV-1',
        amount: 89.5,
        currency: 'eur',
        paidAt: '2026-11-20T09:00:00.000Z',
      },
    },
  ]);
});

test('record exits 2 for missing or malformed options, 1 for an unknown sub-account', async () => {
  const whole = ['--invoice-id', 'INV-2', '--amount', '1', '--currency', 'EUR'];
  expect((await record('--invoice-id', 'INV-2', '--amount', '1')).code).toBe(2);
  for (const wrong of [
    ['--amount', 'much'],
    ['--amount', '-1'],
    ['--currency', 'XYZ'],
    ['--email', 'no-address'],
    ['--paid-at', 'yesterday'],
  ]) {
    expect((await record(...whole, ...wrong)).code).toBe(2);
  }
  const nobody = `invoice record --sub-account ${crypto.randomUUID()}`;
  expect((await installation.admin(nobody, ...whole)).code).toBe(1);
});

test('the secret of a manifest signs calls, is never exported, and stays until it is pruned', async () => {
  const { subAccountId, admin, call } = installation;
  const reportPaid = (invoiceId: string, secret: string) =>
    call(`POST /webhooks/provider/${subAccountId}/invoice/paid`, paid({ invoiceId }, secret));
  expect((await applyFile({ invoices: {} })).code).toBe(1);
  const secret = 'a secret of some length';
  expect((await applyFile({ invoices: { secret } })).code).toBe(0);
  expect((await reportPaid('INV-3', secret)).body).toMatchObject({ data: { recorded: true } });

  const { json: exported } = await admin(`export --sub-account ${subAccountId}`);
  expect(exported).toMatchObject({ invoices: {} });
  expect(JSON.stringify(exported)).not.toContain(secret);
  expect((await applyFile(exported)).json.updated).toEqual([]);
  expect((await reportPaid('INV-4', secret)).status).toBe(200);

  await applyFile({ invoices: { secret: `${secret}, another` } });
  expect((await reportPaid('INV-5', secret)).status).toBe(401);
  await applyFile({}, '--prune', '--yes');
  expect((await reportPaid('INV-6', secret)).status).toBe(404);
});
