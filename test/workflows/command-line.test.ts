/* oxlint-disable unicorn/no-thenable -- contract 8 names a branch of a step `then` */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startInstallation } from '../support/command-line.ts';
import { frontdesk } from '../support/frontdesk.ts';

const FLOW = `workflows:
  - slug: lead
    name: Lead
    triggers: [{ on: inbound_webhook }]
    steps:
      - { addTag: welcomed }
      - { wait: { until: "2031-07-01T09:00" } }
      - { if: { field: lastName, equals: lovelace }, then: [{ addTag: ada }], else: [{ addTag: other }] }
      - { goal: { event: paid, timeout: 1d } }
      - { http: { url: "https://example.com", headers: { Authorization: s3cret } } }
      - { end: true }
      - { addTag: never }
`;

test('the commands list, show, dry-run, follow and cancel workflows and runs', async () => {
  const installation = await startInstallation();
  onTestFinished(installation.close);
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-workflows-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'flow.yaml');
  await writeFile(file, FLOW);
  const { admin, subAccountId: sub } = installation;
  await admin(`apply -f ${file} --sub-account ${sub}`);
  const contact = await installation.createContact();

  const words = ['admin', 'secret', 'regenerate', 'workflow', 'lead', '--sub-account', sub];
  const { stdout: first } = await frontdesk(words, installation.variables);
  expect(first).toContain('an earlier one is refused now');
  const { json: secret } = await admin(`secret regenerate workflow lead --sub-account ${sub}`);
  expect(secret).toEqual({ secret: expect.stringMatching(/^wfsec_\w{40}$/) });
  expect((await admin(`secret regenerate workflow none --sub-account ${sub}`)).code).toBe(1);
  const { json: all } = await admin(`workflow list --sub-account ${sub}`);
  expect(all).toMatchObject([
    { slug: 'lead', active: true, hasSecret: true, running: 0, waiting: 0 },
  ]);
  const shown = await admin(`workflow show lead --sub-account ${sub}`);
  expect(shown.json.steps).toHaveLength(7);
  expect(shown.stdout).not.toMatch(/s3cret|sealed/);

  const { json: dry } = await admin(`workflow test lead --contact ${contact} --dry-run`);
  expect(dry.steps.map(({ place, step, says }: any) => [place, step, says])).toEqual([
    ['/0', 'addTag', 'welcomed'],
    ['/1', 'wait', 'until 2031-07-01T09:00:00.000Z'],
    ['/2', 'if', '{"field":"lastName","equals":"lovelace"}: then'],
    ['/2/then/0', 'addTag', 'ada'],
    ['/3', 'goal', '{"event":"paid","timeout":"1d"}'],
    ['/4', 'http', 'POST https://example.com'],
    ['/5', 'end', ''],
  ]);
  expect((await admin(`workflow runs --sub-account ${sub}`)).json).toEqual([]);

  expect((await admin(`workflow test lead --contact ${contact}`)).code).toBe(2);
  const { json: begun } = await admin(`workflow test lead --contact ${contact} --yes`);
  const { json: runs } = await admin(`workflow runs --sub-account ${sub} --workflow lead`);
  expect(runs).toMatchObject([
    { id: begun.runId, contactId: contact, status: 'running', trigger: 'test' },
  ]);
  expect((await admin(`workflow run-log ${begun.runId}`)).json).toEqual([]);
  expect((await admin(`workflow cancel ${begun.runId}`)).code).toBe(2);
  const { json: ended } = await admin(`workflow cancel ${begun.runId} --yes`);
  expect(ended).toEqual({ id: begun.runId, status: 'cancelled' });
  expect((await admin(`workflow cancel ${begun.runId} --yes`)).code).toBe(1);
  expect((await admin(`workflow run-log ${contact}`)).code).toBe(1);
  const { json: left } = await admin(`workflow runs --sub-account ${sub} --status cancelled`);
  expect(left).toHaveLength(1);
});
