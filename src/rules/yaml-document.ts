import { isAlias, isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import { explainSyntaxError } from '../lib/yaml-syntax.ts';
import type { Place, ProblemList } from './problem.ts';

export type Scalar = string | number | boolean | null;

/** A value of a YAML file that knows where it stands. */
export type Located =
  | { readonly kind: 'scalar'; readonly place: Place; readonly value: Scalar }
  | { readonly kind: 'list'; readonly place: Place; readonly items: readonly Located[] }
  | LocatedMap;

export interface LocatedMap {
  readonly kind: 'map';
  readonly place: Place;
  readonly entries: ReadonlyMap<string, { readonly keyPlace: Place; readonly value: Located }>;
}

interface YamlSource {
  /** As shown in messages. */
  readonly file: string;
  readonly text: string;
}

/**
 * Reads YAML 1.2 with unique keys and without anchors, aliases, tags and directives: what stands in the file
 * is what is meant, and a small file cannot grow into a large one. Undefined when it cannot be read at all;
 * an empty file is a null.
 */
export function readYaml(source: YamlSource, problems: ProblemList): Located | undefined {
  const lines = new LineCounter();
  const document = parseDocument(source.text, {
    version: '1.2',
    schema: 'core',
    // Judged below: the parser takes 1 and "1" for two keys, and here all keys are words.
    uniqueKeys: false,
    merge: false,
    prettyErrors: false,
    lineCounter: lines,
  });
  const placeAt = (offset: number, end?: number): Place => {
    const { line, col } = lines.linePos(offset);
    const place = { file: source.file, line: Math.max(line, 1), column: Math.max(col, 1) };
    if (end === undefined || end <= offset || source.text.slice(offset, end).includes('\n')) return place;
    return { ...place, endColumn: place.column + end - offset };
  };

  const fault = explainSyntaxError(document, source.text);
  if (fault) {
    problems.report('yaml_syntax', placeAt(...fault.range), fault.message, undefined, fault.replacement);
    return undefined;
  }
  let readable = true;
  if (document.directives?.yaml.explicit) {
    // `%YAML 1.1` would turn a bare `no` into false.
    problems.report('yaml_alias', placeAt(0), 'YAML directives are not allowed');
    readable = false;
  }
  if (!readable) return undefined;

  const locate = (node: ParsedNode | null, fallback: Place): Located => {
    if (node === null) return { kind: 'scalar', place: fallback, value: null };
    const place = isMap(node) || isSeq(node) ? placeAt(node.range[0]) : placeAt(node.range[0], node.range[1]);
    if (isAlias(node)) {
      problems.report('yaml_alias', place, 'an alias is not allowed: write the value out');
      readable = false;
      return { kind: 'scalar', place, value: null };
    }
    if (node.anchor !== undefined || node.tag !== undefined) {
      const what = node.anchor !== undefined ? 'an anchor' : 'a tag';
      problems.report('yaml_alias', place, `${what} is not allowed: write the plain value`);
      readable = false;
    }
    if (isMap(node)) {
      const entries = new Map<string, { keyPlace: Place; value: Located }>();
      for (const { key, value } of node.items) {
        const located = locate(key, place);
        if (located.kind !== 'scalar') {
          problems.report('wrong_shape', located.place, 'a key must be a plain word');
          continue;
        }
        const name = String(located.value);
        if (entries.has(name)) {
          // The first of two equal keys is read on, so that the rest of the file is judged in the same pass.
          problems.report('duplicate_key', located.place, 'this key stands here twice');
        } else {
          entries.set(name, { keyPlace: located.place, value: locate(value, located.place) });
        }
      }
      return { kind: 'map', place, entries };
    }
    if (isSeq(node)) return { kind: 'list', place, items: node.items.map((item) => locate(item, place)) };
    return { kind: 'scalar', place, value: isScalar(node) ? toScalar(node.value) : null };
  };

  const root = locate(document.contents, placeAt(0));
  return readable ? root : undefined;
}

/** A key, a section or a file with nothing but comments. */
export function isEmpty(located: Located): boolean {
  return located.kind === 'scalar' && located.value === null;
}

/** The value as plain JSON. */
export function toPlain(located: Located): unknown {
  if (located.kind === 'scalar') return located.value;
  if (located.kind === 'list') return located.items.map(toPlain);
  return Object.fromEntries([...located.entries].map(([key, { value }]) => [key, toPlain(value)]));
}

function toScalar(value: unknown): Scalar {
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? value : String(value);
}
