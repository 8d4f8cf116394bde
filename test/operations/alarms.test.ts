import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { readExposition } from './exposition.support.ts';

const WAIT = { timeout: 60_000, interval: 200 };

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

let installation: Installation;
let rules: readonly Rule[];
let guide: string;
beforeAll(async () => {
  installation = await startInstallation();
  const text = await readFile('config/alerts.example.yml', 'utf8');
  rules = parse(text).groups.flatMap((group: { rules: readonly Rule[] }) => group.rules);
  guide = await readFile('docs/operations.md', 'utf8');
});
afterAll(() => installation.close());

const metrics = async () => (await fetch(`${installation.url}/metrics`)).text();
const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');

describe('alerts', () => {
  test('use metrics that a server and a worker expose', async () => {
    await installation.startWorker();
    await installation.createContact();
    const named = rules.flatMap(
      ({ expr }) => expr.match(/\b(?:frontdesk|process)_[a-z_]+\b/g) ?? [],
    );
    expect(named.length).toBeGreaterThan(20);
    await vi.waitFor(async () => {
      const known = readExposition(await metrics());
      const unknown = named.filter(
        (name) => !known.has(name.replace(/_(?:bucket|sum|count)$/, '')),
      );
      expect(unknown).toEqual([]);
    }, WAIT);
  });

  test('have one section each in the guide', () => {
    const [, alerts = ''] = guide.split('\n## Alerts\n');
    const [section = ''] = alerts.split('\n## ');
    const headings = [...section.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(rules.map(({ annotations }) => annotations.summary));
    for (const { annotations, labels } of rules) {
      expect(annotations.runbook).toBe(`docs/operations.md#${slugOf(annotations.summary)}`);
      expect(['page', 'ticket']).toContain(labels.severity);
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  test('have the same expression in the guide', () => {
    for (const { annotations, expr } of rules.slice(1)) {
      const [, text = ''] = guide.split(`\n### ${annotations.summary}\n`);
      expect(text.trimStart().startsWith(`\`${expr}\` for `)).toBe(true);
    }
  });
});

describe('the figures of a worker', () => {
  test('are its memory, event loop, clock and jobs by name', async () => {
    await installation.startWorker();
    await vi.waitFor(async () => {
      const known = readExposition(await metrics());
      const of = (name: string) => known.get(name)?.samples ?? [];
      const workers = of('frontdesk_process_resident_memory_bytes').filter(({ labels }) =>
        labels.includes('kind="worker"'),
      );
      expect(workers.length).toBeGreaterThan(0);
      expect(workers[0]?.value).toBeGreaterThan(10e6);
      expect(of('frontdesk_workers')[0]?.value).toBeGreaterThan(0);
      const clocks = of('frontdesk_process_clock_ahead_seconds').map(({ value }) =>
        Math.abs(value),
      );
      expect(Math.max(...clocks)).toBeLessThan(60);
    }, WAIT);
  });
});
