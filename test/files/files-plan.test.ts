import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { deleteConversationsOfContact } from '../../src/conversations/threads/conversations-of-contact.ts';
import { findPerson } from '../../src/privacy/person.ts';
import { personalTables } from '../../src/privacy/personal-data.ts';
import { rowsOfPerson } from '../../src/privacy/rows-of-person.ts';
import { expect } from '../support/service.ts';
import {
  addContacts,
  addSubAccount,
  countsReads,
  growthOf,
  LINEAR,
  statementsOf,
  testWith,
  type Statement,
} from '../support/unknown-sub-account.ts';

const CONVERSATIONS = `insert into conversations (sub_account_id, id, contact_id, channel, status,
    created_at, updated_at)
  select $1, gen_random_uuid(), id, 'email', 'open', now(), now() from contacts
  where sub_account_id = $1`;
const MESSAGES = `insert into messages (sub_account_id, id, conversation_id, channel, direction, status,
    external_id, created_at)
  select $1, gen_random_uuid(), id, channel, 'inbound', 'delivered', id::text, now()
  from conversations where sub_account_id = $1`;
const SESSIONS = `insert into chat_sessions (sub_account_id, id, secret_hash, conversation_id,
    visitor_name, created_at)
  select $1, gen_random_uuid(), uuid_send(id), id, 'A', now() from conversations
  where sub_account_id = $1`;
const FILES = `insert into files (sub_account_id, id, content_id, state, name, type, size, message_id,
    session_id, created_at)
  select $1, gen_random_uuid(), gen_random_uuid(), 'stored', 'a', 'text/plain', 1, m.id, null, now()
    from messages m where m.sub_account_id = $1
  union all
  select $1, gen_random_uuid(), gen_random_uuid(), 'stored', 'a', 'text/plain', 1, null, s.id, now()
    from chat_sessions s where s.sub_account_id = $1`;
const NEWEST = `select contact_id as id from conversations where sub_account_id = $1
  order by id desc limit 1`;

/** Each contact has a conversation with a message, a session of the chat, and a file of each. */
const test = testWith(async (service, rows) => {
  const subAccountId = await addSubAccount(service);
  await addContacts(service, { subAccountId, rows });
  for (const text of [CONVERSATIONS, MESSAGES, SESSIONS, FILES]) {
    await service.database.rows(text, [subAccountId]);
  }
  const [contact] = await service.database.rows<{ id: string }>(NEWEST, [subAccountId]);
  return { subAccountId, contactId: contact?.id ?? '' };
});

const files = personalTables.find(({ table }) => table === 'files')!;

test.runIf(countsReads)(
  'the deletion of a contact of an unknown sub-account reads its files a few times at most',
  async ({ running, filled }) => {
    const growth = await growthOf(running, filled, async ({ subAccountId, contactId }) => {
      const statements: Statement[] = [];
      const work = {
        subAccountId,
        now: new Date(),
        write: (text: string, values: readonly unknown[]) => statements.push({ text, values }),
      } as unknown as Work;
      await deleteConversationsOfContact(work, {
        recordId: newId(new Date()),
        contactId,
        data: {},
      } as never);
      return statements;
    });
    expect(growth).toBeLessThan(LINEAR);
  },
);

test.runIf(countsReads)(
  'so do the export and the erasure of a person',
  async ({ running, filled }) => {
    const growth = await growthOf(running, filled, ({ subAccountId, contactId }) =>
      statementsOf(async () => {
        const view = running.openView(subAccountId, new Date());
        const person = await findPerson(view, { contactId });
        const found: string[] = [];
        for await (const row of rowsOfPerson(view, person, files)) {
          found.push(row);
        }
        expect(found).toHaveLength(2);
      }),
    );
    expect(growth).toBeLessThan(LINEAR);
  },
);
