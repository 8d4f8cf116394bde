import { defineEntity, p } from '@mikro-orm/core';

const ManifestReferenceTable = defineEntity({
  name: 'ManifestReference',
  tableName: 'manifest_references',
  properties: {
    subAccountId: p.uuid().primary(),
    section: p.text().primary(),
    entry: p.text().primary(),
    /** JSON pointer within the entry. */
    path: p.text().primary(),
    reference: p.text(),
    createdAt: p.datetime(),
  },
});

/** A reference to the environment that an applied manifest contains, so that `export` writes it back. */
export class ManifestReference extends ManifestReferenceTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
ManifestReferenceTable.setClass(ManifestReference);
