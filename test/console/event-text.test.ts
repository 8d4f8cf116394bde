import { afterEach, expect, test, vi } from 'vitest';
import { webhookEventNames } from '../../src/registry/events.ts';
import { INBOUND } from '../../src/workflows/definition/workflow.schema.ts';
import { eventText, eventWithName, triggerText } from '../../web/console/workflows/event-text.ts';

/** `admin workflow test` starts runs with the last one. */
const TRIGGERS = [...webhookEventNames, INBOUND, 'test'];

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each(['en', 'de', 'fr', 'es'])('each trigger of a run has words in %s', (language) => {
  vi.stubGlobal('navigator', { languages: [language] });
  expect(TRIGGERS.filter((name) => triggerText(name) === name)).toEqual([]);
});

test.each(['paid', 'test', INBOUND])('the event type %s of a call keeps its name', (name) => {
  expect(eventText(name)).toBe(name);
  expect(eventWithName(name)).toBe(name);
});
