import { readFileSync } from 'node:fs';
import { Fault } from '#core/fault.ts';

export const UNITS = ['frontdesk-serve.service', 'frontdesk-worker.service'] as const;

/** Where the units in the checkout say that it lies. */
const USUAL = '/opt/frontdesk';

/** Folders that the units hide from services (ProtectHome), or that only root may enter. */
const HIDDEN = /^\/(?:root|home|run\/user|tmp|var\/tmp)(?:\/|$)/;

/** A unit whole, for the checkout where it is. */
export const unitText = (checkout: string, unit: string): string =>
  readFileSync(`${checkout}/systemd/${unit}`, 'utf8').replaceAll(USUAL, checkout);

/** A service could not read its own program there. */
export function refuseHidden(checkout: string): void {
  if (HIDDEN.test(checkout) || /\s/.test(checkout)) {
    throw new Fault(
      'VALIDATION_ERROR',
      `the checkout lies in ${checkout}, where a service cannot reach it: move it to ${USUAL} and install from there`,
    );
  }
}
