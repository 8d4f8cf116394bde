import { AGENCY } from '#lib/id.ts';
import {
  handleMailInvitation,
  handleMailLink,
} from '../../src/accounts/sign-in/sign-in-mails.jobs.ts';
import { inviteUser } from '../../src/accounts/users/invite-user.ts';
import { mailing, tokenIn } from './mailing.support.ts';
import { inviteAs, SAME_ORIGIN, signInAs } from '../support/people.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../support/service.ts';
import type { Mail } from '#core/tools.ts';

const freshEmail = () => `new-${crypto.randomUUID()}@example.com`;

const signIn = ({ call }: TestService, token: string) =>
  call('POST /console/api/sign-in/link', { key: null, headers: SAME_ORIGIN, body: { token } });

const jobsOf = ({ database }: TestService, task: string) =>
  database.rows<{ payload: unknown }>(
    `select p.payload from graphile_worker._private_jobs p
     join graphile_worker._private_tasks t on t.id = p.task_id where t.identifier = $1`,
    [task],
  );

describe('inviting a person in the console', () => {
  test('makes them a member and returns a link that signs them in', async ({ service }) => {
    const admin = await signInAs(service, 'admin');
    const email = freshEmail();
    const { status, body } = await admin.call('POST /console/api/v1/users', {
      body: { email: email.toUpperCase(), role: 'agent', name: 'Grace' },
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ email, name: 'Grace', role: 'agent' });
    expect(body.data.link).toMatch(`${service.url}/console/sign-in#`);
    const answer = await signIn(service, body.data.link.split('#')[1]);
    expect(answer.body.data).toEqual({
      userId: body.data.id,
      subAccountId: service.subAccountId,
    });
    const { body: list } = await admin.call('GET /console/api/v1/users');
    expect(list.data.map((one: any) => [one.email, one.role])).toEqual(
      expect.arrayContaining([
        [email, 'agent'],
        [admin.email, 'admin'],
      ]),
    );
    expect(await service.eventNames()).toEqual([]);
  });

  test.for(['signed in before', 'has access elsewhere'])(
    'returns no link to a user who %s',
    async (why, { service }) => {
      const email = freshEmail();
      if (why === 'signed in before') {
        await signInAs(service, 'viewer', email);
      } else {
        await service.transact(service.otherSubAccountId, OPERATOR, (work) =>
          inviteUser(work, { email, role: 'viewer' }),
        );
      }
      const admin = await signInAs(service, 'admin');
      const { status, body } = await admin.call('POST /console/api/v1/users', {
        body: { email, role: 'agent' },
      });
      expect(status).toBe(201);
      expect(body.data).toMatchObject({ email, role: 'agent', link: null });
    },
  );

  test.for(['a member elsewhere', 'an owner'])(
    'gives its admin no way in once the user becomes %s',
    async (what, { service }) => {
      const admin = await signInAs(service, 'admin');
      const email = freshEmail();
      const invite = async () =>
        (
          await admin.call('POST /console/api/v1/users', { body: { email, role: 'agent' } })
        ).body.data.link.split('#')[1];
      const [used, unused] = [await invite(), await invite()];
      const { headers } = await signIn(service, used);
      const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
      const session = () =>
        service.call('GET /console/api/session', { key: null, headers: { cookie } });
      // A second role in the same sub-account is no further access.
      await service.transact(service.subAccountId, OPERATOR, (work) =>
        inviteUser(work, { email, role: 'admin' }),
      );
      expect((await session()).status).toBe(200);

      const isOwner = what === 'an owner';
      await service.transact(isOwner ? AGENCY : service.otherSubAccountId, OPERATOR, (work) =>
        inviteUser(work, { email, role: isOwner ? 'owner' : 'viewer' }),
      );
      expect((await session()).status).toBe(401);
      expect((await signIn(service, unused)).status).toBe(401);
    },
  );

  test('never touches an owner', async ({ service }) => {
    const owner = await inviteAs(service, 'owner');
    const admin = await signInAs(service, 'admin');
    for (const [line, body] of [
      ['POST /console/api/v1/users', { email: owner.email, role: 'viewer' }],
      [`PATCH /console/api/v1/users/${owner.userId}`, { role: 'viewer' }],
      [`DELETE /console/api/v1/users/${owner.userId}`, undefined],
    ] as const) {
      const answer = await admin.call(line, body === undefined ? {} : { body });
      expect([line, answer.status]).toEqual([line, 403]);
    }
  });

  test('creates one user, also when twenty invitations arrive at once', async ({ service }) => {
    const admin = await signInAs(service, 'admin');
    const email = freshEmail();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        admin.call('POST /console/api/v1/users', { body: { email, role: 'agent' } }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  });

  test('mails them a link of their own, which the queue never holds', async ({ service }) => {
    const admin = await signInAs(service, 'admin');
    const email = freshEmail();
    const { body } = await admin.call('POST /console/api/v1/users', {
      body: { email, role: 'agent' },
    });
    const userId = body.data.id as string;
    const { subAccountId } = service;
    const queued = await jobsOf(service, 'accounts/mail-invitation');
    expect(queued.map(({ payload }) => payload)).toContainEqual({ subAccountId, userId });
    const { mails, context } = mailing(service);
    await handleMailInvitation.handle({ subAccountId, userId }, context);
    expect(mails).toMatchObject([{ to: [email], subject: 'Invitation: Harbour Dental' }]);
    expect((await signIn(service, tokenIn(mails[0] as Mail))).status).toBe(200);
  });
});

describe('a member', () => {
  test('changes role and leaves at once', async ({ service }) => {
    const admin = await signInAs(service, 'admin');
    const agent = await signInAs(service, 'agent');
    const { body } = await agent.call('GET /console/api/session');
    const line = `/console/api/v1/users/${body.data.user.id}`;
    const changed = await admin.call(`PATCH ${line}`, { body: { role: 'viewer' } });
    expect(changed.body.data).toMatchObject({ email: agent.email, role: 'viewer' });
    expect((await agent.call('POST /console/api/v1/tasks', { body: { title: 't' } })).status).toBe(
      403,
    );
    expect((await admin.call(`DELETE ${line}`)).body.data.deleted).toBe(true);
    expect((await agent.call('GET /console/api/v1/tasks')).status).toBe(404);
    expect((await admin.call(`DELETE ${line}`)).status).toBe(404);
    expect(await service.eventNames()).toEqual([]);
  });
});

describe('a sign-in link by mail', () => {
  const request = ({ call }: TestService, email: string) =>
    call('POST /console/api/sign-in/mail', { key: null, headers: SAME_ORIGIN, body: { email } });

  test('is requested with the same response for known and unknown addresses', async ({
    service,
  }) => {
    const { email } = await inviteAs(service, 'agent');
    const [known, unknown] = [
      await request(service, email),
      await request(service, 'unknown@example.com'),
    ];
    expect([known.status, unknown.status]).toEqual([202, 202]);
    expect(known.body).toEqual(unknown.body);
    const names = ({ headers }: typeof known) => [...headers.keys()].toSorted();
    expect(names(known)).toEqual(names(unknown));
    const queued = await jobsOf(service, 'accounts/mail-sign-in-link');
    expect(queued.map(({ payload }) => payload)).toEqual(
      expect.arrayContaining([{ email }, { email: 'unknown@example.com' }]),
    );
  });

  test.for(['', 'anna', 'anna@', 'two@example.com words', `${'a'.repeat(900)}@example.com`])(
    'is requested with the same response for %j, and nothing is queued',
    async (email, { service }) => {
      const before = await jobsOf(service, 'accounts/mail-sign-in-link');
      const { status, body } = await request(service, email);
      expect([status, body]).toEqual([202, { data: { accepted: true } }]);
      expect(await jobsOf(service, 'accounts/mail-sign-in-link')).toEqual(before);
    },
  );

  test('is offered where the installation has a mail server', async ({ service }) => {
    const { body } = await service.call('GET /console/api/sign-in', { key: null });
    expect(body).toEqual({ data: { mail: false, oidc: false } });
  });

  test('reaches a user at most five times an hour, and signs them in', async ({ service }) => {
    const { email } = await inviteAs(service, 'agent');
    const { mails, context } = mailing(service);
    await Promise.all(Array.from({ length: 20 }, () => handleMailLink.handle({ email }, context)));
    expect(mails.length).toBe(5);
    expect((await signIn(service, tokenIn(mails[0] as Mail))).status).toBe(200);
    await handleMailLink.handle({ email }, context);
    expect(mails.length).toBe(5);
    service.clock.advance(60 * 60_000);
    await handleMailLink.handle({ email }, context);
    expect(mails.length).toBe(6);
  });

  test('is not mailed to unknown addresses and disabled users', async ({ service }) => {
    const { email, userId } = await inviteAs(service, 'agent');
    await service.transact(AGENCY, OPERATOR, async (work) => {
      await work.rows('update users set disabled_at = now() where id = $1', [userId]);
    });
    const { mails, context } = mailing(service);
    await handleMailLink.handle({ email }, context);
    await handleMailLink.handle({ email: 'unknown@example.com' }, context);
    expect(mails).toEqual([]);
  });
});

describe('the audit trail in the console', () => {
  test('is filtered by actor and record, and paged', async ({ service }) => {
    const admin = await signInAs(service, 'admin');
    const ids: string[] = [];
    for (const title of ['one', 'two', 'three']) {
      const { body } = await admin.call('POST /console/api/v1/tasks', { body: { title } });
      ids.unshift(body.data.id);
    }
    await service.call('POST /api/v1/tasks', { body: { title: 'by a key' } });
    const list = async (query: string) => {
      const { body } = await admin.call(`GET /console/api/v1/audit?${query}`);
      return body;
    };
    const actor = encodeURIComponent(admin.email);
    const first = await list(`actor=${actor}&limit=2`);
    expect(first.data.map((one: any) => one.recordId)).toEqual(ids.slice(0, 2));
    expect(first.data[0]).toMatchObject({ actorKind: 'user', actor: admin.email });
    expect(first.meta.hasMore).toBe(true);
    const next = await list(`actor=${actor}&limit=2&cursor=${first.meta.cursor}`);
    expect(next.data[0].recordId).toBe(ids[2]);
    const one = await list(`recordId=${ids[1]}`);
    expect(one.data.map((row: any) => row.operation)).toEqual(['tasks.create']);
  });
});

describe('the export in the console', () => {
  test('is the CSV of all contacts', async ({ service }) => {
    const admin = await signInAs(service, 'admin');
    await admin.call('POST /console/api/v1/contacts', {
      body: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
    });
    const { status, headers, body } = await admin.call('GET /console/api/v1/exports/contacts');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="contacts.csv"');
    const [head, row, end] = String(body).split('\n');
    expect(head).toContain('firstName,lastName');
    expect(row).toContain('Ada,Lovelace');
    expect(end).toBe('');
  });

  test('ends when its reader lost access meanwhile', async ({ service }) => {
    const owner = await signInAs(service, 'owner');
    const admin = await signInAs(service, 'admin');
    await service.database.rows(
      `insert into contacts (sub_account_id, id, first_name, last_name, company, lifecycle_stage,
         created_at, updated_at)
       select $1, gen_random_uuid(), 'Ada', n::text, repeat('x', 200), 'lead', now(), now()
       from generate_series(1, 60000) n`,
      [service.subAccountId],
    );
    const response = await fetch(
      `${service.url}/console/api/v1/exports/contacts?subAccountId=${service.subAccountId}`,
      { headers: { cookie: admin.cookie, 'sec-fetch-site': 'same-origin' } },
    );
    const reader = response.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('firstName,lastName');
    const { body } = await owner.call('GET /console/api/v1/users');
    const { id } = body.data.find((one: any) => one.email === admin.email);
    expect((await owner.call(`DELETE /console/api/v1/users/${id}`)).status).toBe(200);
    service.clock.advance(11_000);
    const readOn = async () => {
      let isDone = false;
      while (!isDone) {
        ({ done: isDone } = await reader.read());
      }
    };
    await expect(readOn()).rejects.toThrow('terminated');
  });
});
