import type { Messages } from '../i18n/message-types.ts';

/** Returns the title of a step by the name of its action; unknown actions keep their name. */
export const actionTitle = ({ actions }: Messages['workflows'], name: string): string =>
  (actions as Readonly<Record<string, string>>)[name] ?? name;
