import type { CampaignReport } from './campaign.ts';

const MIB = 2 ** 20;

/** A report for people: what was run, what came back, what failed and how to see it again. */
export function summarize(seed: number, report: CampaignReport, files: readonly string[]): string {
  const { cases, seconds, outcomes, failures, faults, logLines, memory } = report;
  const counted = [...outcomes].sort().map(([outcome, count]) => `${outcome} ${count}`);
  const lines = [
    `${cases} cases under seed ${seed} in ${seconds.toFixed(1)} s: ${counted.join(', ')}`,
    `heap ${(memory.warm.heapUsed / MIB).toFixed(1)} MiB when warm, ${(memory.end.heapUsed / MIB).toFixed(1)} at the end`,
    `${logLines} lines of log`,
  ];
  failures.forEach(({ numbers, name, listener, faults, received }, nth) => {
    lines.push('', `case ${numbers} (${name}, ${listener}): ${faults.join('; ')}`);
    if (received !== '') lines.push(`  received: ${received.slice(0, 500)}`);
    lines.push(`  its bytes: ${files[nth]}`, `  again: npm run fuzz -- --replay ${files[nth]}`);
  });
  if (faults.length > 0) lines.push('', ...faults.map((fault) => fault.slice(0, 1000)));
  if (failures.length + faults.length > 0)
    lines.push('', `the same run: npm run fuzz -- --seed ${seed} --count ${cases}`);
  return lines.join('\n');
}
