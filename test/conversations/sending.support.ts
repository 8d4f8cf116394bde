import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { createContact } from '../../src/contacts/create-contact.ts';
import type { Channel } from '../../src/contacts/channels.ts';
import { isMail } from '../../src/conversations/threads/conversation.schema.ts';
import { openConversation } from '../../src/conversations/threads/open-conversation.ts';
import { receiveMessage } from '../../src/conversations/inbound/receive-message.ts';
import { writeMessage } from '../../src/conversations/messages/write-message.ts';
import type { Installation } from '../support/command-line.ts';
import { startDelivering, WAIT, type Delivering } from '../support/deliveries.ts';
import { startSink, type Sink } from '../support/https-sink.ts';
import { startMailServer, type MailServer } from '../support/mail-server.ts';
import { apply } from '../support/manifest.ts';
import { OPERATOR, type TestService } from '../support/service.ts';

export const SECRET = 'bridge secret of 25 bytes';
export const PHONE = '+4930123456';
const KEY = randomBytes(32).toString('base64');

/** A sub-account whose messages a worker sends to providers on this machine. */
export interface Sending extends Delivering {
  readonly subAccountId: string;
  readonly contactId: string;
  setUp(channels: object): Promise<void>;
  /** Writes a message to the contact and returns its id. */
  write(channel: Channel, text?: string, bodyHtml?: string): Promise<string>;
  /** Receives a message from a new sender and returns the id of its conversation. */
  wrote(channel: Channel, from: string, timestamp?: number): Promise<string>;
  /** Replies in a conversation and returns the id of the message. */
  reply(conversationId: string, channel: Channel, text?: string): Promise<string>;
  /** Waits until the message is no longer pending and returns it. */
  settled(id: string): Promise<MessageRow>;
  message(id: string): Promise<MessageRow>;
  /** Returns the names and data of all events about messages, oldest first. */
  fired(): Promise<{ name: string; data: any }[]>;
}

interface MessageRow {
  readonly status: string;
  readonly externalId: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

/** Default: two more attempts, 50 ms apart. */
export async function startSending(
  variables: Readonly<Record<string, string>> = {},
  clock?: () => Date,
) {
  const service = await startDelivering(
    { FRONTDESK_SECRET_KEY: KEY, FRONTDESK_SEND_RETRIES: '50ms,50ms', ...variables },
    clock,
  );
  return addSending(service);
}

/** Adds a sub-account to the service. */
export async function addSending(service: Delivering) {
  const subAccountId = await service.subAccount();
  const contact = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: PHONE,
  };
  const { id: contactId } = await service.transact(subAccountId, OPERATOR, (work) =>
    createContact(work, contact),
  );
  const cast = { subAccountId, contactId };
  return { ...service, ...cast, ...actsOf(service, cast) } satisfies Sending;
}

function actsOf(
  service: Delivering,
  { subAccountId, contactId }: Pick<Sending, 'subAccountId' | 'contactId'>,
) {
  const message = async (id: string): Promise<MessageRow> => {
    const [row] = await service.database.rows<MessageRow>(MESSAGE, [id]);
    return row!;
  };
  return {
    message,
    async setUp(channels: object) {
      const to = { ...service, subAccountId, actor: OPERATOR } as unknown as TestService;
      await apply(to, { channels }, { variables: { FRONTDESK_SECRET_KEY: KEY } });
    },
    async wrote(channel: Channel, from: string, timestamp = Date.now()) {
      const message = { externalId: `in-${from}`, from, bodyText: 'Hello', timestamp };
      const id = await service.transact(subAccountId, OPERATOR, (work) =>
        receiveMessage(work, channel, message),
      );
      const [thread] = await service.database.rows<{ id: string }>(THREAD, [id]);
      return thread!.id;
    },
    async reply(id: string, channel: Channel, bodyText = 'See you on Tuesday') {
      await service.transact(subAccountId, OPERATOR, (work) =>
        writeMessage(work, id, { channel, bodyText }),
      );
      const [written] = await service.database.rows<{ id: string }>(NEWEST, [id]);
      return written!.id;
    },
    async write(channel: Channel, bodyText = 'See you on Tuesday', html?: string) {
      const subject = isMail(channel) ? { subject: 'Your visit' } : {};
      const bodyHtml = html === undefined ? {} : { bodyHtml: html };
      const { id } = await service.transact(subAccountId, OPERATOR, (work) =>
        openConversation(work, { contactId, channel }),
      );
      await service.transact(subAccountId, OPERATOR, (work) =>
        writeMessage(work, id, { channel, bodyText, ...subject, ...bodyHtml }),
      );
      const [written] = await service.database.rows<{ id: string }>(NEWEST, [id]);
      return written!.id;
    },
    async settled(id: string) {
      await vi.waitFor(async () => expect((await message(id)).status).not.toBe('pending'), WAIT);
      return message(id);
    },
    fired: () => service.database.rows<{ name: string; data: any }>(FIRED, [subAccountId]),
  };
}

const THREAD = 'select conversation_id as id from messages where id = $1';
const NEWEST = 'select id from messages where conversation_id = $1 order by id desc limit 1';

const MESSAGE = `select status, external_id as "externalId", error_code as "errorCode",
    error_message as "errorMessage" from messages where id = $1`;

/** Events may still be in the outbox or already published. */
const FIRED = `select name, data
  from (
    select sub_account_id, id, name, data from outbox
    union all select sub_account_id, id, name, data from events
  ) as fired
  where sub_account_id = $1 and name like 'message.%' order by id`;

/** Sets channels up in an installation of real processes. */
export async function setUpChannels(
  { admin, subAccountId }: Pick<Installation, 'admin' | 'subAccountId'>,
  channels: object,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-channels-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'channels.json');
  await writeFile(file, JSON.stringify({ channels }));
  expect((await admin('apply', '-f', file, '--sub-account', subAccountId)).code).toBe(0);
}

export async function sink(): Promise<Sink> {
  const started = await startSink();
  onTestFinished(started.close);
  return started;
}

/** Sends these responses in order and repeats the last one: a status, or the body of a 200. */
export function answering(to: Sink, answers: readonly (number | string)[]): void {
  let asked = 0;
  to.answer = (_, response) => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? 200;
    asked += 1;
    response.statusCode = typeof answer === 'number' ? answer : 200;
    response.end(typeof answer === 'number' ? 'no' : answer);
  };
}

export async function mailServer(
  options?: Parameters<typeof startMailServer>[0],
): Promise<MailServer & { readonly port: number }> {
  const server = await startMailServer(options);
  onTestFinished(server.close);
  return { ...server, port: Number(new URL(server.url).port) };
}

export const smtp = (port: number, more: object = {}) => ({
  email: {
    provider: 'smtp',
    host: '127.0.0.1',
    port,
    from: 'Harbour, Dental <hello@harbour.example>',
    ...more,
  },
});

export const bridge = ({ url }: Sink, more: object = {}) => ({
  social_dm: { provider: 'http', apiBaseUrl: `${url}/send`, secret: SECRET, ...more },
});
