import { refusalOf } from '../../../rule-lab/editing/publisher.ts';
import type { RuleTests } from '../../../rule-lab/editing/rule-jobs.ts';
import type { Problem } from '../../../rules/problem.ts';

export function presentProblem({
  code,
  severity,
  file,
  line,
  column,
  endColumn,
  message,
  hint,
  fix,
}: Problem) {
  return {
    code,
    severity,
    file,
    line,
    column,
    end_column: endColumn ?? null,
    message,
    hint: hint ?? null,
    fix: fix
      ? { line: fix.line, column: fix.column, end_column: fix.endColumn, replacement: fix.replacement }
      : null,
  };
}

export function presentTests(tests: RuleTests) {
  const { problems, passed, failing, hash } = tests;
  return {
    problems: problems.map(presentProblem),
    passed,
    failing: failing.map(({ name, place: { file, line, column }, failures }) => ({
      name,
      file,
      line,
      column,
      failures,
    })),
    refusals: refusalOf(tests),
    ruleset: hash,
  };
}
