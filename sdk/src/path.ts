/**
 * Returns the path of `/contacts/${id}`, with each value as one segment. Throws a TypeError if a
 * value would change the path: an empty id would turn "get one" into "list all".
 */
export function path(texts: TemplateStringsArray, ...values: readonly string[]): string {
  return texts.reduce((before, text, index) => before + segment(values[index - 1]) + text);
}

function segment(value: string | undefined): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) {
    throw new TypeError(`invalid id ${JSON.stringify(value)}: use a non-empty string`);
  }
  return encodeURIComponent(value);
}
