import { FORMATS } from '#core/schema/formats.ts';
import { html, type Html } from '#lib/html.ts';
import type { Choice } from './choice.ts';
import type { BookingLanguage } from './messages/language.ts';

interface ZonePicker {
  readonly language: BookingLanguage;
  readonly path: string;
  readonly choice: Choice;
  readonly zone: string;
}

/** Returns a form that changes the time zone of all times on the page. */
export function zonePicker({ language: { messages }, path, choice, zone }: ZonePicker): Html {
  const { tz: _, ...others } = choice;
  return html`<form class="zone" method="get" action="${path}">
    <label for="tz">${messages.timeZone}</label>
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
  </form>`;
}

/** Returns the visitor's time zone if it is a known one, else the default. */
export const zoneFor = (requested: string | undefined, otherwise: string): string =>
  requested !== undefined && FORMATS['time-zone']?.test(requested) ? requested : otherwise;

/** Returns the name that a page shows for a zone. */
export const zoneName = (zone: string): string => zone.replaceAll('_', ' ');

/** Every zone, grouped by region. It is the same on every page, so it is built once. */
let options: Html | undefined;

const zoneOptions = (): Html => (options ??= listZones());

function listZones(): Html {
  const regions = Map.groupBy(['UTC', ...Intl.supportedValuesOf('timeZone')], regionOf);
  const groups = [...regions].map(
    ([region, zones]) => html`<optgroup label="${region}">${zones.map(option)}</optgroup>`,
  );
  return html`${groups}`;
}

/** There are four hundred zones: `value` is left out where it equals the shown name. */
const option = (zone: string): Html =>
  zoneName(zone) === zone
    ? html`<option>${zone}</option>`
    : html`<option value="${zone}">${zoneName(zone)}</option>`;

const regionOf = (zone: string): string => (zone.includes('/') ? zone.split('/')[0] : '') || 'UTC';
