import { Agent, request } from 'undici';
import { onTestFinished } from 'vitest';
import { describe, expect, test } from '../support/service.ts';
import { contactOf, salesOf } from '../support/pipelines.ts';
import { connectAgent, issueKey } from './agents.support.ts';
import { decideLast } from './approvals.support.ts';

const CALLS = 1_000;
const RATE = 50;
const CONNECTIONS = 100;

describe('1,000 calls with one key at the same time', () => {
  test('obey its rate exactly, reads and writes', async ({ service }) => {
    const { key } = await issueKey(service, {
      scopes: ['tasks:read', 'tasks:write'],
      rateRead: `${RATE}/1h`,
      rateWrite: `${RATE}/1h`,
    });
    // A connection each would exceed the time for its headers: client and server share a thread.
    const dispatcher = new Agent({ connections: CONNECTIONS });
    onTestFinished(() => dispatcher.close());
    const call = async (number: number, name: string, given: object) => {
      const params = { name, arguments: given };
      const { statusCode, body } = await request(`${service.url}/mcp`, {
        dispatcher,
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: number, method: 'tools/call', params }),
      });
      const { result } = (await body.json()) as any;
      expect(statusCode).toBe(200);
      return result.structuredContent.error?.code ?? 'done';
    };
    const numbers = Array.from({ length: CALLS / 2 }, (_, index) => index);
    const codes = await Promise.all(
      numbers.flatMap((number) => [
        call(number, 'save_task', { title: `Task ${number}` }),
        call(number, 'list_tasks', {}),
      ]),
    );
    const count = (code: string) => codes.filter((one) => one === code).length;
    expect([count('done'), count('RATE_LIMITED')]).toEqual([2 * RATE, CALLS - 2 * RATE]);
    expect((await service.eventNames()).length).toBe(RATE);
  });
});

describe('a tool', () => {
  test('that lacks the id of its record says so', async ({ service }) => {
    const { call } = await connectAgent(service.url, service.keys.full);
    const refused = await call('get_contact', {});
    expect(refused.content.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('contactId is required'),
    });
    const action = await call('run_action', { action: 'contacts.delete', arguments: {} });
    expect(action.content.error.message).toContain('contactId is required');
  });

  test.for([[{ toString: 1 }], [['x']], [null], [true]])(
    'refuses %j as the id of a record',
    async ([contactId], { service }) => {
      const { call } = await connectAgent(service.url, service.keys.full);
      const given = { contactId };
      const refused = await call('get_contact', given);
      const action = await call('run_action', { action: 'contacts.delete', arguments: given });
      for (const { content } of [refused, action]) {
        expect(content.error).toMatchObject({
          code: 'VALIDATION_ERROR',
          message: expect.stringContaining('contactId must be a string'),
        });
      }
    },
  );

  test('refuses arguments that it does not have, and names those that it has', async ({
    service,
  }) => {
    const { call } = await connectAgent(service.url, service.keys.full);
    const refused = await call('save_contact', { firstName: 'Ada', mail: 'ada@example.com' });
    expect(refused.content.error.message).toMatch(/mail is not an argument.+email/);
    expect(await service.eventNames()).toEqual([]);
  });

  test('that writes takes a dry run; no other does', async ({ service }) => {
    const { client } = await connectAgent(service.url, service.keys.full);
    const { tools } = await client.listTools();
    for (const { name, annotations, inputSchema } of tools) {
      const hasDryRun = Object.hasOwn(inputSchema.properties ?? {}, 'dryRun');
      expect([name, hasDryRun]).toEqual([name, annotations?.readOnlyHint !== true]);
    }
  });

  test('saves a deal with its stage and its status in one call', async ({ service }) => {
    const { pipelineId, stages } = await salesOf(service);
    const contactId = await contactOf(service);
    await service.events();
    const { call } = await connectAgent(service.url, service.keys.full);
    const incomplete = await call('save_deal', { name: 'Implant' });
    expect(incomplete.content.error.message).toContain('contactId is required');
    const { content } = await call('save_deal', { name: 'Implant', contactId, pipelineId });
    expect(await service.eventNames()).toEqual(['opportunity.created']);
    const opportunityId = content.data.id;
    const won = await call('save_deal', { opportunityId, status: 'won', stageId: stages.offer });
    expect(won.content.data).toMatchObject({ status: 'won', stageId: stages.offer });
    expect(await service.eventNames()).toEqual([
      'opportunity.stage_changed',
      'opportunity.updated',
    ]);
    const reason = await call('save_deal', { opportunityId, lostReason: 'Price' });
    expect(reason.isError).toBe(true);
    const moved = await call('save_deal', { opportunityId, pipelineId });
    expect(moved.content.error.message).toContain('cannot be changed');
    expect(await service.eventNames()).toEqual([]);
  });

  test('of a sandbox key is introduced as one', async ({ service }) => {
    await service.database.rows('update sub_accounts set sandbox = true where id = $1', [
      service.subAccountId,
    ]);
    const { key } = await issueKey(service, { scopes: ['contacts:read'] });
    const { client } = await connectAgent(service.url, key);
    expect(client.getInstructions()).toContain('sandbox');
  });
});

describe('an approval of a message', () => {
  test('runs whether a conversation or a contact was named', async ({ service }) => {
    const contactId = await contactOf(service);
    const { key } = await issueKey(service, {
      scopes: ['conversations:read', 'conversations:write'],
      agentPolicy: { tells: 'ask' },
    });
    const { call } = await connectAgent(service.url, key);
    const given = { contactId, channel: 'live_chat', bodyText: 'Hello' };
    const { content } = await call('send_message', given);
    await decideLast(service, content.approvalId, 'approved');
    const sent = await call('send_message', given);
    expect(sent.content).toMatchObject({ status: 'approved', data: { bodyText: 'Hello' } });
    const reply = { conversationId: sent.content.data.conversationId, bodyText: 'And bye' };
    const second = await call('send_message', reply);
    await decideLast(service, second.content.approvalId, 'approved');
    expect((await call('send_message', reply)).content.data.bodyText).toBe('And bye');
  });
});
