import { expect, test } from 'vitest';
import { consoleEndpoints } from '../../src/registry/console.ts';
import { endpoints } from '../../src/registry/endpoints.ts';
import { jobHandlers } from '../../src/registry/job-handlers.ts';
import { pages } from '../../src/registry/pages.ts';
import { deAudit } from '../../web/console/i18n/de/audit.ts';
import { enAudit } from '../../web/console/i18n/en/audit.ts';
import { frAudit } from '../../web/console/i18n/fr/audit.ts';
import { actorText, operationText } from '../../web/console/settings/operation-text.ts';

/** Those that change records are in the audit trail. */
const writing = [...endpoints, ...consoleEndpoints, ...pages]
  .filter((one) => one.method !== 'GET' && !('read' in one) && !('dryRun' in one))
  .map(({ id }) => id);

/** Named where they happen, outside of the registries. */
const OTHERS = [
  'approvals.request',
  'events.subscribe',
  'events.unsubscribe',
  'mailbox',
  'oauth.redeem',
  'oauth.refresh',
  'oauth.revoke',
  'sign-in.openid',
];

test.each([...writing, ...jobHandlers.map(({ job }) => job.name), ...OTHERS])(
  'the audit trail has words for %s',
  (operation) => {
    expect(operationText({ operation, actorKind: 'key' }, enAudit)).toMatch(
      /^[A-Z][^./]+: [\w -]+$/,
    );
  },
);

test('words follow the language, and commands are shown as they are typed', () => {
  const deletion = { operation: 'contacts.delete', actorKind: 'user' };
  expect(operationText(deletion, deAudit)).toBe('Kontakt: gelöscht');
  expect(operationText(deletion, frAudit)).toBe('Contact : suppression');
  const confirmation = { operation: 'booking/confirm', actorKind: 'job' };
  expect(operationText(confirmation, enAudit)).toBe('Appointment: confirmation sent');
  const command = { operation: 'admin contact delete', actorKind: 'cli' };
  expect(operationText(command, enAudit)).toBe('frontdesk admin contact delete');
});

test('the actor is a person, a key, a program, a customer or Frontdesk itself', () => {
  const row = { operation: 'booking-page.book', keyPrefix: null };
  const textOf = (given: object) =>
    actorText({ ...row, actorKind: 'visitor', actor: 'public', ...given }, enAudit);
  expect(textOf({})).toBe('Customer (public page)');
  expect(textOf({ operation: 'oauth.redeem' })).toBe('Connected program');
  expect(textOf({ actorKind: 'job', actor: 'booking/confirm' })).toBe('Frontdesk (automatic)');
  expect(textOf({ actorKind: 'key', keyPrefix: 'sk_live_abcd' })).toBe('sk_live_abcd');
  expect(textOf({ actorKind: 'user', actor: 'ada@example.com' })).toBe('ada@example.com');
});
