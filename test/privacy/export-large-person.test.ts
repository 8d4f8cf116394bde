import { buffer } from 'node:stream/consumers';
import { setImmediate as nextCycle } from 'node:timers/promises';
import { pino } from 'pino';
import { onTestFinished, vi } from 'vitest';
import type { View } from '#core/work.ts';
import { listen } from '#platform/process/listen.ts';
import { openHttp } from '../../src/commands/server/http-server.ts';
import { exportPerson } from '../../src/privacy/export-person.ts';
import { enterExport } from '../../src/privacy/limit-exports.ts';
import { findPerson } from '../../src/privacy/person.ts';
import { PDF, uploaded } from '../files/files.support.ts';
import { cyclesDuring } from '../support/cycles.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { openDownloads, readJsonFiles } from './exported-archive.support.ts';

/** Creates a contact with a conversation. */
async function createPerson({ call }: TestService) {
  const contact = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  const id: string = (await call('POST /api/v1/contacts', { body: contact })).body.data.id;
  const body = { contactId: id, channel: 'live_chat' };
  const thread: string = (await call('POST /api/v1/conversations', { body })).body.data.id;
  return { id, thread };
}

/** Adds messages whose text hardly gets smaller, in hundreds of characters each. */
async function addMessages(
  { database, subAccountId }: TestService,
  thread: string,
  sizes: readonly number[],
): Promise<void> {
  await database.rows(
    `insert into messages (sub_account_id, id, conversation_id, channel, direction, body_text,
       status, created_at)
     select $1, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $2, 'live_chat',
       'inbound', (select string_agg(md5(random()::text || k || n), '') from generate_series(1, 3 * size) k),
       'delivered', now()
     from unnest($3::int[]) with ordinality as one (size, n)`,
    [subAccountId, thread, sizes],
  );
}

/** A view that counts what is read: pages of messages, and the largest values of other rows. */
function countingView({ openView, clock, subAccountId }: TestService) {
  const view = openView(subAccountId, clock());
  const read = { pages: 0, largestPage: 0, largestRow: 0 };
  const counting: View = {
    ...view,
    async rows<T extends object>(text: string, values: readonly unknown[]) {
      const rows = await view.rows<T>(text, values);
      read.largestRow = Math.max(read.largestRow, ...rows.map((row) => JSON.stringify(row).length));
      return rows;
    },
    async wirePage(text, values, size) {
      const page = await view.wirePage(text, values, size);
      const bytes = page.rows.reduce((sum, { start, end }) => sum + end - start, 0);
      read.pages += 1;
      read.largestPage = Math.max(read.largestPage, bytes);
      return page;
    },
  };
  return { view: counting, read };
}

async function openExport(service: TestService, sizes: readonly number[]) {
  const { id, thread } = await createPerson(service);
  await addMessages(service, thread, sizes);
  const { view, read } = countingView(service);
  const person = await findPerson(view, { contactId: id });
  return { view, read, person, files: service.tools.files };
}

const many = (count: number, size: number): number[] => Array.from({ length: count }, () => size);

describe('the export of a person with many messages', () => {
  test('reads pages of at most 4 MB, and lets other work run', async ({ service }) => {
    const sizes = [...many(210, 1), ...many(24, 3_000), ...many(210, 30)];
    const { view, read, person, files } = await openExport(service, sizes);
    const exported = exportPerson(view, person, files).then(buffer);
    expect(await cyclesDuring(exported)).toBeGreaterThan(read.pages);
    const json = readJsonFiles(await exported);
    const messages = json['messages.json'] as { readonly bodyText: string }[];
    expect(messages.map(({ bodyText }) => bodyText.length / 96)).toEqual(sizes);
    expect(json['about.json'].rows['messages.json']).toBe(sizes.length);
    expect(read.pages).toBeGreaterThan(5);
    expect(read.largestPage).toBeLessThanOrEqual(4_000_000);
    expect(read.largestRow).toBeLessThan(1_000);
  });

  test('reads no further while its reader does not, nor after it has left', async ({ service }) => {
    const { view, read, person, files } = await openExport(service, many(80, 3_000));
    const archive = await exportPerson(view, person, files);
    for (let cycle = 0; cycle < 3_000; cycle += 1) {
      await nextCycle();
    }
    const before = read.pages;
    expect(before).toBeLessThan(6);
    archive.destroy();
    for (let cycle = 0; cycle < 1_000; cycle += 1) {
      await nextCycle();
    }
    expect(read.pages).toBe(before);
  });

  test('has the lists of the person, whose rows have no id of their own', async ({ service }) => {
    const { database, subAccountId } = service;
    const { view, person, files } = await openExport(service, []);
    const lists = await database.rows<{ id: string }>(
      `insert into lists (sub_account_id, id, key, name, active, created_at, updated_at)
       select $1, gen_random_uuid(), 'list-' || n, 'List', true, now(), now()
       from generate_series(1, 20) n returning id`,
      [subAccountId],
    );
    await database.rows(
      `insert into list_members (sub_account_id, list_id, contact_id, created_at)
       select $1, unnest($2::uuid[]), $3, now()`,
      [subAccountId, lists.map(({ id }) => id), person.contactIds[0]],
    );
    const json = readJsonFiles(await buffer(await exportPerson(view, person, files)));
    const exported = json['lists.json'] as { readonly listId: string }[];
    expect(exported.map(({ listId }) => listId)).toEqual(lists.map(({ id }) => id).toSorted());
  });

  test('fails before its first byte if the first rows cannot be read', async ({ service }) => {
    const { view, person, files } = await openExport(service, many(10, 1));
    const error = new Error('the database is gone');
    const wirePage = () => Promise.reject(error);
    await expect(exportPerson({ ...view, wirePage }, person, files)).rejects.toBe(error);
  });

  test('breaks off at an error in its middle', async ({ service }) => {
    const { view, person, files } = await openExport(service, many(30, 3_000));
    const error = new Error('the database is gone');
    const wirePage = vi
      .fn<View['wirePage']>(view.wirePage)
      .mockImplementationOnce(view.wirePage)
      .mockImplementationOnce(view.wirePage)
      .mockRejectedValueOnce(error);
    const archive = await exportPerson({ ...view, wirePage }, person, files);
    await expect(buffer(archive)).rejects.toBe(error);
  });
});

/** Serves the installation with a file store that fails, and collects the log. */
async function serveBrokenFiles(service: TestService) {
  const lines: any[] = [];
  const log = pino(
    { level: 'warn' },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  const open = () => Promise.reject(new Error('the disk is gone'));
  const files = { ...service.tools.files, open };
  const rate = { limit: 1_000, windowMs: 60_000 };
  const http = openHttp(
    { ...service, log, tools: { ...service.tools, files } },
    {
      rates: { read: rate, write: rate },
      publicRates: {} as never,
      rateStore: 'memory',
      baseUrl: () => service.url,
    },
    [],
  );
  const listener = await listen(http.fetch, { host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await listener.close(1_000);
    await http.close();
  });
  return { url: listener.url, lines };
}

test('a download that breaks off is logged with its request id, and is not complete', async ({
  service,
}) => {
  const { id, thread } = await createPerson(service);
  const attachmentIds = [await uploaded(service, { bytes: PDF, name: 'tooth.pdf' })];
  const body = { channel: 'live_chat', bodyText: '', attachmentIds };
  await service.call(`POST /api/v1/conversations/${thread}/messages`, { body });
  const { url, lines } = await serveBrokenFiles(service);
  const response = await (await openDownloads(service))(id, { url });
  expect(response.status).toBe(200);
  await expect(response.arrayBuffer()).rejects.toThrow('terminated');
  expect(lines).toMatchObject([
    {
      msg: 'download broken off',
      requestId: response.headers.get('x-request-id'),
      err: { message: 'the disk is gone' },
    },
  ]);
});

describe('exports of people', () => {
  test('of one sub-account leave places to others', () => {
    const leave = Array.from({ length: 2 }, () => enterExport('a'));
    const refusal = { code: 'SERVICE_UNAVAILABLE', headers: { 'retry-after': '5' } };
    expect(() => enterExport('a')).toThrow(expect.objectContaining(refusal));
    leave.push(enterExport('b'));
    leave.pop()?.();
    leave.pop()?.();
    leave.push(enterExport('a'));
    leave.forEach((one) => one());
    expect(leave).toHaveLength(2);
  });

  test('give their places back, whether they are read, left or refused', async ({ service }) => {
    const { id } = await createPerson(service);
    const download = await openDownloads(service);
    for (let n = 0; n < 6; n += 1) {
      const [read, head, unknown] = [
        await download(id),
        await download(id, { method: 'HEAD' }),
        await download(service.subAccountId),
      ];
      expect([n, read.status, head.status, unknown.status]).toEqual([n, 200, 200, 404]);
      await read.arrayBuffer();
      await unknown.arrayBuffer();
    }
  });
});
