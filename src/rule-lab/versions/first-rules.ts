import { existsSync } from 'node:fs';
import { readConfiguredRules } from '../../checks/read-rule-sources.ts';
import { StartupError } from '../../errors.ts';
import { isoTime } from '../../lib/time.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { compileRuleSet } from '../../rules/compile.ts';
import { lintRules } from '../../rules/lint/lint-rules.ts';
import { formatProblem } from '../../rules/problem.ts';
import { digestOf, type RuleSources } from '../../rules/rule-files.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import type { Storage } from '../../storage/ports.ts';
import { beginBase, type RuleDirectories } from './shipped-rules.ts';

interface FirstRulesTools {
  readonly rules: RuleDirectories;
  readonly storage: Pick<Storage, 'ruleVersions' | 'state'>;
  readonly catalogue: FactCatalogue;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * With `rules.source: database`, before it is read: where nothing is published yet, publishes the rules that an operator has had. Of
 * many instances that start at once one does it. Throws a StartupError that lists what is at fault in them.
 */
export async function publishFirstRules(tools: FirstRulesTools): Promise<void> {
  const { rules, storage, catalogue, clock, log } = tools;
  const { ruleVersions: versions, state } = storage;
  const published = await versions.published();
  if (published) {
    const last = await versions.last();
    // Instances ran with a directory meanwhile, or one still does.
    if (last && last.version > published.version) {
      const told = { published: published.version, since: last.version };
      log.warn(
        told,
        'rules came in force from a directory since, and are not published: "postern rules rollback"',
      );
    }
    return;
  }
  const sources = await findFirst(tools);
  const now = clock.now();
  const { problems, definitions } = lintRules(sources, catalogue, { now, onlyErrors: true });
  if (!definitions) throw new StartupError(problems.map(formatProblem));
  const { files, dir } = sources;
  const { hash } = compileRuleSet(definitions, catalogue, now);
  const first = { hash, digest: digestOf(files), reason: 'start', author: null, restores: null } as const;
  const version = await versions.publish({ ...first, at: isoTime(now) }, files, null);
  // Another instance was first.
  if (!version) return;
  await beginBase(rules, files, state);
  log.info(
    { version: version.version, from: dir },
    'the rules are published: rules.dir is not read any more',
  );
}

/** Those of `rules.dir`; where there is none those that were in force last, on another machine; else the shipped ones. */
async function findFirst({ rules, storage }: FirstRulesTools): Promise<RuleSources> {
  const { ruleVersions: versions } = storage;
  if (rules.shippedDir !== null && !existsSync(rules.dir)) {
    const last = await versions.last();
    const files = last && (await versions.filesOf(last.version));
    if (files) return { dir: `version ${last.version}`, files };
  }
  return readConfiguredRules(rules);
}
