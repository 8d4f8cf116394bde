import { defineMigration } from '#platform/database/migrate/migration.ts';

export const formFiles = defineMigration('20261126121500_form_files', [
  // Files of forms: uploaded for a form, and then part of a submission.
  // One constraint per statement: a cluster accepts no other.
  'alter table files add form_id uuid, add submission_id uuid',
  `alter table files add foreign key (sub_account_id, form_id)
     references forms (sub_account_id, id)`,
  `alter table files add foreign key (sub_account_id, submission_id)
     references form_submissions (sub_account_id, id) on delete cascade`,
  'alter table files add check (submission_id is null or form_id is not null)',
  `create index files_of_submission on files (sub_account_id, submission_id)
     where submission_id is not null`,
  `create index files_of_form on files (sub_account_id, form_id, created_at)
     where form_id is not null and submission_id is null`,
  `drop index files_unattached`,
  `create index files_unattached on files (created_at)
     where message_id is null and submission_id is null`,
]);
