import type { Demo } from './load-demo.ts';

interface UpResult {
  readonly url: string;
  /** Where the data is. */
  readonly place: string;
  readonly environmentFile: string;
  readonly demo: Demo | undefined;
}

/** What `up` prints once it runs: blocks that can be pasted into another terminal as they are. */
export const upText = ({ url, place, environmentFile, demo }: UpResult): string => `
  Frontdesk is running at ${url}
  Data: ${place}

  In another terminal, in this folder${demo ? '' : ' (ID and KEY: what the commands print)'}:

export FRONTDESK_ENV_FILE=${environmentFile}
${demo ? demoCommands(url, demo) : firstCommands(url)}
${demo ? demoPages(url, demo) : DEMO_HINT}
  API reference: ${url}/docs
  Press Ctrl-C to stop.
`;

const firstCommands = (
  url: string,
): string => `bin/frontdesk admin sub-account create --name "My business"
bin/frontdesk admin key create --name first --scopes all --sub-account ID
curl -H "Authorization: Bearer KEY" ${url}/api/v1/contacts
`;

const DEMO_HINT = `  To try it with a dentist's sample data: npm start -- --demo
`;

const demoCommands = (url: string, { key }: Demo): string => `export FRONTDESK_API_KEY=${key}
curl -H "Authorization: Bearer $FRONTDESK_API_KEY" \\
  ${url}/api/v1/contacts
`;

const demoPages = (
  url: string,
  { subAccountId, formId }: Demo,
): string => `  The key is shown only here. The demo's sub-account:
  ${subAccountId}
  Chat, booking page and form, in a browser:
${url}/chat/demo?subAccountId=${subAccountId}
${url}/book/${subAccountId}/check-up
${url}/f/${formId}
`;
