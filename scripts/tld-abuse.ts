// Computes the figures by which the provider `tld` judges (providers/tld/data/abuse.yaml) from what the reports
// published (reports.yaml beside it), and prints the level of each top-level domain under the shipped thresholds.
// `node scripts/tld-abuse.ts` writes the file; `--check` only says whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { loadFigures } from '../providers/tld/figures.ts';
import { judgeAll, LEVELS, readCutOffs } from '../providers/tld/levels.ts';
import { loadReports, writeFigures } from '../providers/tld/rates.ts';

const FILE = new URL('../providers/tld/data/abuse.yaml', import.meta.url);
const THRESHOLDS = new URL('../rules/signals.yaml', import.meta.url);
const DAY_MS = 86_400_000;
/** Abuse moves with prices: a figure of three years ago tells of another market. */
const TOO_OLD_DAYS = 3 * 365;

const reports = loadReports();
const computed = writeFigures(reports);
const isCurrent = readFileSync(FILE, 'utf8') === computed;
if (process.argv.includes('--check')) {
  if (!isCurrent) {
    console.error(
      'providers/tld/data/abuse.yaml is not what its reports come to: run node scripts/tld-abuse.ts',
    );
    process.exitCode = 1;
  }
} else if (!isCurrent) writeFileSync(FILE, computed);

for (const { source, date } of reports) {
  const days = Math.floor((Date.now() - Date.parse(date)) / DAY_MS);
  console.log(
    `${date}  ${String(days).padStart(4)} days old${days > TOO_OLD_DAYS ? ', DROP IT' : ''}  ${source}`,
  );
}
const cutOffs = readCutOffs(parse(readFileSync(THRESHOLDS, 'utf8')).tld);
const judged = judgeAll(loadFigures().figures, cutOffs);
for (const level of LEVELS) {
  const names = [...judged].filter(([, judgement]) => judgement.level === level).map(([tld]) => tld);
  console.log(`${level.padEnd(6)} ${String(names.length).padStart(2)}  ${names.sort().join(' ')}`);
}
