import { expect, test } from 'vitest';
import { webhookEventNames } from '../../src/registry/events.ts';
import { INBOUND } from '../../src/workflows/definition/workflow.schema.ts';
import { deEvents } from '../../web/console/i18n/de/events.ts';
import { enEvents } from '../../web/console/i18n/en/events.ts';
import { esEvents } from '../../web/console/i18n/es/events.ts';
import { frEvents } from '../../web/console/i18n/fr/events.ts';

/** `admin workflow test` starts runs with the last one. */
const TRIGGERS = [...webhookEventNames, INBOUND, 'test'];

test.each([
  ['en', enEvents],
  ['de', deEvents],
  ['fr', frEvents],
  ['es', esEvents],
])('each trigger of a run has words in %s', (_, texts) => {
  expect(TRIGGERS.filter((name) => !Object.hasOwn(texts, name))).toEqual([]);
});
