import { signInAs } from '../support/people.ts';
import { expect, test } from '../support/service.ts';
import { applyTo, contactIn, workflowOf } from './workflows.support.ts';

/** 150 fields of 10,000 characters: one step is short enough, two are not. */
const LONG = '{{custom_values.long}}'.repeat(150);

test.for([
  [1, 200],
  [2, 400],
] as const)(
  'a dry run of %i long steps is answered with %i',
  async ([count, expected], { service }) => {
    const step = { createTask: { title: 'Long', description: LONG } };
    await applyTo(service, service.subAccountId, {
      customValues: { long: 'x'.repeat(10_000) },
      ...workflowOf(Array.from({ length: count }, () => step)),
    });
    const contactId = await contactIn(service, service.subAccountId);
    const { call } = await signInAs(service, 'admin');
    const { status } = await call('POST /console/api/v1/workflows/flow/dry-run', {
      body: { contactId },
    });
    expect(status).toBe(expected);
  },
);
