import type { JsonSchema, ThresholdFault } from 'postern/provider-kit';
import { lengthOf } from './shannon.ts';

/** From this length on, in code points, a score above `bits` is suspicious. */
export interface Threshold {
  readonly from_length: number;
  readonly bits: number;
  /** In place of `bits` for a text without a digit; `bits` where left out. */
  readonly bits_without_digit?: number;
}

/**
 * Calibrated as the README tells. Nothing below 12: there an ordinary name with no letter twice has the highest score that there
 * is. From 32 on the bits fall again, for hexadecimal identifiers: 16 digits give at most 4 bits. Names written in one
 * word score as high, but have no digit.
 */
const DEFAULT_THRESHOLDS: readonly Threshold[] = [
  { from_length: 12, bits: 3.42 },
  { from_length: 13, bits: 3.6 },
  { from_length: 15, bits: 3.65 },
  { from_length: 17, bits: 3.74 },
  { from_length: 18, bits: 3.8 },
  { from_length: 20, bits: 3.86 },
  { from_length: 25, bits: 3.86, bits_without_digit: 3.95 },
  { from_length: 32, bits: 3.65, bits_without_digit: 3.95 },
];

export const THRESHOLDS_SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    suspicious_above: {
      description:
        'By length of the local part, or of a word of it, ascending: a score above `bits` is suspicious.',
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['from_length', 'bits'],
        properties: {
          from_length: { type: 'integer', minimum: 1, maximum: 64, description: 'Code points.' },
          bits: { type: 'number', minimum: 0, maximum: 6, description: 'Bits per character.' },
          bits_without_digit: {
            type: 'number',
            minimum: 0,
            maximum: 6,
            description: 'The same where there is no digit; `bits` when left out.',
          },
        },
      },
      default: DEFAULT_THRESHOLDS,
    },
  },
};

/** Lengths must ascend: the last row that a length reaches is the one that counts. */
export function checkAscending(thresholds: Readonly<Record<string, unknown>>): readonly ThresholdFault[] {
  return tableOf(thresholds).flatMap(({ from_length }, row, table) => {
    const before = table[row - 1]?.from_length ?? 0;
    if (from_length > before) return [];
    const message = `must be above ${before}, the length before: lengths ascend`;
    return [{ path: ['suspicious_above', row, 'from_length'], message }];
  });
}

export function tableOf(thresholds: Readonly<Record<string, unknown>>): readonly Threshold[] {
  // The host has checked the section against the schema above.
  return thresholds.suspicious_above as readonly Threshold[];
}

/** The bits that a score of the text must exceed; infinite below the table's first length. */
export function limitAt(text: string, table: readonly Threshold[]): number {
  const length = lengthOf(text);
  const row = table.findLast(({ from_length }) => from_length <= length);
  if (row === undefined) return Number.POSITIVE_INFINITY;
  return /\p{Nd}/u.test(text) ? row.bits : (row.bits_without_digit ?? row.bits);
}
