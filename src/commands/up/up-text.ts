import type { ConsoleLink } from './console-link.ts';

/** The demo's sub-account, and a key for it. */
export interface Demo {
  readonly subAccountId: string;
  readonly key: string;
  readonly formId: string | undefined;
}

interface UpResult {
  readonly url: string;
  /** The data folder, or the external database. */
  readonly place: string;
  readonly environmentFile: string;
  readonly console?: ConsoleLink | undefined;
  readonly demo: Demo | undefined;
  /** The file of the certificate that was created for this machine, if the server uses it. */
  readonly authority: string | undefined;
  /** The options of this `up`, such as ` --port 8090`. */
  readonly options: string;
}

/** Printed by `up` when it runs; its commands can be pasted into another terminal. */
export const upText = ({
  url,
  place,
  environmentFile,
  console: people,
  demo,
  authority,
  options,
}: UpResult): string => `
  Frontdesk is running at ${url}
  Data: ${place}
${people ? consoleText(people) : ''}
  In another terminal, in this folder${demo ? '' : ' (replace ID and KEY with those printed)'}:

export FRONTDESK_ENV_FILE=${environmentFile}${authority === undefined ? '' : trustCommand(authority)}
${demo ? demoCommands(url, demo, curlFor(authority)) : firstCommands(url, curlFor(authority))}
${demo ? demoPages(url, demo) : demoHint(options)}
  Documentation: ${url}/docs
  Press Ctrl-C to stop.
`;

const consoleText = ({ url, link }: ConsoleLink): string =>
  link === null
    ? `\n  Console: ${url}\n`
    : `\n  Open the console, signed in (this link works once, within 24 hours):\n${link}\n`;

/** Makes the commands of Frontdesk, and `curlFor`, trust the certificate. */
const trustCommand = (authority: string): string => `
export NODE_EXTRA_CA_CERTS=${authority}`;

const curlFor = (authority: string | undefined): string =>
  authority === undefined ? 'curl' : 'curl --cacert "$NODE_EXTRA_CA_CERTS" \\\n ';

const firstCommands = (
  url: string,
  curl: string,
): string => `bin/frontdesk admin sub-account create --name "My business"
bin/frontdesk admin key create --name first --scopes all --sub-account ID
${curl} -H "Authorization: Bearer KEY" ${url}/api/v1/contacts
`;

const demoHint = (options: string): string =>
  `  To try it with a dentist's sample data: npm start -- --demo${options}
`;

const demoCommands = (
  url: string,
  { key, subAccountId }: Demo,
  curl: string,
): string => `export FRONTDESK_URL=${url}
export FRONTDESK_API_KEY=${key}
export SUB=${subAccountId}
${curl} -H "Authorization: Bearer $FRONTDESK_API_KEY" \\
  $FRONTDESK_URL/api/v1/contacts
`;

const demoPages = (
  url: string,
  { subAccountId, formId }: Demo,
): string => `  The key is shown only here. SUB is the demo's sub-account.
  Chat, booking page and form, in a browser:
${url}/chat/demo?subAccountId=${subAccountId}
${url}/book/${subAccountId}/check-up
${url}/f/${formId}
`;
