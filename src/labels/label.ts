import { RowFileFault } from '../errors.ts';

/** What became of a signup, as a customer, an analyst or a chargeback tells. */
export const LABELS = ['good', 'bad'] as const;
export type Label = (typeof LABELS)[number];

/** Which values of a file mean which label. Nothing is guessed: whether `refunded` is bad only its owner knows. */
export class LabelWords {
  readonly #labels = new Map<string, Label>(LABELS.map((label) => [label, label]));

  /** `given`: values besides `good` and `bad` that mean one of the labels. Throws RowFileFault when a value is to mean both. */
  constructor(given: Partial<Readonly<Record<Label, readonly string[] | undefined>>> = {}) {
    for (const label of LABELS) {
      for (const word of given[label] ?? []) {
        const plain = plainOf(word);
        const before = this.#labels.get(plain);
        if (before !== undefined && before !== label) {
          throw new RowFileFault(`"${word}" cannot mean ${before} and ${label}`);
        }
        this.#labels.set(plain, label);
      }
    }
  }

  /** Null where there is no value, undefined where the value means no label. A number or a boolean is read as text. */
  read(value: unknown): Label | null | undefined {
    if (value === null || value === undefined) return null;
    if (typeof value === 'object') return undefined;
    const plain = plainOf(String(value));
    return plain === '' ? null : this.#labels.get(plain);
  }
}

/** The longest value that is quoted: a word that means a label is shorter. */
const MOST_QUOTED = 40;

/** For a person, and for reports: what is wrong with the value, and what to do. */
export function describeUnknownLabel(value: unknown): string {
  if (typeof value === 'object') return 'the label is no word: it is good or bad';
  const text = String(value);
  // The sentence goes into reports that are sent on, and a column taken by mistake may hold anything of a person.
  if (text.includes('@')) return 'an address stands where the label should: it is good or bad';
  if (text.length > MOST_QUOTED) return `a text of ${text.length} characters is neither good nor bad`;
  return `"${text}" is neither good nor bad: --good ${shown(text)} or --bad ${shown(text)} says which it means`;
}

function shown(text: string): string {
  return /^[\w.+-]+$/.test(text) ? text : `"${text}"`;
}

function plainOf(word: string): string {
  return word.trim().toLowerCase();
}
