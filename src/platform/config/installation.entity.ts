import { defineEntity, p } from '@mikro-orm/core';

const InstallationTable = defineEntity({
  name: 'Installation',
  tableName: 'installation',
  properties: {
    id: p.boolean().primary().default(true),
    /** Proves that the configured secret key sealed the secrets of this database. */
    keyCheck: p.blob(),
  },
});

/** One row that binds the database to the secret key of its installation. */
export class Installation extends InstallationTable.class {}
InstallationTable.setClass(Installation);
