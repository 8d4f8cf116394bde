import { newId } from '#lib/id.ts';
import { suppressAddress } from '../../../src/contacts/consent/suppressions.ts';
import { newCampaign, setUpCampaigns } from '../../campaigns/campaigns.support.ts';
import { at, bookedOf, bookingOf, calendarOf } from '../../support/calendars.ts';
import { signInAs } from '../../support/people.ts';
import { nounOf } from '../../support/samples.ts';
import { applyTo, begin, contactIn, workflowOf } from '../../workflows/workflows.support.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../../support/service.ts';
import { rulesOf, why } from './why.support.ts';

const EMAIL = 'ada@example.com';

const optOut = ({ transact, subAccountId }: TestService) =>
  transact(subAccountId, OPERATOR, (work) =>
    suppressAddress(work, { channel: 'email', address: EMAIL, reason: 'unsubscribe' }),
  );

describe('a slot', () => {
  test('is explained by the rule against it, or by the members who can take it', async ({
    service,
  }) => {
    const { typeId, calendarId } = await calendarOf(service, { minimumNotice: 60 });
    const start = (time: number) => new Date(time).toISOString();
    const soon = await why(service, {
      kind: 'slot',
      type: typeId,
      start: start(service.clock().getTime() + 30 * 60_000),
    });
    expect(soon).toMatchObject({ happened: false, reasons: [{ rule: 'too_soon' }] });
    expect(soon.reasons[0].sentence).toContain('60 minutes of notice');
    expect(soon.reasons[0].record).toEqual({ type: 'calendar', id: calendarId });
    const free = await why(service, {
      kind: 'slot',
      type: 'checkup-30',
      start: start(at(service, 3, '10:00')),
    });
    expect(free).toMatchObject({ happened: true, reasons: [{ rule: 'bookable' }] });
  });

  test('of a type that does not exist is refused with the types that do', async ({ service }) => {
    await calendarOf(service, {});
    const { call } = await signInAs(service, 'admin');
    const start = new Date(at(service, 3, '10:00')).toISOString();
    const query = new URLSearchParams({ kind: 'slot', type: 'checkup', start });
    const { status, body } = await call(`GET /console/api/v1/why?${query.toString()}`);
    expect([status, body.error.message]).toEqual([
      404,
      'appointment type not found; there are checkup-30',
    ]);
  });

  test('is explained for the member who was asked for', async ({ service }) => {
    const yoga = { key: 'yoga', name: 'Yoga', duration: 30, seats: 3 };
    const kind = { type: 'class', members: ['anna', 'ben'], types: [yoga] };
    const { typeId, team } = await calendarOf(service, kind);
    const { anna, ben, cleo } = team;
    await bookedOf(service, bookingOf(typeId, at(service, 3, '10:00'), { assignedTo: ben }));
    const sentenceFor = async (assignedTo = '', time = '10:00') => {
      const start = new Date(at(service, 3, time)).toISOString();
      const { reasons } = await why(service, { kind: 'slot', type: typeId, start, assignedTo });
      return reasons[0].sentence;
    };
    expect(await sentenceFor(anna)).toBe('Anna Weber does not take this appointment.');
    expect(await sentenceFor(cleo, '11:00')).toBe('Cleo Marsh does not take this appointment.');
    expect(await sentenceFor(ben)).toMatch(/can be booked with Ben Krause, seats left: 2\.$/);
    expect(await sentenceFor(anna, '11:00')).toMatch(
      /can be booked with Anna Weber, seats left: 3\.$/,
    );
  });
});

describe('a trigger', () => {
  test('that did not start names the filter, the missing trigger, or the inactive workflow', async ({
    service,
  }) => {
    const { database, subAccountId } = service;
    const flow = (over: object) =>
      applyTo(service, subAccountId, workflowOf([{ wait: { for: '1h' } }], over));
    await flow({ triggers: [{ on: 'contact.created', where: { source: 'website' } }] });
    await contactIn(service, subAccountId);
    const [event] = await database.rows<{ id: string }>(
      `select id from outbox where sub_account_id = $1 and name = 'contact.created'`,
      [subAccountId],
    );
    const ask = async () =>
      rulesOf(await why(service, { kind: 'trigger', workflow: 'flow', eventId: event?.id ?? '' }));
    expect(await ask()).toEqual(['filter']);
    const triggers = [{ on: 'contact.created' }];
    await flow({ triggers });
    expect(await ask()).toEqual(['filter']);
    await flow({ triggers, active: false });
    expect(await ask()).toEqual(['inactive']);
    await flow({ triggers });
    expect(await ask()).toEqual(['before_activation']);
    await flow({ triggers: [{ on: 'task.created' }], active: false });
    await flow({ triggers: [{ on: 'task.created' }] });
    expect(await ask()).toEqual(['no_trigger']);
  });

  test.for([
    ['in a loop of more than 10 runs', 'Workflows start each other in a loop.'],
    ['too often: one run caused more than 100 others', 'Workflows start each other too often.'],
  ])('whose run was refused is explained: %s', async ([reason, sentence], { service }) => {
    const { database, subAccountId } = service;
    await applyTo(service, subAccountId, workflowOf([{ wait: { for: '1h' } }]));
    const contact = await contactIn(service, subAccountId);
    await database.rows('select publish_events(1000)');
    const [runId] = await begin(service, subAccountId, [contact]);
    const [event] = await database.rows<{ id: string }>(
      `update workflow_runs r
       set status = 'failed', error = $3, finished_at = now(), since_position = e.position
       from events e
       where r.sub_account_id = $1 and r.id = $2 and e.sub_account_id = $1 and e.contact_id = $4
       returning e.id`,
      [subAccountId, runId, `workflows start each other ${reason}`, contact],
    );
    const query = { kind: 'trigger', workflow: 'flow', eventId: event?.id ?? '' };
    expect(await why(service, query)).toMatchObject({
      happened: false,
      reasons: [{ rule: 'skipped', sentence, record: { type: 'run', id: runId } }],
    });
  });
});

describe('a step', () => {
  test('that was skipped names the detail of the log, and what the run waits for', async ({
    service,
  }) => {
    const { database, subAccountId } = service;
    await applyTo(service, subAccountId, workflowOf([{ wait: { for: '1h' } }]));
    const [id = ''] = await begin(service, subAccountId, [await contactIn(service, subAccountId)]);
    await database.rows(
      `insert into workflow_log (sub_account_id, id, run_id, place, step, outcome, detail, at)
       values ($1, $2, $3, '/0', 'send', 'skipped', 'do not disturb', now())`,
      [subAccountId, newId(service.clock()), id],
    );
    const found = await why(service, { kind: 'step', id });
    expect(rulesOf(found)).toEqual(['step_skipped', 'waiting']);
    expect(found.reasons[0].sentence).toBe('Step 1 (send) skipped: do not disturb.');
    await database.rows(
      `update workflow_runs set status = 'cancelled', error = 'cancelled by jo', due_at = null,
         finished_at = now() where id = $1`,
      [id],
    );
    const cancelled = (await why(service, { kind: 'step', id, language: 'de' })).reasons[1];
    expect(cancelled.sentence).toBe('Der Lauf wurde von jo abgebrochen.');
  });
});

test('a step whose call is made again says at which attempt it failed', async ({ service }) => {
  const { database, subAccountId } = service;
  await applyTo(service, subAccountId, workflowOf([{ wait: { for: '1h' } }]));
  const [id = ''] = await begin(service, subAccountId, [await contactIn(service, subAccountId)]);
  await database.rows(`update workflow_runs set attempts = 3, due_at = null where id = $1`, [id]);
  const [{ rule, sentence }] = (await why(service, { kind: 'step', id })).reasons;
  expect(rule).toBe('waiting');
  expect(sentence).toMatch(/^The call of step 1 failed at attempt 3 and is made again\. The log/);
});

test('a recipient that waits names the last failure, or why its campaign is held', async ({
  service,
}) => {
  const { database, subAccountId } = service;
  await setUpCampaigns(service);
  const campaignId = await newCampaign(service);
  const contactId = await contactIn(service, subAccountId, { email: EMAIL });
  await database.rows(
    `insert into campaign_recipients (sub_account_id, id, campaign_id, contact_id, email, address,
       status, error_code, error_message)
     values ($1, gen_random_uuid(), $2, $3, $4, $4, 'pending', 'ESOCKET', 'no connection')`,
    [subAccountId, campaignId, contactId, EMAIL],
  );
  const ask = async () =>
    (await why(service, { kind: 'recipient', campaignId, contactId })).reasons[0];
  expect(await ask()).toMatchObject({
    rule: 'waiting',
    sentence: 'The mail failed: no connection. Frontdesk tries again.',
  });
  await database.rows(
    `update campaigns set status = 'held', held_because = 'mail_server_away' where id = $1`,
    [campaignId],
  );
  expect(await ask()).toMatchObject({
    rule: 'campaign_held',
    sentence: 'The campaign is held: mail_server_away.',
  });
});

describe('a recipient', () => {
  test('that a campaign left out names the opt-out, the missing email, or the list', async ({
    service,
  }) => {
    const { call, database, subAccountId } = service;
    await setUpCampaigns(service);
    const campaignId = await newCampaign(service);
    const contact = await contactIn(service, subAccountId, { email: EMAIL });
    const silent = await contactIn(service, subAccountId);
    const ask = async (contactId: string) =>
      rulesOf(await why(service, { kind: 'recipient', campaignId, contactId }));
    expect(await ask(contact)).toEqual(['campaign_draft']);
    await database.rows(`update campaigns set started_at = now(), status = 'sent' where id = $1`, [
      campaignId,
    ]);
    expect(await ask(contact)).toEqual(['not_on_list']);
    expect(await ask(silent)).toEqual(['no_email']);
    await optOut(service);
    expect(await ask(contact)).toEqual(['opted_out']);
    await call(`DELETE /api/v1/contacts/${contact}`);
  });
});

describe('a recipient that was skipped', () => {
  test.for([
    ['cancelled', 'campaign_cancelled', 'The campaign was cancelled before this mail was sent.'],
    ['merged', 'merged', 'The contact was merged, and gets this mail at another address.'],
  ] as const)(
    'with the code %s is explained by it',
    async ([code, rule, sentence], { service }) => {
      const { database, subAccountId } = service;
      await setUpCampaigns(service);
      const campaignId = await newCampaign(service);
      const contactId = await contactIn(service, subAccountId, { email: EMAIL });
      await database.rows(
        `insert into campaign_recipients (sub_account_id, id, campaign_id, contact_id, email, address,
         status, error_code, settled_at)
       values ($1, gen_random_uuid(), $2, $3, $4, $4, 'skipped', $5, now())`,
        [subAccountId, campaignId, contactId, EMAIL, code],
      );
      // An opt-out that came later is not the reason.
      await optOut(service);
      const found = await why(service, { kind: 'recipient', campaignId, contactId });
      expect(found).toMatchObject({ happened: false, reasons: [{ rule, sentence }] });
      expect(Date.parse(found.reasons[0].at)).toBeGreaterThan(0);
    },
  );
});

test('a recipient that was skipped because the contact was deleted says so', async ({
  service,
}) => {
  const { call, database, subAccountId } = service;
  await setUpCampaigns(service);
  const campaignId = await newCampaign(service);
  const contactId = await contactIn(service, subAccountId, { email: EMAIL });
  await database.rows(
    `insert into campaign_recipients (sub_account_id, id, campaign_id, contact_id, email, address,
       status, settled_at)
     values ($1, gen_random_uuid(), $2, $3, $4, $4, 'skipped', now())`,
    [subAccountId, campaignId, contactId, EMAIL],
  );
  await call(`DELETE /api/v1/contacts/${contactId}`);
  const found = await why(service, { kind: 'recipient', campaignId, contactId });
  expect(rulesOf(found)).toEqual(['contact_deleted']);
});

describe('a recipient whose mail was refused', () => {
  test('names the server and its code, without the words of the mailer', async ({ service }) => {
    const { database, subAccountId } = service;
    await setUpCampaigns(service);
    const campaignId = await newCampaign(service);
    const contactId = await contactIn(service, subAccountId, { email: EMAIL });
    await database.rows(
      `insert into campaign_recipients (sub_account_id, id, campaign_id, contact_id, email, address,
         status, error_code, error_message, settled_at)
       values ($1, gen_random_uuid(), $2, $3, $4, $4, 'failed', '550', $5, now())`,
      [
        subAccountId,
        campaignId,
        contactId,
        EMAIL,
        `Can't send mail - all recipients were rejected: 550 5.1.1 no such user`,
      ],
    );
    const { reasons } = await why(service, { kind: 'recipient', campaignId, contactId });
    expect(reasons).toMatchObject([
      {
        rule: '550',
        sentence: 'The mail server refused the mail with its code 550: 5.1.1 no such user.',
      },
    ]);
  });
});

describe('a question', () => {
  test('that lacks what its kind needs is refused with the sets that it may have', async ({
    service,
  }) => {
    const { call } = await signInAs(service, 'admin');
    const { status, body } = await call('GET /console/api/v1/why?kind=delivery');
    expect(status).toBe(400);
    expect(body.error.details.issues[0].message).toContain('id, or eventId and subscriptionId');
  });

  test('about workflows and campaigns needs the role admin', async ({ service }) => {
    const { call } = await signInAs(service, 'agent');
    const id = await nounOf('/api/v1/campaigns').make(service);
    const query = new URLSearchParams({ kind: 'recipient', campaignId: id, contactId: id });
    expect((await call(`GET /console/api/v1/why?${query.toString()}`)).status).toBe(403);
  });
});
