import type { ErrorObject } from 'ajv/dist/2020.js';
import { ajvForProviders } from '../../app/config/faults.ts';
import { suggest } from '../../lib/did-you-mean.ts';
import { compareKeys } from '../../lib/text.ts';
import type { DeclaredThresholds } from '../../signals/signals.ts';
import type { Place, ProblemList } from '../problem.ts';
import { type Located, toPlain } from '../yaml-document.ts';

type Section = Readonly<Record<string, unknown>>;

/**
 * `signals.yaml`: for each provider that declares thresholds, its section checked against that schema and by the provider,
 * with the schema's defaults where the file is silent.
 */
export function readSignalsFile(
  file: Located | undefined,
  declared: ReadonlyMap<string, DeclaredThresholds>,
  problems: ProblemList,
): Readonly<Record<string, Section>> {
  const sections = openSections(file, declared, problems);
  const result: Record<string, Section> = {};
  for (const [provider, { schema, check }] of [...declared].sort(compareKeys)) {
    const located = sections.get(provider);
    const section = located ? toPlain(located) : {};
    const at: Whereabouts = { provider, located, file };
    const validate = ajvForProviders().compile<Section>(schema);
    if (!validate(section)) {
      reportMisfits(at, validate.errors ?? [], problems);
      continue;
    }
    const faults = check?.(section) ?? [];
    if (faults.length === 0) result[provider] = section;
    for (const { path, message } of faults) reportFault(at, path.map(String), message, problems);
  }
  return result;
}

function openSections(
  file: Located | undefined,
  declared: ReadonlyMap<string, DeclaredThresholds>,
  problems: ProblemList,
): ReadonlyMap<string, Located> {
  const sections = new Map<string, Located>();
  if (!file || (file.kind === 'scalar' && file.value === null)) return sections;
  if (file.kind !== 'map') {
    problems.report(
      'wrong_shape',
      file.place,
      'signals.yaml must be a mapping of providers to their thresholds',
    );
    return sections;
  }
  for (const [provider, { keyPlace, value }] of file.entries) {
    // A section with nothing but comments is a section without thresholds.
    const isEmpty = value.kind === 'scalar' && value.value === null;
    if (declared.has(provider)) {
      if (!isEmpty) sections.set(provider, value);
    } else {
      const message = `no enabled provider reads thresholds from a section "${provider}"`;
      problems.report('unknown_section', keyPlace, message, suggest(provider, declared.keys()));
    }
  }
  return sections;
}

/** A provider's section, as far as there is one. */
interface Whereabouts {
  readonly provider: string;
  readonly located: Located | undefined;
  readonly file: Located | undefined;
}

/** The first fault at each place: ajv reports every branch of an `anyOf`. */
function reportMisfits(at: Whereabouts, errors: readonly ErrorObject[], problems: ProblemList): void {
  const seen = new Set<string>();
  for (const error of errors) {
    const path = pathOf(error);
    const key = path.join('/');
    if (seen.has(key)) continue;
    seen.add(key);
    if (error.keyword === 'additionalProperties') {
      const known = Object.keys(error.parentSchema?.properties ?? {});
      const message = `there is no threshold ${nameOf(at, path)}`;
      problems.report('unknown_key', placeOf(at, path), message, suggest(path.at(-1) ?? '', known));
    } else reportFault(at, path, error.message ?? 'is not valid', problems);
  }
}

function reportFault(at: Whereabouts, path: readonly string[], message: string, problems: ProblemList): void {
  problems.report('bad_threshold', placeOf(at, path), `${nameOf(at, path)} ${message}`);
}

function nameOf({ provider }: Whereabouts, path: readonly string[]): string {
  return [provider, ...path].join('.');
}

function pathOf({ instancePath, keyword, params }: ErrorObject): readonly string[] {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keyword === 'additionalProperties' ? [...path, String(params.additionalProperty)] : path;
}

/** Where the path leads, or as far as the file goes along it. */
function placeOf({ located, file }: Whereabouts, path: readonly string[]): Place {
  if (!located) return file?.place ?? { file: 'signals.yaml', line: 1, column: 1 };
  let current = located;
  let place = located.place;
  for (const step of path) {
    if (current.kind === 'map') {
      const entry = current.entries.get(step);
      if (!entry) break;
      current = entry.value;
      place = step === path.at(-1) ? entry.keyPlace : entry.value.place;
    } else if (current.kind === 'list') {
      const item = current.items[Number(step)];
      if (!item) break;
      current = item;
      place = item.place;
    }
  }
  return place;
}
