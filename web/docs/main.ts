/** The global that swagger-ui.js defines. */
declare const SwaggerUIBundle: (options: object) => unknown;

const ROOT = '#reference';

/** Shows the OpenAPI document of this server with a console to try requests. */
async function show(): Promise<void> {
  const answer = await fetch('openapi.json');
  if (!answer.ok) {
    throw new Error(`The API document could not be had: ${answer.status} ${answer.statusText}`);
  }
  // The viewer warns about the JSON Schema dialect, although it can read it.
  const { jsonSchemaDialect: _, ...spec } = (await answer.json()) as Record<string, unknown>;
  SwaggerUIBundle({
    dom_id: ROOT,
    // The page may call only the server it came from, whatever the document's server URL.
    spec: { ...spec, servers: [{ url: new URL('.', location.href).href.replace(/\/$/, '') }] },
    deepLinking: true,
    defaultModelsExpandDepth: -1,
    docExpansion: 'none',
    filter: true,
    persistAuthorization: false,
    validatorUrl: null,
  });
}

/** The viewer switches to its dark colours by this class. */
function followColours(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();
}

followColours();
show().catch((error: Error) => {
  const notice = document.createElement('p');
  notice.className = 'notice';
  notice.textContent = error.message;
  document.querySelector(ROOT)?.replaceChildren(notice);
});
