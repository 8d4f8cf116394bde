import { defineEntity, p } from '@mikro-orm/core';

const PresenceTable = defineEntity({
  name: 'Presence',
  tableName: 'presences',
  properties: {
    subAccountId: p.uuid().primary(),
    conversationId: p.uuid().primary(),
    /** The id of a user, or `visitor`. */
    participant: p.text().primary(),
    name: p.text(),
    seenAt: p.datetime(),
    typingUntil: p.datetime().nullable(),
  },
});

/** A participant who looks at a conversation or types in it. */
export class Presence extends PresenceTable.class {}
PresenceTable.setClass(Presence);
