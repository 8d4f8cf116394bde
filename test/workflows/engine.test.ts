/* oxlint-disable unicorn/no-thenable -- contract 8 names a branch of a step `then` */
import { expect, test } from 'vitest';
import { startDelivering } from '../support/deliveries.ts';
import { startSink } from '../support/https-sink.ts';
import {
  applyTo,
  begin,
  contactIn,
  logOf,
  runThatIs,
  taken,
  workflowOf,
} from './workflows.support.ts';

test('every kind of step has its effect once, and is logged', async () => {
  const service = await startDelivering({ FRONTDESK_SEND_RETRIES: '50ms' });
  const sub = await service.subAccount();
  const sink = await startSink();
  await applyTo(service, sub, {
    team: [{ key: 'anna', name: 'Anna' }],
    customFields: [{ name: 'insurance', label: 'Insurance', type: 'text' }],
    pipelines: [
      {
        key: 'sales',
        name: 'Sales',
        stages: [
          { key: 'new', name: 'New' },
          { key: 'won', name: 'Won' },
        ],
      },
    ],
    ...workflowOf([
      { addTag: 'welcomed' },
      { removeTag: 'cold' },
      { setField: { field: 'company', value: 'Analytical' } },
      { setField: { field: 'customFields.insurance', value: 'public' } },
      { assign: 'anna' },
      { createTask: { title: 'Call {{fullName}}{{phone|!}}', dueIn: '1d', assign: 'anna' } },
      {
        createOpportunity: {
          pipeline: 'sales',
          stage: 'new',
          name: 'Deal of {{firstName}}',
          value: 5,
        },
      },
      { moveStage: { pipeline: 'sales', stage: 'won' } },
      {
        http: {
          url: `${sink.url}/a?who={{email}}&via={{phone|1&2}}`,
          body: { name: '{{fullName}}', phone: '{{phone|"none"}}' },
          headers: { 'X-Token': 't' },
        },
      },
      { notify: { subject: 'A lead', body: '{{fullName}}' } },
      {
        if: { field: 'company', equals: 'analytical' },
        then: [{ addTag: 'then' }],
        else: [{ addTag: 'else' }],
      },
      { send: { channel: 'email', subject: 'Hi', body: 'Hi' } },
      { wait: { for: '1s' } },
      { end: true },
      { addTag: 'never' },
    ]),
  });
  const contact = await contactIn(service, sub, { email: 'ada@example.com', tags: ['cold'] });
  const [runId = ''] = await begin(service, sub, [contact]);
  await service.startWorker();
  await runThatIs(service, sub, 'completed');

  const log = await logOf(service, sub, runId);
  expect(taken(log)).toEqual([
    '/0 addTag done',
    '/1 removeTag done',
    '/2 setField done',
    '/3 setField done',
    '/4 assign done',
    '/5 createTask done',
    '/6 createOpportunity done',
    '/7 moveStage done',
    '/8 http done',
    '/9 notify done',
    '/10 if then',
    '/10/then/0 addTag done',
    '/11 send failed',
    '/12 wait done',
    '/13 end done',
  ]);
  expect(log[12]?.detail).toBe('no provider is set up for email');
  const [row] = await service.database.rows<any>(
    `select c.tags, c.company, c.custom_fields, m.key, t.title, o.name, s.key as stage
     from contacts c
     join team_members m on m.sub_account_id = c.sub_account_id and m.id = c.assigned_to
     join tasks t on t.sub_account_id = c.sub_account_id and t.contact_id = c.id
     join opportunities o on o.sub_account_id = c.sub_account_id and o.contact_id = c.id
     join pipeline_stages s on s.sub_account_id = c.sub_account_id and s.id = o.stage_id
     where c.id = $1`,
    [contact],
  );
  expect(row).toEqual({
    tags: ['welcomed', 'then'],
    company: 'Analytical',
    custom_fields: { insurance: 'public' },
    key: 'anna',
    title: 'Call Ada Lovelace!',
    name: 'Deal of Ada',
    stage: 'won',
  });
  const [request] = sink.requests;
  expect([request?.path, String(request?.body), request?.headers['x-token']]).toEqual([
    '/a?who=ada%40example.com&via=1%262',
    '{"name":"Ada Lovelace","phone":"\\"none\\""}',
    't',
  ]);
  expect(request?.headers['idempotency-key']).toBe(`${runId}/8`);
  const names = await service.database.rows<{ name: string }>(
    `select name from events where sub_account_id = $1 union all select name from outbox
     where sub_account_id = $1`,
    [sub],
  );
  expect(names.map(({ name }) => name).sort()).toEqual([
    'contact.created',
    'contact.tag_added',
    'contact.tag_added',
    ...Array.from({ length: 6 }, () => 'contact.updated'),
    'opportunity.created',
    'opportunity.stage_changed',
    'task.created',
  ]);
  await sink.close();
});

test('a call that fails temporarily is repeated with the same key, a refused one is not', async () => {
  const service = await startDelivering({ FRONTDESK_SEND_RETRIES: '10ms,10ms' });
  const sub = await service.subAccount();
  const sink = await startSink();
  const statuses = [503, 200, 404, 500, 500, 500];
  sink.answer = (_, response) => {
    response.statusCode = statuses.shift() ?? 599;
    response.end();
  };
  const call = { http: { method: 'POST', url: sink.url, body: 'x' } };
  await applyTo(service, sub, workflowOf([call, call, call]));
  const [runId = ''] = await begin(service, sub, [null]);
  await service.startWorker();
  await runThatIs(service, sub, 'completed');
  const log = await logOf(service, sub, runId);
  expect(log.map(({ outcome, detail }) => [outcome, detail])).toEqual([
    ['done', '200; attempt 2'],
    ['failed', '404'],
    ['failed', '500; attempt 3'],
  ]);
  expect(sink.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(
    ['/0', '/0', '/1', '/2', '/2', '/2'].map((place) => runId + place),
  );
  await sink.close();
});

test('a call is not made if the name of a contact leads to another path', async () => {
  const service = await startDelivering({ FRONTDESK_SEND_RETRIES: '10ms' });
  const sub = await service.subAccount();
  const sink = await startSink();
  const url = `${sink.url}/contacts/{{company}}/notes`;
  await applyTo(service, sub, workflowOf([{ http: { url } }, { http: { url: sink.url } }]));
  const contact = await contactIn(service, sub, { company: '..' });
  const [runId = ''] = await begin(service, sub, [contact]);
  await service.startWorker();
  await runThatIs(service, sub, 'completed');
  const log = await logOf(service, sub, runId);
  expect(log.map(({ outcome, detail }) => [outcome, detail])).toEqual([
    ['failed', expect.stringContaining('leads to another address')],
    ['done', '200: ok'],
  ]);
  expect(sink.requests).toHaveLength(1);
  await sink.close();
});

test('a call has no characters that headers cannot contain', async () => {
  const service = await startDelivering({ FRONTDESK_SEND_RETRIES: '10ms' });
  const sub = await service.subAccount();
  const sink = await startSink();
  const headers = { 'X-Name': '{{firstName}} \u2028Müller\u007f', 'X-All': '{{firstName}}' };
  await applyTo(service, sub, workflowOf([{ http: { url: sink.url, headers } }]));
  const contactId = await contactIn(service, sub, { firstName: '李' });
  const [runId = ''] = await begin(service, sub, [contactId]);
  await service.startWorker();
  await runThatIs(service, sub, 'completed');
  expect(taken(await logOf(service, sub, runId))).toEqual(['/0 http done']);
  expect(sink.requests.map((call) => [call.headers['x-name'], call.headers['x-all']])).toEqual([
    ['Müller', ''],
  ]);
  await sink.close();
});
