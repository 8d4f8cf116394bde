import { performs } from '#kit/job.ts';
import { newId } from '#kit/id.ts';
import type { Work } from '#kit/work.ts';
import { mailPerson } from '../accounts/mail-person.ts';
import { reminderOf, type DueTask } from './reminder.ts';
import { remindOfTask } from './tasks.jobs.ts';

/** Sends a reminder of the task as it stands now, once for each time that it is due. */
export const performRemindOfTask = performs(remindOfTask, async (payload, context) => {
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

/** Nothing where the task is done, gone, moved to another time, or nobody can be written to. */
const CLAIM = `with due as (
    update tasks set reminded_of = $3
    where sub_account_id = $1 and id = $2 and due_date = $3 and deleted_at is null
      and status in ('todo', 'in_review') and assigned_to is not null
      and reminded_of is distinct from $3
    returning title, description, priority, assigned_to, contact_id
  )
  select due.title, due.description, due.priority,
    m.name as member, m.email, a.name as "subAccount", a.timezone, a.locale,
    nullif(concat_ws(', ', nullif(trim(concat_ws(' ', c.first_name, c.last_name)), ''),
      c.phone, c.email), '') as contact
  from due
  join team_members m on m.sub_account_id = $1 and m.id = due.assigned_to and m.email is not null
  join sub_accounts a on a.id = $1 and a.deleted_at is null
  left join contacts c on c.sub_account_id = $1 and c.id = due.contact_id
    and c.deleted_at is null`;
