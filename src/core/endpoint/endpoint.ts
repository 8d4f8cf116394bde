import type { ConsoleEndpoint } from './console-endpoint.ts';
import type { KeyedEndpoint } from './keyed-endpoint.ts';
import type { PageEndpoint } from './page-endpoint.ts';
import type { PublicEndpoint } from './public-endpoint.ts';
import type { SignedEndpoint } from './signed-endpoint.ts';
import type { StreamEndpoint } from './stream-endpoint.ts';

/** An endpoint that visitors call, without a key. */
export type VisitorEndpoint = PublicEndpoint | PageEndpoint | StreamEndpoint;

/** A route. Routing, checks, types, OpenAPI, docs and tests are derived from it. */
export type Endpoint = KeyedEndpoint | ConsoleEndpoint | SignedEndpoint | VisitorEndpoint;
