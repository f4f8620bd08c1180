// Prints what the entropy thresholds of rules/signals.yaml find and what they cost.
//
//   node scripts/calibrate-entropy.ts HUMAN.txt GENERATED.tsv
//
// HUMAN.txt: a local part of a real person on each line. GENERATED.tsv: pattern, class, local part.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { piecesOf } from '../providers/entropy/pieces.ts';
import { shannonEntropy } from '../providers/entropy/shannon.ts';
import { limitAt, type Threshold } from '../providers/entropy/thresholds.ts';

const [humanFile, generatedFile] = process.argv.slice(2);
if (humanFile === undefined || generatedFile === undefined) {
  console.error('usage: node scripts/calibrate-entropy.ts HUMAN.txt GENERATED.tsv');
  process.exit(2);
}

const rules = new URL('../rules/signals.yaml', import.meta.url);
const table: readonly Threshold[] = parse(readFileSync(rules, 'utf8')).entropy.suspicious_above;
const lines = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));

const human = lines(humanFile).map((text) => measure(text));
const generated = lines(generatedFile).map((line) => {
  const [pattern = '', kind = '', text = ''] = line.split('\t');
  return { pattern, kind, ...measure(text) };
});

console.log(
  `people ${percent(human)} of ${human.length}, median ${quantile(human, 0.5)}, 95 % ${quantile(human, 0.95)}`,
);
console.log('\nfrom_length  bits    people (false hits)     random (hits)');
for (const [index, row] of table.entries()) {
  const end = table[index + 1]?.from_length ?? Number.POSITIVE_INFINITY;
  const within = ({ length }: Measured) => length >= row.from_length && length < end;
  const random = generated.filter(({ kind }) => kind === 'random');
  const [people, machine] = [human.filter(within), random.filter(within)];
  console.log(
    `${String(row.from_length).padEnd(12)} ${String(row.bits).padEnd(7)} ${share(people).padEnd(23)} ${share(machine)}`,
  );
}
for (const key of ['kind', 'pattern'] as const) {
  console.log(`\nhits by ${key}`);
  const groups = Map.groupBy(generated, (row) => row[key]);
  for (const [name, rows] of groups) console.log(`${name.padEnd(24)} ${share(rows)}`);
}

interface Measured {
  readonly length: number;
  readonly score: number;
  readonly isSuspicious: boolean;
}

function measure(text: string): Measured {
  const folded = text.trim().toLowerCase();
  const length = [...folded].length;
  const isSuspicious = piecesOf(folded).some((piece) => shannonEntropy(piece) > limitAt(piece, table));
  return { length, score: shannonEntropy(folded), isSuspicious };
}

function percent(rows: readonly Measured[]): string {
  if (rows.length === 0) return '-';
  return `${((100 * rows.filter(({ isSuspicious }) => isSuspicious).length) / rows.length).toFixed(2)} %`;
}

function share(rows: readonly Measured[]): string {
  return `${percent(rows)} of ${rows.length}`;
}

function quantile(rows: readonly Measured[], at: number): string {
  const scores = rows.map(({ score }) => score).sort((one, other) => one - other);
  return (scores[Math.floor(at * scores.length)] ?? 0).toFixed(2);
}
