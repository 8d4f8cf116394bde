import type { JobContext } from '#core/job.ts';
import { jobHandlers } from '#registry/job-handlers.ts';
import { decideApproval } from '../../src/agents/approvals/decide-approval.ts';
import { runApproval } from '../../src/agents/approvals/approvals.jobs.ts';
import type { TestService } from '../support/service.ts';
import { connectAgent, issueKey, type Called } from './agents.support.ts';

interface DeletionRequest {
  readonly contactId: string;
  readonly keyId: string;
  readonly approvalId: string;
  /** Repeats the call. */
  remove(): Promise<Called>;
}

/** An agent asks to delete a new contact, with a key of its own. */
export async function askToDelete(service: TestService): Promise<DeletionRequest> {
  const body = { firstName: 'Ada', lastName: 'Byron' };
  const created = await service.call('POST /api/v1/contacts', { body });
  const contactId = created.body.data.id;
  const { key, keyId } = await issueKey(service, { scopes: ['contacts:write', 'contacts:read'] });
  const { call } = await connectAgent(service.url, key);
  const remove = () => call('run_action', { action: 'contacts.delete', arguments: { contactId } });
  const { content } = await remove();
  return { contactId, keyId, approvalId: content.approvalId, remove };
}

/** Returns the payloads of queued jobs of the sub-account that contain the text. */
export async function jobsOf(
  { database, subAccountId }: TestService,
  name: string,
  text = '',
): Promise<any[]> {
  const jobs = await database.rows<{ payload: any }>(
    `select j.payload from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = $1 and j.payload->>'subAccountId' = $2 and j.payload::text like $3`,
    [name, subAccountId, `%${text}%`],
  );
  return jobs.map(({ payload }) => payload);
}

/** As the worker finds it: the last one of that name. */
const handler = jobHandlers.findLast(({ job }) => job === runApproval);

/** Runs the approved calls that are queued. Returns how many. */
export async function runJobs(service: TestService): Promise<number> {
  const payloads = await jobsOf(service, runApproval.name);
  for (const payload of payloads) {
    await handler?.handle(payload, {
      ...service,
      attempt: 1,
      settings: { baseUrl: service.url },
    } as unknown as JobContext);
  }
  return payloads.length;
}

/** Decides as an operator; an approved call runs at once. */
export async function decideLast(
  service: TestService,
  approvalId: string,
  decision: 'approved' | 'denied',
): Promise<void> {
  const { subAccountId, transact, actor } = service;
  await transact(subAccountId, actor, (work) => decideApproval(work, approvalId, decision));
  await runJobs(service);
}
