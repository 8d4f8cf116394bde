import { defineMigration } from '#platform/database/migrate/migration.ts';

export const tasks = defineMigration('20261121070000_tasks', [
  // Due and completed are epoch milliseconds, as in the API.
  `create table tasks (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    title text not null,
    description text,
    status text not null check (status in ('todo', 'in_review', 'completed', 'cancelled')),
    priority text not null check (priority in ('low', 'medium', 'high', 'urgent')),
    due_date bigint,
    completed_at bigint check ((completed_at is null) = (status <> 'completed')),
    assigned_to uuid,
    contact_id uuid,
    deal_id uuid,
    -- The due date that a reminder was sent of.
    reminded_of bigint,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    primary key (sub_account_id, id),
    constraint tasks_assigned_to_fkey foreign key (sub_account_id, assigned_to)
      references team_members (sub_account_id, id) on delete set null (assigned_to),
    constraint tasks_contact_fkey foreign key (sub_account_id, contact_id)
      references contacts (sub_account_id, id),
    constraint tasks_deal_fkey foreign key (sub_account_id, deal_id)
      references opportunities (sub_account_id, id)
  )`,
  `create index tasks_live on tasks (sub_account_id, id) where deleted_at is null`,
  `create index tasks_by_status on tasks (sub_account_id, status, id) where deleted_at is null`,
  `create index tasks_by_assignee on tasks (sub_account_id, assigned_to, id)
   where deleted_at is null and assigned_to is not null`,
  `create index tasks_by_contact on tasks (sub_account_id, contact_id, id)
   where deleted_at is null and contact_id is not null`,
  `create index tasks_by_deal on tasks (sub_account_id, deal_id, id)
   where deleted_at is null and deal_id is not null`,
  `create index tasks_by_due_date on tasks (sub_account_id, due_date)
   where deleted_at is null and due_date is not null`,

  `create trigger tasks_tally_inserts after insert on tasks
   referencing new table as added for each statement execute function tally_inserts()`,
  `create trigger tasks_tally_deletes after update of deleted_at on tasks for each row
   when (old.deleted_at is null <> (new.deleted_at is null)) execute function tally_delete()`,
]);
