import { isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';
import type { RuleFiles } from './language/names.ts';

/** A score from which something begins, and where its number stands in the files. */
export interface DecisionLine {
  /** The same while only the number changes. */
  readonly id: string;
  /** `medium`, `high`, `BLOCK` */
  readonly label: string;
  /** The least whole score that is enough. */
  readonly value: number;
  readonly place: NumberPlace;
}

export interface NumberPlace {
  readonly file: string;
  /** In the text of the file. */
  readonly from: number;
  readonly to: number;
  /** The comparison is `greaterThan`: the number is one less than the line. */
  readonly isExclusive: boolean;
}

const SCORE = 'risk_score';
const THRESHOLD = 'threshold.';

/** The score thresholds of `decision.yaml`: levels and actions whose single condition compares nothing but the score. */
export function decisionLines(files: RuleFiles): readonly DecisionLine[] {
  const text = files['decision.yaml'];
  const contents = text === undefined ? null : parseDocument(text, { strict: false }).contents;
  if (!isMap(contents)) return [];
  return ['levels', 'actions'].flatMap((list) => {
    const rules = contents.get(list);
    return isSeq(rules)
      ? rules.items.flatMap((rule) => (isMap(rule) ? (lineOf(rule, files) ?? []) : []))
      : [];
  });
}

/** The files with another number at the place of a line; everything else stays, comments too. */
export function moveLine(files: RuleFiles, { place }: DecisionLine, value: number): RuleFiles {
  const text = files[place.file] ?? '';
  const written = String(place.isExclusive ? value - 1 : value);
  return { ...files, [place.file]: text.slice(0, place.from) + written + text.slice(place.to) };
}

function lineOf(rule: YAMLMap, files: RuleFiles): DecisionLine | null {
  const comparison = rule.getIn(['conditions', 'all', 0]);
  const others = rule.getIn(['conditions', 'all', 1]);
  if (!isMap(comparison) || others !== undefined || comparison.get('fact') !== SCORE) return null;
  const operator = comparison.get('operator');
  if (operator !== 'greaterThanInclusive' && operator !== 'greaterThan') return null;
  const place = placeOf(comparison, files);
  if (place === null) return null;
  const params = rule.getIn(['event', 'params']);
  const label = isMap(params) ? (params.get('level') ?? params.get('action')) : undefined;
  const isExclusive = operator === 'greaterThan';
  const number = place.number;
  const value = isExclusive ? Math.floor(number) + 1 : Math.ceil(number);
  return {
    id: String(rule.get('id')),
    label: String(label ?? rule.get('id')),
    value,
    place: { file: place.file, from: place.from, to: place.to, isExclusive },
  };
}

interface Found {
  readonly file: string;
  readonly from: number;
  readonly to: number;
  readonly number: number;
}

/** The number stands in the comparison, or in the threshold that it names, in whichever file. */
function placeOf(comparison: YAMLMap, files: RuleFiles): Found | null {
  const value = comparison.get('value', true);
  if (isScalar(value)) return numberAt('decision.yaml', value);
  const fact = comparison.getIn(['value', 'fact']);
  if (typeof fact !== 'string' || !fact.startsWith(THRESHOLD)) return null;
  const name = fact.slice(THRESHOLD.length);
  for (const [file, text] of Object.entries(files)) {
    if (file.startsWith('tests/') || file.startsWith('lists/')) continue;
    const { contents } = parseDocument(text, { strict: false });
    const scalar = isMap(contents) ? contents.getIn(['thresholds', name, 'value'], true) : undefined;
    if (isScalar(scalar)) return numberAt(file, scalar);
  }
  return null;
}

function numberAt(file: string, scalar: { value: unknown; range?: unknown }): Found | null {
  const [from, to] = Array.isArray(scalar.range) ? scalar.range : [];
  if (typeof scalar.value !== 'number' || typeof from !== 'number' || typeof to !== 'number') return null;
  return { file, from, to, number: scalar.value };
}
