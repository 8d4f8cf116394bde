import { jsonText } from '#core/schema/json.ts';
import { findDraft, saveDraft } from '../../../src/conversations/inbox/drafts.ts';
import type { DraftBody } from '../../../src/conversations/inbox/inbox.schema.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { inbound, newThread } from '../conversations.support.ts';

const EMPTY = {
  bodyText: '',
  subject: null,
  isInternal: false,
  updatedAt: null,
  replySubject: null,
};

async function newDrafts(service: TestService) {
  const { id: conversationId } = await newThread(service);
  const { subAccountId, actor, transact, openView, clock } = service;
  return {
    save: (userId: string, body: DraftBody) =>
      transact(subAccountId, actor, async (work) =>
        saveDraft(work, { conversationId, userId }, body),
      ),
    async find(userId: string, owner = subAccountId) {
      const { data } = await findDraft(openView(owner, clock()), { conversationId, userId });
      return JSON.parse(jsonText(data));
    },
  };
}

describe('a draft', () => {
  test('belongs to one user and one conversation, and the last text is kept', async ({
    service,
  }) => {
    const { save, find } = await newDrafts(service);
    const [anna, ben] = [crypto.randomUUID(), crypto.randomUUID()];
    expect(await find(anna)).toEqual(EMPTY);
    await save(anna, { bodyText: 'Hel' });
    await save(anna, { bodyText: 'Hello {{firstName}}', subject: 'Your visit', isInternal: true });
    expect(await find(anna)).toEqual({
      bodyText: 'Hello {{firstName}}',
      subject: 'Your visit',
      isInternal: true,
      updatedAt: expect.any(String),
      replySubject: null,
    });
    expect(await find(ben)).toEqual(EMPTY);
    expect(await find(anna, service.otherSubAccountId)).toEqual(EMPTY);
    expect(await service.eventNames()).toEqual([]);
  });

  test('of a reply is named after the latest mail', async ({ service }) => {
    const { id: conversationId } = await newThread(service);
    const { openView, subAccountId, clock, database } = service;
    const subjectAfter = async (subject: string) => {
      const message = await inbound(service, conversationId);
      const values = [subAccountId, message, subject];
      await database.rows(
        'update messages set subject = $3 where sub_account_id = $1 and id = $2',
        values,
      );
      const userId = crypto.randomUUID();
      const { data } = await findDraft(openView(subAccountId, clock()), { conversationId, userId });
      return JSON.parse(jsonText(data)).replySubject;
    };
    expect(await subjectAfter('Booked: Check-up')).toBe('Re: Booked: Check-up');
    expect(await subjectAfter('RE: Booked: Check-up')).toBe('RE: Booked: Check-up');
  });

  test('is removed by empty text', async ({ service }) => {
    const { save, find } = await newDrafts(service);
    const userId = crypto.randomUUID();
    await save(userId, { bodyText: 'Hello' });
    await save(userId, { bodyText: '' });
    expect(await find(userId)).toEqual(EMPTY);
    expect(await service.database.rows('select from drafts where user_id = $1', [userId])).toEqual(
      [],
    );
  });

  test('saved twice at once is kept once, twenty times', async ({ service }) => {
    const { save, find } = await newDrafts(service);
    const userId = crypto.randomUUID();
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(['Hello', 'Hello Ada'].map((bodyText) => save(userId, { bodyText })));
      expect((await find(userId)).bodyText).toMatch(/^Hello/);
    }
  });
});
