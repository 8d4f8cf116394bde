import { openapi } from '#platform/openapi/document.ts';
import type { Database } from '#platform/database/database.ts';
import type { PlainRoute } from '#platform/http/app.ts';
import { endpoints } from '#registry/endpoints.ts';
import { tags } from '#registry/tags.ts';
import { version } from '../version.ts';
import { requireCurrentSchema } from './require-current-schema.ts';

/** What is answered without a key. A failure of `readyz` is a fault like any other: 503. */
export function plainRoutes(database: Database, baseUrl: () => string): readonly PlainRoute[] {
  let document: string | undefined;
  return [
    { path: '/healthz', answer: () => OK },
    {
      path: '/readyz',
      async answer() {
        await requireCurrentSchema(database);
        return OK;
      },
    },
    {
      path: '/openapi.json',
      async answer() {
        const about = { version: version(), baseUrl: baseUrl(), tags };
        document ??= JSON.stringify(openapi(endpoints, about));
        return { status: 200, text: document };
      },
    },
  ];
}

const OK = { status: 200, text: '{"data":{"status":"ok"}}' };
