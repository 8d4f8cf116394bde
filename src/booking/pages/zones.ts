import { FORMATS } from '#core/schema/formats.ts';
import { html, type Html } from '#lib/html.ts';

/** The visitor's own zone where he says one that there is. */
export const zoneFor = (wanted: string | undefined, otherwise: string): string =>
  wanted !== undefined && FORMATS['time-zone']?.test(wanted) ? wanted : otherwise;

export const sayZone = (zone: string): string => zone.replaceAll('_', ' ');

/** Every zone below its part of the world: the same for every page, so made once. */
let listed: Html | undefined;

export const zoneOptions = (): Html => (listed ??= listZones());

function listZones(): Html {
  const regions = Map.groupBy(['UTC', ...Intl.supportedValuesOf('timeZone')], regionOf);
  const groups = [...regions].map(
    ([region, zones]) => html`<optgroup label="${region}">${zones.map(option)}</optgroup>`,
  );
  return html`${groups}`;
}

/** There are four hundred: whose name is shown as it is has it once. */
const option = (zone: string): Html =>
  sayZone(zone) === zone
    ? html`<option>${zone}</option>`
    : html`<option value="${zone}">${sayZone(zone)}</option>`;

const regionOf = (zone: string): string => (zone.includes('/') ? zone.split('/')[0] : '') || 'UTC';
