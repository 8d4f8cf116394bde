import type { Handlers } from 'sax';

/** One response of a multistatus (RFC 4918), with the properties that calendars need. */
export interface DavResponse {
  readonly href: string;
  /** The status of this response; absent, that of the HTTP response applies. */
  readonly status: number | undefined;
  readonly hasProperties: boolean;
  /** The status of the first properties that exist, but were not sent. */
  readonly refused: number | undefined;
  /** Local names, such as `collection` and `calendar`. */
  readonly resourceTypes: readonly string[];
  /** Names of the component types that a calendar accepts; empty if the server does not say. */
  readonly components: readonly string[];
  /** The address of the account's principal. */
  readonly principal: string | undefined;
  /** The address of the collection with the account's calendars. */
  readonly home: string | undefined;
  /** Empty if the server sent it without content. */
  readonly calendarData: string | undefined;
}

interface Element {
  /** Without its prefix: servers do not mix up names of several namespaces. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** Start and end tags, attributes, comments and instructions. Far above 5 MB of events. */
const MARKUP_MAX = 150_000;
/** Responses need 8. */
const DEPTH_MAX = 64;
/** More than any person's calendar has events. */
const RESPONSES_MAX = 20_000;

const TOO_COMPLEX = 'it has too much XML markup';
const MALFORMED = 'it returned XML that is not well-formed';

/**
 * Returns the responses of a multistatus, or undefined for another document. Throws at the first error,
 * and if there is too much markup.
 */
export async function parseMultistatus(xml: Uint8Array): Promise<DavResponse[] | undefined> {
  const [root] = (await parseXml(new TextDecoder().decode(xml))).children;
  if (root?.name !== 'multistatus') {
    return undefined;
  }
  const responses = childrenOf(root, 'response');
  if (responses.length > RESPONSES_MAX) {
    throw new Error(TOO_COMPLEX);
  }
  return responses.map(responseOf);
}

/** Returns an element with the document's root as its only child. */
async function parseXml(xml: string): Promise<Element> {
  // Imported where it is used: keeps it out of processes without CalDAV calendars.
  const { default: sax } = await import('sax');
  const document = elementOf('', {});
  const parser = sax.parser(true, { strictEntities: true, position: false });
  Object.assign(parser, handlersFor(document)).write(xml).close();
  return document;
}

/** Builds the tree below an element. */
function handlersFor(document: Element): Handlers {
  let open = document;
  const parents: Element[] = [];
  let markup = 0;
  const count = () => {
    markup += 1;
    if (markup > MARKUP_MAX || parents.length > DEPTH_MAX) {
      throw new Error(TOO_COMPLEX);
    }
  };
  const addText = (text: string) => {
    open.text += text;
  };
  return {
    onopentag({ name, attributes }) {
      count();
      const element = elementOf(name, attributes);
      open.children.push(element);
      parents.push(open);
      open = element;
    },
    onclosetag() {
      count();
      open = parents.pop() ?? document;
    },
    onattribute: count,
    oncomment: count,
    onprocessinginstruction: count,
    ontext: addText,
    oncdata(text) {
      count();
      addText(text);
    },
    // Would otherwise continue, with an error and its stack for each following character.
    onerror: refuse,
    // WebDAV has none (RFC 4918, section 20.6).
    ondoctype: refuse,
  };
}

function refuse(): never {
  throw new Error(MALFORMED);
}

const elementOf = (name: string, attributes: Element['attributes']): Element => ({
  name: name.slice(name.lastIndexOf(':') + 1),
  attributes,
  children: [],
  text: '',
});

const childrenOf = ({ children }: Element, name: string): Element[] =>
  children.filter((one) => one.name === name);

function responseOf(response: Element): DavResponse {
  const statuses = childrenOf(response, 'propstat');
  const properties = statuses
    .filter((one) => isFound(statusOf(one)))
    .flatMap((one) => childrenOf(one, 'prop'))
    .flatMap(({ children }) => children);
  const property = (name: string) => properties.findLast((one) => one.name === name);
  return {
    href: textOf(response, 'href') ?? '',
    status: statusOf(response),
    hasProperties: statuses.length > 0,
    refused: statuses.map(statusOf).find((one) => !isFound(one) && one !== NOT_FOUND),
    resourceTypes: property('resourcetype')?.children.map(({ name }) => name) ?? [],
    components: componentsOf(property('supported-calendar-component-set')),
    principal: textOf(property('current-user-principal'), 'href'),
    home: textOf(property('calendar-home-set'), 'href'),
    calendarData: property('calendar-data')?.text.trim(),
  };
}

const NOT_FOUND = 404;

const isFound = (status: number | undefined): boolean =>
  status === undefined || (status >= 200 && status < 300);

/** Returns the text of the first child with that name that has one. */
const textOf = (element: Element | undefined, name: string): string | undefined =>
  element?.children
    .filter((one) => one.name === name)
    .map(({ text }) => text.trim())
    .find(Boolean);

/** The start of `HTTP/1.1 200 OK`. */
const STATUS = /^HTTP\/[\d.]+ +(\d{3})(?: |$)/i;

function statusOf(element: Element): number | undefined {
  const [, status] = STATUS.exec(textOf(element, 'status') ?? '') ?? [];
  return status === undefined ? undefined : Number(status);
}

const componentsOf = (set: Element | undefined): string[] =>
  set ? childrenOf(set, 'comp').flatMap(({ attributes }) => attributes['name'] ?? []) : [];
