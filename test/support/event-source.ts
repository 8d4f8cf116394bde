import { vi, expect } from 'vitest';

export interface Following {
  readonly status: number;
  readonly headers: Headers;
  /** The events so far. */
  readonly events: readonly { readonly id: string; readonly event: string; readonly data: any }[];
  /** The raw stream, including comments. */
  text(): string;
  /** Waits for this number of events. */
  until(count: number): Promise<void>;
  /** Resolves when the stream ends, `cut` if it broke. */
  readonly ended: Promise<'closed' | 'cut'>;
  leave(): void;
}

/** Reads server-sent events like a browser, without reconnecting. */
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
