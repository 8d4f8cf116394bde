import { expect, onTestFinished, vi } from 'vitest';
import {
  IMAP_PASSWORD,
  IMAP_USER,
  startImapServer,
  type ImapServer,
} from '../../support/imap-server.ts';
import { ingest } from '../../../src/conversations/inbound/ingest.ts';
import { parseMail } from '../../../src/conversations/mailbox/parse-safely.ts';
import type { ChannelSetup } from '../../../src/conversations/channels/channel.store.ts';
import { OPERATOR, type TestService } from '../../support/service.ts';
import { smtp, type Sending } from '../sending.support.ts';

/** A channel setup with the settings that parsing needs. */
export const DESK = {
  subAccountId: 'harbour',
  id: 'desk',
  settings: { from: 'Harbour <hello@harbour.example>', replyTo: 'desk@harbour.example' },
} as unknown as ChannelSetup;

/** Parses and ingests a mail and returns the id of its message. */
export async function arrives(
  { transact, subAccountId }: Pick<TestService, 'transact' | 'subAccountId'>,
  raw: string,
): Promise<string | null> {
  const content = await parseMail(Buffer.from(raw), DESK);
  return transact(subAccountId, OPERATOR, (work) => ingest(work, 'email', content));
}

/** Long, because servers, workers and mailboxes start meanwhile on a busy machine. */
export const WAIT = { timeout: 60_000, interval: 50 };

export async function imapServer(
  options?: Parameters<typeof startImapServer>[0],
): Promise<ImapServer> {
  const server = await startImapServer(options);
  onTestFinished(server.close);
  return server;
}

/** A channel that sends by one local server and fetches from another. */
export const mailing = (smtpPort: number, { port }: Pick<ImapServer, 'port'>, imap: object = {}) =>
  smtp(smtpPort, {
    imap: {
      host: '127.0.0.1',
      port,
      secure: false,
      user: IMAP_USER,
      password: IMAP_PASSWORD,
      ...imap,
    },
  });

/** Builds a mail of headers, an empty line and a text. */
export const mime = (
  headers: Readonly<Record<string, string>>,
  text = 'Yes, Tuesday is fine',
): string =>
  `${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n')}\r\n\r\n${text}\r\n`;

/** A mail from Ada; each has a Message-ID of its own. */
export const fromAda = (more: Readonly<Record<string, string>> = {}, text?: string): string =>
  mime(
    {
      From: 'Ada Lovelace <ada@example.com>',
      To: IMAP_USER,
      Subject: 'Re: Your visit',
      'Message-ID': `<${crypto.randomUUID()}@example.com>`,
      ...more,
    },
    text,
  );

export interface MailRow {
  readonly id: string;
  readonly conversationId: string;
  readonly direction: string;
  readonly bodyText: string;
  readonly fromAddress: string | null;
  readonly externalId: string | null;
  readonly createdAt: Date;
}

/** Returns all messages of the sub-account, ordered by id. */
export const mails = ({ database, subAccountId }: Pick<Sending, 'database' | 'subAccountId'>) =>
  database.rows<MailRow>(
    `select id, conversation_id as "conversationId", direction, body_text as "bodyText",
       from_address as "fromAddress", external_id as "externalId", created_at as "createdAt"
     from messages where sub_account_id = $1 order by id`,
    [subAccountId],
  );

/** Waits for this many inbound messages and returns their texts. */
export async function cameIn(sending: Sending, count: number): Promise<string[]> {
  const texts = async () =>
    (await mails(sending))
      .filter(({ direction }) => direction === 'inbound')
      .map(({ bodyText }) => bodyText);
  await vi.waitFor(async () => expect(await texts()).toHaveLength(count), WAIT);
  return texts();
}

/** Waits until a worker reads the mailbox and has reached its end. */
export async function attended({ database, subAccountId }: Sending, uid?: number): Promise<void> {
  await vi.waitFor(async () => {
    const [row] = await database.rows<{ lastUid: number; place: string | null }>(
      'select last_uid as "lastUid", place from mailboxes where sub_account_id = $1',
      [subAccountId],
    );
    expect(row?.place).toEqual(expect.any(String));
    expect(row?.lastUid).toEqual(uid ?? expect.any(Number));
  }, WAIT);
}
