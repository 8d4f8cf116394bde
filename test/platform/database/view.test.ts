import { jsonText } from '#core/schema/json.ts';
import { viewer } from '#platform/database/view.ts';
import type { Changes } from '#platform/notify/changes.ts';
import { readContact } from '../../../src/contacts/contact.store.ts';
import { createContact } from '../../../src/contacts/create-contact.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../../support/service.ts';

const contactsIn = async ({ transact }: TestService, subAccountId: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      transact(subAccountId, OPERATOR, (work) =>
        createContact(work, { firstName: 'Guest', lastName: `${n}` }),
      ),
    ),
  );

/** Opens views whose point reads are recorded: the sub-account and the number of records of each. */
function recording({ database }: TestService) {
  const statements: [string, number][] = [];
  const wireRows: typeof database.wireRows = (text, values) => {
    statements.push([values[0] as string, (values[1] as string[]).length]);
    return database.wireRows(text, values);
  };
  const open = viewer({ ...database, wireRows }, {} as Changes);
  return { statements, view: (subAccountId: string) => open(subAccountId, new Date()) };
}

describe('reads by id in one tick', () => {
  test('share a statement for each sub-account, and see no other one', async ({ service }) => {
    const { subAccountId, otherSubAccountId } = service;
    const [ada, ben] = await contactsIn(service, subAccountId, 2);
    const [cleo] = await contactsIn(service, otherSubAccountId, 1);
    const { statements, view } = recording(service);
    const [own, other] = [view(subAccountId), view(otherSubAccountId)];
    const found = await Promise.allSettled([
      readContact(own, ada!.id),
      readContact(other, cleo!.id),
      readContact(own, ben!.id),
      readContact(own, ada!.id.toUpperCase()),
      readContact(other, ada!.id),
      readContact(own, crypto.randomUUID()),
    ]);
    const idOf = (one: (typeof found)[number]) =>
      one.status === 'fulfilled' && JSON.parse(jsonText(one.value)).id;
    expect(found.map(idOf)).toEqual([ada!.id, cleo!.id, ben!.id, ada!.id, false, false]);
    expect(statements).toEqual([
      [subAccountId, 4],
      [otherSubAccountId, 2],
    ]);
  });

  test('are divided into statements of at most 200 records', async ({ service }) => {
    const { subAccountId } = service;
    const [ada] = await contactsIn(service, subAccountId, 1);
    const { statements, view } = recording(service);
    const own = view(subAccountId);
    await Promise.all(Array.from({ length: 450 }, () => readContact(own, ada!.id)));
    expect(statements.map(([, count]) => count)).toEqual([200, 200, 50]);
  });
});
