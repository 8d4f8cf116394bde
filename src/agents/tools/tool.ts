import type { TSchema } from 'typebox';
import type { AgentPolicy, Risk } from '#core/agent.ts';
import { riskOf, type KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import { didYouMean } from '#core/schema/did-you-mean.ts';
import { invalid, ISSUES_MAX } from '#core/fault.ts';
import { argumentsOf, type Arguments } from './action.ts';
import { compactData, compactInput } from './compact-schema.ts';

/** A tool of the MCP server: a task of an agent, made of one or a few endpoints. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly risk: Risk;
  /** The key needs one of them; undefined means any scope. */
  readonly scopes: readonly string[] | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>>;
  readonly isRepeatable: boolean;
  /** Returns the endpoint that a call with these arguments uses. Empty for tools of actions. */
  readonly pick: (given: Arguments) => { readonly endpoint: KeyedEndpoint; given: Arguments };
}

/** How a tool of several endpoints chooses one. */
export interface Choice {
  readonly name: string;
  /** Further arguments, with their schemas, which no endpoint takes. */
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  /** Returns the id of the endpoint, and the arguments it gets. */
  readonly choose: (given: Arguments) => { readonly id: string; readonly given: Arguments };
}

/** The members of every result besides `data`; results of writes have more. */
const RESULT = {
  meta: { type: 'object' },
  error: { type: 'object', required: ['code', 'message'] },
};
const RESULT_OF_WRITE = {
  ...RESULT,
  repeated: { type: 'boolean' },
  dryRun: { type: 'boolean' },
  effects: { type: 'object' },
  status: { type: 'string' },
  approvalId: { type: 'string' },
};

const FLAGS = {
  dryRun: { type: 'boolean', description: 'only describe what would happen' },
  repeat: { type: 'boolean', description: 'run again though an equal call just ran' },
};

/** Derives a tool from the endpoints that name it. */
export function toolOf(
  name: string,
  endpoints: readonly KeyedEndpoint[],
  choice: Choice | undefined,
): Tool {
  const all = endpoints.map(argumentsOf);
  const risk = riskOf(firstOf(name, endpoints));
  const isWrite = risk !== 'read';
  const properties = {
    ...choice?.properties,
    ...Object.assign({}, ...all.map((one) => one.properties)),
  } as Record<string, object>;
  const [first, ...rest] = all.map(({ required }) => required);
  const common = (first ?? []).filter((one) => rest.every((names) => names.includes(one)));
  const required = [...new Set([...(choice?.required ?? []), ...common])];
  const input = compactInput({
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  });
  const inputProperties = { ...(input['properties'] as object), ...(isWrite && FLAGS) };
  const data = compactData(endpoints.map((one) => one.data as Readonly<Record<string, unknown>>));
  return {
    name,
    description: endpoints.flatMap(({ agent }) => agent?.does ?? []).join(' '),
    risk,
    scopes: [
      ...new Set(endpoints.flatMap(({ access }) => (access.kind === 'key' ? access.scope : []))),
    ],
    inputSchema: { ...input, properties: inputProperties },
    outputSchema: {
      type: 'object',
      properties: { data, ...(isWrite ? RESULT_OF_WRITE : RESULT) },
    },
    isRepeatable: isWrite,
    pick(given) {
      const chosen = choice?.choose(given) ?? { id: undefined, given };
      const endpoint = endpoints.find(({ id }) => id === (chosen.id ?? id));
      return { endpoint: firstOf(name, endpoint ? [endpoint] : []), given: chosen.given };
    },
  };
}

function firstOf(name: string, [endpoint]: readonly KeyedEndpoint[]): KeyedEndpoint {
  if (!endpoint) {
    throw new Error(`no endpoint declares the tool ${name}`);
  }
  return endpoint;
}

/** Throws VALIDATION_ERROR for arguments that the tool does not have; the endpoint checks the others. */
export function refuseUnknown(schema: TSchema | Tool['inputSchema'], given: Arguments): void {
  const names = Object.keys((schema as { readonly properties?: object }).properties ?? {});
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw invalid(
      unknown.map((name, index) => ({
        in: 'body',
        path: `/${name}`,
        message: `is not an argument of this tool${index < ISSUES_MAX ? didYouMean(name, names) : ''}; it takes ${names.join(', ')}`,
      })),
    );
  }
}

/** Returns whether a key may use an action of this risk, at least after an approval. */
export const isPossible = (policy: AgentPolicy, risk: Risk): boolean => policy[risk] !== 'deny';
