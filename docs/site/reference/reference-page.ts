import { html, type Html } from '#lib/html.ts';
import { codeBlock, codeTabs } from '../code-block.ts';
import { anchorLink, renderMarkdown, type Heading, type ResolveLink } from '../markdown.ts';
import { fieldList, fieldsOf, parameterField, type Field } from './fields.ts';
import type { Operation, Tag, Schema } from './operation.ts';
import { samplesOf } from './samples.ts';

/** The address of a tag's page below `/docs/`. */
export const tagAddress = ({ name }: Tag): string => `api-${name}`;

export const operationHeadings = (tag: Tag): readonly Heading[] => [
  { level: 1, text: tag.title, slug: 'top' },
  ...tag.operations.map(({ summary, anchor }) => ({ level: 2, text: summary, slug: anchor })),
];

/** Returns the body of a page with every endpoint of a tag, code beside the text. */
export const referencePage = (tag: Tag, resolve: ResolveLink): Html =>
  html`<h1 id="top">${tag.title}</h1>
    <p class="lead">${tag.description}</p>
    <ul class="endpoints">
      ${tag.operations.map(
        ({ method, path, anchor, summary }) =>
          html`<li>
            <a href="#${anchor}">
              <span class="method ${method.toLowerCase()}">${method}</span>
              <code>${path}</code> <span class="quiet">${summary}</span>
            </a>
          </li>`,
      )}
    </ul>
    ${tag.operations.map((operation) => operationSection(operation, resolve))}`;

function operationSection(operation: Operation, resolve: ResolveLink): Html {
  const { anchor, summary, method, path, description, errors } = operation;
  const shown = ({ description: text = '' }: Field) => renderMarkdown(text, resolve).body;
  return html`<section class="operation" aria-labelledby="${anchor}">
    <div class="text">
      <h2 id="${anchor}">${summary}${anchorLink(anchor)}</h2>
      <p class="route">
        <span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>
      </p>
      ${renderMarkdown(description, resolve).body}
      ${parts(operation).map(
        ([title, fields]) =>
          html`<h3>${title}</h3>
            ${fieldList(fields, shown)}`,
      )}
      ${returned(operation, shown)}
      <h3>Errors</h3>
      <ul class="errors">
        ${errors.map(
          ({ status, codes }) =>
            html`<li>
              <span class="status">${status}</span>
              ${codes.map((code) => html`<a href="${resolve(errorLink(code))}"><code>${code}</code></a> `)}
            </li>`,
        )}
      </ul>
    </div>
    <div class="samples">
      ${codeTabs(samplesOf(operation))} ${responseExample(operation)} ${tryIt(operation)}
    </div>
  </section>`;
}

/** The page and anchor of an error code. */
export const errorLink = (code: string): string => `errors.md#${code.toLowerCase()}`;

/** The parameters by place, and the members of the body. */
export function parts({ parameters, body }: Operation): (readonly [string, readonly Field[]])[] {
  const at = (place: string) => parameters.filter((one) => one.in === place).map(parameterField);
  const all = [
    ['Path parameters', at('path')],
    ['Query parameters', at('query')],
    ['Body', body ? fieldsOf(body.schema) : []],
    ['Headers', at('header')],
  ] as const;
  return all.filter(([, fields]) => fields.length > 0);
}

function returned({ response }: Operation, shown: (field: Field) => Html): Html {
  const fields = fieldsOf(response.schema);
  return html`<h3>Returns</h3>
    <p>
      <span class="status">${response.status}</span>
      ${response.type && html`with <code>${response.type}</code>.`}
    </p>
    ${
      fields.length > 0 &&
      html`<details class="response">
        <summary>Members of the response</summary>
        ${fieldList(fields, shown)}
      </details>`
    }`;
}

const responseExample = ({ response }: Operation): Html | false =>
  response.example !== undefined &&
  html`<div class="example">
    <p class="language">Response ${response.status}</p>
    ${codeBlock({ language: 'json', code: JSON.stringify(response.example, null, 2) })}
  </div>`;

/** The values of a parameter that has few of them: the form shows them as a list. */
const choicesOf = ({ type, enum: values }: Schema): readonly string[] | undefined =>
  type === 'boolean' ? ['true', 'false'] : values?.map(String);

/** What the script needs to send a request; without it there is no button. */
function tryIt(operation: Operation): Html | false {
  const { method, path, parameters, body, kind, summary, response } = operation;
  const isTrial = ['keyed', 'public'].includes(kind) && response.type === 'application/json';
  const request = {
    method,
    path,
    summary,
    isKeyed: kind === 'keyed',
    parameters: parameters.map(({ name, in: place, required, schema }) => ({
      name,
      in: place,
      required,
      choices: choicesOf(schema),
    })),
    body: body && JSON.stringify(body.example, null, 2),
  };
  return isTrial && html`<div class="try" data-request="${JSON.stringify(request)}"></div>`;
}
