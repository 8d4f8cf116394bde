interface LlmsPage {
  readonly to: string;
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
}

interface LlmsGroup {
  readonly title: string;
  readonly sources: readonly LlmsPage[];
}

const SUMMARY =
  '> Frontdesk is a self-hosted CRM: contacts, conversations, calendars, opportunities, tasks and campaigns behind one REST API, on one PostgreSQL.';

/**
 * Returns `llms.txt` (llmstxt.org): every page with its description, as links to Markdown. `base` leads
 * from the place of the file to `/docs/`.
 */
export const llmsIndex = (groups: readonly LlmsGroup[], base: string): string =>
  [
    '# Frontdesk',
    SUMMARY,
    'Links lead to Markdown. The API as an OpenAPI document is at `/openapi.json`, and all pages in one file are at `/llms-full.txt`. AI agents connect to `/mcp` (Model Context Protocol) with an API key or OAuth.',
    ...groups.flatMap(({ title, sources }) => [
      `## ${title}`,
      sources
        .map(({ to, title: name, description }) => `- [${name}](${base}${to}.md): ${description}`)
        .join('\n'),
    ]),
  ].join('\n\n') + '\n';

/** Returns all pages in one text, each under its address. */
export const llmsFull = (pages: readonly LlmsPage[]): string =>
  pages.map(({ to, markdown }) => `<!-- docs/${to}.md -->\n\n${markdown}`).join('\n---\n\n');
