import { useState } from 'react';
import { ComboBox } from './combo-box.tsx';

interface TimeZoneFieldProps {
  readonly label: string;
  /** Such as `Europe/Berlin`; empty while none is chosen. */
  readonly value: string;
  readonly onChange: (zone: string) => void;
  /** Shown when no zone matches what is typed. */
  readonly empty: string;
  /** Shown while none is chosen; the field may then stay empty. */
  readonly placeholder?: string;
}

/** More than this are not read: typing finds the rest. */
const SHOWN_MAX = 200;

const labelOf = (zone: string): string => zone.replaceAll('_', ' ');
const zones = Intl.supportedValuesOf('timeZone').concat('UTC');

const isNamed = (zone: string, text: string): boolean =>
  labelOf(zone).toLowerCase() === text.trim().replaceAll('_', ' ').toLowerCase();

/** A time zone, which is searched while typing: `berlin` finds `Europe/Berlin`. */
export function TimeZoneField({ label, value, onChange, empty, placeholder }: TimeZoneFieldProps) {
  const [text, setText] = useState(labelOf(value));
  const wanted = text.trim().toLowerCase().replaceAll('_', ' ');
  const isChosen = isNamed(value, text);
  const matches = zones.filter((zone) => labelOf(zone).toLowerCase().includes(wanted));
  const found = isChosen || wanted === '' ? zones : matches;
  const listed = [...new Set([...(value && isChosen ? [value] : []), ...found])];
  return (
    <ComboBox
      label={label}
      {...(placeholder !== undefined && { placeholder, isOptional: true })}
      options={listed
        .slice(0, isChosen ? undefined : SHOWN_MAX)
        .map((id) => ({ id, label: labelOf(id) }))}
      text={text}
      onText={(next) => {
        setText(next);
        const typed = zones.find((zone) => isNamed(zone, next));
        if (typed !== undefined || next === '') {
          onChange(typed ?? '');
        }
      }}
      value={value === '' ? null : value}
      onChange={(option) => {
        if (option) {
          onChange(option.id);
          setText(option.label);
        }
      }}
      // What is no time zone does not stay as if it were chosen.
      onBlur={() => setText(labelOf(value))}
      empty={empty}
    />
  );
}
