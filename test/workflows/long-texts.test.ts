import { expect, test } from 'vitest';
import { startDelivering } from '../support/deliveries.ts';
import {
  applyTo,
  begin,
  contactIn,
  logOf,
  runThatIs,
  taken,
  workflowOf,
} from './workflows.support.ts';

/** 250 fields of 10,000 characters. */
const LONG = '{{custom_values.long}}'.repeat(250);
const HEADER = '{{custom_values.long}}'.repeat(90);

test('a step whose merge fields would make its texts too long fails, and the run continues', async () => {
  const service = await startDelivering({});
  const sub = await service.subAccount();
  const http = { url: 'https://example.com/a', method: 'POST' };
  await applyTo(service, sub, {
    customValues: { long: 'x'.repeat(10_000) },
    ...workflowOf([
      { http: { ...http, body: LONG } },
      // Each of the texts is short enough, but not all of them together.
      { http: { ...http, body: Array.from({ length: 10 }, () => LONG.slice(0, 1_100)) } },
      { http: { ...http, body: { to: { who: [LONG] } } } },
      { http: { ...http, headers: { 'x-a': HEADER, 'x-b': HEADER, 'x-c': HEADER } } },
      { notify: { subject: 'Long', body: LONG } },
      { createTask: { title: 'Long', description: LONG } },
      { addTag: 'reached' },
    ]),
  });
  const contactId = await contactIn(service, sub);
  await begin(service, sub, [contactId]);
  await service.startWorker();
  const { id } = await runThatIs(service, sub, 'completed');
  const log = await logOf(service, sub, id);
  expect(taken(log)).toEqual([
    '/0 http failed',
    '/1 http failed',
    '/2 http failed',
    '/3 http failed',
    '/4 notify failed',
    '/5 createTask failed',
    '/6 addTag done',
  ]);
  expect(log.slice(0, 6).map(({ detail }) => detail)).toEqual(
    Array.from({ length: 6 }, () => expect.stringContaining('at most 2000000 characters')),
  );
});
