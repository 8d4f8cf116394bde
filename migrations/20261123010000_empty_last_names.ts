import { defineMigration } from '#platform/database/migrate/migration.ts';

export const emptyLastNames = defineMigration('20261123010000_empty_last_names', [
  // The first step of its release: all steps are one transaction, and this one takes 80 s for a million
  // names. After a step that locks a table, every request would wait that long.
  // Contacts of people who wrote, chatted, filled in a form or came by a workflow got a dash for the
  // last name that they did not give. Contacts from other sources keep what was written.
  `update contacts c set last_name = ''
   where last_name = '–' and (
     source in ('sms', 'email', 'messenger', 'instagram', 'gmail', 'live_chat', 'social_dm',
       'form', 'workflow')
     or exists (
       select from form_submissions s
       where s.sub_account_id = c.sub_account_id and s.contact_id = c.id
     )
   )`,
]);
