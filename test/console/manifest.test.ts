import { sections } from '#registry/sections.ts';
import { lockSubAccount, runManifest } from '../../src/manifest/apply-manifest.ts';
import { applySource } from '../../src/manifest/apply-source.ts';
import { readManifest } from '../../src/manifest/read-manifest.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { apply, exported } from '../support/manifest.ts';
import { signedInLongAgo, signInAs } from '../support/people.ts';

const GET = 'GET /console/api/v1/manifest';
const DIFF = 'POST /console/api/v1/manifest/diff';
const APPLY = 'POST /console/api/v1/manifest/apply';

const TEMPLATE = { key: 't', name: 'T', defaultList: 'c', html: '<p>{{content}}</p>' };
const CHAT = 'chat:\n  enabled: true\n  title: Ask us\n';

test('an admin reads, plans and applies the manifest', async ({ service }) => {
  const { call, email } = await signInAs(service, 'admin');
  await apply(service, { team: [{ key: 'anna', name: 'Anna' }], chat: { enabled: true } });
  const { body: read } = await call(GET);
  expect(read.data.manifest).toEqual(await exported(service));
  expect(read.data.source).toContain('key: anna');
  expect(read.data.ids).toMatchObject({ team: { anna: expect.any(String) } });
  const { body: plan } = await call(DIFF, { body: { source: CHAT } });
  const changes = { title: { from: null, to: 'Ask us' } };
  expect(plan.data).toMatchObject({
    created: [],
    updated: [{ section: 'chat', key: 'chat', fields: ['title'], changes }],
    removed: [],
    warnings: [],
  });
  expect((await exported(service)).chat.title).toBeUndefined();
  const { status, body } = await call(APPLY, { body: { source: CHAT } });
  expect([status, body.data]).toEqual([200, plan.data]);
  expect((await exported(service)).chat.title).toBe('Ask us');
  const { body: audit } = await call(`GET /console/api/v1/audit?actor=${email}`);
  expect(audit.data.map((row: any) => row.operation)).toEqual(['manifest.apply']);
  expect(await service.eventNames()).toEqual([]);
});

test('what is read can be applied and changes nothing', async ({ service }) => {
  const { call } = await signInAs(service, 'admin');
  await apply(service, {
    team: [{ key: 'anna', name: 'Anna' }],
    customValues: { greeting: 'Hello\n\n${name}' },
  });
  const { source } = (await call(GET)).body.data;
  const { created, updated, removed } = (await call(DIFF, { body: { source, prune: true } })).body
    .data;
  expect([created, updated, removed]).toEqual([[], [], []]);
});

test.for(['agent', 'viewer'] as const)('%s has no access', async (role, { service }) => {
  const { call } = await signInAs(service, role);
  const body = { source: CHAT };
  const calls = [call(GET), call(DIFF, { body }), call(APPLY, { body })];
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([403, 403, 403]);
});

test('errors name their line and change nothing', async ({ service }) => {
  const { call } = await signInAs(service, 'admin');
  const source = 'chat:\n  title: Ask us\n  colour: red\nteam:\n  - {key: a b, name: Anna}\n';
  for (const line of [DIFF, APPLY]) {
    const { status, body } = await call(line, { body: { source } });
    expect(status).toBe(400);
    expect(body.error.details.issues).toEqual([
      expect.objectContaining({ in: 'body', path: '/chat/colour', line: 3, column: 3 }),
      expect.objectContaining({ in: 'body', path: '/team/0/key', line: 5 }),
    ]);
  }
  const broken = await call(DIFF, { body: { source: 'chat: [' } });
  expect(broken.body.error.details.issues[0]).toMatchObject({ line: 1 });
  expect(await exported(service)).not.toHaveProperty('chat.title');
});

test('a plan that takes too long is refused, and changes nothing', async ({ service }) => {
  const input = { source: CHAT, prune: false, isPlan: false, tools: service.tools };
  const applied = service.transact(service.subAccountId, service.actor, (work) =>
    applySource(work, sections, { ...input, limitMs: 0 }),
  );
  await expect(applied).rejects.toMatchObject({ details: { reason: 'too_slow' } });
  expect(await exported(service)).not.toHaveProperty('chat.title');
});

test('a plan waits for another manifest only briefly', async ({ service }) => {
  const { call } = await signInAs(service, 'admin');
  const { subAccountId, actor } = service;
  const { status, body } = await service.transact(subAccountId, actor, async (work) => {
    await lockSubAccount(work);
    return call(DIFF, { body: { source: CHAT } });
  });
  expect(status).toBe(503);
  expect(body.error.details.reason).toBe('manifest_busy');
  expect((await call(DIFF, { body: { source: CHAT } })).status).toBe(200);
});

test('new lists are written at once, not one after the other', async ({ service }) => {
  const lists = ['a', 'b', 'c'].map((key) => ({ key, name: key }));
  const source = JSON.stringify({ lists, templates: [TEMPLATE] });
  const input = { source, prune: false, isPlan: false, tools: service.tools };
  let flushes = 0;
  await service.transact(service.subAccountId, service.actor, (work) => {
    const flush = work.em.flush.bind(work.em);
    work.em.flush = () => {
      flushes += work.em.getUnitOfWork().getPersistStack().size > 0 ? 1 : 0;
      return flush();
    };
    return applySource(work, sections, input);
  });
  expect(flushes).toBe(2);
  expect((await exported(service)).templates).toMatchObject([{ defaultList: 'c' }]);
});

test('pruning needs a recent sign-in', async ({ service }) => {
  const { call, email } = await signInAs(service, 'admin');
  await apply(service, { customValues: { a: '1' } });
  await signedInLongAgo(service, email);
  const body = { source: 'customValues: {}', prune: true };
  expect((await call(DIFF, { body })).status).toBe(200);
  const refused = await call(APPLY, { body });
  expect([refused.status, refused.body.error.details.reason]).toEqual([403, 'prove_again']);
  expect((await call(APPLY, { body: { source: CHAT } })).status).toBe(200);
  expect((await exported(service)).customValues).toEqual({ a: '1' });
});

test('without pruning, what the manifest does not name stays', async ({ service }) => {
  const { call } = await signInAs(service, 'admin');
  await apply(service, { customValues: { a: '1', b: '2' } });
  await call(APPLY, { body: { source: 'customValues: {a: "3"}' } });
  expect((await exported(service)).customValues).toEqual({ a: '3', b: '2' });
  const pruned = await call(APPLY, { body: { source: 'customValues: {a: "3"}', prune: true } });
  expect(pruned.body.data.removed).toContainEqual({ section: 'customValues', key: 'b' });
  expect((await exported(service)).customValues).toEqual({ a: '3' });
});

describe('${env:NAME} in the console', () => {
  const SMTP = {
    provider: 'smtp',
    host: 'smtp.harbour.example',
    from: 'hello@harbour.example',
    user: '${env:SMTP_USER}',
    password: '${env:SMTP_PASSWORD}',
  };
  const variables = { SMTP_USER: 'harbour', SMTP_PASSWORD: 'swordfish' };
  const setUp = async (service: TestService) => {
    const { transact, actor, secrets, subAccountId } = service;
    const file = { name: 'm.yaml', text: JSON.stringify({ channels: { email: SMTP } }) };
    const read = { ...(await readManifest(sections, file, variables)), tools: { secrets } };
    const target = { transact, actor, subAccountId };
    await runManifest(target, read, { prune: false, dryRun: false });
    return signInAs(service, 'admin');
  };
  const changed = (change: object) => ({
    source: JSON.stringify({ channels: { email: { ...SMTP, ...change } } }),
  });

  test('keeps the stored value and the reference', async ({ service }) => {
    const { call } = await setUp(service);
    const { body, status } = await call(APPLY, { body: changed({ replyTo: 'a@harbour.example' }) });
    expect([status, body.data.updated[0].fields]).toEqual([200, ['replyTo']]);
    const { email } = (await exported(service)).channels;
    expect(email).toMatchObject({ user: SMTP.user, password: SMTP.password });
    const { source } = (await call(GET)).body.data;
    const again = await call(DIFF, { body: { source } });
    expect(again.body.data.updated).toEqual([]);
  });

  test.for([
    { replyTo: '${env:SMTP_USER}' },
    { password: '${env:PATH}' },
    { password: '${env:SMTP_PASSWORD_2}' },
    { user: 'x${env:SMTP_USER}' },
    { password: '${env:FRONTDESK_SECRET_KEY}' },
  ])('is refused where it is new: %j', async (change, { service }) => {
    const { call } = await setUp(service);
    const { status, body } = await call(APPLY, { body: changed(change) });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).not.toMatch(/swordfish|\/usr\/bin/);
    expect(body.error.details.issues[0]).toMatchObject({ line: 1 });
  });

  test.for([
    { host: 'evil.example' },
    { port: 2525 },
    { imap: { host: 'imap.evil.example' } },
    { provider: 'http', apiBaseUrl: 'https://evil.example', host: undefined },
  ])('is not sent to another server: %j', async (change, { service }) => {
    const { call } = await setUp(service);
    const { status, body } = await call(APPLY, { body: changed(change) });
    expect([status, body.error.message]).toEqual([
      400,
      expect.stringMatching(/decides where the value of .*SMTP_.* is sent/),
    ]);
    const replaced = { ...change, user: 'me', password: 'mine' };
    const { body: replacing } = await call(DIFF, { body: changed(replaced) });
    expect(replacing.error?.message ?? '').not.toMatch('decides where');
  });
});

describe('a manifest with a base', () => {
  const SERVICES = [
    { key: 'cleaning', name: 'Cleaning', price: 89 },
    { key: 'check', name: 'Check-up', price: 40 },
  ];
  const source = (...services: object[]) => JSON.stringify({ serviceTypes: services });

  test('is applied unless one of its own entries changed since it was read', async ({
    service,
  }) => {
    const ada = await signInAs(service, 'admin');
    const ben = await signInAs(service, 'admin');
    await apply(service, { serviceTypes: SERVICES });
    const { manifest: base } = (await ada.call(GET)).body.data;
    const [cleaning, check] = base.serviceTypes;

    // Another entry of the section: both changes stay, and so does the order.
    const dearer = { source: source({ ...check, price: 45 }), base };
    expect((await ben.call(APPLY, { body: dearer })).status).toBe(200);
    const renamed = { source: source({ ...cleaning, name: 'Deep cleaning' }), base };
    expect((await ada.call(APPLY, { body: renamed })).status).toBe(200);
    expect((await exported(service)).serviceTypes).toMatchObject([
      { key: 'cleaning', name: 'Deep cleaning', price: 89 },
      { key: 'check', name: 'Check-up', price: 45 },
    ]);

    // The same entry.
    const { status, body } = await ada.call(APPLY, {
      body: { source: source({ ...check, name: 'Check' }), base },
    });
    expect(status).toBe(409);
    expect(body.error).toMatchObject({
      code: 'CHANGED_MEANWHILE',
      message: `serviceTypes/check was changed after it was read (last change by ${ada.email}); read it again`,
      details: {
        reason: 'changed_meanwhile',
        entries: [{ section: 'serviceTypes', key: 'check' }],
        by: { name: ada.email, at: expect.any(String) },
      },
    });
    expect((await exported(service)).serviceTypes[1].name).toBe('Check-up');
    expect(await service.eventNames()).toEqual([]);
  });

  test('is refused if a new key is taken, or an entry was removed', async ({ service }) => {
    const { call } = await signInAs(service, 'admin');
    await apply(service, { serviceTypes: SERVICES });
    const { manifest: base } = (await call(GET)).body.data;
    await apply(
      service,
      { serviceTypes: [SERVICES[1], { key: 'new', name: 'New', price: 1 }] },
      { prune: true },
    );
    const entriesOf = async (...services: object[]) => {
      const body = { source: source(...services), base: { serviceTypes: base.serviceTypes } };
      return (await call(APPLY, { body })).body.error?.details.entries;
    };
    expect(await entriesOf({ key: 'new', name: 'Another', price: 2 })).toEqual([
      { section: 'serviceTypes', key: 'new' },
    ]);
    expect(await entriesOf({ ...base.serviceTypes[0], price: 2 })).toEqual([
      { section: 'serviceTypes', key: 'cleaning' },
    ]);
    expect(await entriesOf({ ...base.serviceTypes[1], price: 2 })).toBeUndefined();
  });

  test('that prunes is refused if any entry changed', async ({ service }) => {
    const { call } = await signInAs(service, 'admin');
    await apply(service, { customValues: { a: '1' } });
    const { manifest: base, source: text } = (await call(GET)).body.data;
    await apply(service, { customValues: { b: '2' } });
    const body = { source: text, prune: true, base };
    const refused = await call(APPLY, { body });
    expect(refused.body.error.details.entries).toEqual([{ section: 'customValues', key: 'b' }]);
    expect((await call(APPLY, { body: { ...body, prune: false } })).status).toBe(200);
    expect((await exported(service)).customValues).toEqual({ a: '1', b: '2' });
  });

  test('of two at the same time, one is refused', async ({ service }) => {
    const people = await Promise.all([signInAs(service, 'admin'), signInAs(service, 'admin')]);
    await apply(service, { chat: { title: 'Ask us' } });
    const { manifest: base } = (await people[0].call(GET)).body.data;
    const answers = await Promise.all(
      people.map(({ call }, index) =>
        call(APPLY, { body: { source: `chat: {title: "${index}"}`, base } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect((await exported(service)).chat.title).toBe(String(winner));
  });
});
