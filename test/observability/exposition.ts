/** A metric family of an exposition, with its samples by name and labels as written. */
export interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: ReadonlyMap<string, number>;
}

const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: ['_total'],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
};
const SAMPLE =
  /^(?<name>[a-zA-Z_:][\w:]*)(?<labels>\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)+\})? (?<value>\S+)$/;

/**
 * Reads OpenMetrics text as strictly as the specification (prometheus/OpenMetrics 1.0) writes it: families in one
 * piece, names with the suffixes of their type, no sample twice, `# EOF` at the end and nothing after.
 */
export function parseExposition(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n# EOF\n')) throw new Error('does not end with # EOF');
  const families = new Map<string, { type: string; help: string; samples: Map<string, number> }>();
  let current = '';
  for (const line of text.slice(0, -'# EOF\n'.length).trimEnd().split('\n')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword === 'HELP') {
      if (families.has(name)) throw new Error(`a second family ${name}`);
      families.set(name, { type: 'unknown', help: rest, samples: new Map() });
      current = name;
      continue;
    }
    const family = families.get(current);
    if (!family) throw new Error(`before any family: ${line}`);
    if (keyword === 'TYPE') {
      if (name !== current || !(rest in SUFFIXES)) throw new Error(`misplaced or unknown: ${line}`);
      family.type = rest;
      continue;
    }
    const sample = SAMPLE.exec(line)?.groups;
    if (!sample) throw new Error(`no sample: ${line}`);
    const fits = SUFFIXES[family.type]?.some((suffix) => sample.name === `${current}${suffix}`);
    if (!fits) throw new Error(`not of ${current} (${family.type}): ${line}`);
    const id = `${sample.name}${sample.labels ?? ''}`;
    if (family.samples.has(id)) throw new Error(`twice: ${id}`);
    family.samples.set(id, sample.value === 'Nan' ? Number.NaN : Number(sample.value));
  }
  return families;
}

/** One sample's value, `postern_checks_total{environment="live"}`; undefined where there is none. */
export function sampleOf(families: ReadonlyMap<string, Family>, id: string): number | undefined {
  for (const { samples } of families.values()) {
    const value = samples.get(id);
    if (value !== undefined) return value;
  }
  return undefined;
}
