/* oxlint-disable unicorn/no-thenable -- contract 8 names a branch of a step `then` */
import { describe, expect, test } from '../support/service.ts';
import { exported } from '../support/manifest.ts';
import { applyTo, begin, contactIn, runsIn, workflowOf } from './workflows.support.ts';

const WRONG = `workflows:
  - slug: a
    name: A
    triggers:
      - { on: nothing }
      - { on: contact.created, createContact: false }
    steps:
      - { addTag: x, removeTag: y }
      - { wait: { for: 2d, until: "09:00" } }
      - { wait: { until: "2026-02-30T09:00" } }
      - if: { field: email }
        then:
          - { send: { channel: email, body: x } }
          - { if: { field: a, equals: b }, then: [{ setField: { field: tags, value: x } }] }
      - { addTag: x, then: [] }
      - { http: { url: "https://example.com", headers: { Host: x } } }
      - { wait: { for: 9999d } }
      - { assign: nora }
      - { http: { url: "https://{{company}}/x" } }
`;

describe('workflows in the manifest', () => {
  test('an error names file, line and path, in nested steps too', async ({ service }) => {
    const refused = (await applyTo(service, service.subAccountId, WRONG).catch(
      (error: Error) => error.message,
    )) as string;
    const said = refused.split('\n').map((line) => line.replace(/^test\.yaml:(\d+):\d+: /, '$1 '));
    expect(said.map((line) => line.slice(0, 80))).toEqual([
      expect.stringContaining(
        '5 /workflows/0/triggers/0/on must be inbound_webhook or the name of',
      ),
      expect.stringContaining(
        '6 /workflows/0/triggers/1/createContact is only allowed for inbound_webhook',
      ),
      expect.stringContaining(
        '8 /workflows/0/steps/0 has addTag and removeTag; a step has exactly one of',
      ),
      expect.stringContaining('9 /workflows/0/steps/1/wait needs either for or until'),
      expect.stringContaining('10 /workflows/0/steps/2/wait/until is not a date of the calendar'),
      expect.stringContaining('11 /workflows/0/steps/3/if needs exactly one of equals'),
      expect.stringContaining('13 /workflows/0/steps/3/then/0/send needs a subject'),
      expect.stringContaining('14 /workflows/0/steps/3/then/1/then/0/setField/field must be'),
      expect.stringContaining('15 /workflows/0/steps/4/then is only allowed beside if'),
      expect.stringContaining(
        '16 /workflows/0/steps/5/http/headers/Host is set by Frontdesk; remove it',
      ),
      expect.stringContaining('17 /workflows/0/steps/6/wait/for must be at most 3650d (ten years)'),
      expect.stringContaining('18 /workflows/0/steps/7/assign names nora, which team does not'),
      expect.stringContaining('19 /workflows/0/steps/8/http/url has {{company}} in its host'),
    ]);
  });

  test.for([
    [{ wait: { for: 'soon' } }, '/workflows/0/steps/0/wait/for'],
    [{ wait: { until: '25:00' } }, '/workflows/0/steps/0/wait/until'],
    [{ send: { channel: 'live_chat', body: 'x' } }, '/workflows/0/steps/0/send/channel'],
    [{ http: { url: 'ftp://example.com' } }, '/workflows/0/steps/0/http/url'],
    [{ end: false }, '/workflows/0/steps/0/end'],
    [
      {
        if: { field: 'a', equals: 1 },
        then: [{ if: { field: 'b', equals: 1 }, else: [{ x: 1 }] }],
      },
      '/workflows/0/steps/0/then/0/else/0/x',
    ],
    [{ assign: 'unknown' }, '/workflows/0/steps/0/assign'],
    [{ if: { field: 'goal', equals: 'reached' } }, '/workflows/0/steps/0/if/equals'],
    [{ if: { field: 'goal', in: ['met', 'late'] } }, '/workflows/0/steps/0/if/in'],
    [
      { if: { field: 'a', equals: 1 }, else: [{ moveStage: { pipeline: 'none', stage: 'x' } }] },
      '/workflows/0/steps/0/else/0/moveStage/pipeline',
    ],
  ] as const)('%j is refused at %s', async ([step, path], { service }) => {
    const applying = applyTo(service, service.subAccountId, workflowOf([step]));
    await expect(applying).rejects.toThrow(`${path} `);
  });

  test('a stage that its pipeline does not have is refused', async ({ service }) => {
    const pipelines = [{ key: 'sales', name: 'Sales', stages: [{ key: 'new', name: 'New' }] }];
    const steps = [{ moveStage: { pipeline: 'sales', stage: 'gone' } }];
    const applying = applyTo(service, service.subAccountId, { pipelines, ...workflowOf(steps) });
    await expect(applying).rejects.toThrow(
      '/steps/0/moveStage/stage names gone, which pipeline sales does not have; it has new',
    );
  });

  test('is applied once, has ids, and is exported as it was written, without headers', async ({
    service,
  }) => {
    const { subAccountId } = service;
    const http = { url: 'https://example.com/x', headers: { Authorization: 'Bearer s3cret' } };
    const steps = [
      { if: { field: 'email', exists: true }, then: [{ http }] },
      { wait: { for: '2d' } },
    ];
    const manifest = workflowOf(steps, { reenter: true });
    const { outcome } = await applyTo(service, subAccountId, manifest);
    expect(outcome.created).toEqual([{ section: 'workflows', key: 'flow' }]);
    expect(outcome.ids['workflows']).toEqual({ flow: expect.any(String) });
    expect((await applyTo(service, subAccountId, manifest)).outcome.unchanged).toBe(1);
    const { workflows } = await exported(service);
    expect(workflows).toEqual([
      {
        slug: 'flow',
        name: 'Flow',
        active: true,
        reenter: true,
        createContact: true,
        triggers: [{ on: 'inbound_webhook' }],
        steps: [
          { if: { field: 'email', exists: true }, then: [{ http: { url: http.url } }] },
          steps[1],
        ],
      },
    ]);
    const stored = await service.database.rows<{ steps: object }>(
      'select steps from workflow_versions where sub_account_id = $1',
      [subAccountId],
    );
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain('s3cret');
    expect(await service.eventNames()).toEqual([]);
  });

  test.for([
    [{ createTask: { title: 'x' } }, { on: 'task.created' }, true, 'task.created'],
    [
      { createOpportunity: { pipeline: 'sales', name: 'x' } },
      { on: 'opportunity.created', where: {} },
      true,
      'opportunity.created',
    ],
    [{ createTask: { title: 'x' } }, { on: 'task.created' }, false, null],
    [{ createTask: { title: 'x' } }, { on: 'task.created', where: { title: 'y' } }, true, null],
    [{ createTask: { title: 'x' } }, { on: 'task.completed' }, true, null],
    [{ addTag: 'x' }, { on: 'contact.tag_added' }, true, null],
    [
      { if: { field: 'email', exists: true }, then: [{ createTask: { title: 'x' } }] },
      { on: 'task.created' },
      true,
      null,
    ],
  ] as const)(
    'a step that starts its own workflow each time is a warning: %j',
    async ([step, trigger, reenter, event], { service }) => {
      const { cautions } = await applyTo(service, service.subAccountId, {
        pipelines: [{ key: 'sales', name: 'Sales', stages: [{ key: 'new', name: 'New' }] }],
        ...workflowOf([{ addTag: 'first' }, step], { active: false, triggers: [trigger], reenter }),
      });
      expect(cautions).toEqual(
        event === null
          ? []
          : [
              `workflows: flow: /steps/1/${Object.keys(step)[0]} causes ${event}, which starts the workflow again, until the limit of loops; narrow the trigger with where`,
            ],
      );
    },
  );

  test('a removed workflow cancels its runs, and its slug is free again', async ({ service }) => {
    const { subAccountId } = service;
    await applyTo(service, subAccountId, workflowOf([{ wait: { for: '2d' } }]));
    await begin(service, subAccountId, [await contactIn(service, subAccountId)]);
    const { outcome } = await applyTo(service, subAccountId, { workflows: [] }, true);
    expect(outcome.removed).toEqual([{ section: 'workflows', key: 'flow' }]);
    expect(
      (await runsIn(service, subAccountId)).map(({ status, error }) => [status, error]),
    ).toEqual([['cancelled', 'the workflow was removed']]);
    const again = await applyTo(service, subAccountId, workflowOf([]));
    expect(again.outcome.created).toHaveLength(1);
  });
});
