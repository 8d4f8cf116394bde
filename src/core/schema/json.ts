const TEXT = Symbol('json text');

/** JSON text that is sent as it is. */
export interface Json {
  readonly [TEXT]: string;
}

export const json = (text: string): Json => ({ [TEXT]: text });

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && TEXT in value;

/** Returns the JSON text of a value. */
export const jsonText = (value: unknown): string =>
  isJson(value) ? value[TEXT] : JSON.stringify(value ?? null);
