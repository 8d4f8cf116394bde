import { describe, expect, test, type TestService } from '../../support/service.ts';
import { inbound, messagesOf, newThread, post } from '../conversations.support.ts';

const page = async ({ call }: TestService, id: string, query = '') => {
  const { status, body } = await call(`GET /api/v1/conversations/${id}/messages${query}`);
  expect(status).toBe(200);
  return body;
};

const NOTE = { channel: 'email', isInternal: true };

describe('GET /api/v1/conversations/{id}/messages', () => {
  test('lists its own messages newest first, without a total', async ({ service }) => {
    const { id } = await newThread(service);
    const other = await newThread(service, 'email', {});
    await inbound(service, other.id);
    const received = await inbound(service, id);
    const note = (await post(service, id, { ...NOTE, bodyText: 'Call her' })).body.data;
    const { data, meta } = await page(service, id);
    expect(meta).toEqual({ hasMore: false, cursor: null });
    expect(data).toEqual([
      note,
      {
        id: received,
        conversationId: id,
        channel: 'email',
        direction: 'inbound',
        bodyText: 'Hello',
        bodyHtml: null,
        status: 'delivered',
        fromAddress: 'ada@example.com',
        toAddress: null,
        subject: null,
        isInternal: false,
        attachments: [],
        externalId: received,
        errorCode: null,
        errorMessage: null,
        authorId: null,
        authorName: null,
        createdAt: expect.stringMatching(/Z$/),
      },
    ]);
  });

  test('of an empty conversation is an empty list', async ({ service }) => {
    const { id } = await newThread(service);
    expect(await page(service, id)).toEqual({ data: [], meta: { hasMore: false, cursor: null } });
  });

  test('has fewer large messages on a page and skips none', async ({ service }) => {
    const { id } = await newThread(service);
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      ids.unshift(await inbound(service, id));
    }
    await service.database.rows(
      `update messages set body_html = repeat('x', 1900000) where conversation_id = $1`,
      [id],
    );
    const idsOf = ({ data }: any): string[] => data.map((one: any) => one.externalId);
    const first = await page(service, id);
    expect([idsOf(first), first.meta.hasMore]).toEqual([ids.slice(0, 2), true]);
    const second = await page(service, id, `?cursor=${first.meta.cursor}`);
    expect([idsOf(second), second.meta.hasMore]).toEqual([ids.slice(2, 4), true]);
    const third = await page(service, id, `?cursor=${second.meta.cursor}`);
    expect([idsOf(third), third.meta]).toEqual([ids.slice(4), { hasMore: false, cursor: null }]);
  });

  test('of an unknown conversation is 404', async ({ service }) => {
    const { id, contactId } = await newThread(service);
    await inbound(service, id);
    await service.call(`DELETE /api/v1/contacts/${contactId}`);
    for (const gone of [id, crypto.randomUUID(), 'malformed']) {
      const { status } = await service.call(`GET /api/v1/conversations/${gone}/messages`);
      expect(status).toBe(404);
    }
  });

  test('pages return each message once while more arrive', async ({ service }) => {
    const { id } = await newThread(service);
    const texts = Array.from({ length: 12 }, (_, n) => `Note ${n}`);
    for (const bodyText of texts) {
      await post(service, id, { ...NOTE, bodyText });
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { data, meta } = await page(
        service,
        id,
        `?limit=5${cursor ? `&cursor=${cursor}` : ''}`,
      );
      expect(meta).toEqual({ hasMore: meta.cursor !== null, cursor: meta.cursor });
      seen.push(...data.map(({ bodyText }: any) => bodyText));
      ({ cursor } = meta);
      await inbound(service, id);
    } while (cursor);
    expect(seen).toEqual(texts.toReversed());
    expect(await messagesOf(service, id)).toHaveLength(15);
  });

  test('a cursor of another conversation is refused', async ({ service }) => {
    const { id } = await newThread(service);
    const other = await newThread(service, 'email', {});
    await inbound(service, id);
    await inbound(service, id);
    const { meta } = await page(service, id, '?limit=1');
    const path = `/api/v1/conversations/${other.id}/messages?cursor=${meta.cursor}`;
    expect((await service.call(`GET ${path}`)).status).toBe(400);
  });
});
