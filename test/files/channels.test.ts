import { describe, expect, test, vi } from 'vitest';
import type { Channel } from '../../src/contacts/channels.ts';
import { writeMessage } from '../../src/conversations/messages/write-message.ts';
import { openConversation } from '../../src/conversations/threads/open-conversation.ts';
import { receiveMessage } from '../../src/conversations/inbound/receive-message.ts';
import { insertFile, storeFile } from '../../src/files/store-file.ts';
import { newId } from '#lib/id.ts';
import { readMail } from '../../src/conversations/mailbox/read-mail.ts';
import { WAIT } from '../support/deliveries.ts';
import { OPERATOR } from '../support/service.ts';
import {
  answering,
  bridge,
  mailServer,
  sink,
  smtp,
  startSending,
} from '../conversations/sending.support.ts';
import { HTML, PNG } from './files.support.ts';

type Sending = Awaited<ReturnType<typeof startSending>>;

/** Uploads a PNG as the API does and returns its id. */
async function uploadTo({ transact, tools, subAccountId }: Sending, name: string) {
  const context = {
    files: tools.files,
    subAccountId,
    change: (one: any) => transact(subAccountId, OPERATOR, one),
  };
  const given = { name, type: 'image/png', bytes: PNG };
  const stored = await storeFile(context, given, newId(new Date()));
  await transact(subAccountId, OPERATOR, (work) => insertFile(work, stored));
  return stored.id;
}

/** Sends a file to the contact and returns the id of the message. */
async function sendFile(sending: Sending, channel: Channel, bodyText = '', name = 'x-ray.png') {
  const { transact, subAccountId, contactId, database } = sending;
  const file = await uploadTo(sending, name);
  const { id } = await transact(subAccountId, OPERATOR, (work) =>
    openConversation(work, { contactId, channel }),
  );
  const subject = channel === 'email' ? { subject: 'Your x-ray' } : {};
  const input = { channel, bodyText, attachmentIds: [file], ...subject };
  await transact(subAccountId, OPERATOR, (work) => writeMessage(work, id, input));
  const [row] = await database.rows<{ id: string }>(
    'select message_id as id from files where id = $1',
    [file],
  );
  return row!.id;
}

/** The row of the only file of a message. */
const fileOf = async ({ database }: Sending, messageId: string) => {
  const [row] = await database.rows<any>(
    `select id, content_id as "contentId", state, name, type, size, refused from files
     where message_id = $1`,
    [messageId],
  );
  return row;
};

describe('a file that is sent', () => {
  test('is an attachment of a mail', async () => {
    const server = await mailServer();
    const sending = await startSending();
    await sending.setUp(smtp(server.port));
    const id = await sendFile(sending, 'email', 'Here it is', 'Röntgen.png');
    await sending.startWorker();
    expect(await sending.settled(id)).toMatchObject({ status: 'sent' });
    const [mail] = server.mails;
    const { attachments, text } = await readMail(Buffer.from(mail!.raw));
    expect(text?.trim()).toBe('Here it is');
    expect(attachments).toMatchObject([{ filename: 'Röntgen.png', mimeType: 'image/png' }]);
    expect(Buffer.from(attachments[0]!.content as ArrayBuffer).equals(PNG)).toBe(true);
  });

  test('is a signed link for a bridge', async () => {
    const to = await sink();
    answering(to, [JSON.stringify({ externalId: 'b-1' })]);
    const sending = await startSending();
    await sending.setUp(bridge(to));
    const id = await sendFile(sending, 'social_dm');
    await sending.startWorker();
    expect(await sending.settled(id)).toMatchObject({ status: 'sent', externalId: 'b-1' });
    const [request] = await to.next(1);
    const { attachments } = JSON.parse(String(request!.body));
    expect(attachments).toEqual([
      {
        name: 'x-ray.png',
        type: 'image/png',
        url: expect.stringMatching(/^http:\/\/localhost:8080\/files\/[\w-]{64}\?expires=\d+$/),
      },
    ]);
  });

  test('is MediaUrl for Twilio', async () => {
    const to = await sink();
    answering(to, [JSON.stringify({ sid: 'MM1', status: 'queued' })]);
    const sending = await startSending();
    await sending.setUp({
      sms: {
        provider: 'twilio',
        accountSid: 'AC0123456789',
        authToken: 'auth-token',
        from: '+4930999999',
        apiBaseUrl: to.url,
      },
    });
    await sendFile(sending, 'sms', 'See');
    await sending.startWorker();
    const [request] = await to.next(1);
    const form = new URLSearchParams(String(request!.body));
    expect(form.get('Body')).toBe('See');
    expect(form.getAll('MediaUrl')).toEqual([expect.stringContaining('/files/')]);
  });

  test('fails its message if the storage lost it', async () => {
    const server = await mailServer();
    const sending = await startSending();
    await sending.setUp(smtp(server.port));
    const id = await sendFile(sending, 'email');
    const { contentId } = await fileOf(sending, id);
    const { subAccountId, tools } = sending;
    await tools.files.remove({ subAccountId, id: contentId });
    await sending.startWorker();
    expect(await sending.settled(id)).toMatchObject({
      status: 'failed',
      errorCode: 'file_missing',
    });
    expect(server.mails).toHaveLength(0);
  });

  test('is refused where the channel cannot carry it', async () => {
    const to = await sink();
    const sending = await startSending();
    const { sms, messenger } = {
      sms: bridge(to).social_dm,
      messenger: {
        provider: 'meta',
        pageId: '1',
        accessToken: 't',
        appSecret: 's',
        verifyToken: 'v',
      },
    };
    await sending.setUp({ sms, messenger });
    await expect(sendFile(sending, 'sms')).rejects.toThrow('cannot carry files');
    await sending.wrote('messenger', 'psid-1');
    await expect(sendFile(sending, 'messenger', 'Both')).rejects.toThrow('a text or a file');
  });
});

describe('a file at a provider', () => {
  /** Receives an MMS with one medium at this address. */
  const receive = async (sending: Sending, url: string) =>
    sending.transact(sending.subAccountId, OPERATOR, (work) =>
      receiveMessage(work, 'sms', {
        externalId: `MM${crypto.randomUUID()}`,
        from: '+4930777777',
        bodyText: '',
        attachments: [{ url, name: 'media-1', type: 'image/png' }],
      }),
    );

  const settledFile = async (sending: Sending, id: string) => {
    await vi.waitFor(
      async () => expect((await fileOf(sending, id)).state).not.toBe('pending'),
      WAIT,
    );
    return fileOf(sending, id);
  };

  async function startWithTwilio() {
    const api = await sink();
    const sending = await startSending();
    await sending.setUp({
      sms: {
        provider: 'twilio',
        accountSid: 'AC0123456789',
        authToken: 'auth-token',
        from: '+4930999999',
        apiBaseUrl: api.url,
      },
    });
    return { api, sending };
  }

  test('is fetched with the credentials, which a redirect does not get', async () => {
    const { api, sending } = await startWithTwilio();
    const content = await sink();
    api.answer = (_, response) => response.writeHead(307, { location: `${content.url}/c` }).end();
    content.answer = (_, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
    const id = await receive(sending, `${api.url}/Media/ME1`);
    await sending.startWorker();
    expect(await settledFile(sending, id)).toMatchObject({
      state: 'stored',
      name: 'media-1.png',
      type: 'image/png',
      size: PNG.length,
    });
    expect(api.requests[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from('AC0123456789:auth-token').toString('base64')}`,
    );
    expect(content.requests[0]?.headers.authorization).toBeUndefined();
  });

  test('shows why it is missing if its content is not accepted, or is gone', async () => {
    const { api, sending } = await startWithTwilio();
    api.answer = (request, response) =>
      request.url === '/html'
        ? response.writeHead(200, { 'content-type': 'image/png' }).end(HTML)
        : response.writeHead(410).end();
    const hostile = await receive(sending, `${api.url}/html`);
    const gone = await receive(sending, `${api.url}/gone`);
    await sending.startWorker();
    expect(await settledFile(sending, hostile)).toMatchObject({
      state: 'refused',
      refused: 'files of this type are not accepted',
    });
    expect(await settledFile(sending, gone)).toMatchObject({
      state: 'refused',
      refused: 'the file could not be fetched from its provider',
    });
  });
});
