/** The lines of a component that are read, unfolded. */
export type Lines = readonly string[];

/** The components of one VCALENDAR that are read. */
export interface CalendarLines {
  readonly events: readonly Lines[];
  readonly freeBusy: readonly Lines[];
  /** Each with its BEGIN and END, and those of its parts. */
  readonly zones: readonly Lines[];
}

/** Lines, and what long lines consist of. 5 MB of events of calendar programs have about 150,000. */
const LINES_MAX = 300_000;

/**
 * Returns the calendars of all texts. Only properties that decide about busy times are read, so that no
 * other line can spoil an event or fill the memory. Throws if a text is not a whole calendar, or if there
 * are too many lines.
 */
export function readComponents(texts: readonly string[]): CalendarLines[] {
  let counted = 0;
  const count = (more: number) => {
    counted += more;
    if (counted > LINES_MAX) {
      throw new Error(`it has more than ${LINES_MAX} lines or values`);
    }
  };
  return texts.flatMap((text) => calendarsIn(text, count));
}

type Count = (more: number) => void;

interface OpenComponent {
  readonly name: string;
  readonly lines: string[];
}

interface OpenCalendar {
  readonly events: Lines[];
  readonly freeBusy: Lines[];
  readonly zones: Lines[];
}

/** A text may contain several calendars. */
function calendarsIn(text: string, count: Count): CalendarLines[] {
  const calendars: OpenCalendar[] = [];
  const open: OpenComponent[] = [];
  for (const line of unfolded(text, count)) {
    const [, name = '', value = ''] = BOUNDARY.exec(line) ?? [];
    if (name === '') {
      keep(open.at(-1), line, count);
    } else if (name.toUpperCase() === 'BEGIN') {
      open.push(begun(value.toUpperCase(), open, calendars));
    } else {
      end(value.toUpperCase(), open);
    }
  }
  if (calendars.length === 0) {
    throw new Error('it has no VCALENDAR');
  }
  if (open.some(({ name }) => name === 'VCALENDAR')) {
    throw new Error('it ends before END:VCALENDAR');
  }
  return calendars;
}

const BOUNDARY = /^(BEGIN|END):([A-Z\d-]+)\s*$/i;

/** Lines end with CRLF, in some files with LF or CR. A line that starts with a blank continues the last one. */
function* unfolded(text: string, count: Count): Generator<string> {
  const source = text.includes('\n') ? text : text.replaceAll('\r', '\n');
  let line = '';
  for (let at = source.startsWith('\uFEFF') ? 1 : 0; at < source.length;) {
    const found = source.indexOf('\n', at);
    const next = found === -1 ? source.length : found + 1;
    const until = found === -1 ? source.length : found;
    const part = source.slice(at, source[until - 1] === '\r' ? until - 1 : until);
    count(1);
    if (part.startsWith(' ') || part.startsWith('\t')) {
      line += part.slice(1);
    } else {
      yield line;
      line = part;
    }
    at = next;
  }
  yield line;
}

const EVENT = new Set(
  'UID DTSTART DTEND DURATION RRULE RDATE EXRULE EXDATE RECURRENCE-ID TRANSP STATUS'.split(' '),
);
const ZONE = new Set('TZID TZOFFSETFROM TZOFFSETTO DTSTART RRULE RDATE'.split(' '));
const READ: Readonly<Record<string, ReadonlySet<string>>> = {
  VEVENT: EVENT,
  VFREEBUSY: new Set(['FREEBUSY']),
  VTIMEZONE: ZONE,
  STANDARD: ZONE,
  DAYLIGHT: ZONE,
};

/** Longer lines have lists of values, or of parameters. */
const SHORT_MAX = 1_000;

function keep(component: OpenComponent | undefined, line: string, count: Count): void {
  const names = component && READ[component.name];
  if (names?.has(/^[a-z-]+(?=[:;])/i.exec(line)?.[0].toUpperCase() ?? '')) {
    component?.lines.push(line);
    count(line.length > SHORT_MAX ? separatorsIn(line) : 0);
  }
}

function separatorsIn(line: string): number {
  let found = 0;
  for (let at = 0; at < line.length; at += 1) {
    found += line[at] === ',' || line[at] === ';' ? 1 : 0;
  }
  return found;
}

function begun(name: string, open: readonly OpenComponent[], calendars: OpenCalendar[]) {
  const lines: string[] = [];
  const parent = open.at(-1);
  const calendar = open.length > 0 ? calendars.at(-1) : undefined;
  if (name === 'VCALENDAR') {
    calendars.push({ events: [], freeBusy: [], zones: [] });
  } else if (name === 'VEVENT') {
    calendar?.events.push(lines);
  } else if (name === 'VFREEBUSY') {
    calendar?.freeBusy.push(lines);
  } else if (name === 'VTIMEZONE') {
    calendar?.zones.push(lines);
    lines.push('BEGIN:VTIMEZONE');
  } else if (parent?.name === 'VTIMEZONE' && name in READ) {
    parent.lines.push(`BEGIN:${name}`);
    return { name, lines: parent.lines };
  }
  return { name, lines };
}

/** Also ends components inside that have no end of their own. */
function end(name: string, open: OpenComponent[]): void {
  const at = open.findLastIndex((one) => one.name === name);
  for (const one of at === -1 ? [] : open.splice(at).toReversed()) {
    if (READ[one.name] === ZONE) {
      one.lines.push(`END:${one.name}`);
    }
  }
}

export interface Property {
  /** In upper case. */
  readonly name: string;
  /** By names in upper case, without quotation marks. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly value: string;
  readonly line: string;
}

const LINE = /^([A-Z-]+)((?:;[^=:;"]+=(?:"[^"]*"|[^":;])*)*):(.*)$/is;
const MALFORMED = /^([A-Z-]+)()[:;](.*)$/is;
const PARAMETER = /;([^=:;"]+)=((?:"[^"]*"|[^":;])*)/g;

/** Returns the properties of a component. The value of a malformed line is all that follows its name. */
export function propertiesOf(lines: Lines): Property[] {
  return lines.map((line) => {
    const [, name = '', parameters = '', value = ''] =
      LINE.exec(line) ?? MALFORMED.exec(line) ?? [];
    const pairs = [...parameters.matchAll(PARAMETER)].map(
      ([, key = '', text = '']) =>
        [key.trim().toUpperCase(), text.replaceAll('"', '').trim()] as const,
    );
    return { name: name.toUpperCase(), parameters: new Map(pairs), value: value.trimEnd(), line };
  });
}
