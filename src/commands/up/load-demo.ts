import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '#platform/files/package-root.ts';
import { AGENCY, newId } from '#lib/id.ts';
import { SCOPES } from '#core/scope.ts';
import type { Actor } from '#core/work.ts';
import { createKey } from '../../accounts/keys/create-key.ts';
import { createSubAccount } from '../../accounts/sub-accounts/create-sub-account.ts';
import { findSubAccounts } from '../../accounts/sub-accounts/sub-account.store.ts';
import { applyFile } from '../apply-file.ts';
import type { Service } from '../server/open-service.ts';
import { osUser } from '../open-admin.ts';

const MANIFEST = join(PACKAGE_ROOT, 'config/demo.yaml');
const NAME = 'Harbour Dental';

export interface Demo {
  readonly subAccountId: string;
  readonly key: string;
  readonly formId: string | undefined;
}

/** Sets up what config/demo.yaml describes, in a sandbox that the next `--demo` finds again. */
export async function loadDemo(service: Service): Promise<Demo> {
  const { transact, openView, clock, log } = service;
  const actor: Actor = {
    kind: 'cli',
    name: osUser(),
    requestId: randomUUID(),
    operation: 'up --demo',
  };
  const known = (await findSubAccounts(openView(AGENCY, clock()))).find(
    ({ name, sandbox }) => name === NAME && sandbox,
  );
  const subAccountId = known?.id ?? newId(clock());
  if (!known) {
    await transact(subAccountId, actor, (work) =>
      createSubAccount(work, { name: NAME, sandbox: true }),
    );
  }
  const wanted = { file: MANIFEST, subAccountId, prune: false, dryRun: false };
  const { ids } = await applyFile({ transact, actor, log }, wanted);
  const { key } = await transact(subAccountId, actor, (work) =>
    createKey(work, { name: 'demo', scopes: SCOPES }),
  );
  return { subAccountId, key, formId: ids['forms']?.['contact'] };
}
