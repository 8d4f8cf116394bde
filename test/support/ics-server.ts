import { startSink, type Sink } from './https-sink.ts';

/** A publisher of an `.ics` file on 127.0.0.1, over plain http, with an ETag as servers have them. */
export interface IcsServer {
  readonly url: string;
  readonly asked: Sink['requests'];
  /** What it publishes from now on. */
  publish(...events: readonly (readonly string[])[]): void;
  /** Answers this from now on, and publishes nothing. */
  answer: Sink['answer'];
  close(): Promise<void>;
}

export async function startIcsServer(): Promise<IcsServer> {
  const sink = await startSink();
  let version = 0;
  const server: IcsServer = {
    url: `${sink.url}/anna.ics`,
    asked: sink.requests,
    publish(...events) {
      version += 1;
      const etag = `"v${version}"`;
      sink.answer = ({ headers }, response) => {
        response.setHeader('etag', etag);
        response.statusCode = headers['if-none-match'] === etag ? 304 : 200;
        response.end(response.statusCode === 304 ? '' : `\uFEFF${calendarOf(...events)}`);
      };
    },
    get answer() {
      return sink.answer;
    },
    set answer(answer) {
      sink.answer = answer;
    },
    close: sink.close,
  };
  server.publish();
  return server;
}

/** A calendar of events, each of which is given as lines. */
export const calendarOf = (...events: readonly (readonly string[])[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//somebody//else//EN',
    ...events.flatMap((lines, n) => [
      'BEGIN:VEVENT',
      `UID:event-${n}`,
      'DTSTAMP:20260101T000000Z',
      ...lines,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

/** Lines of an event, from and to an instant. */
export const during = (from: number, until: number): readonly string[] => [
  `DTSTART:${stamp(from)}`,
  `DTEND:${stamp(until)}`,
];

const stamp = (at: number): string => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '');
