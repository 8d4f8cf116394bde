import { handle } from '#core/job.ts';
import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { mailPerson } from '../accounts/team/team.jobs.ts';
import { languageOf } from './reminder-messages.ts';
import type { TASK_PRIORITIES } from './task.schema.ts';
import { remindOfTask } from './tasks.jobs.ts';

/** Mails a reminder of the task in its current state, once per due date. */
export const handleTaskReminder = handle(remindOfTask, async (payload, context) => {
  const { subAccountId, taskId, dueDate } = payload;
  await context.transact(subAccountId, context.actor, (work) => remind(work, taskId, dueDate));
});

async function remind(work: Work, taskId: string, dueDate: number): Promise<void> {
  const { subAccountId, now } = work;
  const [due] = await work.rows<Omit<DueTask, 'dueDate'>>(CLAIM, [subAccountId, taskId, dueDate]);
  if (due) {
    const mail = { mailId: newId(now), to: due.email, ...reminderOf({ ...due, dueDate }) };
    work.enqueue(mailPerson, { subAccountId, ...mail });
  }
}

/**
 * Claims the reminder only if a mail can be sent: returns no row if the task is completed, deleted or
 * due at another time, or if its assignee has no email address.
 */
const CLAIM = `update tasks t set reminded_of = $3
  from team_members m, sub_accounts a
  where t.sub_account_id = $1 and t.id = $2 and t.due_date = $3 and t.deleted_at is null
    and t.status in ('todo', 'in_review') and t.reminded_of is distinct from $3
    and m.sub_account_id = $1 and m.id = t.assigned_to and m.email is not null
    and a.id = $1 and a.deleted_at is null
  returning t.title, t.description, t.priority,
    m.name as member, m.email, a.name as "subAccount", a.timezone, a.locale,
    (select nullif(concat_ws(', ', nullif(trim(concat_ws(' ', c.first_name, c.last_name)), ''),
       c.phone, c.email), '')
     from contacts c where c.sub_account_id = $1 and c.id = t.contact_id and c.deleted_at is null
    ) as contact`;

/** A task that is due, with the facts for its reminder. */
interface DueTask {
  readonly title: string;
  readonly description: string | null;
  readonly priority: (typeof TASK_PRIORITIES)[number];
  /** Epoch milliseconds. */
  readonly dueDate: number;
  readonly member: string;
  readonly email: string;
  /** In one line. */
  readonly contact: string | null;
  readonly subAccount: string;
  readonly timezone: string;
  readonly locale: string;
}

/** Returns the mail to the assignee, in the language of the sub-account and with times in its zone. */
function reminderOf(due: DueTask): { readonly subject: string; readonly text: string } {
  const { title, description, priority, member, contact, subAccount } = due;
  const { messages } = languageOf(due.locale);
  const facts = [
    [messages.task, title],
    [messages.due, timeOf(due)],
    [messages.priority, messages.priorities[priority]],
    [messages.contact, contact],
  ];
  const lines = facts.flatMap(([name, value]) => (value ? [name + messages.colon + value] : []));
  return {
    subject: messages.subject(title),
    text: [
      messages.greeting(member),
      lines.join('\n'),
      ...(description ? [description.trim()] : []),
      `-- \n${subAccount}\n`,
    ].join('\n\n'),
  };
}

const timeOf = ({ dueDate, timezone: timeZone, locale }: DueTask): string =>
  new Intl.DateTimeFormat(locale, {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone,
  }).format(dueDate);
