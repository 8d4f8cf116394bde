import { p } from '@mikro-orm/core';

/** The primary key of a record of a sub-account. */
export const recordKey = () => ({
  subAccountId: p.uuid().primary(),
  id: p.uuid().primary(),
});

/** When a record was created and last changed. */
export const timestamps = () => ({
  createdAt: p.datetime(),
  updatedAt: p.datetime(),
});

/** The first columns of an entry of the manifest, which has a key of its own in each sub-account. */
export const manifestEntry = () => ({
  ...recordKey(),
  key: p.text(),
  name: p.text(),
});
