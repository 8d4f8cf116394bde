import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';
import type { ImportResult } from '../../contacts/import/import-contacts.ts';
import type { Settled } from '../../contacts/import/import-rows.ts';

const ContactImportTable = defineEntity({
  name: 'ContactImport',
  tableName: 'contact_imports',
  properties: {
    ...recordKey(),
    /** `uploading` until the file is complete; nothing shows it. */
    status: p.text().$type<'uploading' | 'running' | 'done' | 'failed'>(),
    /** The key of a static list. */
    list: p.text().nullable(),
    dryRun: p.boolean(),
    /** The contact's member of each column, '' for columns that are left out; null as in the file. */
    columns: p.array().columnType('text[]').nullable(),
    /** The email address of the user, and the id of their request. */
    startedBy: p.text(),
    requestId: p.text(),
    processed: p.integer(),
    /** Rows below the header; 0 until the file is checked. */
    total: p.integer(),
    error: p.text().nullable(),
    result: p.json<ImportResult>().nullable(),
    ...timestamps(),
  },
});

/** An import of contacts that a user started. */
export class ContactImport extends ContactImportTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
ContactImportTable.setClass(ContactImport);

const OF_IMPORT = [
  '(sub_account_id, import_id) references contact_imports (sub_account_id, id) on delete cascade',
];

const ContactImportPartTable = defineEntity({
  name: 'ContactImportPart',
  tableName: 'contact_import_parts',
  properties: {
    subAccountId: p.uuid().primary(),
    importId: p.uuid().primary(),
    position: p.integer().primary(),
    content: p.blob(),
  },
});

/** A part of the file of an import. */
export class ContactImportPart extends ContactImportPartTable.class {
  static readonly foreignKeys = OF_IMPORT;
}
ContactImportPartTable.setClass(ContactImportPart);

const ContactImportCheckpointTable = defineEntity({
  name: 'ContactImportCheckpoint',
  tableName: 'contact_import_checkpoints',
  properties: {
    subAccountId: p.uuid().primary(),
    importId: p.uuid().primary(),
    firstLine: p.integer().primary(),
    results: p.json<readonly Settled[]>(),
  },
});

/** The results of the rows that one transaction of a running import has written. */
export class ContactImportCheckpoint extends ContactImportCheckpointTable.class {
  static readonly foreignKeys = OF_IMPORT;
}
ContactImportCheckpointTable.setClass(ContactImportCheckpoint);
