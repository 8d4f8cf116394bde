import { eraseAgain } from '../../src/privacy/privacy.jobs.ts';
import { jobsOf } from '../agents/approvals.support.ts';
import { databaseNow, expectWait } from '../support/clock-skew.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { runErasureAgain } from './run-erasure.support.ts';

const EMAIL = 'ada.erased@example.com';
const ADA = { firstName: 'Ada', lastName: 'Lovelace', email: EMAIL };
const QUARTER_MS = 900_000;

async function create({ call }: TestService, body: object = ADA): Promise<string> {
  const { status, body: answer } = await call('POST /api/v1/contacts', { body });
  expect(status).toBe(201);
  return answer.data.id;
}

async function openChat({ call }: TestService, contactId: string): Promise<string> {
  const body = { contactId, channel: 'live_chat' };
  return (await call('POST /api/v1/conversations', { body })).body.data.id;
}

async function erase(service: TestService, id: string): Promise<void> {
  const { call } = await signInAs(service, 'admin');
  expect((await call(`POST /console/api/v1/contacts/${id}/erase`)).status).toBe(200);
}

/** What a request writes whose transaction began before the person was erased. */
const write = ({ database, subAccountId, clock }: TestService, conversationId: string) =>
  database.rows(
    `insert into messages (sub_account_id, id, conversation_id, channel, direction, body_text, status, created_at)
     values ($1, gen_random_uuid(), $2, 'live_chat', 'inbound', $3, 'delivered', $4)`,
    [subAccountId, conversationId, `I am Ada, ${EMAIL}`, clock()],
  );

const textsIn = async ({ database, subAccountId }: TestService) =>
  (
    await database.rows<{ text: string }>(
      'select body_text as text from messages where sub_account_id = $1',
      [subAccountId],
    )
  ).map(({ text }) => text);

/** Runs the queued second erasure. */
async function runErasure(service: TestService, tools: object = service): Promise<void> {
  expect(await runErasureAgain(service, { tools })).toBe(1);
}

describe('what is written while a person is erased', () => {
  test('is erased a quarter of an hour later', async ({ service }) => {
    const id = await create(service);
    const conversationId = await openChat(service, id);
    await erase(service, id);
    await write(service, conversationId);
    expect(await textsIn(service)).toHaveLength(1);
    await service.events();
    await runErasure(service);
    expect(await textsIn(service)).toEqual([]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is found by what the job keeps encrypted', async ({ service }) => {
    const id = await create(service);
    const since = await databaseNow(service);
    await erase(service, id);
    const [payload] = await jobsOf(service, eraseAgain.name);
    const bytes = Buffer.from(payload.person, 'base64').toString('latin1');
    expect(bytes).not.toMatch(/ada|lovelace/i);
    const [job] = await service.database.rows<{ runAt: Date }>(
      `select run_at as "runAt" from graphile_worker._private_jobs where payload ->> 'person' = $1`,
      [payload.person],
    );
    await expectWait(service, job?.runAt, { since, waitMs: QUARTER_MS });
  });

  test('is left alone where it belongs to a contact who came back', async ({ service }) => {
    const id = await create(service);
    await erase(service, id);
    const again = await create(service, { ...ADA, firstName: 'Ada Augusta' });
    await write(service, await openChat(service, again));
    await runErasure(service);
    expect(await textsIn(service)).toEqual([`I am Ada, ${EMAIL}`]);
    const { body } = await service.call(`GET /api/v1/contacts/${again}`);
    expect(body.data).toMatchObject({ firstName: 'Ada Augusta', email: EMAIL });
  });

  test('of a sub-account that was moved here stays: the key of its old installation is another one', async ({
    service,
  }) => {
    const id = await create(service);
    const conversationId = await openChat(service, id);
    await erase(service, id);
    await write(service, conversationId);
    const open = () => {
      throw new Error('sealed with another key');
    };
    await runErasure(service, { ...service, secrets: { ...service.secrets, open } });
    expect(await textsIn(service)).toHaveLength(1);
  });
});
