import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { NewCheck } from '../ports.ts';
import { type CheckValues, valuesOf } from './schema.ts';

/** A text that many rows of `check_rows` name. */
export interface SharedText {
  /** The first 16 hex digits of SHA-256 over the text. */
  readonly id: string;
  readonly text: string;
}

/** A check as its row holds it, and the texts that the row names. */
export interface SharingRow {
  readonly row: CheckValues;
  readonly texts: readonly SharedText[];
}

/** Those that these rows name and that were not sent yet, each once; from now on they were. */
export function textsOf(rows: readonly SharingRow[], sent: Set<SharedText>): readonly SharedText[] {
  const news: SharedText[] = [];
  for (const { texts } of rows) {
    for (const text of texts) {
      if (sent.has(text)) continue;
      sent.add(text);
      news.push(text);
    }
  }
  return news;
}

/** Writes checks as rows, in which what is the same from check to check is but named. */
export class RowWriter {
  readonly #facts = new NamedValues();
  readonly #timings = new NamedValues();
  #sources: object = {};
  #sourcesText = textOf('{}');

  write(check: NewCheck): SharingRow {
    const { sources } = check;
    const facts = this.#facts.write(check.facts);
    const timings = this.#timings.write(check.timings);
    // The same object from one reload to the next.
    if (sources !== this.#sources) {
      this.#sources = sources;
      this.#sourcesText = textOf(JSON.stringify(sources));
    }
    const row = valuesOf({ ...check, facts, timings, sources: `"${this.#sourcesText.id}"` });
    return { row, texts: [this.#facts.names, this.#timings.names, this.#sourcesText] };
  }
}

/** Objects whose names are nearly always those of the one before. */
class NamedValues {
  #names: readonly string[] = [];
  #text = textOf('[]');

  /** Those of the object that was written last. */
  get names(): SharedText {
    return this.#text;
  }

  write(object: Readonly<Record<string, unknown>>): string {
    if (!isOf(object, this.#names)) {
      this.#names = Object.keys(object);
      this.#text = textOf(JSON.stringify(this.#names));
    }
    const values = Object.values(object);
    values.unshift(this.#text.id);
    return JSON.stringify(values);
  }
}

function textOf(text: string): SharedText {
  return { id: hash('sha256', text).slice(0, 16), text };
}

function isOf(object: object, names: readonly string[]): boolean {
  let place = 0;
  for (const name in object) {
    if (name !== names[place]) return false;
    place += 1;
  }
  return place === names.length;
}

/** The names of facts and of timings, for whoever reads many rows. */
export class ValueNames {
  readonly #find: StatementSync;
  readonly #names = new Map<string, readonly string[]>();

  constructor(reader: DatabaseSync) {
    this.#find = reader.prepare('SELECT text FROM check_texts WHERE id = ?');
  }

  /** Of what a row holds; null where they stand beside their values. Throws when the database has lost them. */
  of(values: string | null): readonly string[] | null {
    if (!values?.startsWith('[')) return null;
    const id = values.slice(2, 18);
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
