import { defineEntity, p } from '@mikro-orm/core';
import type { Actor } from '#core/work.ts';

export const AuditEntryTable = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    at: p.datetime(),
    /** Endpoint id or command path. */
    operation: p.text(),
    actorKind: p.text().$type<Actor['kind']>(),
    actor: p.text(),
    keyPrefix: p.text().nullable(),
    requestId: p.text(),
    recordId: p.text(),
  },
});

/** A change of a record. Entries of the agency as a whole have the nil UUID as sub-account. */
export class AuditEntry extends AuditEntryTable.class {}
AuditEntryTable.setClass(AuditEntry);
