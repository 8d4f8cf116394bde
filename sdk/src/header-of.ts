export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns a header by its lower-case name, in any spelling of the source. */
export function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (isHeaders(headers)) {
    return headers.get(name) ?? undefined;
  }
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'object' ? value[0] : value;
}

const isHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers['get'] === 'function';
