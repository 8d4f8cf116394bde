import { began, chatsOf, replied, seen, setUpChat } from '../chat/chat.support.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, test } from '../support/service.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

const set = { body: { content: PNG.toString('base64') } };
const bodyOf = (bytes: Buffer) => ({ body: { content: bytes.toString('base64') } });
const PATH = /^\/pictures\/[\da-f-]{36}$/;

describe('the picture of a user', () => {
  test('is theirs in every sub-account, whatever their role', async ({ service }) => {
    const viewer = await signInAs(service, 'viewer');
    const { status, body } = await viewer.call('PUT /console/api/picture', set);
    expect(status).toBe(200);
    expect(body.data.url).toMatch(PATH);
    const session = await viewer.call('GET /console/api/session');
    expect(session.body.data.user.pictureUrl).toBe(body.data.url);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is shown to members of the sub-account, not to others', async ({ service }) => {
    const anna = await signInAs(service, 'agent', 'anna@harbour.example');
    const { body } = await anna.call('PUT /console/api/picture', set);
    const ben = await signInAs(service, 'viewer', 'ben@harbour.example');
    const { data } = (await ben.call('GET /console/api/v1/pictures')).body;
    expect(data).toEqual([{ userId: expect.any(String), url: body.data.url }]);
    const keyless = await service.call('GET /console/api/v1/pictures', { key: null });
    expect(keyless.status).toBe(401);
  });

  test('can be loaded by anybody, as an image and nothing else', async ({ service }) => {
    const anna = await signInAs(service, 'agent');
    const { url } = (await anna.call('PUT /console/api/picture', set)).body.data;
    const response = await fetch(`${service.url}${url}`);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  test('has a new address when it is replaced, and none when it is deleted', async ({
    service,
  }) => {
    const anna = await signInAs(service, 'agent');
    const put = async () => (await anna.call('PUT /console/api/picture', set)).body.data.url;
    const [first, second] = [await put(), await put()];
    expect(second).not.toBe(first);
    expect((await fetch(`${service.url}${first}`)).status).toBe(404);
    expect((await anna.call('DELETE /console/api/picture')).status).toBe(200);
    expect((await fetch(`${service.url}${second}`)).status).toBe(404);
    expect((await anna.call('GET /console/api/session')).body.data.user.pictureUrl).toBeNull();
    expect((await anna.call('DELETE /console/api/picture')).status).toBe(200);
  });

  test.for([
    ['a script in an image', SVG, 415],
    ['text', Buffer.from('Hello'), 415],
    ['a GIF, which moves', Buffer.from('GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;'), 415],
    ['65 KiB', Buffer.concat([PNG, Buffer.alloc(65_536)]), 413],
  ] as const)('is refused: %s', async ([, bytes, status], { service }) => {
    const anna = await signInAs(service, 'agent');
    const response = await anna.call('PUT /console/api/picture', bodyOf(bytes));
    expect(response.status).toBe(status);
    expect((await anna.call('GET /console/api/session')).body.data.user.pictureUrl).toBeNull();
  });

  test('is shown to visitors beside the replies of that user alone', async ({ service }) => {
    await setUpChat(service);
    const sessionId = await began(service);
    const [{ id }] = await chatsOf(service);
    const anna = await signInAs(service, 'agent', 'anna@harbour.example');
    const ben = await signInAs(service, 'agent', 'ben@harbour.example');
    const { url } = (await anna.call('PUT /console/api/picture', set)).body.data;
    const body = { channel: 'live_chat', bodyText: 'Hello' };
    await anna.call(`POST /console/api/v1/conversations/${id}/messages`, { body });
    await replied(service, id, 'By a bot');
    await ben.call(`POST /console/api/v1/conversations/${id}/messages`, { body });
    const pictures = async () =>
      (await seen(service, sessionId)).map(({ senderPictureUrl }) => senderPictureUrl);
    expect(await pictures()).toEqual([url, null, null]);
    await anna.call('DELETE /console/api/picture');
    expect(await pictures()).toEqual([null, null, null]);
  });
});
