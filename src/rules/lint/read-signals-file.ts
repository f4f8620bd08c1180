import { frozen } from '../../lib/concurrency.ts';
import { closestFaults, pathOf, sentenceOf } from '../../lib/json-schema.ts';
import { createOptionsAjv } from '../../lib/options-schema.ts';
import { compareKeys } from '../../lib/text.ts';
import { messageOf } from '../../lib/thrown.ts';
import { readThresholdFaults } from '../../signals/read-answer.ts';
import type { DeclaredThresholds } from '../../signals/signals.ts';
import { meantBy, type Place, type ProblemList } from '../problem.ts';
import { isEmpty, type Located, placeAlong, toPlain } from '../yaml-document.ts';

type Section = Readonly<Record<string, unknown>>;

/** Does not check the schemas themselves: that happens when providers are loaded, and by a test for built-in ones. */
const ajv = createOptionsAjv({ validateSchema: false });

/** By provider that declares thresholds: its section, checked by schema and provider, with the defaults where the file is silent. */
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
    const placeOf = (path: readonly string[]): Place =>
      located ? placeAlong(located, path) : (file?.place ?? { file: 'signals.yaml', line: 1, column: 1 });
    const reportFault = (path: readonly string[], message: string) =>
      problems.report('bad_threshold', placeOf(path), `${[provider, ...path].join('.')} ${message}`);
    const validate = ajv.compile<Section>(schema);
    if (validate(section)) {
      const faults = faultsOf(section, check);
      if (faults.length === 0) result[provider] = section;
      for (const { path, message } of faults) reportFault(path, message);
      continue;
    }
    // The first fault at each place.
    const byPath = Map.groupBy(closestFaults(validate.errors ?? []), (error) => pathOf(error).join('/'));
    for (const [error] of byPath.values()) {
      if (!error) continue;
      const path = pathOf(error);
      if (error.keyword === 'additionalProperties') {
        const meant = meantBy(path.at(-1) ?? '', Object.keys(error.parentSchema?.properties ?? {}));
        const message = `there is no threshold ${[provider, ...path].join('.')}`;
        problems.report('unknown_key', placeOf(path), message, ...meant);
      } else reportFault(path, sentenceOf(error));
    }
  }
  return result;
}

/** A provider that throws is reported as a fault of its section, so that lint still judges the other sections. */
function faultsOf(section: Section, check: DeclaredThresholds['check']) {
  try {
    return readThresholdFaults(check?.(frozen(section))).map(({ path, message }) => ({
      path: path.map(String),
      message,
    }));
  } catch (error) {
    return [{ path: [], message: `cannot be checked, its provider fails: ${messageOf(error)}` }];
  }
}

/** By provider. A section with nothing but comments is left out, like one that is absent. */
function openSections(
  file: Located | undefined,
  declared: ReadonlyMap<string, DeclaredThresholds>,
  problems: ProblemList,
): ReadonlyMap<string, Located> {
  const sections = new Map<string, Located>();
  if (!file || isEmpty(file)) return sections;
  if (file.kind !== 'map') {
    const message = 'signals.yaml must be a mapping of providers to their thresholds';
    problems.report('wrong_shape', file.place, message);
    return sections;
  }
  for (const [provider, { keyPlace, value }] of file.entries) {
    if (!declared.has(provider)) {
      const message = `no enabled provider reads thresholds from a section "${provider}"`;
      problems.report('unknown_section', keyPlace, message, ...meantBy(provider, declared.keys()));
    } else if (!isEmpty(value)) {
      sections.set(provider, value);
    }
  }
  return sections;
}
