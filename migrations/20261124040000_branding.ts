import { defineMigration } from '#platform/database/migrate/migration.ts';

export const branding = defineMigration('20261124040000_branding', [
  // Chats had the default color stored. Without one, the chat has the brand's color.
  `update chat_settings set settings = settings - 'color' where settings ->> 'color' = '#2456a6'`,
  `alter table sub_accounts add column brand_color text, add column logo_url text`,
]);
