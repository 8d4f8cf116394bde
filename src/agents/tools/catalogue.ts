import type { AgentPolicy } from '#core/agent.ts';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { isAboutFile } from '#core/endpoint/file-body.ts';
import type { KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import { oneOfTypes } from './compact-schema.ts';
import { QUERY_MAX } from './find-action.ts';
import { isPossible, toolOf, type Tool, type Choice } from './tool.ts';
import type { Arguments } from './action.ts';

/** All tools in the order in which every list has them (contract 12). */
export const TOOL_NAMES = [
  'find_contact',
  'get_contact',
  'save_contact',
  'list_conversations',
  'read_conversation',
  'send_message',
  'update_conversation',
  'find_times',
  'book_appointment',
  'move_appointment',
  'cancel_appointment',
  'list_appointments',
  'customer_appointments',
  'customer_change',
  'prices_and_quotes',
  'list_deals',
  'save_deal',
  'list_tasks',
  'save_task',
] as const;

export const FIND_ACTION = 'find_action';
export const RUN_ACTION = 'run_action';

const TOOLS_MAX = 20;
/** What a key that could see more tools loses; `run_action` still reaches their actions. */
const SPARED = new Set(['list_tasks', 'save_task']);

/** Everything that agents can use. */
export interface Catalogue {
  readonly tools: readonly Tool[];
  /** Endpoints by their ids. */
  readonly actions: ReadonlyMap<string, KeyedEndpoint>;
  /** Actions, and the endpoints that only tools use, by their ids. */
  readonly callable: ReadonlyMap<string, KeyedEndpoint>;
  readonly byName: ReadonlyMap<string, Tool>;
}

/**
 * Derives the tools from the endpoints. `composites` are endpoints that only agents have: they replace
 * the declared endpoints of their tool.
 */
export function catalogueOf(
  endpoints: readonly Endpoint[],
  composites: readonly KeyedEndpoint[],
): Catalogue {
  const keyed = endpoints.filter(
    (one): one is KeyedEndpoint => one.kind === 'keyed' && !isAboutFile(one),
  );
  const replaced = new Set(composites.map(({ agent }) => agent?.tool));
  const used = [...composites, ...keyed.filter(({ agent }) => !replaced.has(agent?.tool))];
  const choices = new Map(CHOICES.map((choice) => [choice.name, choice]));
  const tools = TOOL_NAMES.map((name) =>
    toolOf(
      name,
      used.filter(({ agent }) => agent?.tool === name),
      choices.get(name),
    ),
  );
  const actions = keyed.filter(({ access }) => access.kind !== 'agency');
  const all = [...tools, findAction, runAction];
  return {
    tools: all,
    actions: new Map(actions.map((endpoint) => [endpoint.id, endpoint])),
    callable: new Map([...actions, ...composites].map((endpoint) => [endpoint.id, endpoint])),
    byName: new Map(all.map((tool) => [tool.name, tool])),
  };
}

/** Returns the tools of a key, at most 20. */
export function toolsFor(
  { tools }: Catalogue,
  scopes: ReadonlySet<string>,
  policy: AgentPolicy,
): readonly Tool[] {
  const visible = tools.filter((tool) => isListed(tool, scopes, policy));
  return visible.length > TOOLS_MAX ? visible.filter(({ name }) => !SPARED.has(name)) : visible;
}

const isListed = (tool: Tool, scopes: ReadonlySet<string>, policy: AgentPolicy): boolean =>
  tool.scopes === undefined
    ? scopes.size > 0
    : tool.scopes.some((scope) => scopes.has(scope)) && isPossible(policy, tool.risk);

const notPicked = (): never => {
  throw new Error('tools of actions are run by their action');
};

const ERROR = { type: 'object', required: ['code', 'message'] };

const findAction: Tool = {
  name: FIND_ACTION,
  description:
    'Searches everything else that this key may do. Depending on its scopes, that includes deleting, merging, campaigns, webhooks and pipelines. Returns the actions with their arguments for run_action.',
  risk: 'read',
  scopes: undefined,
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', maxLength: QUERY_MAX, description: 'what to do, in a few words' },
    },
    required: ['query'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      actions: {
        type: 'array',
        items: { type: 'object', required: ['action', 'method', 'path', 'risk', 'inputSchema'] },
      },
      error: ERROR,
    },
  },
  isRepeatable: false,
  pick: notPicked,
};

const runAction: Tool = {
  name: RUN_ACTION,
  description:
    'Runs an action that find_action returned. Ask the user before an action of risk destroys or mass.',
  risk: 'mass',
  scopes: undefined,
  inputSchema: {
    type: 'object',
    properties: {
      action: { type: 'string', description: 'such as contacts.delete' },
      arguments: { type: 'object' },
      dryRun: { type: 'boolean', description: 'only describe what would happen' },
      repeat: { type: 'boolean', description: 'run again though an equal call just ran' },
    },
    required: ['action'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      data: oneOfTypes(['object', 'array', 'null'], {}),
      meta: { type: 'object' },
      error: ERROR,
      repeated: { type: 'boolean' },
      dryRun: { type: 'boolean' },
      effects: { type: 'object' },
      status: { type: 'string' },
      approvalId: { type: 'string' },
    },
  },
  isRepeatable: true,
  pick: notPicked,
};

const has = (given: Arguments, name: string): boolean => given[name] !== undefined;

/** Tools of several endpoints, and how each chooses one. */
const CHOICES: readonly Choice[] = [
  {
    name: 'save_contact',
    choose: (given) => ({
      id: has(given, 'contactId') ? 'contacts.update' : 'contacts.upsert',
      given,
    }),
  },
  {
    name: 'find_times',
    choose: (given) => ({
      id:
        has(given, 'appointmentTypeId') || has(given, 'appointmentType')
          ? 'calendars.availability'
          : 'calendars.types',
      given,
    }),
  },
  {
    name: 'customer_change',
    properties: { action: { type: 'string', enum: ['cancel', 'reschedule'] } },
    required: ['action'],
    // The schema asks for `confirm` whatever the action is; only cancelling takes it.
    choose: ({ action, confirm, ...given }) =>
      action === 'cancel'
        ? { id: 'booking.cancel', given: { ...given, ...(confirm !== undefined && { confirm }) } }
        : { id: 'booking.reschedule', given },
  },
  {
    name: 'prices_and_quotes',
    choose: (given) => ({
      id: has(given, 'contactId') ? 'booking.estimates' : 'booking.service-types',
      given,
    }),
  },
  {
    name: 'save_task',
    choose: (given) => ({ id: has(given, 'taskId') ? 'tasks.update' : 'tasks.create', given }),
  },
];
