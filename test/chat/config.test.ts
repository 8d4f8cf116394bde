import { deleteSubAccount } from '../../src/accounts/sub-accounts/delete-sub-account.ts';
import { apply, exported } from '../support/manifest.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { setUpChat, visit } from './chat.support.ts';

const configOf = async (service: TestService, id = service.subAccountId): Promise<any> => {
  const { status, body } = await visit(service, `GET /api/chat/config?subAccountId=${id}`);
  expect(status).toBe(200);
  return body.data;
};

const WHOLE = {
  enabled: true,
  title: 'Chat with us',
  welcomeMessage: 'Hello <b>there</b>',
  color: '#2456A6',
  position: 'left',
  requireName: false,
  requireEmail: true,
  legalText: 'We keep what you write.',
  businessHours: { mon: ['09:00-12:00', '13:00-24:00'], sat: [] },
  timezone: 'America/New_York',
};

describe('the configuration', () => {
  test('is disabled if the manifest has no chat', async ({ service }) => {
    expect(await configOf(service)).toMatchObject({ enabled: false, online: false });
  });

  test('has the values of the manifest', async ({ service }) => {
    await setUpChat(service, WHOLE);
    const { subAccountId } = service;
    const config = await configOf(service, subAccountId.toUpperCase());
    expect(config).toEqual({
      subAccountId,
      brand: 'Harbour Dental',
      ...WHOLE,
      online: expect.any(Boolean),
      languages: {},
    });
  });

  test('has the texts of added languages, with numbers for their values', async ({ service }) => {
    const chat = {
      send: 'Versturen',
      unread: { one: '1 bericht', other: '{count} berichten' },
      tooLong: 'Hoogstens {max}, dit heeft {length}.',
    };
    const languages = { nl: { chat, forms: { send: 'x' } }, pt: { forms: { send: 'x' } } };
    await apply(service, { chat: {}, languages });
    const config = await configOf(service);
    expect(config.languages).toEqual({
      nl: {
        send: 'Versturen',
        unread: { one: '1 bericht', other: '{0} berichten' },
        tooLong: 'Hoogstens {1}, dit heeft {0}.',
      },
    });
  });

  test('defaults to the brand as title and to the sub-account’s time zone', async ({ service }) => {
    await setUpChat(service, {});
    expect(await configOf(service)).toEqual({
      subAccountId: service.subAccountId,
      enabled: true,
      brand: 'Harbour Dental',
      title: 'Harbour Dental',
      welcomeMessage: null,
      color: '#2456a6',
      position: 'right',
      online: true,
      businessHours: null,
      timezone: 'UTC',
      requireName: true,
      requireEmail: false,
      legalText: null,
      languages: {},
    });
    await apply(service, { subAccount: { brand: 'Harbour', timezone: 'Asia/Tokyo' } });
    expect(await configOf(service)).toMatchObject({ title: 'Harbour', timezone: 'Asia/Tokyo' });
  });

  test('is online within the business hours, and offline while it is disabled', async ({
    service,
  }) => {
    const always = Object.fromEntries(
      ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, ['00:00-24:00']]),
    );
    await setUpChat(service, { businessHours: always });
    expect(await configOf(service)).toMatchObject({ enabled: true, online: true });
    await setUpChat(service, { businessHours: {} });
    expect(await configOf(service)).toMatchObject({ enabled: true, online: false });
    await setUpChat(service, { enabled: false, businessHours: always });
    expect(await configOf(service)).toMatchObject({ enabled: false, online: false });
  });

  test('is 404 after the deletion of its sub-account', async ({ service }) => {
    await setUpChat(service);
    await service.transact(service.subAccountId, service.actor, deleteSubAccount);
    const { subAccountId } = service;
    const { status } = await visit(service, `GET /api/chat/config?subAccountId=${subAccountId}`);
    expect(status).toBe(404);
  });
});

describe('the section chat', () => {
  test('is exported as it was applied, fires nothing, and changes nothing when it is repeated', async ({
    service,
  }) => {
    expect((await apply(service, { chat: WHOLE })).created).toEqual([
      { section: 'chat', key: 'chat' },
    ]);
    const written = await exported(service);
    expect(written.chat).toEqual(WHOLE);
    expect(await apply(service, written)).toMatchObject({ created: [], updated: [] });
    expect(await service.eventNames()).toEqual([]);
  });

  test('is replaced completely: omitted settings get their defaults', async ({ service }) => {
    await apply(service, { chat: WHOLE });
    const { updated } = await apply(service, { chat: { title: 'Chat with us', color: '#2456A6' } });
    expect(updated).toMatchObject([
      { section: 'chat', fields: expect.arrayContaining(['position']) },
    ]);
    expect((await exported(service)).chat).toEqual({
      enabled: true,
      title: 'Chat with us',
      color: '#2456A6',
      position: 'right',
      requireName: true,
      requireEmail: false,
    });
  });

  test('is removed only by --prune', async ({ service }) => {
    await apply(service, { chat: WHOLE });
    await apply(service, {});
    expect((await configOf(service)).enabled).toBe(true);
    const { removed } = await apply(service, {}, { prune: true });
    expect(removed).toEqual([{ section: 'chat', key: 'chat' }]);
    expect((await configOf(service)).enabled).toBe(false);
  });

  test.for([
    ['{color: red}', '/chat/color'],
    ['{color: "#24a"}', '/chat/color'],
    ['{color: "#2456a6;"}', '/chat/color'],
    ['{position: top}', '/chat/position'],
    ['{enabled: "yes"}', '/chat/enabled'],
    ['{title: ""}', '/chat/title'],
    ['{colour: "#2456a6"}', '/chat/colour'],
    ['{timezone: Mars/Base}', '/chat/timezone'],
    ['{businessHours: {monday: []}}', '/chat/businessHours/monday'],
    ['{businessHours: {mon: ["9-17"]}}', '/chat/businessHours/mon/0'],
    ['{businessHours: {mon: ["09:00-24:01"]}}', '/chat/businessHours/mon/0'],
    ['{businessHours: {mon: ["09:00-10:00", "22:00-02:00"]}}', '/chat/businessHours/mon/1'],
    ['[]', '/chat'],
  ])('refuses %s', async ([chat, path], { service }) => {
    await expect(apply(service, `chat: ${chat}`)).rejects.toThrow(`${path} `);
    expect(await exported(service)).not.toHaveProperty('chat');
  });
});
