import { vi } from 'vitest';
import type { JobContext } from '#core/job.ts';
import type { Mail } from '#core/tools.ts';
import { deleteSubAccount } from '../../src/accounts/sub-accounts/delete-sub-account.ts';
import { notifyAdmins, queueNotice } from '../../src/accounts/team/team.jobs.ts';
import { handleNotifyAdmins } from '../../src/conversations/notify-admins.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../support/service.ts';
import { WAIT } from '../support/deliveries.ts';
import { inSandbox } from './conversations.support.ts';
import { mailServer, smtp, startSending } from './sending.support.ts';

const NEWS = { subject: 'A receiver was paused', text: 'Nothing has got through for a day.\n' };

/** Returns the mails that the job sends for a sub-account. */
async function mailed(service: TestService, subAccountId: string): Promise<Mail[]> {
  const { mails } = await performed(service, subAccountId);
  return mails;
}

async function performed(service: TestService, subAccountId: string) {
  const mails: Mail[] = [];
  const logged: object[] = [];
  const mailer = {
    send: async (mail: Mail) => {
      mails.push(mail);
      return 'sent';
    },
  };
  const { openView, clock } = service;
  const log = { info: (said: object) => logged.push(said) };
  const context = { openView, clock, log, tools: { mailer } } as unknown as JobContext;
  await handleNotifyAdmins.handle({ ...NEWS, subAccountId }, context);
  return { mails, logged };
}

const appoint = (service: TestService, subAccountId: string, admins: readonly string[]) =>
  service.database.rows('update sub_accounts set admins = $2 where id = $1', [
    subAccountId,
    admins,
  ]);

describe('a notice to the admins of a sub-account', () => {
  test('is one mail to all of them, which ends with the name of the sub-account', async ({
    service,
  }) => {
    await appoint(service, service.subAccountId, ['ada@example.com', 'bob@example.com']);
    await appoint(service, service.otherSubAccountId, ['eve@example.com']);

    expect(await mailed(service, service.subAccountId)).toEqual([
      {
        to: ['ada@example.com', 'bob@example.com'],
        subject: NEWS.subject,
        text: 'Nothing has got through for a day.\n\n-- \nHarbour Dental\n',
      },
    ]);
  });

  test('without listed admins is passed to the mailer without recipients', async ({ service }) => {
    expect(await mailed(service, service.subAccountId)).toMatchObject([{ to: [] }]);
  });

  test('of a sandbox is logged instead of sent', async ({ service }) => {
    const { subAccountId } = service;
    await appoint(service, subAccountId, ['ada@example.com']);
    await inSandbox(service);

    const { mails, logged } = await performed(service, subAccountId);
    expect(mails).toEqual([]);
    expect(logged).toEqual([{ subAccountId, subject: NEWS.subject, recipients: 1 }]);
    expect(JSON.stringify(logged)).not.toContain('ada@example.com');
  });

  test('is not sent for a deleted sub-account', async ({ service }) => {
    const { transact, subAccountId, actor } = service;
    await appoint(service, subAccountId, ['ada@example.com']);
    await transact(subAccountId, actor, deleteSubAccount);

    expect(await mailed(service, subAccountId)).toEqual([]);
  });

  test('changes nothing and fires no event', async ({ service }) => {
    await service.events();
    await mailed(service, service.subAccountId);

    expect(await service.eventNames()).toEqual([]);
  });

  test('fails if the mail server fails, so that the job is retried', async ({ service }) => {
    const send = () => Promise.reject(new Error('the mail server is away'));
    const { openView, clock, subAccountId } = service;
    const context = { openView, clock, tools: { mailer: { send } } } as unknown as JobContext;

    await expect(handleNotifyAdmins.handle({ ...NEWS, subAccountId }, context)).rejects.toThrow(
      'the mail server is away',
    );
    expect(notifyAdmins.maxAttempts).toBeGreaterThan(10);
  });

  test('goes through the email channel of its sub-account, one mail per admin', async () => {
    const sending = await startSending();
    const server = await mailServer();
    await sending.setUp(smtp(server.port));
    const { subAccountId } = sending;
    await sending.database.rows('update sub_accounts set admins = $2 where id = $1', [
      subAccountId,
      ['ada@example.com', 'bob@example.com'],
    ]);
    await sending.transact(subAccountId, OPERATOR, async (work) =>
      work.enqueue(notifyAdmins, { ...NEWS, subAccountId }),
    );
    await sending.startWorker();
    const mails = await server.next(2);
    expect(mails.map(({ from, to, subject }) => ({ from, to, subject }))).toEqual(
      expect.arrayContaining([
        { from: 'hello@harbour.example', to: ['ada@example.com'], subject: NEWS.subject },
        { from: 'hello@harbour.example', to: ['bob@example.com'], subject: NEWS.subject },
      ]),
    );
    expect(await sending.fired()).toEqual([]);
  });

  test('goes to each admin once, even if its job is killed and repeated', async () => {
    const sending = await startSending();
    const server = await mailServer();
    await sending.setUp(smtp(server.port));
    const { subAccountId, database, transact, openView, clock } = sending;
    await database.rows('update sub_accounts set admins = $2 where id = $1', [
      subAccountId,
      ['ada@example.com', 'bob@example.com'],
    ]);
    await transact(subAccountId, OPERATOR, async (work) => queueNotice(work, NEWS));
    const [notice] = await database.rows<{ payload: any }>(
      `select payload from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = $1`,
      [notifyAdmins.name],
    );
    // Like a worker that is killed after the commit and before its job is removed from the queue.
    const context = { openView, clock, transact, actor: OPERATOR } as unknown as JobContext;
    await handleNotifyAdmins.handle(notice?.payload, context);
    const { stop } = await sending.startWorker();
    await server.next(2);
    await vi.waitFor(async () => {
      const left = await database.rows('select id from graphile_worker._private_jobs');
      expect(left).toEqual([]);
    }, WAIT);
    await stop();
    expect(server.mails.flatMap(({ to }) => to).sort()).toEqual([
      'ada@example.com',
      'bob@example.com',
    ]);
    expect(await sending.fired()).toEqual([]);
  });
});
