import { sections } from '#registry/sections.ts';
import type { Work } from '#core/work.ts';
import { applySource } from '../../src/manifest/apply-source.ts';
import { expect, test } from '../support/service.ts';
import { apply } from '../support/manifest.ts';
import { signInAs } from '../support/people.ts';

const GET = 'GET /console/api/v1/manifest';
const DIFF = 'POST /console/api/v1/manifest/diff';
const APPLY = 'POST /console/api/v1/manifest/apply';

// Without a limit, 150 templates of 500 kB, applied one by one, kept the process busy for seconds per export.
test('settings that grow above the limit are refused, and smaller ones are accepted', async ({
  service,
}) => {
  const { call } = await signInAs(service, 'admin');
  const html = `<p>{{content}}{{unsubscribe_url}}</p>${'x'.repeat(450_000)}`;
  const template = (key: string, text = html) => ({ key, name: key, html: text });
  const post = (line: string, templates: readonly object[]) =>
    call(line, { body: { source: JSON.stringify({ templates }) } });
  await apply(service, { templates: Array.from({ length: 10 }, (_, at) => template(`t${at}`)) });
  expect((await post(APPLY, [template('k')])).status).toBe(200);
  for (const line of [DIFF, APPLY]) {
    const { status, body } = await post(line, [template('l')]);
    expect([status, body.error.details.reason]).toEqual([400, 'settings_too_large']);
  }
  await apply(service, { templates: [template('l')] });
  expect((await post(APPLY, [template('l', html.slice(0, -1))])).status).toBe(200);
  const { body } = await call(GET);
  expect(body.data.manifest.templates).toHaveLength(12);
});

test('very many small entries are settings that are too large', async ({ service }) => {
  const { call } = await signInAs(service, 'admin');
  const lists = Array.from({ length: 15_000 }, (_, at) => ({ key: `l${at}`, name: `l${at}` }));
  const { status, body } = await call(DIFF, { body: { source: JSON.stringify({ lists }) } });
  expect([status, body.error.details.reason]).toEqual([400, 'settings_too_large']);
});

test('a manifest waits for another one before it takes a connection', async ({ service }) => {
  const { transact, subAccountId, actor, tools } = service;
  const input = { source: 'chat:\n  title: Ask us\n', prune: false, isPlan: false, tools };
  const over = Promise.withResolvers<void>();
  const applied = Promise.withResolvers<void>();
  const first = transact(subAccountId, actor, async (work) => {
    await applySource(work, sections, input);
    applied.resolve();
    await over.promise;
  });
  await applied.promise;
  const claimed = Promise.withResolvers<void>();
  let reads = 0;
  const second = transact(subAccountId, actor, (work) => {
    const watched = {
      ...work,
      claim(name: string) {
        claimed.resolve();
        return work.claim(name);
      },
      rows(...given: Parameters<Work['rows']>) {
        reads += 1;
        return work.rows(...given);
      },
      get em() {
        return work.em;
      },
    } as Work;
    return applySource(watched, sections, input);
  });
  await claimed.promise;
  expect(reads).toBe(0);
  over.resolve();
  await Promise.all([first, second]);
  expect(reads).toBeGreaterThan(0);
});
