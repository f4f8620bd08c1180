import { Readable } from 'node:stream';
import { linesOfCsv } from '../../../lib/csv-lines.ts';
import { changeFiles } from '../../../rule-lab/editing/drafts.ts';
import type { Flip } from '../../../rule-lab/editing/list-flips.ts';
import { closed } from '../../json-types.ts';
import { areaOf } from '../endpoint.ts';
import { DAYS } from './rule-replay.schema.ts';
import { AREA, FILES_LIMIT_BYTES } from './rule-services.ts';
import { FILES } from './rules.schema.ts';

const { define } = areaOf(...AREA);

export const endpoints = {
  export_rule_flips: define('POST /rules/replay/flips.csv', {
    summary:
      'Every check on record that these files would answer otherwise than the rules in force, as a file',
    description:
      'Of the newest 100,000 live checks of those days, the newest first. A draft or a version is a filter of checks too: `flips`.',
    body: closed({ files: FILES, days: DAYS }),
    bodyLimitBytes: FILES_LIMIT_BYTES,
    answer: { description: 'A row each.', mediaType: 'text/csv; charset=utf-8' },
    refusals: ['rules_refused', 'busy'],
    async handle({ editing }, { body, person, asker: { signal }, setHeader }) {
      const base = editing.parts.inForce().files;
      const order = { base, candidate: changeFiles({}, body.files), days: body.days };
      const flips = await editing.flips(order, { asker: person.id, signal });
      setHeader('Content-Disposition', 'attachment; filename="flips.csv"');
      return Readable.from(fileOf(flips));
    },
  }),
};

const COLUMNS = ['id', 'created_at', 'domain', 'label', 'from', 'to', 'score', 'new_score'];
/** Written at once: some milliseconds. */
const ROWS_AT_ONCE = 1_000;

function* fileOf(flips: readonly Flip[]): Generator<string> {
  yield linesOfCsv([COLUMNS]);
  for (let from = 0; from < flips.length; from += ROWS_AT_ONCE) {
    yield linesOfCsv(flips.slice(from, from + ROWS_AT_ONCE).map(cellsOf));
  }
}

function cellsOf({ id, createdAt, domain, label, from, to, score }: Flip): readonly string[] {
  const scores = [score.base, score.candidate].map(String);
  return [id, createdAt, domain ?? '', label ?? '', from, to, ...scores];
}
