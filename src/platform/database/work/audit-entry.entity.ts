import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '../columns.ts';
import type { Actor } from '#core/work.ts';
import type { FieldChanges } from './field-changes.ts';

export const AuditEntryTable = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  properties: {
    ...recordKey(),
    at: p.datetime(),
    /** Endpoint id or command path. */
    operation: p.text(),
    actorKind: p.text().$type<Actor['kind']>(),
    actor: p.text(),
    keyPrefix: p.text().nullable(),
    /** The program of an agent, as it names itself. */
    client: p.text().nullable(),
    requestId: p.text(),
    recordId: p.text(),
    /** Null unless the record was changed through its entity. */
    changes: p.json<FieldChanges>().nullable(),
  },
});

/** A change of a record. Entries of the agency as a whole have the nil UUID as sub-account. */
export class AuditEntry extends AuditEntryTable.class {}
AuditEntryTable.setClass(AuditEntry);
