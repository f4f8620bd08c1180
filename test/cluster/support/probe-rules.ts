import type { Instance } from './instance.ts';
import type { ClusterPerson } from './person.ts';

/** A group with one rule that fires for each address of a load. No other rule fires, so the score tells which rule set decided. */
export function probeRules(points: number): Readonly<Record<string, string>> {
  return {
    'probe.yaml': `group: probe
description: Tells one set of rules from another.
max_score: 60
rules:
  - id: probe
    description: Fires for the addresses of the load.
    owner: tests
    mode: live
    conditions: { all: [{ fact: local_part.separators, operator: equal, value: 2 }] }
    event: { type: points, params: { points: ${points} } }
`,
  };
}

/** Publishes as the dashboard does: draft, backtest, publication. Resolves to the instant of the answer and the rule set. */
export async function publish(
  person: ClusterPerson,
  instance: Instance,
  files: Readonly<Record<string, string>>,
): Promise<{ readonly at: number; readonly ruleset: string }> {
  const { json: draft } = await person.ask(instance, 'POST', '/rules/drafts', { files });
  const path = `/rules/drafts/${draft.id}`;
  const { revision } = draft;
  await person.ask(instance, 'POST', `${path}/backtest`, { revision });
  const { json: published } = await person.ask(instance, 'POST', `${path}/publish`, { revision });
  if (published.state !== 'in_force') throw new Error(`not in force: ${JSON.stringify(published)}`);
  return { at: Date.now(), ruleset: published.ruleset };
}
