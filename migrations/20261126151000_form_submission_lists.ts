import { defineMigration } from '#platform/database/migrate/migration.ts';

export const formSubmissionLists = defineMigration('20261126151000_form_submission_lists', [
  // For lists of the submissions of one form, newest first.
  `create index form_submissions_of_form on form_submissions
     (sub_account_id, form_id, created_at, id)`,
]);
