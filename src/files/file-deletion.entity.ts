import { defineEntity, p } from '@mikro-orm/core';

const FileDeletionTable = defineEntity({
  name: 'FileDeletion',
  tableName: 'file_deletions',
  properties: {
    subAccountId: p.uuid().primary(),
    contentId: p.uuid().primary(),
    dueAt: p.datetime(),
    /** When a worker began to remove it. */
    takenAt: p.datetime().nullable(),
  },
});

/** A content to remove from the storage, unless a file is made of it before. */
export class FileDeletion extends FileDeletionTable.class {
  static readonly foreignKeys: readonly string[] = [];
}
FileDeletionTable.setClass(FileDeletion);
