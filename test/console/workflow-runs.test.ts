/* oxlint-disable unicorn/no-thenable -- a branch of a step is called so (contract 8) */
import { newId } from '#lib/id.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, test } from '../support/service.ts';
import { applyTo, begin, contactIn, workflowOf } from '../workflows/workflows.support.ts';

const V1 = '/console/api/v1';

describe('a dry run', () => {
  test('has the texts filled for the contact, the end of each wait and the branch of a condition', async ({
    service,
  }) => {
    const { subAccountId } = service;
    const { call } = await signInAs(service, 'admin');
    const steps = [
      { wait: { for: '1h' } },
      { if: { field: 'lastName', equals: 'Lovelace' }, then: [{ addTag: 'hot' }] },
      { createTask: { title: 'Call {{firstName}}', description: '{{data.wish}}, {{phone|none}}' } },
      { http: { url: 'https://example.com/{{lastName}}', headers: { authorization: 'secret' } } },
    ];
    await applyTo(service, subAccountId, workflowOf(steps));
    const contactId = await contactIn(service, subAccountId);
    const { body } = await call(`POST ${V1}/workflows/flow/dry-run`, { body: { contactId } });
    const [{ until, at }] = body.data.steps;
    expect(Date.parse(until) - Date.parse(at)).toBe(3_600_000);
    expect(body.data.steps).toMatchObject([
      { step: 'wait', branch: null },
      { step: 'if', until: null, branch: 'then' },
      { step: 'addTag', arguments: 'hot' },
      {
        step: 'createTask',
        arguments: { title: 'Call Ada', description: '{{data.wish}}, none' },
      },
      { step: 'http', arguments: { method: 'POST', url: 'https://example.com/Lovelace' } },
    ]);
    expect(JSON.stringify(body)).not.toContain('secret');
  });
});

describe('the log of a run', () => {
  test('names the records that its steps wrote, as long as they exist', async ({ service }) => {
    const { call, database, subAccountId } = service;
    const admin = await signInAs(service, 'admin');
    await applyTo(service, subAccountId, workflowOf([{ wait: { for: '1h' } }]));
    const contactId = await contactIn(service, subAccountId);
    const [runId = ''] = await begin(service, subAccountId, [contactId]);
    const task = (await call('POST /api/v1/tasks', { body: { title: 'Call', contactId } })).body
      .data.id;
    const thread = { contactId, channel: 'live_chat' };
    const conversation = (await call('POST /api/v1/conversations', { body: thread })).body.data.id;
    const text = { channel: 'live_chat', bodyText: 'Hello' };
    const message = (
      await call(`POST /api/v1/conversations/${conversation}/messages`, { body: text })
    ).body.data.id;
    const logged = [
      ['createTask', task],
      ['send', message],
      ['addTag', 'hot'],
      ['moveStage', crypto.randomUUID()],
    ] as const;
    for (const [place, [step, detail]] of logged.entries()) {
      service.clock.advance(1000);
      await database.rows(
        `insert into workflow_log (sub_account_id, id, run_id, place, step, outcome, detail, at)
         values ($1, $2, $3, $4, $5, 'done', $6, now())`,
        [subAccountId, newId(service.clock()), runId, `/${place}`, step, detail],
      );
    }
    const records = async () => {
      const { body } = await admin.call(`GET ${V1}/runs/${runId}`);
      return body.data.log.map(({ record }: { record: unknown }) => record);
    };
    const sent = { type: 'message', id: message, withinId: conversation };
    expect(await records()).toEqual([{ type: 'task', id: task, withinId: null }, sent, null, null]);
    await call(`DELETE /api/v1/tasks/${task}`);
    expect(await records()).toEqual([null, sent, null, null]);
  });
});
