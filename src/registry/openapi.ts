import { openapi, type About } from '#platform/openapi/document.ts';
import { schemaAt } from '#platform/openapi/schema-at.ts';
import { DELIVERY_HEADERS } from '../webhooks/deliveries/delivery-headers.ts';
import { consoleEndpoints, consoleTags } from './console.ts';
import { endpoints } from './endpoints.ts';
import { events } from './events.ts';
import { REQUEST_EXAMPLES } from './request-examples.ts';
import RESPONSE_EXAMPLES from './response-examples.json' with { type: 'json' };
import { CONSOLE_SCHEMA_NAMES, SCHEMA_NAMES } from './schema-names.ts';
import { tags } from './tags.ts';

/** Returns the OpenAPI 3.1 document of the API. */
export const openapiDocument = (about: About): object =>
  openapi(
    {
      endpoints,
      tags,
      behind: 'apiKey',
      schemas: named(SCHEMA_NAMES),
      requestExamples: REQUEST_EXAMPLES,
      responseExamples: RESPONSE_EXAMPLES,
      webhooks: {
        events,
        common: schemaAt(endpoints, 'events.list/data/[]/data'),
        deliveryHeaders: DELIVERY_HEADERS,
      },
    },
    about,
  );

/** Returns the OpenAPI 3.1 document of the endpoints that only the console has. */
export const consoleDocument = (about: About): object =>
  openapi(
    {
      endpoints: consoleEndpoints,
      tags: consoleTags,
      behind: 'session',
      // Records of the API have the same names in both documents.
      schemas: new Map([...named(CONSOLE_SCHEMA_NAMES), ...named(SCHEMA_NAMES)]),
      requestExamples: REQUEST_EXAMPLES,
      responseExamples: {},
    },
    about,
  );

const named = (names: Readonly<Record<string, string>>) =>
  new Map(
    Object.entries(names).map(([name, place]) => [
      name,
      schemaAt([...endpoints, ...consoleEndpoints], place),
    ]),
  );
