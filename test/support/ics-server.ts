import { startSink, type Sink } from './https-sink.ts';

/** Publishes an `.ics` file on 127.0.0.1 over plain http, with an ETag. */
export interface IcsServer {
  readonly url: string;
  readonly asked: Sink['requests'];
  /** Sets the published text. */
  publish(...events: readonly (readonly string[])[]): void;
  /** Sets a status to answer instead of the file. */
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

/** Returns a calendar of events, each given as lines. */
export const calendarOf = (...events: readonly (readonly string[])[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//example//calendar//EN',
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

/** Returns the lines of an event between two instants. */
export const during = (from: number, until: number): readonly string[] => [
  `DTSTART:${stamp(from)}`,
  `DTEND:${stamp(until)}`,
];

const stamp = (at: number): string => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '');
