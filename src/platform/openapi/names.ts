/** `bot-update` as `BotUpdate`, `contact.created` as `ContactCreated`. */
export const pascalCase = (id: string): string =>
  id
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

export const camelCase = (id: string): string => {
  const pascal = pascalCase(id);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
};

/** Words that end in `s` in the singular, too. */
const SAME = new Set(['status', 'address', 'chat', 'team', 'me']);

/** `opportunities` as `opportunity`, `businessHours` as `businessHour`. */
export function singular(word: string): string {
  if (SAME.has(word.toLowerCase()) || !word.endsWith('s') || word.endsWith('ss')) {
    return word;
  }
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

/** `contacts.bot-update` as `BotUpdateContact`: the stem of the names of an operation's schemas. */
export function operationName(id: string): string {
  const [tag = '', ...verbs] = id.split('.');
  return pascalCase(verbs.join('.')) + pascalCase(singular(tag));
}
