import type { Transact, Work } from '#core/work.ts';
import { expect, test, type TestService } from '../support/service.ts';
import { apply, run } from '../support/manifest.ts';

const PUBLISH = 'publish_events_of';
const workflows = (...slugs: readonly string[]) => ({
  workflows: slugs.map((slug) => ({
    slug,
    name: slug,
    triggers: [{ on: 'contact.created' }],
    steps: [{ end: true }],
  })),
});

/** A service that notes each statement of its changes. */
function noting(service: TestService, statements: string[]): TestService {
  const transact: Transact = (id, actor, change, conclude) => {
    const noted = (work: Work): Work => {
      const rows: Work['rows'] = (text, values) => {
        statements.push(text);
        return work.rows(text, values);
      };
      return Object.create(work, { rows: { value: rows } });
    };
    return service.transact(id, actor, (work) => change(noted(work)), conclude);
  };
  return { ...service, transact };
}

test('an apply of many workflows keeps the publisher of all sub-accounts once, after all writes', async ({
  service,
}) => {
  await apply(service, workflows('old', 'older'));
  const statements: string[] = [];
  await apply(noting(service, statements), workflows('one', 'two', 'three'), { prune: true });
  const publishing = statements.filter((text) => text.includes(PUBLISH));
  expect(publishing).toHaveLength(1);
  const after = statements.slice(statements.findIndex((text) => text.includes(PUBLISH)) + 1);
  expect(after).toHaveLength(3);
});

test('a plan does not keep it at all', async ({ service }) => {
  const statements: string[] = [];
  await run(noting(service, statements), workflows('one', 'two'), { dryRun: true });
  expect(statements.length).toBeGreaterThan(3);
  expect(statements.filter((text) => text.includes(PUBLISH))).toEqual([]);
});
