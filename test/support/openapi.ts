/** Returns the paths of a document, with references to shared responses resolved. */
export function withResponses<O>(document: {
  readonly paths: object;
  readonly components: { readonly responses: Readonly<Record<string, object>> };
}): Record<string, Record<string, O>> {
  const { paths, components } = document;
  const text = JSON.stringify(paths, (_, value: unknown) => {
    const reference = (value as { $ref?: unknown } | null)?.$ref;
    const [, name] = /^#\/components\/responses\/(.+)$/.exec(String(reference)) ?? [];
    return name === undefined ? value : components.responses[name];
  });
  return JSON.parse(text);
}
