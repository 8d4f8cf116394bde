import { execFile } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { describe, expect, test, type TestService } from '../support/service.ts';

/** The scenarios of the official runner that pass. */
const PASSING = [
  'server-initialize',
  'server-session-lifecycle',
  'ping',
  'tools-list',
  'server-sse-polling',
  'server-sse-multiple-streams',
  'resources-list',
  'sep-2164-resource-not-found',
  'sep-2640-skills-directory',
  'sep-2640-skills-enumeration',
  'sep-2640-skills-manifest',
  'http-header-validation',
  'tasks-status-notifications',
  'input-required-result-missing-input-response',
  'input-required-result-unsupported-methods',
  'input-required-result-ignore-extra-params',
  'input-required-result-validate-input',
] as const;

const REFERENCE_TOOLS = "calls a tool of the runner's own reference server";
const REFERENCE_RESOURCES = "reads a resource of the runner's own reference server";
const NO_PROMPTS = 'the server declares no prompts';
const NO_TASKS = 'the server does not declare the extension for tasks';
const NO_INPUT = 'no tool asks the client for more input';

/** All other scenarios, each with the reason why it does not apply. */
const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  'server-stateless': 'needs a tool that requires a capability of the client',
  'logging-set-level': 'the server declares no logging',
  'completion-complete': 'the server declares no completion',
  'tools-call-simple-text': REFERENCE_TOOLS,
  'tools-call-image': REFERENCE_TOOLS,
  'tools-call-audio': REFERENCE_TOOLS,
  'tools-call-embedded-resource': REFERENCE_TOOLS,
  'tools-call-mixed-content': REFERENCE_TOOLS,
  'tools-call-with-logging': REFERENCE_TOOLS,
  'tools-call-error': REFERENCE_TOOLS,
  'tools-call-with-progress': REFERENCE_TOOLS,
  'tools-call-sampling': REFERENCE_TOOLS,
  'tools-call-elicitation': REFERENCE_TOOLS,
  'json-schema-2020-12': REFERENCE_TOOLS,
  'elicitation-sep1034-defaults': REFERENCE_TOOLS,
  'elicitation-sep1330-enums': REFERENCE_TOOLS,
  'resources-read-text': REFERENCE_RESOURCES,
  'resources-read-binary': REFERENCE_RESOURCES,
  'resources-templates-read': REFERENCE_RESOURCES,
  'resources-subscribe': 'resources cannot be subscribed to: events/poll follows changes',
  'resources-unsubscribe': 'resources cannot be subscribed to',
  'prompts-list': NO_PROMPTS,
  'prompts-get-simple': NO_PROMPTS,
  'prompts-get-with-args': NO_PROMPTS,
  'prompts-get-embedded-resource': NO_PROMPTS,
  'prompts-get-with-image': NO_PROMPTS,
  'dns-rebinding-protection':
    'calls without the proxy that adds the key: http.test.ts has its rule',
  caching: 'includes prompts: the test below asserts the lists that exist',
  'http-custom-header-server-validation': REFERENCE_TOOLS,
  'tasks-lifecycle': NO_TASKS,
  'tasks-capability-negotiation': NO_TASKS,
  'tasks-wire-fields': NO_TASKS,
  'tasks-request-state-removal': NO_TASKS,
  'tasks-mrtr-input': NO_TASKS,
  'tasks-request-headers': NO_TASKS,
  'tasks-dispatch-and-envelope': NO_TASKS,
  'tasks-required-task-error': NO_TASKS,
  'tasks-mrtr-composition': NO_TASKS,
  'input-required-result-basic-elicitation': NO_INPUT,
  'input-required-result-basic-sampling': NO_INPUT,
  'input-required-result-basic-list-roots': NO_INPUT,
  'input-required-result-request-state': NO_INPUT,
  'input-required-result-multiple-input-requests': NO_INPUT,
  'input-required-result-multi-round': NO_INPUT,
  'input-required-result-non-tool-request': NO_INPUT,
  'input-required-result-result-type': NO_INPUT,
  'input-required-result-tampered-state': NO_INPUT,
  'input-required-result-capability-check': NO_INPUT,
};

/** The runner cannot send a key: a proxy adds it. */
async function withKey({ url, keys }: TestService): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${keys.full}` };
    const { method, url: path = '/' } = incoming;
    const forwarded = request(new URL(path, url), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    // The runner leaves while the proxy is closed.
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
}

interface RunResult {
  readonly code: number;
  readonly output: string;
}

const runner = (args: readonly string[]): Promise<RunResult> =>
  new Promise((resolve) => {
    const program = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
    execFile(process.execPath, [program, ...args], (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });

const runScenario = (url: string, scenario: string): Promise<RunResult> =>
  runner(['server', '--url', url, '--scenario', scenario]);

describe('the conformance runner', () => {
  test('has no scenario that is not listed here', async () => {
    const { output } = await runner(['list']);
    const [ofServers = ''] = output.split('Client scenarios');
    const names = [...ofServers.matchAll(/^ {2}- ([\w-]+)/gm)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set([...PASSING, ...Object.keys(NOT_APPLICABLE)]));
  });

  test.for(PASSING)('passes %s', async (scenario, { shared }) => {
    const { code, output } = await runScenario(await withKey(shared), scenario);
    expect(code, output).toBe(0);
  });

  test('finds caching hints on every list that there is', async ({ shared }) => {
    // A checkout renders the site with the first request, which the runner would not wait for.
    await fetch(`${shared.url}/docs/agents.md`);
    const { output } = await runScenario(await withKey(shared), 'caching');
    const failed = [...output.matchAll(/\[(sep-\d+-[\w-]+)\s*\] \S*FAILURE/g)].map(([, id]) => id);
    for (const list of ['tools-list', 'resources-list', 'resources-templates-list']) {
      expect(output).toMatch(new RegExp(`sep-2549-${list}-caching-hints\\s*\\] \\S*SUCCESS`));
    }
    expect(failed).toEqual(['sep-2549-prompts-list-caching-hints']);
  });
});
