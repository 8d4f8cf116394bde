const TEXT = Symbol('json text');

/** JSON that PostgreSQL built and that goes out as it is. */
export interface Json {
  readonly [TEXT]: string;
}

export const json = (text: string): Json => ({ [TEXT]: text });

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && TEXT in value;

/** The text to send for a value, be it ours or PostgreSQL's. */
export const jsonText = (value: unknown): string =>
  isJson(value) ? value[TEXT] : JSON.stringify(value ?? null);
