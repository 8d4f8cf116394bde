import { join } from 'node:path';
import { SCOPES } from '#core/scope.ts';
import type { Actor } from '#core/work.ts';
import { AGENCY, newId } from '#lib/id.ts';
import { PACKAGE_ROOT } from '#platform/files/package-root.ts';
import { findKeys } from '../../accounts/keys/api-key.store.ts';
import { createKey } from '../../accounts/keys/create-key.ts';
import { createSubAccount } from '../../accounts/sub-accounts/create-sub-account.ts';
import {
  findSubAccounts,
  type SubAccountRow,
} from '../../accounts/sub-accounts/sub-account.store.ts';
import { updateSubAccount } from '../../accounts/sub-accounts/update-sub-account.ts';
import { applyFile } from '../apply-file.ts';
import type { Service } from '../server/open-service.ts';
import { loadDemoData } from './demo-data.ts';
import type { Demo } from './up-text.ts';

const MANIFEST = join(PACKAGE_ROOT, 'config/demo.yaml');
const NAME = 'Harbour Dental';

/**
 * Applies config/demo.yaml to a sandbox, which the next `--demo` finds again, and creates a key. The
 * first time, the sandbox is filled with sample records.
 */
export async function loadDemo(service: Service, actor: Actor): Promise<Demo> {
  const { transact, openView, clock, log } = service;
  const known = await findDemo(service, actor);
  const subAccountId = known?.id ?? newId(clock());
  if (!known) {
    await transact(subAccountId, actor, (work) =>
      createSubAccount(work, { name: NAME, sandbox: true }),
    );
  }
  const options = { file: MANIFEST, subAccountId, prune: false, dryRun: false };
  const { ids } = await applyFile({ transact, actor, log }, options);
  if (!known) {
    const viewAt = (now: Date) => openView(subAccountId, now);
    await loadDemoData({ transact, viewAt, subAccountId, actor, ids, now: clock() });
  }
  const { key } = await transact(subAccountId, actor, (work) =>
    createKey(work, { name: 'demo', scopes: SCOPES }),
  );
  return { subAccountId, key, formId: ids['forms']?.['contact'] };
}

/**
 * Returns the demo sub-account. Its first key is created when its records are complete: a sandbox
 * without any was left by an `up` that ended before. It gets a name that says so.
 */
async function findDemo(
  { openView, clock, transact }: Service,
  actor: Actor,
): Promise<SubAccountRow | undefined> {
  const view = openView(AGENCY, clock());
  const demos = await findSubAccounts(view);
  for (const demo of demos.filter(({ name, sandbox }) => name === NAME && sandbox)) {
    if ((await findKeys(view, demo.id)).length > 0) {
      return demo;
    }
    await transact(demo.id, actor, (work) =>
      updateSubAccount(work, { name: `${NAME} (incomplete)` }),
    );
  }
  return undefined;
}
