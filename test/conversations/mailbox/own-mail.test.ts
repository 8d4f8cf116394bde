import {
  setUpCampaigns,
  CAMPAIGN,
  clients,
  recipientsOf,
} from '../../campaigns/campaigns.support.ts';
import { messageIdOf } from '../../../src/conversations/mailbox/mail-thread.ts';
import { newId } from '#lib/id.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { MAIL, newThread, post, setUpChannel } from '../conversations.support.ts';
import { arrives, fromAda, mails } from './mail.support.ts';

const SUPPORT = 'Support <support@harbour.example>';

/** A copy of a mail that a sub-account of this domain has sent, after its sender was rewritten. */
const copyOf = (id: string, more: Readonly<Record<string, string>> = {}): string =>
  fromAda({ From: SUPPORT, 'Message-ID': messageIdOf(id, SUPPORT.slice(0, -1)), ...more });

/** The other sub-account of the installation: its mails have the same domain. */
const other = (service: TestService) => ({ ...service, subAccountId: service.otherSubAccountId });

/** Returns the names of all events of a sub-account. */
const eventsOf = async ({
  database,
  subAccountId,
}: Pick<TestService, 'database' | 'subAccountId'>) => {
  const rows = await database.rows<{ name: string }>(
    `select name from (
       select id, name from outbox where sub_account_id = $1
       union all select id, name from events where sub_account_id = $1
     ) as fired order by id`,
    [subAccountId],
  );
  return rows.map(({ name }) => name);
};

/** Writes a message in the conversation of a contact, and returns its id. */
async function written(service: TestService): Promise<string> {
  await setUpChannel(service, 'email');
  const { id } = await newThread(service);
  const messageId = (await post(service, id, MAIL)).body.data.id as string;
  await service.events();
  return messageId;
}

describe('a mail with a Message-ID of Frontdesk', () => {
  test('is stored if another sub-account of the same domain has sent it', async ({ service }) => {
    const id = await written(service);
    const stored = await arrives(other(service), copyOf(id));
    expect(stored).toEqual(expect.any(String));
    expect(await mails(other(service))).toMatchObject([
      { id: stored, direction: 'inbound', fromAddress: 'support@harbour.example' },
    ]);
    const fired = ['contact.created', 'message.received'];
    expect(await eventsOf(other(service))).toEqual(fired);
    expect(await arrives(other(service), copyOf(id))).toBe(stored);
    expect(await eventsOf(other(service))).toEqual(fired);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is ignored as a copy of a message of this sub-account, before and after it is accepted', async ({
    service,
  }) => {
    const id = await written(service);
    expect(await arrives(service, copyOf(id))).toBeNull();
    await service.database.rows('update messages set external_id = $2 where id = $1', [
      id,
      messageIdOf(id, SUPPORT),
    ]);
    expect(await arrives(service, copyOf(id))).toBeNull();
    expect(
      await arrives(service, copyOf(id, { 'Message-ID': `<${id}@relay.example>` })),
    ).toBeNull();
    expect(await mails(service)).toMatchObject([{ id, direction: 'outbound' }]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is ignored as a copy of a campaign mail of this sub-account', async ({ service }) => {
    await setUpCampaigns(service);
    await clients(service, ['ada@example.com']);
    const { id } = (await service.call('POST /api/v1/campaigns', { body: CAMPAIGN })).body.data;
    await service.call(`POST /api/v1/campaigns/${id}/send`);
    const [recipient] = await recipientsOf(service, id);
    await service.events();
    expect(await arrives(service, copyOf(recipient?.id ?? ''))).toBeNull();
    expect(await service.eventNames()).toEqual([]);
    expect(await arrives(other(service), copyOf(recipient?.id ?? ''))).toEqual(expect.any(String));
  });

  test('is stored if no message has its id', async ({ service }) => {
    expect(await arrives(service, copyOf(newId(new Date())))).toEqual(expect.any(String));
  });

  test('is ignored if it is automatic or sent to many, so that no loop starts', async ({
    service,
  }) => {
    const id = await written(service);
    for (const headers of [
      { 'Auto-Submitted': 'auto-generated' },
      { 'Auto-Submitted': 'auto-replied' },
      { Precedence: 'bulk', 'List-Unsubscribe': '<https://harbour.example/u/1>' },
    ]) {
      expect(await arrives(other(service), copyOf(id, headers))).toBeNull();
    }
    expect(await eventsOf(other(service))).toEqual([]);
  });

  test('starts no loop with the replies of both sub-accounts', async ({ service }) => {
    const id = await written(service);
    const first = await arrives(other(service), copyOf(id));
    expect(first).toEqual(expect.any(String));
    const reply = newId(new Date());
    const headers = {
      From: 'Sales <sales@harbour.example>',
      'In-Reply-To': messageIdOf(id, SUPPORT),
    };
    const answer = copyOf(reply, headers);
    expect(await arrives(service, answer)).toEqual(expect.any(String));
    await service.events();
    expect(await arrives(service, answer)).toEqual(expect.any(String));
    expect(await service.eventNames()).toEqual([]);
  });
});
