import { SCOPES } from '#core/scope.ts';

export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';
export const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server';

/** The identifier of the protected resource, which clients name in `resource` (RFC 8707). */
const resourceOf = (baseUrl: string): string => `${baseUrl}/mcp`;

/** The address that refused clients of `/mcp` get (RFC 9728). */
export const resourceMetadataUrl = (baseUrl: string): string =>
  `${baseUrl}${RESOURCE_METADATA_PATH}/mcp`;

/** Returns the metadata of the protected resource (RFC 9728). */
export const resourceMetadata = (baseUrl: string) => ({
  resource: resourceOf(baseUrl),
  authorization_servers: [baseUrl],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Frontdesk',
  resource_documentation: `${baseUrl}/docs/agents`,
});

/** Returns the metadata of the authorization server (RFC 8414), whose identifier is the public address. */
export const serverMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  scopes_supported: SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  protected_resources: [resourceOf(issuer)],
  service_documentation: `${issuer}/docs/agents`,
  ui_locales_supported: ['en', 'de', 'fr', 'es'],
});

/** Returns whether every `resource` of a request is ours. Without one, there is nothing else to mean. */
export const isOurResource = (given: readonly string[], baseUrl: string): boolean =>
  given.every((one) => URL.parse(one)?.href.replace(/\/$/, '') === resourceOf(baseUrl));
