import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { StreamEvent } from '#core/endpoint/stream-endpoint.ts';
import { AGENCY } from '#lib/id.ts';
import { writeOfAudit } from '#platform/database/work/deferred-writes.ts';
import { loadBackup } from '../../../src/backup/load-backup.ts';
import { writeBackup } from '../../../src/backup/write-backup.ts';
import { followChanges } from '../../../src/console/changes/follow-changes.ts';
import { newThread, patched } from '../../conversations/conversations.support.ts';
import { expect, OPERATOR, test, type TestService } from '../../support/service.ts';

function following(service: TestService, lastEventId?: string) {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const { clock, subAccountId } = service;
  const process = service.tools.notifications;
  const view = service.openView(subAccountId, clock());
  const events = followChanges(view, { process, clock, lastEventId, signal: leaving.signal });
  return async () => (await events.next()).value as StreamEvent;
}

async function backedUp({ databaseUrl: url, tools }: TestService): Promise<() => Promise<unknown>> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-changes-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'one.backup');
  await writeBackup({ url, file, product: '1.0.0', files: tools.files });
  const audit = writeOfAudit({ subAccountId: AGENCY, now: new Date(), actor: OPERATOR }, 'x');
  return () => loadBackup({ url, file, force: true, reason: 'test', audit });
}

test('after a restore, open streams and those that resume reload, and then go on', async ({
  service,
}) => {
  const { id } = await newThread(service);
  const restore = await backedUp(service);
  const next = following(service);
  const ready = await next();
  expect(ready.event).toBe('ready');
  const reset = next();
  await restore();
  expect(await reset).toMatchObject({ event: 'reset', data: '{"topic":"reset","id":null}' });
  const again = following(service, ready.id);
  expect((await again()).event).toBe('reset');
  await patched(service, id, { status: 'closed' });
  for (const following of [next, again]) {
    expect(JSON.parse((await following()).data)).toEqual({ topic: 'conversation', id });
  }
});
