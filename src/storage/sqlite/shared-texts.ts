import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Facts } from '../../rules/decision.ts';

/** A text that many rows of `check_rows` name. */
export interface SharedText {
  /** The first 16 hex digits of SHA-256 over the text. */
  readonly id: string;
  readonly text: string;
}

/**
 * Writes facts and the versions of data as their rows hold them: what is the same from check to check by the name of its
 * text, and remembers which texts a commit must bring along.
 */
export class SharedTexts {
  readonly #ids = new Map<string, string>();
  #unstored: readonly SharedText[] = [];
  #names: readonly string[] = [];
  #namesId: string | undefined;
  #sources: object | undefined;
  #sourcesJson = '';

  /** JSON: the id of the names, then a value for each. */
  facts(facts: Facts): string {
    if (!isOf(facts, this.#names)) this.#namesId = undefined;
    if (this.#namesId === undefined) {
      this.#names = Object.keys(facts);
      this.#namesId = this.#idOf(JSON.stringify(this.#names));
    }
    const values: unknown[] = Object.values(facts);
    values.unshift(this.#namesId);
    return JSON.stringify(values);
  }

  /** JSON: the id of the text. The same object from one reload to the next. */
  sources(sources: Readonly<Record<string, string>>): string {
    if (sources !== this.#sources) {
      this.#sources = sources;
      this.#sourcesJson = `"${this.#idOf(JSON.stringify(sources))}"`;
    }
    return this.#sourcesJson;
  }

  /** Those that no commit has stored yet. */
  get unstored(): readonly SharedText[] {
    return this.#unstored;
  }

  /** The next commit need not bring them along. */
  areStored(texts: readonly SharedText[]): void {
    if (texts.length > 0) this.#unstored = this.#unstored.filter((text) => !texts.includes(text));
  }

  #idOf(text: string): string {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = hash('sha256', text).slice(0, 16);
      this.#ids.set(text, id);
      this.#unstored = [...this.#unstored, { id, text }];
    }
    return id;
  }
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
  of(facts: string): readonly string[] | null {
    if (!facts.startsWith('[')) return null;
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
