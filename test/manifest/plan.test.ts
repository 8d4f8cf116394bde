/* oxlint-disable unicorn/no-thenable -- contract 8 names a branch of a step `then` */
import { ANNA, BEN, bookNext, CHECKUP } from '../support/calendars.ts';
import { apply, exported, run } from '../support/manifest.ts';
import { dealOf, SALES } from '../support/pipelines.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const [NEW, ...LATER] = SALES.stages;

interface Case {
  readonly prepare: (service: TestService) => Promise<unknown>;
  readonly manifest: object;
  readonly prune?: boolean;
  readonly says: string;
}

const CASES: Readonly<Record<string, Case>> = {
  'a pipeline with deals': {
    prepare: dealOf,
    manifest: { pipelines: [] },
    prune: true,
    says: 'test.yaml:1:2: /pipelines pipeline sales (Sales) still holds 1 opportunity',
  },
  'a stage with deals': {
    prepare: dealOf,
    manifest: { pipelines: [{ ...SALES, stages: LATER }] },
    says: 'test.yaml:1:15: /pipelines/0 pipeline sales (Sales) still holds 1 opportunity',
  },
  'a calendar with appointments': {
    prepare: bookNext,
    manifest: { team: [ANNA, BEN], calendars: [] },
    prune: true,
    says: '/calendars calendar checkup still has 1 upcoming appointment',
  },
  'a type with appointments': {
    prepare: bookNext,
    manifest: { calendars: [{ ...CHECKUP, types: [] }] },
    says: 'test.yaml:1:15: /calendars/0 calendar checkup still has 1 upcoming appointment',
  },
  'a member with appointments': {
    prepare: bookNext,
    manifest: { team: [BEN], calendars: [{ ...CHECKUP, members: ['ben'] }] },
    prune: true,
    says: '/team member anna still has 1 upcoming appointment',
  },
  'an estimate for an email of no contact': {
    prepare: async () => undefined,
    manifest: {
      estimates: [{ key: 'a', number: '1', contactEmail: 'x@y.example', status: 'sent', total: 1 }],
    },
    says: 'test.yaml:1:15: /estimates/0 estimates: a is for x@y.example, but no contact has that',
  },
  'a channel without its secret': {
    prepare: async () => undefined,
    manifest: { channels: { sms: { provider: 'twilio', accountSid: 'AC1', from: '+4930123456' } } },
    says: 'test.yaml:1:14: /channels/sms channels: sms needs authToken',
  },
  'a type of another calendar': {
    prepare: async () => undefined,
    manifest: { team: [ANNA], calendars: [CHECKUP, { ...CHECKUP, key: 'b' }] },
    says: 'calendar b cannot have the type checkup-30',
  },
};

describe('a dry run and an apply', () => {
  test.for(Object.entries(CASES))('refuse %s alike', async ([, given], { service }) => {
    const { prepare, manifest, prune = false, says } = given;
    await prepare(service);
    await service.events();
    const before = await exported(service);
    const refused = (dryRun: boolean) =>
      apply(service, manifest, { prune, dryRun }).catch((error: Error) => error.message);
    const said = await refused(true);
    expect(said).toContain(says);
    expect(await refused(false)).toBe(said);
    expect(await exported(service)).toEqual(before);
    expect(await service.eventNames()).toEqual([]);
  });

  test('have the same outcome, except for ids that are still to be created', async ({
    service,
  }) => {
    await apply(service, { pipelines: [{ ...SALES, stages: [NEW] }], team: [ANNA] });
    const manifest = { pipelines: [SALES], team: [BEN], customFields: [{ name: 'a' }] };
    const before = await exported(service);
    const plan = await apply(service, manifest, { prune: true, dryRun: true });
    expect(await exported(service)).toEqual(before);
    expect(plan.ids).toMatchObject({ team: {}, stages: { 'sales/new': expect.any(String) } });
    expect(Object.keys(plan.ids['stages'] ?? {})).toEqual(['sales/new']);
    const done = await apply(service, manifest, { prune: true });
    expect({ ...done, ids: null }).toEqual({ ...plan, ids: null });
    expect(Object.keys(done.ids['stages'] ?? {})).toHaveLength(3);
    expect(await service.eventNames()).toEqual([]);
  });

  test('refuse several entries at once, each with its line', async ({ service }) => {
    await dealOf(service);
    await bookNext(service);
    const manifest = [
      'pipelines: [{key: sales, name: Sales, stages: []}]',
      'calendars: [{key: checkup, name: Check-ups, types: []}]',
      'workflows: [{slug: a, name: A, steps: [{assign: ana}]}]',
    ];
    const refusal = (text: string): Promise<string> =>
      apply(service, text, { dryRun: true }).then(
        () => 'accepted',
        (error: Error) => error.message,
      );
    expect(await refusal(manifest.join('\n'))).toBe(
      'test.yaml:3:41: /workflows/0/steps/0/assign names ana, which team does not have; it has anna, ben, cleo; did you mean "anna"?',
    );
    const said = (await refusal(manifest.slice(0, 2).join('\n'))).split('\n');
    expect(said.map((line) => line.slice(0, 40))).toEqual([
      'test.yaml:1:13: /pipelines/0 pipeline sa',
      'test.yaml:2:13: /calendars/0 calendar ch',
    ]);
  });
});

describe('a warning of a dry run and of an apply', () => {
  const cautionsOf = async (service: TestService, manifest: object) => {
    const planned = await run(service, manifest, { dryRun: true });
    const { cautions } = await run(service, manifest);
    expect(planned.cautions).toEqual(cautions);
    return cautions;
  };
  const notice = { channel: 'email', body: '{{appointment.titel}} {{custom_values.link}}' };
  const TYPOS = {
    team: [ANNA],
    customFields: [{ name: 'plan' }],
    customValues: { link: 'https://book.example' },
    replies: [{ key: 'hi', name: 'Hi', body: 'Hi {{firstnam|there}}, {{ custom_values.link }}' }],
    calendars: [{ ...CHECKUP, members: ['anna'], confirmation: notice, reminders: [] }],
    lists: [{ key: 'all', name: 'All' }],
    templates: [
      {
        key: 'letter',
        name: 'Letter',
        html: '{{content}} {{unsubscribe_link}} {{customFields.plan}} {{custom_values.lnik}}',
      },
    ],
    campaigns: [
      {
        key: 'weekly',
        name: 'Weekly',
        list: 'all',
        template: 'letter',
        subject: 'Hi {{contact.first_name}}',
        content: '<a href="{{unsubscribe_link}}">{{content}}</a>',
        repeat: '0 9 * * MON',
      },
    ],
    workflows: [
      {
        slug: 'flow',
        name: 'Flow',
        triggers: [
          { on: 'contact.created', where: { tgas: 'lead', tags: 'lead', contactId: 'x' } },
          { on: 'form.submitted', where: { 'fields.email': 'a@b.example', field: 'x' } },
          { on: 'inbound_webhook', where: { plan: 'gold' } },
        ],
        steps: [
          { notify: { subject: '{{contactId}} {{data.plan}}', body: 'x' } },
          {
            if: { field: 'email', exists: true },
            else: [{ http: { url: 'https://example.com/{{mail}}', body: [{ a: '{{nothing}}' }] } }],
          },
        ],
      },
    ],
  };

  test('names each misspelt merge field, and each name that an event does not have', async ({
    service,
  }) => {
    expect(await cautionsOf(service, TYPOS)).toEqual([
      'replies: hi: /body has {{firstnam|there}}, which is not a merge field: its fallback is always used; did you mean {{firstName}}?',
      'calendars: checkup: /confirmation/body has {{appointment.titel}}, which is not a merge field: it stays empty; did you mean {{appointment.title}}?',
      'templates: letter: /html has {{customFields.plan}}, which is not a merge field: it stays empty; custom fields of contacts cannot be merged',
      'templates: letter: /html has {{custom_values.lnik}}, which is not a merge field: it stays empty; did you mean {{custom_values.link}}?',
      'campaigns: weekly: /subject has {{contact.first_name}}, which is not a merge field: it stays empty; did you mean {{firstName}}?',
      'campaigns: weekly: /content has {{content}}, which is not a merge field: it stays empty',
      'workflows: flow: /triggers/0/where names tgas, which contact.created does not have, so the trigger starts no runs; did you mean "tags"?',
      'workflows: flow: /triggers/1/where names field, which form.submitted does not have, so the trigger starts no runs; did you mean "fields"?',
      'workflows: flow: /steps/1/else/0/http/url has {{mail}}, which is not a merge field: it stays empty; did you mean {{email}}?',
      'workflows: flow: /steps/1/else/0/http/body/0/a has {{nothing}}, which is not a merge field: it stays empty',
    ]);
  });

  test('names data that no trigger of a workflow provides', async ({ service }) => {
    const workflow = (slug: string, triggers: readonly string[], names: readonly string[]) => ({
      slug,
      name: slug,
      triggers: triggers.map((on) => ({ on })),
      steps: [
        { goal: { event: 'invoice.paid', timeout: '1d' } },
        {
          if: { field: 'email', exists: true },
          then: [{ notify: { subject: 'x', body: names.map((name) => `{{${name}}}`).join(' ') } }],
        },
      ],
    });
    const checks = (slug: string, triggers: readonly string[], names: readonly string[]) => ({
      ...workflow(slug, triggers, []),
      steps: names.map((name) => ({ if: { field: `data.${name}`, exists: true } })),
    });
    const manifest = {
      workflows: [
        workflow(
          'booked',
          ['appointment.booked'],
          ['data.appointmentTitle', ' data.tags ', 'data.title', 'data.starttime', 'data.amount|?'],
        ),
        workflow('moved', ['appointment.booked', 'task.created'], ['data.title', 'data.endTime']),
        workflow('called', ['appointment.booked', 'inbound_webhook'], ['data.plan', 'data.a.b']),
        workflow(
          'form',
          ['form.submitted'],
          ['data.fields.email', 'data.fields', 'data.field.email', 'data.email', 'data.note'],
        ),
        workflow(
          'tagged',
          ['contact.tag_added'],
          ['data.tagName', 'data.contactId', 'data.tags.0', 'data', 'data.'],
        ),
        workflow('manual', [], ['data.plan']),
        checks(
          'check',
          ['form.submitted'],
          ['fields', 'fields.email', 'tags.0', 'formNam', 'plan'],
        ),
        checks('free', ['inbound_webhook'], ['plan']),
        {
          slug: 'goalless',
          name: 'goalless',
          triggers: [{ on: 'form.submitted' }],
          steps: [{ if: { field: 'goal', equals: 'met' } }],
        },
      ],
    };
    const none = 'which no trigger of the workflow provides';
    const place = '/steps/1/then/0/notify/body';
    expect(await cautionsOf(service, manifest)).toEqual([
      `workflows: booked: ${place} has {{data.title}}, ${none}: it stays empty; the triggers provide appointmentId, calendarId, appointmentTypeId, appointmentTitle, startTime, endTime, status, tags`,
      `workflows: booked: ${place} has {{data.starttime}}, ${none}: it stays empty; did you mean {{data.startTime}}?`,
      `workflows: booked: ${place} has {{data.amount|?}}, ${none}: its fallback is always used; the triggers provide appointmentId, calendarId, appointmentTypeId, appointmentTitle, startTime, endTime, status, tags`,
      `workflows: form: ${place} has {{data.fields}}, ${none}: it stays empty; the triggers provide formId, submissionId, formName, fields.NAME, tags`,
      `workflows: form: ${place} has {{data.field.email}}, ${none}: it stays empty; did you mean {{data.fields.email}}?`,
      `workflows: form: ${place} has {{data.email}}, ${none}: it stays empty; did you mean {{email}}?`,
      `workflows: form: ${place} has {{data.note}}, ${none}: it stays empty; the triggers provide formId, submissionId, formName, fields.NAME, tags`,
      `workflows: tagged: ${place} has {{data}}, which is not a merge field: it stays empty`,
      `workflows: tagged: ${place} has {{data.contactId}}, ${none}: it stays empty; did you mean {{contactId}}?`,
      `workflows: tagged: ${place} has {{data.tags.0}}, ${none}: it stays empty; did you mean {{data.tags}}?`,
      `workflows: tagged: ${place} has {{data.}}, ${none}: it stays empty; the triggers provide tagName, tags`,
      `workflows: manual: ${place} has {{data.plan}}, ${none}: it stays empty; the workflow has no triggers`,
      `workflows: check: /steps/3/if/field names data.formNam, ${none}, so it is always empty; did you mean "data.formName"?`,
      `workflows: check: /steps/4/if/field names data.plan, ${none}, so it is always empty; the triggers provide formId, submissionId, formName, fields.NAME, tags`,
      'workflows: goalless: /steps/0/if/field names goal, but the workflow has no goal step, so it is always empty',
    ]);
  });

  test('names tags and values of fields with merge fields, which are stored as written', async ({
    service,
  }) => {
    const steps = [
      { addTag: 'plan-{{data.plan}}' },
      { addTag: 'plan {x}' },
      { setField: { field: 'company', value: '{{firstName}}' } },
    ];
    const triggers = [{ on: 'inbound_webhook' }];
    const manifest = { workflows: [{ slug: 'plan', name: 'Plan', triggers, steps }] };
    const literal = 'but merge fields are not replaced there: it is stored as written';
    expect(await cautionsOf(service, manifest)).toEqual([
      `workflows: plan: /steps/0/addTag is "plan-{{data.plan}}", ${literal}`,
      `workflows: plan: /steps/2/setField/value is "{{firstName}}", ${literal}`,
    ]);
  });

  test('is not repeated for an entry that stays as it is', async ({ service }) => {
    await run(service, TYPOS);
    expect(await cautionsOf(service, TYPOS)).toEqual([]);
  });
});
