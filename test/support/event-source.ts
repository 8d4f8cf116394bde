import { vi, expect } from 'vitest';

export interface Following {
  readonly status: number;
  readonly headers: Headers;
  /** What came so far. */
  readonly events: readonly { readonly id: string; readonly event: string; readonly data: any }[];
  /** The stream as it came: comments and all. */
  text(): string;
  /** Until so many events are there. */
  until(count: number): Promise<void>;
  /** Ends when the server ends the stream, `cut` where it broke off. */
  readonly ended: Promise<'closed' | 'cut'>;
  leave(): void;
}

/** Follows server-sent events as a browser does, but for coming again. */
export async function follow(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Following> {
  const leaving = new AbortController();
  const response = await fetch(url, { headers, signal: leaving.signal });
  let text = '';
  const events: { id: string; event: string; data: any }[] = [];
  const take = async () => {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      const whole = text.slice(0, text.lastIndexOf('\n\n') + 2);
      events.splice(0, events.length, ...eventsIn(whole));
    }
  };
  const ended = take().then(
    () => 'closed' as const,
    () => 'cut' as const,
  );
  return {
    status: response.status,
    headers: response.headers,
    events,
    text: () => text,
    until: (count) =>
      vi.waitFor(() => expect(events.length).toBeGreaterThanOrEqual(count), {
        timeout: 60_000,
        interval: 5,
      }),
    ended,
    leave: () => leaving.abort(),
  };
}

function eventsIn(text: string) {
  return text.split('\n\n').flatMap((block) => {
    const fields = new Map(
      block.split('\n').map((line) => {
        const at = line.indexOf(': ');
        return [line.slice(0, at), line.slice(at + 2)] as const;
      }),
    );
    const data = fields.get('data');
    return data === undefined
      ? []
      : [{ id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(data) }];
  });
}
