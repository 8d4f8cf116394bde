import {
  defineCommand,
  type Option,
  type Switches,
  type Following,
  type Stream,
} from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { didYouMean } from '#core/schema/did-you-mean.ts';
import { isInteractive } from '#platform/cli/output.ts';
import { askFor } from '#platform/cli/prompts.ts';
import { processEnvironment } from '#platform/config/environment-file.ts';
import { baseUrlOf } from '#platform/config/environment.ts';
import { webhookEventNames } from '#registry/events.ts';
import { newSecret } from '../../webhooks/subscriptions/subscription.store.ts';
import { signingKey } from '../../webhooks/deliveries/signature.ts';
import { ALL_EVENTS, selectsAll } from '../../webhooks/subscriptions/subscription.schema.ts';
import { forwardEvent, type Forwarded } from './forward-event.ts';
import { readFeed, reportAway, type FeedEvent } from './read-feed.ts';

const keyOption = {
  flag: '--key <key>',
  label: 'API key',
  help: 'an API key with the scope webhooks:manage, instead of FRONTDESK_API_KEY',
  ask: 'password',
  parse: readKey,
} as const satisfies Option;

export const webhookListen = defineCommand()({
  path: 'webhook listen',
  summary: 'Forward the events of a sub-account to a local receiver until Ctrl-C',
  options: {
    forwardTo: {
      flag: '--forward-to <url>',
      label: 'Receiver URL',
      help: 'URL of the receiver, for example http://localhost:3000/hook',
      required: true,
      parse: readUrl,
    },
    url: {
      flag: '--url <base>',
      help: 'address of Frontdesk (default: FRONTDESK_BASE_URL or http://localhost:8080)',
      parse: readUrl,
    },
    key: keyOption,
    subAccount: { flag: '--sub-account <sub>', help: 'with an agency key: the sub-account' },
    events: {
      flag: '--events <names>',
      help: 'comma-separated event names, or * (default: all events)',
      ask: 'checkbox',
      choices: webhookEventNames,
      parse: readEvents,
    },
    secret: {
      flag: '--secret <secret>',
      help: 'signing secret, whsec_… (default: a new one)',
      parse: readSecret,
    },
    retry: {
      flag: '--retry',
      help: 'keep trying while Frontdesk does not answer, instead of giving up after 1 min',
    },
  },
  examples: [
    'frontdesk webhook listen --forward-to http://localhost:3000/hook',
    'frontdesk webhook listen --forward-to localhost:3000 --url https://crm.example.com --events contact.created,task.completed',
  ],
  context: 'none',
  async run(_, { key, ...input }, switches) {
    return runListen({ ...input, key: await keyFrom(key, keyOption, switches) });
  },
});

/** Parses a URL; the scheme is optional, as in `localhost:3000`. */
function readUrl(given: string): string {
  const url = /^[a-z]+:\/\//i.test(given) ? given : `http://${given}`;
  if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url)) {
    throw new UsageFault(
      `${given || 'nothing'} was given; it must be an http or https URL, for example http://localhost:3000/hook`,
    );
  }
  return url;
}

function readKey(given: string): string {
  const key = given.trim();
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageFault('it must be an API key (sk_…)');
  }
  return key;
}

function readEvents(given: string): ReadonlySet<string> {
  const names = given.split(',').map((name) => name.trim());
  if (names.length > 1 && selectsAll(names)) {
    throw new UsageFault('"*" selects all events; give it alone, or names without it');
  }
  const known = [...webhookEventNames, ALL_EVENTS];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const listed = unknown.map((name) => `"${name}"`).join(', ');
    throw new UsageFault(
      `unknown event ${listed}; allowed: ${known.join(', ')}${didYouMean(unknown[0] ?? '', webhookEventNames)}`,
    );
  }
  return new Set(names);
}

function readSecret(given: string): string {
  if (!/^whsec_[\x21-\x7e]+$/.test(given)) {
    throw new UsageFault('it must begin with whsec_ and contain no spaces');
  }
  return given;
}

/** Returns the key of --key, of the environment, or of a hidden prompt. Throws a UsageFault without one. */
export async function keyFrom(
  given: string | undefined,
  option: Option<string>,
  { yes }: Switches,
): Promise<string> {
  const known = given ?? processEnvironment().apiKey;
  if (known !== undefined) {
    return known;
  }
  if (!isInteractive() || yes) {
    throw new UsageFault(`webhook listen needs ${option.flag}, or FRONTDESK_API_KEY`);
  }
  return (await askFor({ ...option, help: 'API key with the scope webhooks:manage' })).trim();
}

interface ListenInput {
  readonly forwardTo: string;
  readonly url: string | undefined;
  readonly key: string;
  readonly subAccount: string | undefined;
  readonly events: ReadonlySet<string> | undefined;
  readonly secret: string | undefined;
  readonly retry: boolean | undefined;
}

/** Forwards events from now on, signed like deliveries. */
export function runListen(input: ListenInput): Following {
  const { key, subAccount, secret = newSecret() } = input;
  const url = input.url ?? baseUrl();
  return {
    async follow(stream) {
      const now = () => performance.now();
      const report = reportAway({ url, retry: input.retry ?? false, print, now });
      const feed = readFeed({ url, key, subAccount }, stream.printed, report);
      let isReady = false;
      for await (const page of feed) {
        if (!isReady) {
          isReady = true;
          await stream.say(readyLine({ ...input, url, secret }));
        }
        await forwardAll(page, { ...input, secret }, stream);
      }
    },
  };
}

const baseUrl = (): string => baseUrlOf(processEnvironment());

const print = (line: string): void => void process.stderr.write(`frontdesk: ${line}\n`);

interface Ready {
  readonly url: string;
  readonly forwardTo: string;
  readonly secret: string;
}

const readyLine = ({ url, forwardTo, secret }: Ready) => ({
  json: { ready: true, url, forwardTo, secret },
  text: `Ready. Signing secret: ${secret}\nEvents of ${url} are forwarded to ${forwardTo}. Press Ctrl-C to stop.`,
});

async function forwardAll(
  page: readonly FeedEvent[],
  { forwardTo, events, secret }: ListenInput & { readonly secret: string },
  { say, printed: signal }: Stream,
): Promise<void> {
  const key = signingKey(secret);
  for (const event of page.filter((one) => isSelected(one, events))) {
    const outcome = await forwardEvent(event, { forwardTo, key }, signal);
    if (signal.aborted && outcome.error !== null) {
      return;
    }
    await say(lineOf(event, outcome));
  }
}

const isSelected = ({ event }: FeedEvent, events: ReadonlySet<string> | undefined): boolean =>
  events === undefined || events.has(event) || events.has(ALL_EVENTS);

function lineOf({ id, event, timestamp, data }: FeedEvent, outcome: Forwarded) {
  const { at, responseStatus, error, durationMs } = outcome;
  const contactId = data.contactId ?? null;
  const answer = error === null ? String(responseStatus) : `skipped: ${error}`;
  return {
    json: { at, id, event, timestamp, contactId, responseStatus, error, durationMs },
    text: `${at}  ${event}  ${id}  ${answer}  ${durationMs} ms`,
  };
}
