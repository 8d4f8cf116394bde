/** What swagger-ui.js leaves behind. */
declare const SwaggerUIBundle: (options: object) => unknown;

const ROOT = '#reference';

/** Shows the OpenAPI document of the server that the page came from, and lets it be tried there. */
async function show(): Promise<void> {
  const answer = await fetch('openapi.json');
  if (!answer.ok) {
    throw new Error(`The API document could not be had: ${answer.status} ${answer.statusText}`);
  }
  // The viewer warns of the dialect, though it reads it.
  const { jsonSchemaDialect: _, ...spec } = (await answer.json()) as Record<string, unknown>;
  SwaggerUIBundle({
    dom_id: ROOT,
    // Whatever the server is called elsewhere: the page may ask no other.
    spec: { ...spec, servers: [{ url: new URL('.', location.href).href.replace(/\/$/, '') }] },
    deepLinking: true,
    defaultModelsExpandDepth: -1,
    docExpansion: 'none',
    filter: true,
    persistAuthorization: false,
    validatorUrl: null,
  });
}

/** The viewer has its own colours for the dark, and takes them by this name. */
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
