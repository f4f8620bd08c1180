import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Facts } from '../../rules/decision.ts';
import type { CheckRow, NewCheck } from '../ports.ts';

/** A text that many rows of `check_rows` name. */
export interface SharedText {
  /** The first 16 hex digits of SHA-256 over the text. */
  readonly id: string;
  readonly text: string;
}

/** A check as its row holds it, and the texts that the row names. */
export interface SharingRow {
  readonly row: CheckRow;
  readonly texts: readonly SharedText[];
}

/** Those that these rows name, each once. */
export function textsOf(rows: readonly SharingRow[]): readonly SharedText[] {
  return [...new Set(rows.flatMap(({ texts }) => texts))];
}

/** Writes checks as rows, in which what is the same from check to check is but named. */
export class RowWriter {
  #names: readonly string[] = [];
  #namesText = textOf('[]');
  #sources: object = {};
  #sourcesText = textOf('{}');

  write(check: NewCheck): SharingRow {
    const { facts, sources } = check;
    if (!isOf(facts, this.#names)) {
      this.#names = Object.keys(facts);
      this.#namesText = textOf(JSON.stringify(this.#names));
    }
    // The same object from one reload to the next.
    if (sources !== this.#sources) {
      this.#sources = sources;
      this.#sourcesText = textOf(JSON.stringify(sources));
    }
    const values: unknown[] = Object.values(facts);
    values.unshift(this.#namesText.id);
    const row = { ...check, facts: JSON.stringify(values), sources: `"${this.#sourcesText.id}"` };
    return { row, texts: [this.#namesText, this.#sourcesText] };
  }
}

function textOf(text: string): SharedText {
  return { id: hash('sha256', text).slice(0, 16), text };
}

function isOf(facts: Facts, names: readonly string[]): boolean {
  let place = 0;
  for (const name in facts) {
    if (name !== names[place]) return false;
    place += 1;
  }
  return place === names.length;
}

/** The names of the facts of rows, for whoever reads many. */
export class FactNames {
  readonly #find: StatementSync;
  readonly #names = new Map<string, readonly string[]>();

  constructor(reader: DatabaseSync) {
    this.#find = reader.prepare('SELECT text FROM check_texts WHERE id = ?');
  }

  /** Of facts as a row holds them; null where they stand beside their values. Throws when the database has lost them. */
  of(facts: string | null): readonly string[] | null {
    if (!facts?.startsWith('[')) return null;
    const id = facts.slice(2, 18);
    let names = this.#names.get(id);
    if (!names) {
      const text = this.#find.get(id)?.text;
      if (typeof text !== 'string') throw new Error(`check_texts has no "${id}", which checks name`);
      names = JSON.parse(text) as readonly string[];
      this.#names.set(id, names);
    }
    return names;
  }
}
