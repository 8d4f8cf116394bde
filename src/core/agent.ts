/**
 * What an action does to people and data, from harmless to far-reaching (contract 12): `tells` sends a
 * person a message, `destroys` cannot be undone, `mass` mails many people.
 */
export const RISKS = ['read', 'reversible', 'tells', 'destroys', 'mass'] as const;

export type Risk = (typeof RISKS)[number];

export const DECISIONS = ['allow', 'ask', 'deny'] as const;

/** What happens to an agent's call: it runs, waits for the approval of a person, or is refused. */
type Decision = (typeof DECISIONS)[number];

/** The decision per risk. */
export type AgentPolicy = Readonly<Record<Risk, Decision>>;

export const DEFAULT_POLICY: AgentPolicy = {
  read: 'allow',
  reversible: 'allow',
  tells: 'allow',
  destroys: 'ask',
  mass: 'ask',
};

/**
 * Parses `tells=allow,destroys=ask`; risks that are not named have their default. Returns the message of
 * the refusal for anything else.
 */
export function parsePolicy(text: string): Partial<AgentPolicy> | string {
  const policy: Partial<Record<Risk, Decision>> = {};
  for (const part of text.split(',').map((one) => one.trim())) {
    const [name = '', value = '', ...rest] = part.split('=').map((one) => one.trim());
    const risk = RISKS.find((one) => one === name);
    const decision = DECISIONS.find((one) => one === value);
    if (!risk || !decision || rest.length > 0) {
      return `"${part}" is not a rule; write RISK=DECISION with a risk of ${RISKS.join(', ')} and a decision of ${DECISIONS.join(', ')}`;
    }
    if (policy[risk]) {
      return `${risk} is given more than once`;
    }
    policy[risk] = decision;
  }
  return policy;
}

/** Returns the decisions of a key, whose policy may name some risks only. */
export const policyOf = (stored: Partial<AgentPolicy> | null): AgentPolicy => ({
  ...DEFAULT_POLICY,
  ...stored,
});

/** Lists grow between a request and its effect: a tenth more is what the person expected. */
const GROWTH = 1.1;

/** Returns whether a call would reach more people than a person approved: the agent may have added them. */
export const isOutgrown = (approved: number, count: number): boolean => count > approved * GROWTH;

/** Returns whether `after` forbids, or has to ask for, something that `before` did not. */
export const isNarrower = (before: AgentPolicy, after: AgentPolicy): boolean =>
  RISKS.some((risk) => DECISIONS.indexOf(after[risk]) > DECISIONS.indexOf(before[risk]));
