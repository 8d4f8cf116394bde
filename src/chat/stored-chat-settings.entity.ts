import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';
import type { ChatSettings } from './chat-settings.ts';

const StoredChatSettingsTable = defineEntity({
  name: 'StoredChatSettings',
  tableName: 'chat_settings',
  uniques: [{ properties: ['subAccountId'] }],
  properties: {
    ...recordKey(),
    /** Members that the manifest gives; the defaults fill the rest. */
    settings: p.json<Partial<ChatSettings>>(),
    ...timestamps(),
  },
});

export class StoredChatSettings extends StoredChatSettingsTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
StoredChatSettingsTable.setClass(StoredChatSettings);
