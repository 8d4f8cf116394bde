import { findContacts } from '../../src/contacts/find-contacts.ts';
import { lockContactByPhone } from '../../src/contacts/find-by-phone.ts';
import { findSender } from '../../src/conversations/inbound/find-sender.ts';
import { findInbox } from '../../src/conversations/inbox/find-inbox.ts';
import { expect } from '../support/service.ts';
import {
  addContacts,
  addSubAccount,
  countsReads,
  growthOf,
  LINEAR,
  statementsOf,
  statementsOfChange,
  testWith,
} from '../support/unknown-sub-account.ts';

const CONVERSATIONS = `insert into conversations (sub_account_id, id, contact_id, channel, status,
    created_at, updated_at)
  select $1, gen_random_uuid(), id, 'sms', 'open', now(), now() from contacts where sub_account_id = $1`;

const test = testWith(async (service, rows) => {
  const subAccountId = await addSubAccount(service);
  const columns = {
    phone: `'+4930' || 1000000 + n`,
    additional_phones: `array['+4940' || 1000000 + n]`,
  };
  await addContacts(service, { subAccountId, rows, columns });
  await service.database.rows(CONVERSATIONS, [subAccountId]);
  return { subAccountId };
});

const PHONE = '+49301000077';
const ADDITIONAL_PHONE = '+49401000077';
const LAST_ID = 'ffffffff-ffff-4fff-bfff-ffffffffffff';

test.runIf(countsReads).for([PHONE, ADDITIONAL_PHONE])(
  'lists by the phone %s read all rows of an unknown sub-account a few times at most',
  async (phone, { running, filled }) => {
    for (const after of [undefined, LAST_ID]) {
      const growth = await growthOf(running, filled, ({ subAccountId }) =>
        statementsOf(async () => {
          const view = running.openView(subAccountId, new Date());
          const page = await findContacts({ view, query: { phone, limit: 25 }, after });
          expect(page.meta).toEqual({ total: 1 });
          const inbox = await findInbox(view, { phone, limit: 25 }, { after, memberId: null });
          expect(inbox.meta).toEqual({ total: 1 });
        }),
      );
      expect(growth).toBeLessThan(LINEAR);
    }
  },
);

test.runIf(countsReads).for([PHONE, ADDITIONAL_PHONE])(
  'look-ups by the phone %s do, too',
  async (phone, { running, filled }) => {
    const growth = await growthOf(running, filled, ({ subAccountId }) =>
      statementsOfChange(running, subAccountId, async (work) => {
        expect(await lockContactByPhone(work, phone)).toBeDefined();
        expect(await findSender(work, 'sms', phone)).toBeDefined();
      }),
    );
    expect(growth).toBeLessThan(LINEAR);
  },
);
