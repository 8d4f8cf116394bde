import { Client } from 'pg';
import { inject, onTestFinished } from 'vitest';
import { endpoints } from '#registry/endpoints.ts';
import { successfulRequest } from './support/samples.ts';
import { describe, expect, test, type TestService } from './support/service.ts';

const WRITING = endpoints
  .filter((endpoint) => 'write' in endpoint)
  .map((endpoint) => [endpoint.id, endpoint] as const);

interface Plan {
  readonly 'Node Type': string;
  readonly Operation?: string;
  readonly 'Relation Name'?: string;
  readonly 'Conflict Resolution'?: string;
  readonly Plans?: readonly Plan[];
}

/** Records data-changing statements from now on. */
function statementsFromNow(): Set<string> {
  const texts = new Set<string>();
  const { prototype } = Client;
  const { query } = prototype;
  prototype.query = function observed(this: Client, ...given: any[]) {
    const text = given[0]?.text ?? given[0];
    if (typeof text === 'string' && /\b(?:insert|update|delete)\b/i.test(text)) {
      texts.add(text);
    }
    return (query as any).apply(this, given);
  } as typeof query;
  onTestFinished(() => {
    prototype.query = query;
  });
  return texts;
}

/** Returns tables that one statement changes twice, according to PostgreSQL's planner. */
async function changedTwice({ database }: TestService, text: string): Promise<string[]> {
  if (!/^\s*(?:with|insert|update|delete|select)\b/i.test(text)) {
    return [];
  }
  const explain = `explain (generic_plan, costs off, format json) ${text}`;
  const [row] = (await database.pool.query(explain)).rows;
  const nodes = nodesOf(row['QUERY PLAN'][0].Plan).filter(
    (node) => node['Node Type'] === 'ModifyTable',
  );
  const changes = nodes.filter(
    (node) => node.Operation !== 'Insert' || node['Conflict Resolution'] === 'UPDATE',
  );
  return changes
    .map((node) => node['Relation Name'] ?? '')
    .filter((name) => nodes.filter((node) => node['Relation Name'] === name).length > 1);
}

const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** On a cluster the writes of a change are no one statement, and PostgreSQL 15 has no generic plans. */
const isOnePostgres = inject('nodeUrls').length === 0;

describe.runIf(isOnePostgres).for(WRITING)('%s', ([, endpoint]) => {
  test('sends no statement that changes rows of one table twice', async ({ service }) => {
    const { line, options } = await successfulRequest(endpoint, service);
    const texts = statementsFromNow();
    const { status } = await service.call(line, options);
    expect(status).toBeLessThan(300);
    expect(texts.size).toBeGreaterThan(0);
    for (const text of texts) {
      expect([text, await changedTwice(service, text)]).toEqual([text, []]);
    }
  });
});

test.runIf(isOnePostgres)(
  'detects a statement that changes rows of one table twice',
  async ({ service }) => {
    const update = 'update conversations set status = $1 where id = $2';
    const insert = 'insert into contact_emails values ($3, $4, $5)';
    const twice = `with w0 as (${update}), w1 as (${update}) select 1`;
    expect(await changedTwice(service, twice)).toEqual(['conversations', 'conversations']);
    const inserts = `with w0 as (${insert}), w1 as (${insert}) select 1`;
    expect(await changedTwice(service, inserts)).toEqual([]);
  },
);
