import { began, chatsOf, seen, setUpChat, visit } from '../chat/chat.support.ts';
import {
  callBack,
  setUpBridge,
  signatureOf,
  pathOf,
  words,
} from '../conversations/inbound/callbacks.support.ts';
import { messagesOf } from '../conversations/conversations.support.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { download, HTML, PDF, PNG, uploaded, uploadToChat } from './files.support.ts';

async function chat(service: TestService): Promise<string> {
  await setUpChat(service);
  return began(service);
}

const say = (service: TestService, sessionId: string, body: object) =>
  visit(service, 'POST /api/chat/message', { sessionId, message: '', ...body });

describe('a visitor', () => {
  test('sends files, which the team sees with the event', async ({ service }) => {
    const sessionId = await chat(service);
    const file = await uploadToChat(service, sessionId);
    expect(file.status).toBe(201);
    const { id } = file.body.data;
    await service.events();
    const sent = await say(service, sessionId, { attachmentIds: [id] });
    expect(sent.body.data.attachments).toEqual([file.body.data]);
    const [event] = await service.events();
    const shown = { id, name: 'tooth.png', type: 'image/png', size: PNG.length };
    expect(event).toMatchObject({
      name: 'message.received',
      data: { bodyText: '', attachments: [{ ...shown, url: `/api/v1/files/${id}` }] },
    });
    const [thread] = await chatsOf(service);
    expect((await messagesOf(service, thread.id))[0].attachments).toMatchObject([shown]);
    expect((await download(service, `/api/v1/files/${id}`)).bytes.equals(PNG)).toBe(true);
  });

  test('opens files by signed links that expire and cannot be altered', async ({ service }) => {
    const sessionId = await chat(service);
    const { url } = (await uploadToChat(service, sessionId)).body.data;
    const found = await download(service, url, null);
    expect(found.status).toBe(200);
    expect(found.headers.get('content-security-policy')).toContain('sandbox');
    expect(found.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const { pathname, searchParams } = new URL(url, service.url);
    const expires = Number(searchParams.get('expires'));
    const altered = [
      `${pathname}?expires=${expires + 3_600}`,
      pathname,
      `${pathname.replace(/.$/, pathname.endsWith('A') ? 'B' : 'A')}?expires=${expires}`,
      `/files/${'A'.repeat(64)}?expires=${expires}`,
    ];
    for (const path of altered) {
      expect((await download(service, path, null)).status, path).toBe(404);
    }
    service.clock.advance(25 * 3_600_000);
    expect((await download(service, url, null)).status).toBe(404);
    service.clock.advance(-25 * 3_600_000);
  });

  test('loses an upload that no message has with the contact', async ({ service }) => {
    const sessionId = await chat(service);
    await say(service, sessionId, { message: 'Hello' });
    const { url } = (await uploadToChat(service, sessionId)).body.data;
    const [{ contactId }] = await chatsOf(service);
    await service.call(`DELETE /api/v1/contacts/${contactId}`);
    expect((await download(service, url, null)).status).toBe(404);
  });

  test('sees a page if a link of a file has expired; a program gets JSON', async ({ service }) => {
    const sessionId = await chat(service);
    const { url } = (await uploadToChat(service, sessionId)).body.data;
    service.clock.advance(25 * 3_600_000);
    for (const path of [url, '/files/nonsense', '/calendar/nonsense.ics']) {
      const inBrowser = await fetch(new URL(path, service.url), {
        headers: { accept: 'text/html,*/*', 'accept-language': 'de' },
      });
      expect([inBrowser.status, inBrowser.headers.get('content-type')]).toEqual([
        404,
        'text/html; charset=utf-8',
      ]);
      expect(await inBrowser.text()).toContain('Diese Seite gibt es nicht');
      const program = await fetch(new URL(path, service.url));
      expect([program.status, program.headers.get('content-type')]).toEqual([
        404,
        'application/json; charset=utf-8',
      ]);
    }
    service.clock.advance(-25 * 3_600_000);
  });

  test('cannot use files of another visitor or of the team', async ({ service }) => {
    const sessionId = await chat(service);
    const other = (await uploadToChat(service, await began(service, { visitorName: 'Eve' }))).body
      .data.id;
    for (const id of [other, await uploaded(service), crypto.randomUUID()]) {
      expect((await say(service, sessionId, { attachmentIds: [id] })).status).toBe(400);
    }
    expect(await seen(service, sessionId)).toEqual([]);
  });

  test('cannot upload without a chat, nor what is not accepted', async ({ service }) => {
    const sessionId = await chat(service);
    expect((await uploadToChat(service, 'x'.repeat(43))).status).toBe(404);
    expect((await uploadToChat(service, sessionId, { bytes: HTML })).status).toBe(415);
    expect((await uploadToChat(service, sessionId, { bytes: PDF })).status).toBe(201);
  });

  test('can upload ten files before sending them', async ({ service }) => {
    const sessionId = await chat(service);
    const ids: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      ids.push((await uploadToChat(service, sessionId)).body.data.id);
    }
    const more = await uploadToChat(service, sessionId);
    expect([more.status, more.body.error.details.reason]).toEqual([429, 'files_waiting']);
    expect((await say(service, sessionId, { attachmentIds: ids })).status).toBe(201);
    expect((await uploadToChat(service, sessionId)).status).toBe(201);
  });

  test('sees the files of the team, but not those of notes', async ({ service }) => {
    const sessionId = await chat(service);
    await say(service, sessionId, { message: 'Hello' });
    const [thread] = await chatsOf(service);
    const send = async (isInternal: boolean) =>
      service.call(`POST /api/v1/conversations/${thread.id}/messages`, {
        body: {
          channel: 'live_chat',
          bodyText: '',
          isInternal,
          attachmentIds: [await uploaded(service)],
        },
      });
    await send(true);
    await send(false);
    const rows = await seen(service, sessionId);
    expect(rows.map(({ attachments }) => attachments.length)).toEqual([0, 1]);
    expect((await download(service, rows[1].attachments[0].url, null)).status).toBe(200);
  });
});

describe('a bridge', () => {
  test('sends files as content or by URL; a refused one leaves its reason', async ({ service }) => {
    await setUpBridge(service, 'social_dm');
    const attachments = [
      { name: 'a.png', content: PNG.toString('base64') },
      { name: '../b.html', type: 'text/html', content: HTML.toString('base64') },
      { name: 'c.pdf', url: 'https://files.example/c.pdf' },
    ];
    const body = { ...words(), attachments };
    const { status, body: answer } = await callBack(service, 'social_dm', 'inbound', body);
    expect(status).toBe(200);
    const event = (await service.events()).find(({ name }) => name === 'message.received');
    const { messageId, conversationId } = event!.data;
    expect(messageId).toBe(answer.data.messageId);
    const [message] = await messagesOf(service, conversationId);
    expect(message.attachments).toEqual(event!.data.attachments);
    expect(message.attachments).toMatchObject([
      { name: 'a.png', type: 'image/png', size: PNG.length, refused: null },
      {
        name: 'b.html',
        type: 'text/html',
        size: HTML.length,
        url: null,
        refused: 'files of this type are not accepted',
      },
      { name: 'c.pdf', size: null, url: null, refused: null },
    ]);
  });

  test('gets 400 for a file with neither, both, or broken base64', async ({ service }) => {
    await setUpBridge(service, 'social_dm');
    for (const file of [
      { name: 'a' },
      { name: 'a', content: 'QUJD', url: 'https://files.example/a' },
      { name: 'a', content: '<html>' },
      { name: '', content: 'QUJD' },
    ]) {
      const body = { ...words(), attachments: [file] };
      const answer = await callBack(service, 'social_dm', 'inbound', body);
      expect(answer.status).toBe(400);
      expect(answer.body.error.details.issues[0].path).toMatch(/^\/attachments\/0/);
    }
  });

  test('stores a repeated message and its files once', async ({ service }) => {
    await setUpBridge(service, 'social_dm');
    const attachments = [{ name: 'a.png', content: PNG.toString('base64') }];
    const body = { ...words(), attachments };
    await callBack(service, 'social_dm', 'inbound', body);
    await callBack(service, 'social_dm', 'inbound', body);
    const rows = await service.database.rows('select from files where sub_account_id = $1', [
      service.subAccountId,
    ]);
    expect(rows).toHaveLength(1);
  });
});

describe('a raw mail', () => {
  test('keeps its attachments as files of the message', async ({ service }) => {
    await setUpBridge(service, 'email');
    const lines = [
      'From: Ada <ada@example.com>',
      'Message-ID: <1@example.com>',
      'Content-Type: multipart/mixed; boundary=a',
      '',
      '--a',
      'Content-Type: text/plain',
      '',
      'See the x-ray',
      '--a',
      'Content-Type: image/png; name="x-ray.png"',
      'Content-Disposition: attachment; filename="x-ray.png"',
      'Content-Transfer-Encoding: base64',
      '',
      PNG.toString('base64'),
      '--a--',
      '',
    ];
    const raw = lines.join('\r\n');
    const headers = { 'content-type': 'message/rfc822', 'x-signature': signatureOf(raw) };
    const line = `POST ${pathOf(service, 'email', 'inbound')}`;
    expect((await service.call(line, { key: null, raw, headers })).status).toBe(200);
    const event = (await service.events()).find(({ name }) => name === 'message.received');
    expect(event?.data).toMatchObject({
      bodyText: 'See the x-ray',
      attachments: [{ name: 'x-ray.png', type: 'image/png', size: PNG.length, refused: null }],
    });
    const found = await download(service, event!.data.attachments[0].url);
    expect(found.bytes.equals(PNG)).toBe(true);
  });
});
