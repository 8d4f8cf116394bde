import { newId } from '#lib/id.ts';
import { deleteSubAccount } from '../../../src/accounts/sub-accounts/delete-sub-account.ts';
import { traces } from '../../support/samples.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../../support/service.ts';
import {
  brought,
  callBack,
  pathOf,
  SECRET,
  setUpBridge,
  signatureOf,
  threadsOf,
  words,
} from './callbacks.support.ts';

const MIB = 2 ** 20;

/** Everything that a refused call could have stored. */
async function remains(service: TestService): Promise<number> {
  const { database, subAccountId } = service;
  const [row] = await database.rows<{ n: number }>(
    `select (select count(*) from messages where sub_account_id = $1)
       + (select count(*) from contacts where sub_account_id = $1)
       + (select count(*) from message_receipts where sub_account_id = $1) as n`,
    [subAccountId],
  );
  return Number(row?.n) + (await traces(service));
}

describe.for(['inbound', 'status'] as const)('…/%s', (kind) => {
  const sample = (): object =>
    kind === 'inbound' ? words() : { externalId: newId(new Date()), status: 'delivered' };

  test.for([
    ['none', () => undefined],
    ['an empty one', () => ''],
    ['another secret', (raw: string) => signatureOf(raw, 'other')],
    ['another body', () => signatureOf('{}')],
    ['half of it', (raw: string) => signatureOf(raw).slice(0, 39)],
    ['more than it', (raw: string) => `${signatureOf(raw)}00`],
    ['no algorithm', (raw: string) => signatureOf(raw).slice('sha256='.length)],
    ['another algorithm', (raw: string) => signatureOf(raw).replace('sha256', 'sha1')],
  ] as const)(
    'returns 401 and stores nothing for the signature: %s',
    async ([, sign], { service }) => {
      await setUpBridge(service, 'sms');
      const before = await remains(service);
      const raw = JSON.stringify(sample());
      const signature = sign(raw);
      for (const key of [null, 'full'] as const) {
        const { status, headers, body } = await service.call(
          `POST ${pathOf(service, 'sms', kind)}`,
          { key, raw, headers: signature === undefined ? {} : { 'x-signature': signature } },
        );
        expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED']);
        expect([headers.get('x-api-version'), headers.get('x-ratelimit-limit')]).toEqual([
          'v1',
          null,
        ]);
      }
      expect(await remains(service)).toBe(before);
    },
  );

  test('returns the same 404 without a configured bridge, before the body is read', async ({
    service,
  }) => {
    await setUpBridge(service, 'sms');
    await setUpBridge(service, 'messenger', { provider: 'meta' });
    await setUpBridge(service, 'social_dm', { secret: null });
    const bodies = new Set<string>();
    const raw = JSON.stringify(sample());
    for (const path of [
      pathOf(service, 'instagram', kind),
      pathOf(service, 'messenger', kind),
      pathOf(service, 'social_dm', kind),
      pathOf({ ...service, subAccountId: service.otherSubAccountId }, 'sms', kind),
      pathOf({ ...service, subAccountId: newId(new Date()) }, 'sms', kind),
    ]) {
      const headers = { 'x-signature': signatureOf(raw) };
      const { status, body } = await service.call(`POST ${path}`, { key: null, raw, headers });
      expect([path, status, body.error.code]).toEqual([path, 404, 'NOT_FOUND']);
      bodies.add(JSON.stringify(body));
    }
    expect(bodies.size).toBe(1);
    for (const path of [
      pathOf({ ...service, subAccountId: 'no-one' }, 'sms', kind),
      pathOf(service, 'fax', kind),
    ]) {
      const { status } = await service.call(`POST ${path}`, { key: null, raw });
      expect([path, status]).toEqual([path, 404]);
    }
  });

  test('returns 404 after the deletion of the sub-account', async ({ service }) => {
    await setUpBridge(service, 'sms');
    expect((await callBack(service, 'sms', kind, sample())).status).toBe(200);
    await service.transact(service.subAccountId, OPERATOR, deleteSubAccount);
    expect((await callBack(service, 'sms', kind, sample())).status).toBe(404);
  });

  test('by email accepts JSON with any provider, and raw mails as inbound messages', async ({
    service,
  }) => {
    await setUpBridge(service, 'email', { provider: 'smtp' });
    const body = { ...sample(), ...(kind === 'inbound' && { from: 'ada@example.com' }) };
    expect((await callBack(service, 'email', kind, body)).status).toBe(200);
    const raw = 'From: ada@example.com\r\n\r\nHello';
    const headers = { 'content-type': 'message/rfc822', 'x-signature': signatureOf(raw) };
    const line = `POST ${pathOf(service, 'email', kind)}`;
    const { status } = await service.call(line, { key: null, raw, headers });
    expect(status).toBe(kind === 'inbound' ? 200 : 415);
  });

  test('returns the issues of a signed body', async ({ service }) => {
    await setUpBridge(service, 'sms');
    const before = await remains(service);
    for (const [more, path] of [
      [{ externalId: ' ' }, '/externalId'],
      [{ externalId: undefined }, '/externalId'],
      [{ externalId: 'x'.repeat(999) }, '/externalId'],
      [{ externalId: '編' }, '/externalId'],
      [{ unknown: 1 }, '/unknown'],
      [
        { [kind === 'inbound' ? 'timestamp' : 'status']: 'soon' },
        kind === 'inbound' ? '/timestamp' : '/status',
      ],
    ] as const) {
      const { status, body } = await callBack(service, 'sms', kind, { ...sample(), ...more });
      expect(status).toBe(400);
      expect(body.error.details.issues.map((one: { path: string }) => one.path)).toContain(path);
    }
    expect((await callBack(service, 'sms', kind, null)).status).toBe(400);
    expect(await remains(service)).toBe(before);
  });

  test('accepts an id of the maximum length of a Message-ID', async ({ service }) => {
    await setUpBridge(service, 'sms');
    const externalId = Array.from({ length: 998 }, (_, n) =>
      String.fromCharCode(0x400 + ((n * n * 31) % 256)),
    ).join('');
    const { status } = await callBack(service, 'sms', kind, { ...sample(), externalId });
    expect(status).toBe(200);
  });

  test.for([
    ['sms', 1],
    ['email', kind === 'inbound' ? 25 : 1],
  ] as const)('of %s accepts up to %i MiB', async ([channel, mib], { service }) => {
    await setUpBridge(service, channel, { provider: channel === 'email' ? 'smtp' : 'http' });
    const line = `POST ${pathOf(service, channel, kind)}`;
    const from = kind === 'inbound' && channel === 'email' && { from: 'ada@example.com' };
    const sized = (bytes: number) => {
      const raw = JSON.stringify({ ...sample(), ...from }).padEnd(bytes);
      return service.call(line, { key: null, raw, headers: { 'x-signature': signatureOf(raw) } });
    };
    expect((await sized(mib * MIB)).status).toBe(200);
    const { status, body } = await sized(mib * MIB + 1);
    expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(body.error.message).toBe(`the body is larger than ${mib} MiB`);
  });
});

const OPTIONAL = {
  inbound: ['to', 'bodyHtml', 'subject', 'attachments', 'contactName', 'timestamp'],
  status: ['errorCode', 'errorMessage'],
} as const;

test('null counts as left out in the optional members of a bridge, its files included', async ({
  service,
}) => {
  await setUpBridge(service, 'sms');
  const nulls = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
  const first = await brought(service, 'sms', { ...words(), ...nulls(OPTIONAL.inbound) });
  const file = { name: 'note.txt', content: btoa('hello'), url: null, type: null };
  const second = await brought(service, 'sms', { ...words(), attachments: [file] });
  const [thread] = await threadsOf(service);
  const { body } = await service.call(`GET /api/v1/conversations/${thread.id}/messages`);
  expect(body.data.map((row: any) => [row.id, row.attachments.length])).toEqual([
    [second, 1],
    [first, 0],
  ]);
  const receipt = { externalId: 'unknown', status: 'failed', ...nulls(OPTIONAL.status) };
  expect((await callBack(service, 'sms', 'status', receipt)).status).toBe(200);
});

test('the audit trail names the provider', async ({ service }) => {
  await setUpBridge(service, 'sms');
  const id = await brought(service, 'sms', words());
  const rows = await service.database.rows(
    `select operation, actor_kind as kind, actor from audit_entries where record_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ operation: 'callbacks.inbound', kind: 'provider', actor: 'http/sms' }]);
  expect(JSON.stringify(rows)).not.toContain(SECRET);
});
