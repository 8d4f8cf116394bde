import { SCOPES } from '../../../src/core/scope.ts';
import { Select } from '../ui/select.tsx';
import { ownerMessages } from './owner-messages.ts';
import type { Scope } from './settings-queries.ts';

const PRESETS = ['booking', 'support', 'sync', 'reports'] as const;
type Preset = (typeof PRESETS)[number];

/** What programs of a kind usually need. */
const PRESET_SCOPES: Readonly<Record<Preset, readonly Scope[]>> = {
  booking: [
    'contacts:read',
    'contacts:write',
    'availability:read',
    'appointments:read',
    'appointments:write',
    'service-types:read',
    'booking-estimates:read',
    'booking-appointments:read',
    'booking-appointments:write',
  ],
  support: [
    'contacts:read',
    'conversations:read',
    'conversations:write',
    'tasks:write',
    'service-types:read',
  ],
  sync: [
    'contacts:read',
    'contacts:write',
    'appointments:read',
    'opportunities:read',
    'opportunities:write',
    'tasks:read',
    'tasks:write',
    'webhooks:manage',
  ],
  reports: SCOPES.filter((scope) => scope.endsWith(':read')),
};

interface ScopePresetsProps {
  readonly chosen: ReadonlySet<Scope>;
  readonly onChange: (chosen: ReadonlySet<Scope>) => void;
}

/** Ticks the scopes that a program of a kind needs. */
export function ScopePresets({ chosen, onChange }: ScopePresetsProps) {
  const { preset, noPreset, presets } = ownerMessages().keys;
  const isChosen = (id: Preset) =>
    PRESET_SCOPES[id].length === chosen.size && PRESET_SCOPES[id].every((one) => chosen.has(one));
  return (
    <Select
      label={preset}
      placeholder={noPreset}
      value={PRESETS.find(isChosen) ?? null}
      options={PRESETS.map((id) => ({ id, label: presets[id] }))}
      onChange={(id) => onChange(new Set(PRESET_SCOPES[id]))}
    />
  );
}
