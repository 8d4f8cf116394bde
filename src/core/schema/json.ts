const TEXT = Symbol('json text');

/** A text below this length is sent in one string with its headers, a longer one as bytes. */
export const LONG_TEXT = 8_192;

/** JSON text that is sent as it is; a long one is UTF-8. */
export interface Json {
  readonly [TEXT]: string | Buffer;
}

export const json = (text: string | Buffer): Json => ({ [TEXT]: text });

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && TEXT in value;

/** Returns the JSON text of a value. */
export const jsonText = (value: unknown): string => jsonContent(value).toString();

/** Returns the JSON text of a value as it will be sent. */
export const jsonContent = (value: unknown): string | Buffer =>
  isJson(value) ? value[TEXT] : JSON.stringify(value ?? null);

/** Returns the JSON of an object whose members are JSON. */
export function jsonObject(members: Readonly<Record<string, Json>>): Json {
  const parts = Object.entries(members).flatMap(([name, { [TEXT]: value }], index) => [
    Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    typeof value === 'string' ? Buffer.from(value) : value,
  ]);
  return json(Buffer.concat([...parts, Buffer.from('}')]));
}
