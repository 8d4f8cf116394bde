import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';
import type { Channel } from '../../contacts/channels.ts';

const ConfiguredChannelTable = defineEntity({
  name: 'ConfiguredChannel',
  tableName: 'channels',
  uniques: [{ properties: ['subAccountId', 'channel'] }],
  properties: {
    ...recordKey(),
    channel: p.text().$type<Channel>(),
    provider: p.text(),
    settings: p.json<Record<string, unknown>>().defaultRaw("'{}'"),
    /** Sealed. */
    secrets: p.blob().nullable(),
    ...timestamps(),
  },
});

/** The provider that carries the messages of a channel. */
export class ConfiguredChannel extends ConfiguredChannelTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
ConfiguredChannelTable.setClass(ConfiguredChannel);
