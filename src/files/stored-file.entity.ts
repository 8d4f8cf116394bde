import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';
import type { FileSource } from './file.schema.ts';

const StoredFileTable = defineEntity({
  name: 'StoredFile',
  tableName: 'files',
  properties: {
    ...recordKey(),
    /** What the content is stored under. Copies of a file share it. */
    contentId: p.uuid(),
    state: p.text().$type<'stored' | 'pending' | 'refused'>(),
    name: p.text(),
    type: p.text(),
    /** Bytes; null until they are known. */
    size: p.integer().nullable(),
    /** Why there is no content, for people. */
    refused: p.text().nullable(),
    /** Where the content is fetched from. */
    source: p.json<FileSource>().nullable(),
    messageId: p.uuid().nullable(),
    /** The chat whose visitor sent it. */
    sessionId: p.uuid().nullable(),
    /** The form that it was uploaded for. */
    formId: p.uuid().nullable(),
    submissionId: p.uuid().nullable(),
    /** Its place among the files of the message. */
    position: p.integer().default(0),
    createdAt: p.datetime(),
  },
});

/** A file of a message or a form submission, or an upload that neither has yet. */
export class StoredFile extends StoredFileTable.class {
  static readonly foreignKeys = [
    '(sub_account_id) references sub_accounts (id)',
    '(sub_account_id, message_id) references messages (sub_account_id, id) on delete cascade',
    '(sub_account_id, session_id) references chat_sessions (sub_account_id, id) on delete cascade',
    '(sub_account_id, form_id) references forms (sub_account_id, id)',
    '(sub_account_id, submission_id) references form_submissions (sub_account_id, id) on delete cascade',
  ];
}
StoredFileTable.setClass(StoredFile);
