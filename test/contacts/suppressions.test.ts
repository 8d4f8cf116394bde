import {
  findSuppressions,
  suppressAddress,
  unsuppressAddress,
} from '../../src/contacts/consent/suppressions.ts';
import type { OptOutChannel } from '../../src/contacts/consent/opt-out.entity.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const suppress = (
  { transact, actor, subAccountId }: TestService,
  address: string,
  reason = 'manual',
  channel: OptOutChannel = 'email',
) => transact(subAccountId, actor, (work) => suppressAddress(work, { channel, address, reason }));

const unsuppress = ({ transact, actor, subAccountId }: TestService, address: string) =>
  transact(subAccountId, actor, (work) => unsuppressAddress(work, { channel: 'email', address }));

const list = ({ openView, clock, subAccountId }: TestService, address?: string) =>
  findSuppressions(openView(subAccountId, clock()), { channel: 'email', address });

describe('a suppressed address', () => {
  test('is stored in lower case and trimmed', async ({ service }) => {
    await suppress(service, '  Jo@Example.COM ');
    expect(await list(service)).toEqual([
      {
        id: expect.any(String),
        channel: 'email',
        address: 'jo@example.com',
        reason: 'manual',
        createdAt: expect.stringMatching(/Z$/),
      },
    ]);
    expect(await list(service, 'JO@example.com')).toHaveLength(1);
    expect(await list(service, 'ann@example.com')).toEqual([]);
  });

  test('keeps its first reason, also when suppressed twice at once', async ({ service }) => {
    const lines = await Promise.all([
      suppress(service, 'jo@example.com', 'bounce'),
      suppress(service, 'JO@example.com', 'bounce'),
    ]);
    const again = await suppress(service, 'jo@example.com', 'manual');

    expect(new Set([...lines, again].map(({ id }) => id)).size).toBe(1);
    expect(again.reason).toBe('bounce');
    expect(await list(service)).toHaveLength(1);
  });

  test('is suppressed on its channel only', async ({ service }) => {
    await suppress(service, '+4930123456', 'stop', 'sms');
    expect(await list(service)).toEqual([]);
  });

  test('is suppressed in its sub-account only', async ({ service }) => {
    await suppress(service, 'jo@example.com');
    const { openView, clock, otherSubAccountId } = service;
    expect(
      await findSuppressions(openView(otherSubAccountId, clock()), { channel: 'email' }),
    ).toEqual([]);
  });

  test('is unsuppressed by any spelling, once', async ({ service }) => {
    await suppress(service, 'jo@example.com');
    expect(await unsuppress(service, ' JO@example.com')).toMatchObject({ reason: 'manual' });
    expect(await list(service)).toEqual([]);
    expect(await unsuppress(service, 'jo@example.com')).toBeUndefined();
  });

  test('fires no event, and leaves an audit row for what changed', async ({ service }) => {
    const { id } = await suppress(service, 'jo@example.com');
    await suppress(service, 'jo@example.com');
    await unsuppress(service, 'jo@example.com');
    await unsuppress(service, 'jo@example.com');

    expect(await service.eventNames()).toEqual([]);
    const rows = await service.database.rows('select 1 from audit_entries where record_id = $1', [
      id,
    ]);
    expect(rows).toHaveLength(2);
  });
});
