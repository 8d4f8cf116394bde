import { pageHeaders } from '#lib/html.ts';
import { filePage, packageFile, type ReadWebFile, webFile } from '#platform/http/static.ts';
import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

interface Part {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly type: string;
  readonly file: ReadWebFile;
}

const parts: readonly Part[] = [
  {
    id: 'docs.page',
    path: '/docs',
    summary: 'The API reference, which can send requests',
    type: HTML,
    file: webFile('docs/page.html'),
  },
  {
    id: 'docs.style',
    path: '/docs/page.css',
    summary: 'The style sheet of the API reference',
    type: STYLE,
    file: webFile('built/docs-page.css'),
  },
  {
    id: 'docs.script',
    path: '/docs/page.js',
    summary: 'The script that loads the OpenAPI document',
    type: SCRIPT,
    file: webFile('built/docs-page.js'),
  },
  {
    id: 'docs.viewer-style',
    path: '/docs/swagger-ui.css',
    summary: 'The style sheet of Swagger UI',
    type: STYLE,
    file: packageFile(() => import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
  },
  {
    id: 'docs.viewer',
    path: '/docs/swagger-ui.js',
    summary: 'Swagger UI, which renders the document',
    type: SCRIPT,
    file: packageFile(() => import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  },
];

const policy = pageHeaders({ isScripted: true, framedBy: 'none' });

/** The page at `/docs` and its files, each read from disk at its first request. */
const referencePages = parts.map((part) =>
  filePage({ ...part, ...(part.type === HTML && { headers: policy }) }),
);

/** Relative, so that it also works behind a path prefix of a proxy. */
const TO_DOCS = {
  type: 'text/html; charset=utf-8',
  body: '',
  headers: { ...pageHeaders({ framedBy: 'none' }), location: 'docs' },
};

/** Redirects a browser that opens the bare address. */
const rootPage = definePageEndpoint({
  id: 'docs.root',
  method: 'GET',
  path: '/',
  summary: 'Redirects to the API reference',
  read: () => Promise.resolve({ status: 302, data: null, document: TO_DOCS }),
});

export const docsPages = [rootPage, ...referencePages];
