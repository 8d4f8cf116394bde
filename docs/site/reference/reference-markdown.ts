import type { Field } from './fields.ts';
import { fieldsOf } from './fields.ts';
import type { Operation, Tag } from './operation.ts';
import { errorLink, parts } from './reference-page.ts';
import { samplesOf } from './samples.ts';

/** Returns the page of a tag as Markdown, with the same content. */
export const referenceMarkdown = (tag: Tag): string =>
  [`# ${tag.title}`, tag.description, ...tag.operations.flatMap(operationText)].join('\n\n') + '\n';

function operationText(operation: Operation): string[] {
  const { summary, method, path, description, response, errors } = operation;
  const returned = fieldsOf(response.schema);
  return [
    `## ${summary}`,
    `\`${method} ${path}\``,
    description,
    ...parts(operation).flatMap(([title, fields]) => [`### ${title}`, fieldLines(fields)]),
    '### Returns',
    `${response.status}${response.type && ` with \`${response.type}\``}.`,
    ...(returned.length > 0 ? [fieldLines(returned)] : []),
    ...(response.example === undefined
      ? []
      : [fence('json', JSON.stringify(response.example, null, 2))]),
    '### Errors',
    errors
      .map(
        ({ status, codes }) =>
          `- ${status}: ${codes.map((code) => `[\`${code}\`](${errorLink(code)})`).join(', ')}`,
      )
      .join('\n'),
    '### Examples',
    ...samplesOf(operation).map(({ language, code }) => fence(`${language} tab`, code)),
  ];
}

const fence = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\``;

const fieldLines = (fields: readonly Field[], depth = 0): string =>
  fields
    .map(({ name, type, isRequired, limits, description, fields: below }) => {
      const about = [type, isRequired && 'required', ...limits, description].filter(Boolean);
      const line = `${'  '.repeat(depth)}- \`${name}\`: ${about.join('; ')}`;
      return below.length > 0 ? `${line}\n${fieldLines(below, depth + 1)}` : line;
    })
    .join('\n');
