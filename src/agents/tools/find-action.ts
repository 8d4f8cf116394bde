import type { AgentPolicy } from '#core/agent.ts';
import { riskOf, type KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import { argumentsOf } from './action.ts';
import { compactInput } from './compact-schema.ts';
import { isPossible } from './tool.ts';

/** What `find_action` returns of an endpoint. */
export interface ActionRow {
  readonly action: string;
  readonly does: string;
  readonly method: string;
  readonly path: string;
  readonly risk: string;
  readonly inputSchema: object;
}

const ACTIONS_MAX = 8;

/** Each word is compared with those of each action. */
export const QUERY_MAX = 200;

/** Returns whether a key has the scope of an action, and its policy does not deny it. */
export const mayUse = (
  endpoint: KeyedEndpoint,
  scopes: ReadonlySet<string>,
  policy: AgentPolicy,
): boolean =>
  (endpoint.access.kind === 'any' ||
    (endpoint.access.kind === 'key' && scopes.has(endpoint.access.scope))) &&
  isPossible(policy, riskOf(endpoint));

/** Returns the actions that fit the words of a query best, of those that the key may use. */
export function findActions(usable: readonly KeyedEndpoint[], query: string): ActionRow[] {
  const words = [...new Set(wordsOf(query).map((word) => SYNONYMS.get(word) ?? word))];
  const nouns = words.filter((word) => !VERBS.has(word));
  return usable
    .filter((endpoint) => nouns.length === 0 || scoreOf(endpoint, nouns) > 0)
    .map((endpoint) => ({ endpoint, score: scoreOf(endpoint, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, ACTIONS_MAX)
    .map(({ endpoint }) => describe(endpoint));
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word.length > 1)
    .map(stemOf);

/** `deleting`, `deletes` and `delete` are one word; so are `contacts` and `contact`. */
const stemOf = (word: string): string => word.replace(/(?:ies|ing|es|ed|s|e|y)$/, '') || word;

/** Words of most actions: an action that shares only such a word would be about something else. */
const VERBS = new Set(
  wordsOf(
    'add change create delete find get list post put remove save search send set show update',
  ),
);

/** What the tools call by other words. */
const SYNONYMS = new Map([['deal', stemOf('opportunity')]]);

interface ActionWords {
  readonly inId: ReadonlySet<string>;
  readonly inSummary: ReadonlySet<string>;
  readonly inDescription: ReadonlySet<string>;
}

const known = new WeakMap<KeyedEndpoint, ActionWords>();

/** Remembers the words of an action: they take longer to find than to compare. */
function wordsOfAction(endpoint: KeyedEndpoint): ActionWords {
  const words = known.get(endpoint) ?? findWords(endpoint);
  known.set(endpoint, words);
  return words;
}

const findWords = ({ id, summary, description = '', method }: KeyedEndpoint): ActionWords => ({
  inId: new Set([...wordsOf(id), method.toLowerCase()]),
  inSummary: new Set(wordsOf(summary)),
  inDescription: new Set(wordsOf(description)),
});

/** A word of the id counts more than one of the summary, and that more than one of the description. */
function scoreOf(endpoint: KeyedEndpoint, words: readonly string[]): number {
  const { inId, inSummary, inDescription } = wordsOfAction(endpoint);
  return words.reduce(
    (sum, word) =>
      sum +
      (inId.has(word) ? 4 : 0) +
      (inSummary.has(word) ? 2 : 0) +
      (inDescription.has(word) ? 1 : 0),
    0,
  );
}

function describe(endpoint: KeyedEndpoint): ActionRow {
  const { properties, required } = argumentsOf(endpoint);
  const { id: action, method, path, summary } = endpoint;
  const schema = {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  return {
    action,
    does: summary,
    method,
    path,
    risk: riskOf(endpoint),
    inputSchema: compactInput(schema),
  };
}
