import { describe, expect, test, vi } from 'vitest';
import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { completeTask } from '../../src/tasks/complete-task.ts';
import { createTask } from '../../src/tasks/create-task.ts';
import { deleteTask } from '../../src/tasks/delete-task.ts';
import { remindOfTask } from '../../src/tasks/tasks.jobs.ts';
import { updateTask } from '../../src/tasks/update-task.ts';
import { mailServer, smtp, startSending, type Sending } from '../conversations/sending.support.ts';
import { WAIT } from '../support/deliveries.ts';
import { OPERATOR } from '../support/service.ts';

const HOUR_MS = 3_600_000;

/** Adds a team member for tasks to be assigned to. */
async function member({ database, subAccountId }: Sending, email: string | null) {
  const id = newId(new Date());
  await database.rows(
    `insert into team_members (sub_account_id, id, key, name, email, created_at, updated_at)
     values ($1, $2, 'anna', 'Anna Weber', $3, now(), now())`,
    [subAccountId, id, email],
  );
  return id;
}

const change = <R>({ transact, subAccountId }: Sending, use: (work: Work) => Promise<R>) =>
  transact(subAccountId, OPERATOR, use);

interface QueuedReminder {
  readonly payload: { readonly taskId: string; readonly dueDate: number };
  readonly runAt: Date;
}

/** Returns the queued reminders. */
const reminders = ({ database }: Sending) =>
  database.rows<QueuedReminder>(
    `select j.payload, j.run_at as "runAt" from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = $1 order by j.id`,
    [remindOfTask.name],
  );

/** Makes the queued reminders due. */
const fastForward = ({ database }: Sending) =>
  database.rows(`update graphile_worker._private_jobs set run_at = now() - interval '1 second'`);

const quiet = ({ database }: Sending) =>
  vi.waitFor(async () => {
    const waiting = await database.rows(
      `select id from graphile_worker._private_jobs
       where run_at <= now() and attempts < max_attempts`,
    );
    expect(waiting).toEqual([]);
  }, WAIT);

/** Starts a desk with a mail server and a team member with this email. */
async function startReminding(email: string | null) {
  const sending = await startSending();
  const server = await mailServer();
  await sending.setUp(smtp(server.port));
  const assignedTo = await member(sending, email);
  return { sending, server, assignedTo, dueDate: Date.now() + HOUR_MS };
}

describe('a task with a due date', () => {
  test('reminds the assignee once, through the email channel', async () => {
    const { sending, server, assignedTo, dueDate } = await startReminding('anna@harbour.example');
    const { id } = await change(sending, (work) =>
      createTask(work, {
        title: 'Call Ada back',
        description: 'About the crown',
        priority: 'high',
        dueDate,
        assignedTo,
        contactId: sending.contactId,
      }),
    );
    expect(await reminders(sending)).toEqual([
      { payload: expect.objectContaining({ taskId: id, dueDate }), runAt: new Date(dueDate) },
    ]);
    await fastForward(sending);
    await sending.startWorker();

    const [mail] = await server.next(1);
    expect(mail).toMatchObject({
      from: 'hello@harbour.example',
      to: ['anna@harbour.example'],
      subject: 'Due: Call Ada back',
      headers: { 'auto-submitted': 'auto-generated' },
    });
    for (const line of ['Hello Anna Weber,', 'Priority: high', 'About the crown', 'Ada Lovelace']) {
      expect(mail?.text).toContain(line);
    }
    // The same due date again, as if a worker was killed before it deleted its job.
    await change(sending, async (work) => {
      const { subAccountId } = sending;
      work.enqueue(remindOfTask, { subAccountId, taskId: id, dueDate });
    });
    await quiet(sending);
    expect(server.mails).toHaveLength(1);
    expect(await sending.fired()).toEqual([]);
  });

  test.each([
    ['de-DE', 'Fällig: Anruf', ['Hallo Anna Weber,', 'Aufgabe: Anruf', 'Priorität: hoch']],
    ['es-ES', 'Vence: Anruf', ['Hola, Anna Weber:', 'Tarea: Anruf', 'Prioridad: alta']],
    ['fr-FR', 'À faire : Anruf', ['Bonjour Anna Weber,', 'Tâche : Anruf', 'Priorité : haute']],
  ])('reminds in the language of the sub-account: %s', async (locale, subject, lines) => {
    const { sending, server, assignedTo, dueDate } = await startReminding('anna@harbour.example');
    await sending.database.rows('update sub_accounts set locale = $2 where id = $1', [
      sending.subAccountId,
      locale,
    ]);
    await change(sending, (work) =>
      createTask(work, { title: 'Anruf', priority: 'high', dueDate, assignedTo }),
    );
    await fastForward(sending);
    await sending.startWorker();
    const [mail] = await server.next(1);
    expect(mail?.subject).toBe(subject);
    for (const line of lines) {
      expect(mail?.text).toContain(line);
    }
  });

  test('does not count as reminded if nothing could be sent', async () => {
    const { sending, server, assignedTo, dueDate } = await startReminding(null);
    const { id } = await change(sending, (work) =>
      createTask(work, { title: 'Call', dueDate, assignedTo }),
    );
    await fastForward(sending);
    await sending.startWorker();
    await quiet(sending);
    const { database, subAccountId } = sending;
    const email = 'anna@harbour.example';
    await database.rows('update team_members set email = $2 where id = $1', [assignedTo, email]);
    await change(sending, async (work) =>
      work.enqueue(remindOfTask, { subAccountId, taskId: id, dueDate }),
    );
    expect(await server.next(1)).toMatchObject([{ to: [email], subject: 'Due: Call' }]);
    expect(await sending.fired()).toEqual([]);
  });

  test('reminds only at the new time if the due date changes', async () => {
    const sending = await startSending();
    const assignedTo = await member(sending, 'anna@harbour.example');
    const dueDate = Date.now() + HOUR_MS;
    const { id } = await change(sending, (work) =>
      createTask(work, { title: 'Call', dueDate, assignedTo }),
    );
    await change(sending, (work) => updateTask(work, id, { dueDate: dueDate + HOUR_MS }));
    expect(await reminders(sending)).toEqual([
      {
        payload: expect.objectContaining({ dueDate: dueDate + HOUR_MS }),
        runAt: new Date(dueDate + HOUR_MS),
      },
    ]);
  });

  test.for([
    ['is done', (work: Work, id: string) => completeTask(work, id)],
    ['is cancelled', (work: Work, id: string) => updateTask(work, id, { status: 'cancelled' })],
    ['is deleted', (work: Work, id: string) => deleteTask(work, id)],
    ['is unassigned', (work: Work, id: string) => updateTask(work, id, { assignedTo: null })],
    ['has no date', (work: Work, id: string) => updateTask(work, id, { dueDate: null })],
  ] as const)('that %s before the due date sends no reminder', async ([, use]) => {
    const { sending, server, assignedTo, dueDate } = await startReminding('anna@harbour.example');
    const { id } = await change(sending, (work) =>
      createTask(work, { title: 'Call', dueDate, assignedTo }),
    );
    await change(sending, (work) => use(work, id));
    await fastForward(sending);
    await sending.startWorker();
    await quiet(sending);
    expect(server.mails).toEqual([]);
  });

  test.for([
    ['has passed', { dueDate: Date.now() - 1 }],
    ['is of a task that is completed', { status: 'completed' }],
    ['is of an unassigned task', { assignedTo: null }],
  ] as const)('that %s gets no reminder', async ([, more]) => {
    const sending = await startSending();
    const assignedTo = await member(sending, 'anna@harbour.example');
    const given = { title: 'Call', dueDate: Date.now() + HOUR_MS, assignedTo, ...more };
    await change(sending, (work) => createTask(work, given));
    expect(await reminders(sending)).toEqual([]);
  });

  test('sends nothing without an email channel or an address', async () => {
    const sending = await startSending();
    const assignedTo = await member(sending, null);
    const given = { title: 'Call', dueDate: Date.now() + HOUR_MS, assignedTo };
    await change(sending, (work) => createTask(work, given));
    await fastForward(sending);
    await sending.startWorker();
    await quiet(sending);
    expect(await reminders(sending)).toEqual([]);
  });
});
