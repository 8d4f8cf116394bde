import { LockMode } from '@mikro-orm/core';
import { notFound } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { randomBase62 } from '../../accounts/keys/key-value.ts';
import { Workflow } from './workflow.entity.ts';

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
  const { em, subAccountId, now } = work;
  const live = { subAccountId, slug, deletedAt: null };
  const workflow = await em.findOne(Workflow, live, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!workflow) {
    throw notFound(`workflow ${slug}`);
  }
  const secret = `wfsec_${randomBase62(CHARACTERS)}`;
  workflow.secret = secrets.seal(secret, secretPlace(workflow.id));
  workflow.updatedAt = now;
  work.audit(workflow.id);
  return secret;
}
