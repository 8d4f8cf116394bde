/** `bot-update` as `botUpdate`. */
export const camelCase = (id: string): string =>
  id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `sub-accounts` as `SubAccounts`. */
export const pascalCase = (id: string): string => {
  const camel = camelCase(id);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
};
