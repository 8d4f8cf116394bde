import type { TObject, TSchema } from 'typebox';
import { json, type Json } from './json.ts';
import { snakeCase } from './columns.ts';
import { lengthAt, offsetOf, type WireRow } from './wire-row.ts';
import * as write from './write-json.ts';

/** The select list of a record, and the encoder of its rows. */
export interface RecordSchema {
  /** The select list: member `firstName` is column `first_name` of the alias. */
  readonly members: string;
  /** The same, one by one. */
  readonly columns: readonly { readonly name: string; readonly expression: string }[];
  /** How many columns that is. */
  readonly width: number;
  /** Returns the JSON of a row whose members are the columns from `start` on. */
  encode(row: WireRow, start: number): Json;
  /** Returns the JSON of a list of such rows. */
  encodeAll(rows: readonly WireRow[], start: number): Json;
}

/**
 * Derives select list and encoder from the response schema. JSON is written from the bytes that PostgreSQL
 * sent: building it in PostgreSQL would cost several times as much. `computed` has the SQL of members
 * that are no columns.
 */
export function recordSchema(
  shape: TObject,
  alias: string,
  computed: Readonly<Record<string, string>> = {},
): RecordSchema {
  const declared = Object.entries(shape.properties).map(([name, schema], index) => ({
    name,
    expression: selectOf(schema, computed[name] ?? `${alias}.${snakeCase(name)}`),
    opening: Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    value: writerOf(schema),
  }));
  return {
    members: declared.map(({ name, expression }) => `${expression} as "${name}"`).join(', '),
    columns: declared,
    width: declared.length,
    encode: (row, start) => written(() => writeRecord(declared, row, start)),
    encodeAll: (rows, start) => written(() => writeAll(declared, rows, start)),
  };
}

function writeAll(members: readonly Member[], rows: readonly WireRow[], start: number): void {
  write.writeBytes(START_OF_LIST);
  rows.forEach((row, index) => {
    if (index > 0) {
      write.writeBytes(COMMA);
    }
    writeRecord(members, row, start);
  });
  write.writeBytes(END_OF_LIST);
}

interface Member {
  readonly opening: Buffer;
  readonly value: write.WriteValue;
}

const NULL = Buffer.from('null');
const END_OF_RECORD = Buffer.from('}');
const START_OF_LIST = Buffer.from('[');
const COMMA = Buffer.from(',');
const END_OF_LIST = Buffer.from(']');

function written(writeOut: () => void): Json {
  try {
    writeOut();
  } catch (error) {
    write.discardWritten();
    throw error;
  }
  return json(write.takeWritten());
}

function writeRecord(members: readonly Member[], row: WireRow, start: number): void {
  const { bytes, end } = row;
  let at = offsetOf(row, start);
  for (const { opening, value } of members) {
    write.writeBytes(opening);
    const length = at < end ? lengthAt(bytes, at) : -1;
    at += 4;
    if (length < 0) {
      write.writeBytes(NULL);
    } else {
      value(bytes, at, at + length);
      at += length;
    }
  }
  write.writeBytes(END_OF_RECORD);
}

const isTime = (schema: TSchema) => (schema as { format?: string }).format === 'date-time';

/** Times are selected as UTC, whatever the time zone of the session. */
const selectOf = (schema: TSchema, expression: string): string =>
  isTime(schema) ? `(${expression} at time zone 'UTC')` : expression;

function writerOf(schema: TSchema): write.WriteValue {
  if (isTime(schema)) {
    return write.writeTime;
  }
  const { type: types, items } = schema as { type?: string | string[]; items?: { type?: string } };
  const type = [types].flat().find((one) => one !== 'null');
  // PostgreSQL's text of numbers and JSON is JSON already.
  return (items?.type === 'object' ? undefined : WRITERS[type ?? '']) ?? write.writeBytes;
}

const WRITERS: Readonly<Record<string, write.WriteValue>> = {
  string: write.writeString,
  boolean: write.writeBoolean,
  array: write.writeArray,
};
