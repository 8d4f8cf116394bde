import { createHmac } from 'node:crypto';
import { expect, vi } from 'vitest';
import { sections } from '#registry/sections.ts';
import { createContact } from '../../src/contacts/create-contact.ts';
import { readManifest } from '../../src/manifest/read-manifest.ts';
import { runManifest } from '../../src/manifest/apply-manifest.ts';
import {
  findRunLog,
  findRuns,
  type LogRow,
  type RunRow,
} from '../../src/workflows/runs/find-runs.ts';
import { receiveMessage } from '../../src/conversations/inbound/receive-message.ts';
import { findWorkflows } from '../../src/workflows/definition/find-workflows.ts';
import { regenerateWorkflowSecret } from '../../src/workflows/definition/regenerate-workflow-secret.ts';
import { FROM_OUTSIDE } from '../../src/workflows/runs/effects.ts';
import { startRuns } from '../../src/workflows/triggers/start-runs.ts';
import type { Service } from '../../src/commands/server/open-service.ts';
import { OPERATOR, type TestService } from '../support/service.ts';

export const WAIT = { timeout: 60_000, interval: 50 };

/** Applies a manifest. Returns the result with its warnings. */
export const applyTo = async (
  { transact, secrets }: Pick<Service, 'transact' | 'secrets'>,
  subAccountId: string,
  manifest: object | string,
  prune = false,
) => {
  const file = {
    name: 'test.yaml',
    text: typeof manifest === 'string' ? manifest : JSON.stringify(manifest),
  };
  const read = { ...(await readManifest(sections, file, {})), tools: { secrets } };
  const target = { transact, subAccountId, actor: OPERATOR };
  return runManifest(target, read, { prune, dryRun: false });
};

/** Returns a workflow with these steps and further fields. */
export const workflowOf = (steps: readonly object[], over: object = {}) => ({
  workflows: [
    { slug: 'flow', name: 'Flow', triggers: [{ on: 'inbound_webhook' }], steps, ...over },
  ],
});

export const secretOf = (service: Service, subAccountId: string, slug = 'flow') =>
  service.transact(subAccountId, OPERATOR, (work) =>
    regenerateWorkflowSecret(work, service.secrets, slug),
  );

export const signed = (secret: string, raw: string | Buffer) =>
  `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`;

export async function contactIn(service: Service, subAccountId: string, fields: object = {}) {
  const input = { firstName: 'Ada', lastName: 'Lovelace', ...fields };
  const { id } = await service.transact(subAccountId, OPERATOR, (work) =>
    createContact(work, input),
  );
  return id;
}

/** Starts runs as the command does. Returns their ids. */
export async function begin(
  service: Service,
  subAccountId: string,
  contactIds: readonly (string | null)[],
  slug = 'flow',
): Promise<readonly string[]> {
  const [workflow] = await findWorkflows(viewOf(service, subAccountId), slug);
  if (!workflow) {
    throw new Error(`no workflow ${slug}`);
  }
  const { id: workflowId, versionId, reenter } = workflow;
  const of = { workflowId, slug, versionId, reenter, trigger: 'test', data: {} };
  return service.transact(subAccountId, OPERATOR, (work) =>
    startRuns(
      work,
      contactIds.map((contactId) => ({ ...of, contactId, ...FROM_OUTSIDE, sincePosition: null })),
    ),
  );
}

const viewOf = ({ openView, clock }: Service, subAccountId: string) =>
  openView(subAccountId, clock());

export const runsIn = (service: Service, subAccountId: string, slug?: string): Promise<RunRow[]> =>
  findRuns(viewOf(service, subAccountId), { slug, limit: 20_000 });

export const logOf = (service: Service, subAccountId: string, runId: string): Promise<LogRow[]> =>
  findRunLog(viewOf(service, subAccountId), runId);

/** Returns the only run once it has this status. */
export async function runThatIs(
  service: Service,
  subAccountId: string,
  status: string,
  slug?: string,
): Promise<RunRow> {
  await vi.waitFor(async () => {
    const runs = await runsIn(service, subAccountId, slug);
    expect(runs.map((run) => run.status)).toEqual([status]);
  }, WAIT);
  return (await runsIn(service, subAccountId, slug))[0] as RunRow;
}

/** Returns place, step and outcome of each step taken. */
export const taken = (log: readonly LogRow[]): string[] =>
  log.map(({ place, step, outcome }) => `${place} ${step} ${outcome}`);

/** Receives a mail from a new address. Returns the new contact's id. */
export async function writes(service: TestService, from: string): Promise<string> {
  const { subAccountId, transact, database } = service;
  const mail = { externalId: crypto.randomUUID(), from, bodyText: 'Ticket received' };
  await transact(subAccountId, OPERATOR, (work) => receiveMessage(work, 'email', mail));
  const [row] = await database.rows<{ id: string }>(
    'select id from contacts where sub_account_id = $1 and email = $2',
    [subAccountId, from],
  );
  return row?.id ?? '';
}
