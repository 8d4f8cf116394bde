import { defineEntity, p } from '@mikro-orm/core';

const IdempotencyKeyTable = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  properties: {
    subAccountId: p.uuid().primary(),
    /** The API key that called. */
    keyId: p.uuid().primary(),
    path: p.text().primary(),
    key: p.text().primary(),
    bodyHash: p.text(),
    status: p.integer(),
    body: p.text(),
    expiresAt: p.datetime(),
  },
});

/** A stored response, replayed when the request is sent again with the same idempotency key. */
export class IdempotencyKey extends IdempotencyKeyTable.class {}
IdempotencyKeyTable.setClass(IdempotencyKey);
