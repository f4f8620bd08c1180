import { isAlias, isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import { explainLostShape, explainSyntaxError, ODD_BLANK, ODD_BLANKS } from '../lib/yaml-syntax.ts';
import type { Place, ProblemCode, ProblemList } from './problem.ts';

export type Scalar = string | number | boolean | null;

/** A value of a YAML file with its place. `value` and `oddity` are undefined for a list or a mapping. */
export type Located =
  | {
      readonly kind: 'scalar';
      readonly place: Place;
      readonly value: Scalar;
      /** Why the value may not be the text that a person sees there. */
      readonly oddity?: Oddity;
    }
  | (NoScalar & { readonly kind: 'list'; readonly items: readonly Located[] })
  | LocatedMap;

interface NoScalar {
  readonly place: Place;
  readonly value?: undefined;
  readonly oddity?: undefined;
}

interface Oddity {
  readonly place: Place;
  readonly message: string;
  /** A comment in the usual form, `# so`: odd only behind text for people. */
  readonly isComment: boolean;
}

export interface LocatedMap extends NoScalar {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, { readonly keyPlace: Place; readonly value: Located }>;
}

/** How far back an anchor or a tag is searched for, in characters; a longer one is reported at the place of its value. */
const LONGEST_TAG = 200;

/** A lone carriage return ended a line on old Macintoshes. It ends none here: text after one in a comment would become part of the comment. */
const LONE_RETURN = /\r(?=[ \t]*[^\s#])/;

/** The first character of a file that makes another text of it than a person sees, and what to do. */
export function misleadingCharacter(text: string) {
  const nul = text.indexOf('\0');
  if (nul >= 0)
    return { at: nul, message: 'a NUL stands here, as in a file in UTF-16: save the file as UTF-8' };
  const at = text.search(LONE_RETURN);
  const message = 'a carriage return ends no line here: save the file with the line ends of Unix or Windows';
  return at < 0 ? undefined : { at, message };
}

/** Where the first control character of a comment stands, but for tabs and form feeds. Looks through each comment once: the text may be long. */
function controlInComment(text: string): number | undefined {
  for (const { 0: comment, index } of text.matchAll(/(?:^|[ \t])#.*/gm)) {
    const at = comment.search(/(?![\t\f])\p{Cc}/u);
    if (at >= 0) return index + at;
  }
  return undefined;
}

/**
 * Reads YAML 1.2 with unique keys and without anchors, aliases, tags and directives: what stands in the file
 * is what is meant, and a small file cannot grow into a large one. Undefined when it cannot be read at all;
 * an empty file is a null. `file` is what messages call it.
 */
export function readYaml(
  source: { readonly file: string; readonly text: string },
  problems: ProblemList,
): Located | undefined {
  const { document, lines } = parse(source.text);
  const placeAt = (offset: number, end?: number): Place => {
    const { line, col } = lines.linePos(offset);
    const place = { file: source.file, line: Math.max(line, 1), column: Math.max(col, 1) };
    if (end === undefined || end <= offset || source.text.slice(offset, end).includes('\n')) return place;
    return { ...place, endColumn: place.column + end - offset };
  };

  const misleading = misleadingCharacter(source.text);
  if (misleading) return problems.report('yaml_syntax', placeAt(misleading.at), misleading.message);
  const control = controlInComment(source.text);
  if (control !== undefined)
    problems.report('not_as_written', placeAt(control), 'a control character stands here: leave it out');
  const fault = explainSyntaxError(document, source.text);
  if (fault) {
    const { range, message, replacement } = fault;
    return problems.report('yaml_syntax', placeAt(...range), message, undefined, replacement);
  }
  // `%YAML 1.1` would turn a bare `no` into false, and `%TAG` gives tags another meaning. Other directives are warnings to the parser.
  const head = document.directives?.docStart ? source.text.slice(0, source.text.search(/^---/m)) : '';
  const directive = head.search(/^\uFEFF?%/m);
  if (directive >= 0) {
    const message = 'YAML directives are not allowed: leave this line out';
    return problems.report('yaml_alias', placeAt(directive), message);
  }

  let readable = true;
  const locate = (node: ParsedNode | null, fallback: Place): Located => {
    if (node === null) return { kind: 'scalar', place: fallback, value: null };
    const place = isMap(node) || isSeq(node) ? placeAt(node.range[0]) : placeAt(node.range[0], node.range[1]);
    if (isAlias(node)) {
      const message = 'an alias is not allowed: write the value out, and text that begins with * in quotes';
      problems.report('yaml_alias', place, message);
      readable = false;
      return { kind: 'scalar', place, value: null };
    }
    if (node.anchor !== undefined || node.tag !== undefined) {
      const [what, sign] = node.anchor !== undefined ? ['an anchor', '&'] : ['a tag', '!'];
      const message = `${what} is not allowed: write the plain value, and text that begins with ${sign} in quotes`;
      const [start] = node.range;
      const before = /(?:[&!]\S*\s+)*[&!]\S*\s*$/.exec(
        source.text.slice(Math.max(0, start - LONGEST_TAG), start),
      );
      problems.report('yaml_alias', placeAt(start - (before?.[0].length ?? 0)), message);
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
        const keyPlace = located.place;
        const fault = faultOfKey(
          name,
          entries.get(name)?.keyPlace,
          value === null ? bareKey(node) : undefined,
        );
        if (fault) problems.report(fault.code, keyPlace, fault.message);
        // Where a key stands twice, the first value is used, so that the rest of the file is judged in the same pass.
        if (fault && fault.code !== 'duplicate_key') readable = false;
        if (!fault) entries.set(name, { keyPlace, value: locate(value, keyPlace) });
      }
      return { kind: 'map', place, entries };
    }
    if (isSeq(node)) return { kind: 'list', place, items: node.items.map((item) => locate(item, place)) };
    const read: unknown = isScalar(node) ? node.value : null;
    const isPlain = typeof read === 'number' || typeof read === 'boolean' || read === null;
    const value: Scalar = isPlain ? read : String(read);
    const [start, end] = node.range;
    const written = source.text.slice(start, end);
    const plain = String(value);
    // A number too large to be written plainly is out of every range.
    if (typeof value === 'number' && /^[-+]?0(?:\d*[1-9]|[xo])/.test(written) && !/[a-z]/i.test(plain)) {
      const message = `${written} is read as ${plain}: write the plain number`;
      problems.report('not_as_written', place, message, plain);
    }
    const oddity = isScalar(node) && node.type === 'PLAIN' ? oddityOf(source.text, start, end) : undefined;
    if (!oddity) return { kind: 'scalar', place, value };
    return { kind: 'scalar', place, value, oddity: { ...oddity, place: placeAt(oddity.at) } };
  };

  const root = locate(document.contents, placeAt(0));
  return readable ? root : undefined;
}

function parse(text: string) {
  const lines = new LineCounter();
  const options = {
    version: '1.2',
    schema: 'core',
    // `faultOfKey` checks this: the parser takes 1 and "1" for two keys, and here all keys are words.
    uniqueKeys: false,
    merge: false,
    prettyErrors: false,
    lineCounter: lines,
  } as const;
  const document = parseDocument(text, options);
  if (document.errors.length === 0) return { document, lines };
  // Parsed again with tokens, which tell the bracket that was left open; they are several times as large as the rest.
  const withTokens = { ...options, lineCounter: new LineCounter(), keepSourceTokens: true };
  return { document: parseDocument(text, withTokens), lines };
}

/** What to do where nothing stands behind a key, not even a colon: a part of a text within braces, or `? key` on a line. */
function bareKey({ flow }: { readonly flow?: boolean | undefined }): string {
  return flow === true
    ? ': text that holds a comma or begins with a bracket must stand in quotes'
    : ': a colon and the value stand behind a key, and no ? before it';
}

/** `bare`: what to do about a key behind which nothing stands. */
function faultOfKey(
  name: string,
  first: Place | undefined,
  bare: string | undefined,
): { readonly code: ProblemCode; readonly message: string } | undefined {
  if (first)
    return { code: 'duplicate_key', message: `this key stands also in line ${first.line}: leave one out` };
  if (name === '<<') return { code: 'yaml_alias', message: 'a merge key is not allowed: write the keys out' };
  if (ODD_BLANKS.test(name)) return { code: 'yaml_syntax', message: ODD_BLANK };
  if (bare === undefined) return undefined;
  const remedy = name.startsWith('threshold.')
    ? `: a threshold is written { fact: ${name} }`
    : explainLostShape(name, 'mapping') || bare;
  return { code: 'yaml_syntax', message: `this has no value${remedy}` };
}

/** The first part of a plain text that a person may misread, and where. */
function oddityOf(
  text: string,
  start: number,
  end: number,
): (Omit<Oddity, 'place'> & { readonly at: number }) | undefined {
  const written = text.slice(start, end);
  const [comment] = /^[ \t]*#[^\n\r]*/.exec(text.slice(end)) ?? [];
  if (comment !== undefined) {
    const isComment = /#(?:\s|#|$)/.test(comment);
    const remedy = isComment ? 'a line of its own for it' : 'a blank after the #';
    const message = `a comment begins here: put the text in quotes if this belongs to it, else ${remedy}`;
    return { at: end + comment.indexOf('#'), message, isComment };
  }
  const odd = (at: number, message: string) => ({ at, message, isComment: false });
  const blank = written.search(ODD_BLANKS);
  if (blank >= 0) return odd(start + blank, `${ODD_BLANK}, or put the text in quotes`);
  const isHalf = written.endsWith('"') && written.split('"').length % 2 === 0;
  if (!isHalf && !/^[“”„«‘‚]/.test(written)) return undefined;
  return odd(start, 'the quotes are part of this text: only " and \' around the whole of it are not');
}

/** The place of the deepest part of the path that exists in the file: the key of a member, the item of a list. */
export function placeAlong(root: Located, path: readonly string[]): Place {
  let [located, place] = [root, root.place];
  for (const step of path) {
    const entry = located.kind === 'map' ? located.entries.get(step) : undefined;
    const next = located.kind === 'list' ? located.items[Number(step)] : entry?.value;
    if (!next) break;
    place = entry?.keyPlace ?? next.place;
    located = next;
  }
  return place;
}

/** True for `null`, and for a key, a section or a file with nothing but comments. */
export function isEmpty(located: Located): boolean {
  return located.value === null;
}

/** True where a value is missing; false where `null` is written. */
export function isLeftOut(located: Located): boolean {
  return isEmpty(located) && located.place.endColumn === undefined;
}

/** What stands there, for messages: `"yes"`, `5`, `a list`. */
export function describeFound({ kind, value }: Located): string {
  if (kind !== 'scalar') return kind === 'map' ? 'a mapping' : 'a list';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** The value as plain JSON. */
export function toPlain(located: Located): unknown {
  if (located.kind === 'scalar') return located.value;
  if (located.kind === 'list') return located.items.map(toPlain);
  return Object.fromEntries([...located.entries].map(([key, { value }]) => [key, toPlain(value)]));
}
