import { began, chatsOf, replied, said, seen, setUpChat } from '../../chat/chat.support.ts';
import { apply } from '../../support/manifest.ts';
import { signInAs, type Browser } from '../../support/people.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { messagesOf } from '../conversations.support.ts';

const ANNA = { key: 'anna', name: 'Anna Weber', email: 'Anna@Harbour.example' };
const BEN = { key: 'ben', name: 'Ben Krause' };

const write = ({ call }: Browser, id: string, body: object = {}) =>
  call(`POST /console/api/v1/conversations/${id}/messages`, {
    body: { channel: 'live_chat', bodyText: 'Hello', ...body },
  });

async function setUp(service: TestService) {
  await setUpChat(service);
  const sessionId = await began(service);
  const [{ id }] = await chatsOf(service);
  const { ids } = await apply(service, { team: [ANNA, BEN] });
  const members = ids['team'] as Record<string, string>;
  await service.events();
  return { sessionId, id: id as string, members };
}

const assign = ({ call }: TestService, id: string, assignedTo: string | undefined) =>
  call(`PATCH /api/v1/conversations/${id}`, { body: { assignedTo } });

const namesIn = async (service: TestService, sessionId: string): Promise<string[]> =>
  (await seen(service, sessionId)).map(({ senderName }) => senderName);

const userId = async ({ database }: TestService, email: string): Promise<string> =>
  (await database.rows<{ id: string }>('select id from users where email = $1', [email]))[0]?.id ??
  '';

describe('the author of a message', () => {
  test('is the user of the console, by their name in the team', async ({ service }) => {
    const { id, sessionId } = await setUp(service);
    const anna = await signInAs(service, 'agent', ANNA.email.toLowerCase());
    const { status, body } = await write(anna, id);
    expect(status).toBe(201);
    const author = { authorId: await userId(service, anna.email), authorName: 'Anna Weber' };
    expect(body.data).toMatchObject(author);
    expect(await messagesOf(service, id)).toMatchObject([author]);
    expect(await namesIn(service, sessionId)).toEqual(['Anna Weber']);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is shown to visitors by name and picture only', async ({ service }) => {
    const { id, sessionId } = await setUp(service);
    const anna = await signInAs(service, 'agent', ANNA.email.toLowerCase());
    await write(anna, id);
    const rows = await seen(service, sessionId);
    expect(Object.keys(rows[0]).toSorted()).toEqual([
      'attachments',
      'bodyText',
      'createdAt',
      'direction',
      'id',
      'senderName',
      'senderPictureUrl',
    ]);
    const shown = JSON.stringify(rows);
    expect(shown).not.toContain(await userId(service, anna.email));
    expect(shown).not.toContain(anna.email);
  });

  test('stays when the conversation is assigned to others and the user is renamed', async ({
    service,
  }) => {
    const { id, sessionId, members } = await setUp(service);
    const anna = await signInAs(service, 'agent', ANNA.email.toLowerCase());
    await write(anna, id);
    await assign(service, id, members['ben']);
    await replied(service, id, 'By a bot');
    await apply(service, { team: [{ ...ANNA, name: 'Anna Berg' }, BEN] });
    await assign(service, id, members['anna']);
    await replied(service, id, 'By a bot, later');
    expect(await namesIn(service, sessionId)).toEqual(['Anna Weber', 'Ben Krause', 'Anna Berg']);
    const rows = (await messagesOf(service, id)).toReversed();
    expect(rows.map(({ authorName }) => authorName)).toEqual([
      'Anna Weber',
      'Ben Krause',
      'Anna Berg',
    ]);
    expect(rows.map(({ authorId }) => authorId !== null)).toEqual([true, false, false]);
  });

  test("is the user by their own name, else by the brand's", async ({ service }) => {
    const { id, sessionId } = await setUp(service);
    const agent = await signInAs(service, 'agent');
    await write(agent, id);
    await service.database.rows(`update users set name = 'Cleo' where email = $1`, [agent.email]);
    await write(agent, id);
    expect(await namesIn(service, sessionId)).toEqual(['Harbour Dental', 'Cleo']);
    const rows = await messagesOf(service, id);
    const authorId = await userId(service, agent.email);
    expect(rows).toMatchObject([
      { authorId, authorName: 'Cleo' },
      { authorId, authorName: null },
    ]);
  });

  test('is known of notes, and of messages that are sent again', async ({ service }) => {
    const { id } = await setUp(service);
    const anna = await signInAs(service, 'agent', ANNA.email.toLowerCase());
    await write(anna, id, { isInternal: true });
    await replied(service, id, 'By a bot');
    const [{ id: messageId }, note] = await messagesOf(service, id);
    expect(note).toMatchObject({ isInternal: true, authorName: 'Anna Weber' });
    await service.database.rows(`update messages set status = 'failed' where id = $1`, [messageId]);
    const again = await anna.call(
      `POST /console/api/v1/conversations/${id}/messages/${messageId}/resend`,
    );
    expect(again.body.data).toMatchObject({ authorName: 'Anna Weber' });
  });

  test('is unknown if a visitor or a program wrote', async ({ service }) => {
    const { id, sessionId } = await setUp(service);
    await said(service, sessionId, 'Hello');
    await replied(service, id, 'By a bot');
    const none = { authorId: null, authorName: null };
    expect(await messagesOf(service, id)).toMatchObject([none, none]);
    expect(await namesIn(service, sessionId)).toEqual([expect.any(String), 'Harbour Dental']);
    expect(await chatsOf(service)).toHaveLength(1);
  });
});
