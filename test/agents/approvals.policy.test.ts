import { setAgentPolicy } from '../../src/accounts/keys/set-agent-policy.ts';
import { runApproval } from '../../src/agents/approvals/approvals.jobs.ts';
import { liveChatThread } from '../files/files.support.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { connectAgent, issueKey } from './agents.support.ts';
import { decideLast, jobsOf, runJobs } from './approvals.support.ts';

/** An agent that has to ask before it sends a message. */
async function asking(service: TestService) {
  const { id: conversationId } = await liveChatThread(service);
  const { key, keyId } = await issueKey(service, {
    scopes: ['conversations:write', 'conversations:read'],
  });
  const allow = (tells: 'ask' | 'allow') =>
    service.transact(service.subAccountId, service.actor, async (work) => {
      await setAgentPolicy(work, { keyId, agentPolicy: { tells } });
    });
  await allow('ask');
  const { call } = await connectAgent(service.url, key);
  const send = (more: object = {}) =>
    call('send_message', { conversationId, bodyText: 'See you at ten', ...more });
  const { content } = await send();
  await service.events();
  const sent = async () => {
    const { body } = await service.call(`GET /api/v1/conversations/${conversationId}/messages`);
    return body.data.length as number;
  };
  return { approvalId: content.approvalId as string, allow, send, sent };
}

describe('a call whose policy has changed from ask to allow', () => {
  test('runs once, and the approval that it waited for can no longer be given', async ({
    service,
  }) => {
    const { approvalId, allow, send, sent } = await asking(service);
    await allow('allow');
    expect((await send()).isError).toBe(false);
    const late = decideLast(service, approvalId, 'approved');
    await expect(late).rejects.toThrow('this approval is expired already');
    expect(await jobsOf(service, runApproval.name)).toEqual([]);
    expect(await sent()).toBe(1);
    expect(await service.eventNames()).toEqual([]);
  });

  test('has the outcome of its approval, unless it is to be repeated', async ({ service }) => {
    const { approvalId, allow, send, sent } = await asking(service);
    await decideLast(service, approvalId, 'approved');
    await allow('allow');
    expect((await send()).content).toMatchObject({ status: 'approved', approvalId });
    expect(await sent()).toBe(1);
    expect((await send({ repeat: true })).content.status).not.toBe('approved');
    expect(await sent()).toBe(2);
  });

  test('runs once if a person approves it at the same time, twenty times', async ({ service }) => {
    for (let round = 0; round < 20; round += 1) {
      const { approvalId, allow, send, sent } = await asking(service);
      await allow('allow');
      await Promise.all([
        send(),
        decideLast(service, approvalId, 'approved').catch(() => undefined),
      ]);
      await runJobs(service);
      expect(await sent()).toBe(1);
    }
  });

  test('runs although it was denied before', async ({ service }) => {
    const { approvalId, allow, send, sent } = await asking(service);
    await decideLast(service, approvalId, 'denied');
    await allow('allow');
    expect((await send()).isError).toBe(false);
    expect(await sent()).toBe(1);
  });
});
