import { notFound } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { randomBase62 } from '../../accounts/keys/key-value.ts';

/** 238 bits of randomness. */
const CHARACTERS = 40;

/** Returns the context to which a workflow's secret is sealed. */
export const secretPlace = (id: string): string => `workflows/${id}/secret`;

/** Replaces a workflow's signing secret and returns it. The old one becomes invalid at once. */
export async function regenerateWorkflowSecret(
  work: Work,
  secrets: Secrets,
  slug: string,
): Promise<string> {
  const { subAccountId, now } = work;
  const [workflow] = await work.rows<{ id: string }>(LOCK_WORKFLOW, [subAccountId, slug]);
  if (!workflow) {
    throw notFound(`workflow ${slug}`);
  }
  const secret = `wfsec_${randomBase62(CHARACTERS)}`;
  work.write(STORE, [
    subAccountId,
    workflow.id,
    secrets.seal(secret, secretPlace(workflow.id)),
    now,
  ]);
  work.audit(workflow.id);
  return secret;
}

const LOCK_WORKFLOW = `select id from workflows
  where sub_account_id = $1 and slug = $2 and deleted_at is null for update`;

const STORE = `update workflows set secret = $3, updated_at = $4
  where sub_account_id = $1 and id = $2`;
