import { defineEntity, p } from '@mikro-orm/core';

const ExternalBusyTable = defineEntity({
  name: 'ExternalBusy',
  tableName: 'external_busy',
  properties: {
    subAccountId: p.uuid().primary(),
    memberId: p.uuid().primary(),
    busy: p.text().columnType('tstzmultirange').defaultRaw("'{}'"),
    /** The last attempt, successful or not. */
    askedAt: p.datetime().nullable(),
    answeredAt: p.datetime().nullable(),
    /** Null while the last attempt succeeded. */
    failingSince: p.datetime().nullable(),
    lastError: p.text().nullable(),
    /** Sent with the next request, so that the server can return 304 for an unchanged calendar. */
    validators: p.json<Record<string, string>>().defaultRaw("'{}'"),
  },
});

/** The busy times from the last successful read of a team member's external calendar. */
export class ExternalBusy extends ExternalBusyTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, member_id) references team_members (sub_account_id, id) on delete cascade',
  ];
}
ExternalBusyTable.setClass(ExternalBusy);
