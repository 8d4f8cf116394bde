import { createSecretKey } from 'node:crypto';
import type { Following, Stream } from '#core/command.ts';
import { readEnvironment } from '#platform/config/environment.ts';
import { withEnvironmentFile } from '#platform/config/environment-file.ts';
import { newSecret } from '../../webhooks/subscriptions/subscription.store.ts';
import { forwardEvent, type Forwarded } from './forward-event.ts';
import { readFeed, type FeedEvent } from './read-feed.ts';
import { reportAway } from './report-away.ts';

interface ListenInput {
  readonly forwardTo: string;
  readonly url: string | undefined;
  readonly key: string;
  readonly subAccount: string | undefined;
  readonly events: ReadonlySet<string> | undefined;
  readonly secret: string | undefined;
  readonly retry: boolean | undefined;
}

/** Forwards what happens from now on, as a real delivery would bring it. */
export function runListen(wanted: ListenInput): Following {
  const { key, subAccount, secret = newSecret() } = wanted;
  const url = wanted.url ?? baseUrl();
  return {
    async follow(stream) {
      const now = () => performance.now();
      const report = reportAway({ url, retry: wanted.retry ?? false, complain, now });
      const feed = readFeed({ url, key, subAccount }, stream.printed, report);
      let isReady = false;
      for await (const page of feed) {
        if (!isReady) {
          isReady = true;
          await stream.say(readyLine({ ...wanted, url, secret }));
        }
        await forwardAll(page, { ...wanted, secret }, stream);
      }
    },
  };
}

function baseUrl(): string {
  const { baseUrl: known, port } = readEnvironment(withEnvironmentFile(process.env));
  return known ?? `http://localhost:${port}`;
}

const complain = (line: string): void => void process.stderr.write(`frontdesk: ${line}\n`);

interface Ready {
  readonly url: string;
  readonly forwardTo: string;
  readonly secret: string;
}

const readyLine = ({ url, forwardTo, secret }: Ready) => ({
  json: { ready: true, url, forwardTo, secret },
  text: `Ready. Signing secret: ${secret}\nEvents of ${url} go to ${forwardTo}; Ctrl-C ends this.`,
});

async function forwardAll(
  page: readonly FeedEvent[],
  { forwardTo, events, secret }: ListenInput & { readonly secret: string },
  { say, printed: told }: Stream,
): Promise<void> {
  const key = createSecretKey(secret, 'utf8');
  for (const event of page.filter((one) => !events || events.has(one.event))) {
    const outcome = await forwardEvent(event, { forwardTo, key }, told);
    if (told.aborted && outcome.error !== null) {
      return;
    }
    await say(lineOf(event, outcome));
  }
}

function lineOf({ id, event, timestamp, data }: FeedEvent, outcome: Forwarded) {
  const { at, responseStatus, error, durationMs } = outcome;
  const contactId = data.contactId ?? null;
  const answer = error === null ? String(responseStatus) : `skipped: ${error}`;
  return {
    json: { at, id, event, timestamp, contactId, responseStatus, error, durationMs },
    text: `${at}  ${event}  ${contactId ?? '–'}  ${answer}  ${durationMs} ms`,
  };
}
