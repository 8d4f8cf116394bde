import { camelCase } from '../../../sdk/generator/words.ts';
import type { CodeBlock } from '../code-block.ts';
import { endpoints } from '#registry/endpoints.ts';
import { isAboutFile } from '#core/endpoint/file-body.ts';
import { BASE_URL, type Operation } from './operation.ts';
import { signatureHeaders, signedSample, type SignatureHeaders } from './signed-samples.ts';

/** Returns a complete call of the endpoint in every language. */
export function samplesOf(operation: Operation): readonly CodeBlock[] {
  const headers = signatureHeaders(operation);
  return headers === undefined ? plainSamples(operation) : signedSamples(operation, headers);
}

const plainSamples = (operation: Operation): readonly CodeBlock[] => [
  { language: 'sh', code: curlSample(operation) },
  { language: 'ts', code: typescriptSample(operation) },
  { language: 'python', code: pythonSample(operation) },
  { language: 'php', code: phpSample(operation) },
];

function signedSamples(operation: Operation, headers: SignatureHeaders): readonly CodeBlock[] {
  const url = withQuery(operation);
  const value = operation.body?.example;
  const bodies = {
    sh: json(value),
    ts: typescriptValue(value),
    python: literal(value, PYTHON),
    php: literal(value, PHP),
  };
  return (['sh', 'ts', 'python', 'php'] as const).map((language) => ({
    language,
    code: signedSample(language, { url, headers, body: bodies[language] }),
  }));
}

const isKeyed = ({ kind }: Operation): boolean => kind === 'keyed';

/** The example values of the path and of the parameters that a call must have. */
function addressOf({ path, parameters }: Operation) {
  const values = new Map(parameters.map(({ name, example }) => [name, String(example)]));
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values.get(name) ?? ''),
  );
  return { url: BASE_URL + place, query: queryOf(parameters) };
}

const queryOf = (parameters: Operation['parameters']): readonly (readonly [string, unknown])[] =>
  parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name, example }) => [name, example] as const);

const withQuery = (operation: Operation): string => {
  const { url, query } = addressOf(operation);
  const text = query.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return text.length > 0 ? `${url}?${text.join('&')}` : url;
};

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const isJson = ({ body }: Operation): boolean => body?.type === 'application/json';

/** Whether the body is the content of a file. */
const isFile = ({ body }: Operation): boolean => body?.type === '*/*';

/** The client leaves these out. */
const ABOUT_FILES = new Set(endpoints.filter(isAboutFile).map(({ id }) => id));

/** Of an operation whose response is the content of a file. */
const isDownload = (operation: Operation): boolean =>
  ABOUT_FILES.has(operation.id) && !isFile(operation);

/** What the examples send, and where they write. */
const FILE = 'x-ray.png';
const FILE_TYPE = 'image/png';

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

function curlSample(operation: Operation): string {
  const { method, body } = operation;
  const isPlain = method === 'GET' || (method === 'POST' && body !== undefined);
  return [
    `curl ${isPlain ? '' : `-X ${method} `}"${withQuery(operation)}"`,
    ...(isKeyed(operation) ? ['-H "Authorization: Bearer $FRONTDESK_API_KEY"'] : []),
    ...(isJson(operation)
      ? [
          '-H "Content-Type: application/json"',
          `-d '${json(body?.example).replaceAll("'", String.raw`'\''`)}'`,
        ]
      : []),
    ...(isFile(operation) ? [`-H "Content-Type: ${FILE_TYPE}"`, `--data-binary @${FILE}`] : []),
    ...(isDownload(operation) ? [`-o ${FILE}`] : []),
  ].join(' \\\n  ');
}

function typescriptSample(operation: Operation): string {
  return ['keyed', 'public'].includes(operation.kind) && !ABOUT_FILES.has(operation.id)
    ? clientSample(operation)
    : fetchSample(operation);
}

/** With the client of `sdk/`: ids of the path, body, query. */
function clientSample(operation: Operation): string {
  const { id, parameters, body } = operation;
  const [tag = '', verb = ''] = id.split('.');
  const query = Object.fromEntries(queryOf(parameters));
  const values = [
    ...parameters.filter((one) => one.in === 'path').map(({ example }) => example),
    ...(body ? [body.example] : []),
    ...(Object.keys(query).length > 0 ? [query] : []),
  ].map((value) => typescriptValue(value));
  const create = isKeyed(operation) ? 'createClient' : 'createPublicClient';
  const settings = [
    `  baseUrl: '${BASE_URL}',`,
    ...(isKeyed(operation) ? ["  apiKey: process.env.FRONTDESK_API_KEY ?? '',"] : []),
  ];
  const call = `frontdesk.${camelCase(tag)}.${camelCase(verb)}(${values.join(', ')})`;
  return [
    `import { ${create} } from '@frontdesk/client';`,
    '',
    `const frontdesk = ${create}({`,
    ...settings,
    '});',
    `const result = await ${call};`,
    'console.log(result);',
  ].join('\n');
}

function fetchSample(operation: Operation): string {
  const { method, body } = operation;
  const headers = [
    ...(isKeyed(operation) ? ['Authorization: `Bearer ${process.env.FRONTDESK_API_KEY}`'] : []),
    ...(isJson(operation) ? ["'Content-Type': 'application/json'"] : []),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(isJson(operation)
      ? [`  body: JSON.stringify(${indented(typescriptValue(body?.example), '  ')}),`]
      : []),
    ...(isFile(operation) ? [`  body: await readFile('${FILE}'),`] : []),
  ];
  const rest = options.length > 0 ? `, {\n${options.join('\n')}\n}` : '';
  const name = isFile(operation) ? 'readFile' : 'writeFile';
  return [
    ...(ABOUT_FILES.has(operation.id) ? [`import { ${name} } from 'node:fs/promises';`, ''] : []),
    `const response = await fetch('${withQuery(operation)}'${rest});`,
    isDownload(operation)
      ? `await writeFile('${FILE}', await response.bytes());`
      : 'console.log(response.status, await response.text());',
  ].join('\n');
}

function pythonSample(operation: Operation): string {
  const { method, body } = operation;
  const { url, query } = addressOf(operation);
  const headers = `    headers={"Authorization": f"Bearer {os.environ['FRONTDESK_API_KEY']}"},`;
  const value = (one: unknown) => indented(literal(one, PYTHON), '    ');
  return [
    ...(isKeyed(operation) ? ['import os'] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    "${url}",`,
    ...(isKeyed(operation) ? [headers] : []),
    ...(query.length > 0 ? [`    params=${value(Object.fromEntries(query))},`] : []),
    ...(isJson(operation) ? [`    json=${value(body?.example)},`] : []),
    ...(isFile(operation) ? [`    data=open("${FILE}", "rb"),`] : []),
    '    timeout=30,',
    ')',
    'response.raise_for_status()',
    isDownload(operation)
      ? `open("${FILE}", "wb").write(response.content)`
      : `print(response.${operation.response.type === 'application/json' ? 'json()' : 'text'})`,
  ].join('\n');
}

function phpSample(operation: Operation): string {
  const { method, body } = operation;
  const headers = [
    ...(isKeyed(operation) ? ["'Authorization: Bearer ' . getenv('FRONTDESK_API_KEY')"] : []),
    ...(isJson(operation) ? ["'Content-Type: application/json'"] : []),
    ...(isFile(operation) ? [`'Content-Type: ${FILE_TYPE}'`] : []),
  ];
  const isText = operation.response.type !== 'application/json';
  return [
    '<?php',
    `$curl = curl_init('${withQuery(operation)}');`,
    'curl_setopt_array($curl, [',
    ...(method === 'GET' ? [] : [`    CURLOPT_CUSTOMREQUEST => '${method}',`]),
    '    CURLOPT_RETURNTRANSFER => true,',
    ...(headers.length > 0
      ? ['    CURLOPT_HTTPHEADER => [', ...headers.map((one) => `        ${one},`), '    ],']
      : []),
    ...(isJson(operation)
      ? [`    CURLOPT_POSTFIELDS => json_encode(${indented(literal(body?.example, PHP), '    ')}),`]
      : []),
    ...(isFile(operation) ? [`    CURLOPT_POSTFIELDS => file_get_contents('${FILE}'),`] : []),
    ']);',
    isDownload(operation)
      ? `file_put_contents('${FILE}', curl_exec($curl));`
      : isText
        ? 'echo curl_exec($curl);'
        : 'print_r(json_decode(curl_exec($curl), true));',
  ].join('\n');
}

interface Dialect {
  readonly indent: string;
  readonly none: string;
  readonly words: readonly [no: string, yes: string];
  readonly text: (value: string) => string;
  readonly map: readonly [open: string, close: string, arrow: string, empty: string];
}

const PYTHON: Dialect = {
  indent: '    ',
  none: 'None',
  words: ['False', 'True'],
  text: (value) => JSON.stringify(value),
  map: ['{', '}', ': ', '{}'],
};

const PHP: Dialect = {
  indent: '    ',
  none: 'null',
  words: ['false', 'true'],
  text: (value) => `'${value.replaceAll(/[\\']/g, String.raw`\$&`)}'`,
  map: ['[', ']', ' => ', 'new stdClass()'],
};

const TYPESCRIPT: Dialect = {
  indent: '  ',
  none: 'null',
  words: ['false', 'true'],
  text: (value) =>
    `'${value.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}'`,
  map: ['{', '}', ': ', '{}'],
};

const typescriptValue = (value: unknown): string => literal(value, TYPESCRIPT);

/** Returns a JSON value as a literal of another language, a member per line. */
function literal(value: unknown, dialect: Dialect): string {
  const { indent, none, words, text, map } = dialect;
  if (value === null || value === undefined) {
    return none;
  }
  if (typeof value === 'string') {
    return text(value);
  }
  if (typeof value === 'boolean') {
    return words[value ? 1 : 0];
  }
  if (typeof value === 'number') {
    return String(value);
  }
  const inner = (one: unknown) => indented(literal(one, dialect), indent);
  if (Array.isArray(value)) {
    const isFlat = value.every((one) => one === null || typeof one !== 'object');
    return isFlat
      ? `[${value.map(inner).join(', ')}]`
      : `[\n${value.map((one) => `${indent}${inner(one)},`).join('\n')}\n]`;
  }
  const members = Object.entries(value);
  const [open, close, arrow, empty] = map;
  const key = (name: string) => (dialect === TYPESCRIPT && /^\w+$/.test(name) ? name : text(name));
  return members.length === 0
    ? empty
    : `${open}\n${members.map(([name, one]) => `${indent}${key(name)}${arrow}${inner(one)},`).join('\n')}\n${close}`;
}
