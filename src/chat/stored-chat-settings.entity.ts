import { defineEntity, p } from '@mikro-orm/core';
import type { ChatSettings } from './chat-settings.ts';

const StoredChatSettingsTable = defineEntity({
  name: 'StoredChatSettings',
  tableName: 'chat_settings',
  uniques: [{ properties: ['subAccountId'] }],
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** Members that the manifest gives; the defaults fill the rest. */
    settings: p.json<Partial<ChatSettings>>(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

export class StoredChatSettings extends StoredChatSettingsTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
StoredChatSettingsTable.setClass(StoredChatSettings);
