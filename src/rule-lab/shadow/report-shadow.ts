import { checksOf } from './checks-of.ts';
import type { ShadowReport } from './report.ts';
import { runShadow, type ShadowInputs, type Unjudged } from './run-shadow.ts';

/** What came of shadow rules and challengers, and what keeps that from being the whole truth. `checks` is how many were looked for. */
export async function reportShadow({
  checks,
  ...inputs
}: ShadowInputs & { readonly checks: number }): Promise<ShadowReport> {
  const { unjudged, ...findings } = await runShadow(inputs);
  return { ruleset: inputs.ruleSet.hash, checks, ...findings, caveats: caveatsOf(findings, unjudged) };
}

function caveatsOf(
  { challenger, rules }: Pick<ShadowReport, 'challenger' | 'rules'>,
  { otherForm, gone }: Unjudged,
): readonly string[] {
  const judged = [...rules.map(({ checks }) => checks), ...(challenger ? [challenger.checks] : [])];
  const hasLabels = judged.some(({ good, bad }) => good + bad > 0);
  const sets = challenger?.answered_by.length ?? 0;
  return [
    ...(judged.some(({ total }) => total > 0) && !hasLabels
      ? [
          'no check is labelled, so nobody can tell S/O and false positives: postern labels import brings labels',
        ]
      : []),
    ...(sets > 1 ? [`the challenger stands beside what was answered then, by ${sets} rule sets`] : []),
    ...[...otherForm].map(
      ([id, checks]) => `${id} was another rule in ${checksOf(checks)}, which are left out: it was edited`,
    ),
    ...[...gone].map(([id, checks]) => `${id} was tried in ${checksOf(checks)}, and is no shadow rule now`),
  ];
}
