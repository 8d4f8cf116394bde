import { FORMATS } from '#core/schema/formats.ts';
import { html, type Html } from '#lib/html.ts';
import { currentZone, currentZones } from '#lib/zone-names.ts';
import { HOUR_MS } from '#lib/duration.ts';
import type { Choice } from './choice.ts';
import { icon } from './icon.ts';
import type { BookingLanguage } from './layout.ts';

interface ZonePicker {
  readonly language: BookingLanguage;
  readonly path: string;
  readonly choice: Choice;
  readonly zone: string;
}

/** Returns a form that changes the time zone of all times on the page; the script adds a search. */
export function zonePicker({ language: { messages }, path, choice, zone }: ZonePicker): Html {
  const { tz: _, ...others } = choice;
  return html`<form
    class="zone"
    method="get"
    action="${path}"
    data-search="${messages.searchZones}"
  >
    <label for="tz" class="unseen">${messages.timeZone}</label>
    ${icon('zone')}
    <span class="zone-field">
      <select id="tz" name="tz">
        <option value="${zone}" selected>${zoneName(zone)}</option>
        ${zoneOptions()}
      </select>
      ${Object.entries(others).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      <button class="quiet">${messages.change}</button>
    </span>
    ${icon('search')}
  </form>`;
}

/** Returns the visitor's time zone if it is a known one, else the default. */
export const zoneFor = (requested: string | undefined, otherwise: string): string =>
  requested !== undefined && FORMATS['time-zone']?.test(requested) ? requested : otherwise;

/** Returns `Europe/Kyiv (UTC+2)`. */
export const zoneName = (zone: string): string =>
  `${currentZone(zone).replaceAll('_', ' ')}${zone === 'UTC' ? '' : ` (${offsetOf(zone)})`}`;

/** Every zone, grouped by region. Offsets change with daylight saving time: the list is built once an hour. */
let listed: { readonly hour: number; readonly options: Html } | undefined;

function zoneOptions(): Html {
  const hour = Math.floor(Date.now() / HOUR_MS);
  if (listed?.hour !== hour) {
    listed = { hour, options: listZones() };
  }
  return listed.options;
}

function listZones(): Html {
  const regions = Map.groupBy(currentZones(), regionOf);
  const groups = [...regions].map(
    ([region, zones]) => html`<optgroup label="${region}">${zones.map(option)}</optgroup>`,
  );
  return html`${groups}`;
}

/** The label of the group has the region. */
const option = (zone: string): Html =>
  html`<option value="${zone}">${zoneName(zone).replace(/^\w+\//, '')}</option>`;

const regionOf = (zone: string): string => (zone.includes('/') ? zone.split('/')[0] : '') || 'UTC';

/** Returns `UTC+5:30`. */
function offsetOf(timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    timeZoneName: 'shortOffset',
  }).formatToParts();
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return name.replace('GMT', 'UTC');
}
